"""Tables in every state a player meets, arranged in the data of a site that is about to start.

`python -m tests.e2e.arranged` writes them through the same functions that people's moves use, with
scripted dice, and prints one JSON object: {state: {seats: [path, session key of the viewer]}}.
All players are people with the longest names allowed, so no bot moves while a test looks.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
    django.setup()

from django.test import Client  # noqa: E402

from accounts.models import User  # noqa: E402
from games.core.chance import ScriptedChance  # noqa: E402
from games.play import before_start  # noqa: E402
from tests.games.evening import CALZA, CONFIRM, DUDO, Evening, bid  # noqa: E402
from tests.games.playing import open_table  # noqa: E402

AN_HOUR = 3_600  # seconds: no clock runs out while a test looks
HANDS = ((1, 2, 2, 3, 4), (2, 2, 3, 5, 6), (1, 3, 3, 4, 6), (2, 3, 4, 5, 6), (1, 1, 2, 5, 6))

_numbers = count()


def _person() -> User:
    return User.objects.create_user(f"Maximilian-Marce-{next(_numbers):03}")


def _rolls(dice: Iterable[int]) -> list[int]:
    """The dice rolled when the seats hold this many: the hands above, in turn."""
    return [face for seat, held in enumerate(dice) for face in HANDS[seat % len(HANDS)][:held]]


class Arranged(Evening):
    """A game of `seats` people in which the viewer sits at seat 0."""

    def __init__(self, seats: int, *, opener: int = 0, **table: Any) -> None:
        long_ago = datetime.now(UTC) - timedelta(minutes=20)
        self.viewer, *others = (_person() for _ in range(seats))
        table = {"turn_seconds": AN_HOUR, "lost_dice_visible": True} | table
        game = open_table(self.viewer, *others, now=long_ago, **table)
        rolled = ScriptedChance([opener, *_rolls([5] * seats)])
        before_start.start(game.code, self.viewer, now=long_ago, chance=rolled)
        super().__init__(game, now=long_ago)

    def calls(self, bidder: int, quantity: int, face: int = 2) -> int:
        """The bidder, whose turn it is, bids; the next player doubts. Returns who doubted."""
        self.says(bidder, bid(f"{quantity}x{face}"), after=1)
        caller: int = self.state.turn
        self.now = max(self.now, datetime.now(UTC) - timedelta(seconds=5))
        self.says(caller, DUDO, after=2)
        return caller

    def all_continue(self) -> None:
        state = self.state
        players = [seat for seat, dice in enumerate(state.dice) if dice]
        for seat in players[:-1]:
            self.says(seat, CONFIRM, after=0)
        self.says(players[-1], CONFIRM, after=0, rolls=_rolls(state.dice))

    def loses(self, seat: int, *, dice: int) -> None:
        """The seat, whose turn it is, bids far too high so many times; the last cups stay up."""
        for left in range(dice, 0, -1):
            self.calls(seat, sum(self.state.dice))
            if left > 1:
                self.all_continue()


def opening(seats: int) -> Arranged:
    return Arranged(seats)


def turn(seats: int, **table: Any) -> Arranged:
    """The player before the viewer has bid."""
    game = Arranged(seats, opener=seats - 1, **table)
    game.says(seats - 1, bid("3x2"))
    return game


def doubt(seats: int) -> Arranged:
    """The same, for a test that doubts the bid: it is one short of the count."""
    game = Arranged(seats, opener=seats - 1)
    game.says(seats - 1, bid(f"{2 * seats}x2"))
    return game


def too_high(seats: int) -> Arranged:
    """The same with a bid above the count: the bidder will lose a die."""
    game = Arranged(seats, opener=seats - 1)
    game.says(seats - 1, bid(f"{2 * seats + 2}x2"))
    return game


def turn_with_calza(seats: int) -> Arranged:
    return turn(seats, calza="on")


def turn_with_odds(seats: int) -> Arranged:
    return turn(seats, calza="on", show_odds=True)


def palifico(seats: int) -> Arranged:
    """The player before the viewer is down to one die and has opened the round."""
    game = Arranged(seats, opener=seats - 1, calza="on")
    game.loses(seats - 1, dice=4)
    game.all_continue()
    game.says(seats - 1, bid("2x2"))
    return game


def last_die(seats: int) -> Arranged:
    """The viewer is down to one die and opens the round."""
    game = Arranged(seats)
    game.loses(0, dice=4)
    game.all_continue()
    return game


def waiting(seats: int, **table: Any) -> Arranged:
    game = Arranged(seats, **table)
    game.says(0, bid("3x2"))
    return game


def waiting_with_calza(seats: int) -> Arranged:
    """Two others are at it: the viewer may call calza out of turn."""
    game = Arranged(seats, opener=1, calza="on")
    game.says(1, bid("3x2"))
    return game


def reveal(seats: int) -> Arranged:
    """The first reveal: all the dice there are."""
    game = Arranged(seats, opener=1)
    game.calls(1, seats * 2)
    return game


def reveal_before_palifico(seats: int) -> Arranged:
    """The longest verdict: somebody loses a die and is down to one."""
    game = Arranged(seats, opener=1)
    game.loses(1, dice=4)
    return game


def reveal_of_calza(seats: int) -> Arranged:
    """The viewer called calza in vain."""
    game = Arranged(seats, opener=1, calza="on")
    game.says(1, bid("3x2"))
    game.now = datetime.now(UTC) - timedelta(seconds=5)
    game.says(0, CALZA, after=1)
    game.clock_strikes()
    return game


def seen(seats: int) -> Arranged:
    """The viewer has looked, the others still look."""
    game = reveal_before_palifico(seats)
    game.says(0, CONFIRM, after=0)
    return game


def before_roll(seats: int) -> Arranged:
    """All but the viewer have looked: with their press the next round begins."""
    return _others_continue(reveal(seats))


def before_palifico(seats: int) -> Arranged:
    """The same, and the next round is palifico."""
    return _others_continue(reveal_before_palifico(seats))


def _others_continue(game: Arranged) -> Arranged:
    for seat in range(1, len(game.state.dice)):
        game.says(seat, CONFIRM, after=0)
    return game


def exact(seats: int) -> Arranged:
    """A bid that is exact, for a viewer who calls calza with a die lost before."""
    game = Arranged(seats, opener=0, calza="on")
    game.loses(0, dice=1)
    game.all_continue()
    game.says(0, bid("1x2"), after=1)
    held = [face for seat, dice in enumerate(game.state.dice) for face in HANDS[seat % 5][:dice]]
    game.says(1, bid(f"{held.count(1) + held.count(2)}x2"), after=2)
    game.now = datetime.now(UTC) - timedelta(seconds=5)
    return game


def out(seats: int) -> Arranged:
    game = Arranged(seats)
    game.loses(0, dice=5)
    game.all_continue()
    game.says(game.state.turn, bid("3x2"))
    return game


def over(seats: int) -> Arranged:
    """The viewer has won against everybody."""
    game = Arranged(seats, opener=1)
    for loser in range(1, seats):
        if loser > 1:
            game.all_continue()
            assert game.state.turn == loser
        game.loses(loser, dice=5)
    return game


def _last_doubt(seats: int) -> Arranged:
    """The only other player has one die and bids too high: the viewer wins by doubting."""
    game = Arranged(seats, opener=1)
    game.loses(1, dice=4)
    game.all_continue()
    game.says(1, bid("6x2"))
    return game


def last_doubt_no(seats: int) -> Arranged:
    return _last_doubt(seats)


def last_doubt_re(seats: int) -> Arranged:
    return _last_doubt(seats)


SEATS: dict[Callable[[int], Arranged], tuple[int, ...]] = {
    opening: (2, 6),
    turn: (2, 3, 4, 5, 6),
    doubt: (2, 6),
    too_high: (6,),
    turn_with_calza: (2, 6),
    turn_with_odds: (6,),
    palifico: (6,),
    last_die: (2, 6),
    waiting: (2, 6),
    waiting_with_calza: (3, 6),
    reveal: (2, 3, 4, 5, 6),
    reveal_before_palifico: (2, 6),
    reveal_of_calza: (6,),
    seen: (6,),
    before_roll: (2, 6),
    before_palifico: (6,),
    exact: (6,),
    out: (3, 6),
    over: (2, 6),
    last_doubt_no: (2,),
    last_doubt_re: (2,),
}


def main(tables: Mapping[Callable[[int], Arranged], tuple[int, ...]] = SEATS) -> None:
    arranged: dict[str, dict[int, list[str]]] = {}
    for make, sizes in tables.items():
        for seats in sizes:
            game = make(seats)
            client = Client()
            client.force_login(game.viewer)
            session = client.cookies["sessionid"].value
            arranged.setdefault(make.__name__, {})[seats] = [f"/games/{game.code}", session]
    print(json.dumps(arranged))


if __name__ == "__main__":
    main()
