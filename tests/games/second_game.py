"""A second game for the catalogue: Perudo's parts under another key, for four to eight players."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from django.db.models import Prefetch
from django.template import engines

from games import catalogue
from games.perudo import pace, rules, stats, words
from tests.live import ROOT

KEY, NAME = "other", "Other Dice"
SEATS = range(4, 9)
# What the second game proposes: (seconds of a turn, of a bot's turn) by the number of seats.
PROPOSED = {7: (25, 0.5), 8: (20, 0.4)}

started: list[int | None] = []  # the starters that its rules were given, newest last


def start(seats: int, options: Any, chance: Any, *, starter: int | None = None) -> Any:
    started.append(starter)
    return rules.start(seats, options, chance, starter=starter)


def second_game() -> catalogue.Game:
    """The game, not registered."""
    first = catalogue.of(rules.KEY)
    own_words = {
        "name": lambda: NAME,
        "tagline": lambda: "A game only of the tests.",
        "summary": lambda: "It is played like the first one.",
    }
    own_pace = {
        "turn_seconds": lambda seats: PROPOSED.get(seats, (None, None))[0],
        "bot_seconds": lambda seats: PROPOSED.get(seats, (None, None))[1],
    }
    own_stats = {"export_rows": lambda: Prefetch("game__host")}
    own_rules = {"KEY": KEY, "SEATS": SEATS, "start": start}
    return replace(
        first,
        key=KEY,
        rules=_like(rules, **own_rules),
        words=_like(words, **own_words),
        pace=_like(pace, **own_pace),
        stats=_like(stats, **own_stats),
    )


def _like(module: Any, **changed: Any) -> Any:
    return SimpleNamespace(**{name: getattr(module, name) for name in dir(module)} | changed)


def link_templates(folder: Path) -> None:
    """Give the folder the templates of the second game, which are those of the first."""
    (folder / KEY).symlink_to(ROOT / "templates" / rules.KEY)


@contextmanager
def registered(folder: Path) -> Iterator[catalogue.Game]:
    """Have the second game in the catalogue; its templates are linked in the folder."""
    link_templates(folder)
    engine: Any = engines["django"].engine  # type: ignore[attr-defined]
    dirs, games = engine.dirs, dict(catalogue._games)
    beginning: Any = sys.modules[rules.start.__module__]  # where the number of players is checked
    sizes, beginning.SEATS = beginning.SEATS, range(2, SEATS.stop)
    engine.dirs = [*dirs, folder]
    catalogue.register(second_game())
    try:
        yield catalogue.of(KEY)
    finally:
        engine.dirs, beginning.SEATS = dirs, sizes
        catalogue._games.clear()
        catalogue._games.update(games)
        for loader in engine.template_loaders:
            loader.reset()


@contextmanager
def alone() -> Iterator[catalogue.Game]:
    """Have the first game alone in the catalogue."""
    games = dict(catalogue._games)
    first = catalogue.default()
    catalogue._games.clear()
    catalogue._games[first.key] = first
    try:
        yield first
    finally:
        catalogue._games.update(games)
