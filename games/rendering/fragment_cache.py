"""Caches of rendered template fragments: by their values, or by table and version.

From one move to the next most of a table stays the same, and each unchanged fragment is rendered
only once. `rendered` gives a template nothing but its values, so they are the whole key; one that
is missing shows at once as a gap in the page. `shared` is for fragments that all viewers share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from django.template import Context
from django.template.loader import get_template
from django.utils.translation import get_language

from games import metrics
from games.models import Game
from games.rendering import common
from games.store.versioned_lru import VersionedLRU

_fragments: VersionedLRU[str] = VersionedLRU(most=5_000, name="fragments")
# With each fragment, when it was rendered, by time.monotonic.
_shared: VersionedLRU[tuple[float, str]] = VersionedLRU(most=6_000, name="shared fragments")


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


def shared(part: str, game: Game, version: int, render: Callable[[], str]) -> str:
    """The HTML of `render`, the same for all viewers; cached by part, table and language.

    The version is the game's `seq` (of the story, its newest round). A cached fragment is used at
    most for `FRESH_SECONDS`. Nothing hidden may be in it.
    """
    key = (part, game.code, get_language() or "")
    now = monotonic()
    kept, (began, html) = _shared.get(key) or (-1, (0.0, ""))
    if kept == version and now - began < common.FRESH_SECONDS:
        return html
    with metrics.render_seconds.labels(part).time():
        html = render()
    _shared.keep(key, version, (now, html))
    return html
