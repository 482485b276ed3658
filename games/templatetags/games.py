"""Filters and tags for the templates of every game: regional forms, parts, repetition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template

from games import regional_formats
from games.rendering import fragment_cache

register = template.Library()

# For whole pages only: a fragment is shared by readers of many regions.
register.filter("number", regional_formats.number)
register.simple_tag(regional_formats.element, name="when")


@register.simple_tag
def part(name: str, /, **values: Any) -> str:
    """A template that is given nothing but `values`: the same in, the same out.

    See `games.rendering.fragment_cache`.
    """
    return fragment_cache.rendered(name, values)


@register.filter
def join_names(games: Iterable[Mapping[str, Any]] | None) -> str:
    """The names of games, one after the other."""
    return ", ".join(str(game["name"]) for game in games or ())


@register.filter
def times(count: int | None) -> range:
    """So many turns of a {% for %}; none for None."""
    return range(count or 0)
