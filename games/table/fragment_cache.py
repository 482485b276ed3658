"""Caches of rendered template fragments: by their values, or by table and version.

From one move to the next, most of a table stays the same, and each unchanged fragment is rendered
only once. `rendered` gives a template nothing but its values, so they are the complete key; a
missing value shows as a gap in the page. `shared` is for fragments that all viewers share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from time import monotonic
from types import NoneType

from django.template import Context
from django.template.backends.django import Template
from django.template.loader import get_template
from django.utils.translation import get_language

from games import metrics
from games.models import Game
from games.store.versioned_lru import VersionedLRU
from games.table import common

_fragments: VersionedLRU[str] = VersionedLRU(most=5_000, name="fragments")
_known: dict[type, tuple[str, ...]] = {}
# Each fragment with the time at which it was rendered, by time.monotonic.
_shared: VersionedLRU[tuple[float, str]] = VersionedLRU(most=6_000, name="shared fragments")


def part(name: str, shown: object, values: Mapping[str, object]) -> str:
    """`rendered` with the fields of the dataclass `shown`, if it is not None, and these values.

    Raises TypeError unless all values are plain.
    """
    found = dict(values)
    if shown is not None:
        found |= {each: getattr(shown, each) for each in _fields(type(shown))}
    for each, value in found.items():
        if not _is_plain(value):
            raise TypeError(f"{name}: {each} is {type(value).__name__}, which is not plain")
    return rendered(name, found)


def _is_plain(value: object) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    return isinstance(value, str | int | float | NoneType) or bool(_fields(type(value)))


def _fields(kind: type) -> tuple[str, ...]:
    """The names of the fields; () unless it is a frozen dataclass whose repr contains them all."""
    if kind not in _known:
        _known[kind] = _read_fields(kind)
    return _known[kind]


def _read_fields(kind: type) -> tuple[str, ...]:
    if not is_dataclass(kind) or not kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return ()
    found = fields(kind)
    return tuple(each.name for each in found) if all(each.repr for each in found) else ()


def rendered(name: str, values: Mapping[str, object]) -> str:
    """The template `name` rendered with these values in the active language, cached.

    Values are plain: numbers, strings, None, frozen dataclasses, and lists and dicts of them.
    """
    key = (name, get_language(), repr(values))
    kept = _fragments.get(key)
    if kept is not None:
        return kept[1]
    html = plain(name, values)
    _fragments.keep(key, 0, html)
    return html


def plain(name: str, values: Mapping[str, object]) -> str:
    """The template `name` rendered with these values, not cached, without localised numbers.

    Looking up how a language groups thousands costs more than the rest of rendering a number.
    """
    template = get_template(name)
    assert isinstance(template, Template)  # noqa: S101
    return template.template.render(Context(dict(values), use_l10n=False))


def shared(part: str, game: Game, version: int, render: Callable[[], str]) -> str:
    """The HTML that `render` returns, the same for all viewers; cached by part, table, language.

    The version is the game's `seq`, or the newest round for the story. A cached fragment is used
    for `FRESH_SECONDS` at most. It must not contain hidden facts.
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
