"""Tables of the site as its own lobby makes them, some with many rounds behind them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from games import lobby, play
from games.models import Game
from games.rules.perudo.bids import Bid
from games.rules.perudo.moves import Calza, Confirm, Dudo
from games.rules.perudo.options import SITE_OPTIONS, SITE_PRESET

THREE = 3


class OnlyThrees:
    """Every die falls on three: whoever stages the game knows what is under the cups."""

    def dice(self, count: int) -> tuple[int, ...]:
        return (THREE,) * count

    def below(self, bound: int) -> int:
        return 0

    def happens(self, probability: float) -> bool:
        return False

    def choice(self, several: list[Any]) -> Any:
        return several[0]


def table(company: list[tuple[Any, str]], *, rounds: int = 0, calza: bool = False) -> str:
    """The code of a game of these people without a clock, so many rounds old.

    All dice are still in play: with calza, which `rounds` need, lost ones come back.
    """
    now = timezone.now()
    people = [person for person, _ in company]
    host, *others = people
    options = replace(SITE_OPTIONS, calza="on" if calza else "off")
    game = lobby.open_game(
        host,
        preset=SITE_PRESET,
        options=options.to_json(),
        size=len(people),
        turn_seconds=None,
        public=True,
        now=now,
    )
    for person in others:
        lobby.sit(game.code, person, now=now)
    if rounds:
        lobby.start(game.code, host, now=now, chance=OnlyThrees())
        _play_rounds(game.code, len(people), rounds=rounds, now=now)
    else:
        lobby.start(game.code, host, now=now)
    return game.code


def _play_rounds(code: str, seats: int, *, rounds: int, now: datetime) -> None:
    """Rounds in pairs: somebody doubts what is true, loses a die, and has it back by a calza."""
    luck, opener = OnlyThrees(), 0

    def do(number: int, move: Any) -> None:
        play.move(code, number % seats, move, seen=None, now=now, chance=luck)

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
        play.wake(code, now=now, chance=luck)  # the others have had their time to claim, too
        for number in range(seats - 1):
            do(number, Confirm())
        # From here on the dice fall as they like.
        chance = luck if to_come else None
        play.move(code, seats - 1, Confirm(), seen=None, now=now, chance=chance)
    assert Game.objects.get(code=code).status == Game.Status.PLAYING  # noqa: S101
