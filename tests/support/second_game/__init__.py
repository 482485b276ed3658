"""A second game for the catalogue: the parts of the first under another key, in a folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.template import engines

from games import catalogue
from games.game_modules import game_in
from games.perudo import rules as first


@contextmanager
def installed() -> Iterator[catalogue.GameKind]:
    """Have the second game in the catalogue, as a line in `settings.GAMES` would."""
    engine: Any = engines["django"].engine  # type: ignore[attr-defined]
    dirs, games = engine.dirs, [*catalogue.every()]
    beginning: Any = sys.modules[first.start.__module__]  # where the number of players is checked
    sizes, beginning.SEATS = beginning.SEATS, range(2, 9)
    engine.dirs = [*dirs, Path(__file__).parent / "templates"]  # in an app they are found
    second = game_in(__name__)
    catalogue.install([*games, second])
    try:
        yield second
    finally:
        engine.dirs, beginning.SEATS = dirs, sizes
        catalogue.install(games)
        for loader in engine.template_loaders:
            loader.reset()


@contextmanager
def alone() -> Iterator[catalogue.GameKind]:
    """Have the first game alone in the catalogue."""
    games = [*catalogue.every()]
    catalogue.install(games[:1])
    try:
        yield games[0]
    finally:
        catalogue.install(games)
