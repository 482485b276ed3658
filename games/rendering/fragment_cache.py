"""A cache of rendered template fragments, keyed by template, language and values.

From one move to the next most of a table stays the same, and each unchanged fragment is rendered
only once. A template gets nothing but its values, so they are the whole key; one that is missing
shows at once as a gap in the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.template import Context
from django.template.loader import get_template
from django.utils.translation import get_language

from games.store.versioned_lru import VersionedLRU

_fragments: VersionedLRU[str] = VersionedLRU(most=5_000, name="fragments")


def rendered(name: str, values: Mapping[str, Any]) -> str:
    """The template `name` rendered with these values in the active language, cached.

    Values are plain: numbers, strings, None, and lists and dicts of them.
    """
    key = (name, get_language(), repr(values))
    kept = _fragments.get(key)
    if kept is not None:
        return kept[1]
    html = plain(name, values)
    _fragments.keep(key, 0, html)
    return html


def plain(name: str, values: Mapping[str, Any]) -> str:
    """The template `name` rendered with these values, not cached, numbers without localisation.

    Looking up how a language groups thousands costs more than the rest of a number.
    """
    template: Any = get_template(name)
    html: str = template.template.render(Context(dict(values), use_l10n=False))
    return html
