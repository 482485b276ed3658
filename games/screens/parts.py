"""Parts of a screen that are the same for the same values: each is rendered once.

From one bid to the next most of a table stays as it was: the cups, the seats that wait, the bids
made before. A part is given nothing but its values, so they are all there is to compare, and a
forgotten one shows at once, as a hole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.template import Context
from django.template.loader import get_template
from django.utils.translation import get_language

from games.newest import Newest

_rendered: Newest[str] = Newest(most=5_000)


def rendered(name: str, values: Mapping[str, Any]) -> str:
    """The template `name` with these values, in the language of the moment.

    Values are plain: numbers, texts, None, and lists and dicts of them.
    """
    key = (name, get_language(), repr(values))
    kept = _rendered.get(key)
    if kept is not None:
        return kept[1]
    html = plain(name, values)
    _rendered.keep(key, 0, html)
    return html


def plain(name: str, values: Mapping[str, Any]) -> str:
    """The template `name` with these values; its numbers are digits in every language.

    Looking up how a language groups thousands costs more than the rest of a number.
    """
    template: Any = get_template(name)
    html: str = template.template.render(Context(dict(values), use_l10n=False))
    return html
