"""Tables of Perudo as the site's lobby makes them, some with many rounds behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from benchmarks.load.open_tables import full_table
from games.core.moves import Confirm
from games.models import Game
from games.perudo.rules import KEY
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.rules.options import SITE_OPTIONS, SITE_PRESET
from games.play import before_start, commands

THREE = 3


class OnlyThrees:
    """A source of chance whose dice all show three, so that the caller knows every hand."""

    def dice(self, count: int, at: object = None) -> tuple[int, ...]:
        return (THREE,) * count

    def below(self, bound: int, at: object = None) -> int:
        return 0


def table(people: Sequence[Any], *, rounds: int | None = None) -> str:
    """The code of a game of these people without a clock, so many rounds old.

    With `rounds`, 0 too, there is calza, so that lost dice come back and all are still in play.
    """
    now = timezone.now()
    options = replace(SITE_OPTIONS, calza="off" if rounds is None else "on").to_json()
    code = full_table(people, key=KEY, preset=SITE_PRESET, options=options, now=now)
    if rounds:
        before_start.start(code, people[0], now=now, chance=OnlyThrees())
        _play_rounds(code, len(people), rounds=rounds, now=now)
    else:
        before_start.start(code, people[0], now=now)
    return code


def _play_rounds(code: str, seats: int, *, rounds: int, now: datetime) -> None:
    """Rounds in pairs: somebody doubts what is true, loses a die, and has it back by a calza."""
    rng, opener = OnlyThrees(), 0

    def do(number: int, move: Any) -> None:
        commands.move(code, number % seats, move, seen=None, now=now, chance=rng)

    for to_come in reversed(range(rounds // 2)):
        do(opener, Bid(5 * seats, THREE))
        do(opener + 1, Dudo())
        for number in range(seats):
            do(number, Confirm())
        opener = (opener + 1) % seats
        do(opener, Bid(1, THREE))
        do(opener + 1, Bid(5 * seats - 1, THREE))
        do(opener, Calza())
        now += timedelta(minutes=1)
        commands.play_due(code, now=now, chance=rng)  # the time to claim is over
        for number in range(seats - 1):
            do(number, Confirm())
        # From here on the dice fall as they like.
        chance = rng if to_come else None
        commands.move(code, seats - 1, Confirm(), seen=None, now=now, chance=chance)
    assert Game.objects.get(code=code).status == Game.Status.PLAYING  # noqa: S101
