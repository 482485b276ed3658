"""Every game of the catalogue, and games of it that are played by the real commands."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from accounts.models import User
from games.contract import catalogue
from games.core.chance import SeededChance
from games.core.moves import Leave
from games.models import Game
from games.play import before_start, commands
from tests.support.fast_games import START

LANGUAGES = ("en", "fr", "it", "es")
_MOST_STEPS = 3_000  # far beyond any game

every_kind = pytest.mark.parametrize("kind", [*catalogue.every()], ids=lambda kind: kind.key)


def quick_game(kind: catalogue.GameKind, host: User, *, seed: int = 0) -> Game:
    """A game of one person that has just begun, with bots of each strength in turn."""
    count = max(1 + seed, kind.rules.SEATS.start - 1)
    bots = ([*kind.bots][seed % len(kind.bots) :] + [*kind.bots] * count)[:count]
    quick = before_start.quick_settings(kind.key, bots=count)
    return before_start.play_now(host, quick, bots=bots, now=START)


def played_on(game: Game, *, seed: int | None) -> Iterator[Game]:
    """The game now, and after each thing that falls due, to its end; None: as a site draws."""
    chance, now = None if seed is None else SeededChance(seed), START
    for _ in range(_MOST_STEPS):
        game = Game.objects.get(code=game.code)
        yield game
        if game.status != Game.Status.PLAYING:
            return
        now = max(now, game.due_at or now)
        Game.objects.filter(code=game.code).update(watched_at=now)
        commands.play_due(game.code, now=now, chance=chance)
    raise AssertionError(f"{game.code} does not end")


def finished_game(kind: catalogue.GameKind, host: User, *, stays: bool = False) -> Game:
    """A game to its end; the host leaves at once or, if they stay, misses every turn."""
    game = quick_game(kind, host)
    if not stays:
        commands.move(game.code, 0, Leave(), seen=None, now=START)
    *_, last = played_on(game, seed=1)
    return last
