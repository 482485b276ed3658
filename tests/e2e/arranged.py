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
from games.models import Game, Seat  # noqa: E402
from games.play import before_start  # noqa: E402
from tests.support.fast_games import open_table  # noqa: E402
from tests.support.game_driver import CALZA, CONFIRM, DUDO, GameDriver, bid  # noqa: E402
from tests.support.reviewed_play import reviewed  # noqa: E402

AN_HOUR = 3_600  # seconds: no clock runs out while a test looks
HANDS = ((1, 2, 2, 3, 4), (2, 2, 3, 5, 6), (1, 3, 3, 4, 6), (2, 3, 4, 5, 6), (1, 1, 2, 5, 6))

_numbers = count()


def _person() -> User:
    return User.objects.create_user(f"Maximilian-Marco-{next(_numbers):03}")


def _rolls(dice: Iterable[int]) -> list[int]:
    """The dice rolled when the seats hold this many: the hands above, in turn."""
    return [face for seat, held in enumerate(dice) for face in HANDS[seat % len(HANDS)][:held]]


class ArrangedGame(GameDriver):
    """A game of `seats` people in which the viewer sits at seat 0."""

    def __init__(self, seats: int, *, opener: int = 0, **table: Any) -> None:
        long_ago = datetime.now(UTC) - timedelta(minutes=20)
        self.viewer, *others = (_person() for _ in range(seats))
        table = {"turn_seconds": AN_HOUR, "lost_dice_visible": True} | table
        game = open_table(self.viewer, *others, now=long_ago, **table)
        rolled = ScriptedChance([opener, *_rolls([5] * seats)])
        before_start.start(game.code, self.viewer, now=long_ago, chance=rolled)
        super().__init__(game, now=long_ago)

    @property
    def path(self) -> str:
        """Where the table is; what is shown there now stays for an hour, over a restart too."""
        later = datetime.now(UTC) + timedelta(seconds=AN_HOUR)
        for end in ("silence_ends_at", "turn_ends_at"):
            shown = Game.objects.filter(code=self.code, **{f"{end}__isnull": False})
            shown.update(**{end: later}, due_at=later)
        return f"/games/{self.code}"

    def bid_and_doubt(self, bidder: int, quantity: int, face: int = 2) -> int:
        """The bidder, whose turn it is, bids; the next player doubts. Returns who doubted."""
        self.move(bidder, bid(f"{quantity}x{face}"), after=1)
        caller: int = self.state.turn
        self.now = max(self.now, datetime.now(UTC) - timedelta(seconds=5))
        self.move(caller, DUDO, after=2)
        return caller

    def all_continue(self) -> None:
        state = self.state
        players = [seat for seat, dice in enumerate(state.dice) if dice]
        for seat in players[:-1]:
            self.move(seat, CONFIRM, after=0)
        self.move(players[-1], CONFIRM, after=0, rolls=_rolls(state.dice))

    def lose_dice(self, seat: int, *, dice: int) -> None:
        """The seat, whose turn it is, bids far too high so many times; the last cups stay up."""
        for left in range(dice, 0, -1):
            self.bid_and_doubt(seat, sum(self.state.dice))
            if left > 1:
                self.all_continue()

    def doubt_a_likely_bid(self, bidder: int) -> None:
        """The bidder, whom only the viewer still plays, bids one die too many: a highlight."""
        dice = [face for seat in (bidder, 0) for face in HANDS[seat % len(HANDS)]]
        face = 3 if dice.count(3) < 3 else 5
        self.bid_and_doubt(bidder, dice.count(1) + dice.count(face) + 1, face=face)
        self.all_continue()


def opening(seats: int) -> ArrangedGame:
    return ArrangedGame(seats)


def turn(seats: int, **table: Any) -> ArrangedGame:
    """The player before the viewer has bid."""
    game = ArrangedGame(seats, opener=seats - 1, **table)
    game.move(seats - 1, bid("3x2"))
    return game


def doubt(seats: int) -> ArrangedGame:
    """The same, for a test that doubts the bid: it is one short of the count."""
    game = ArrangedGame(seats, opener=seats - 1)
    game.move(seats - 1, bid(f"{2 * seats}x2"))
    return game


def too_high(seats: int) -> ArrangedGame:
    """The same with a bid above the count: the bidder will lose a die."""
    game = ArrangedGame(seats, opener=seats - 1)
    game.move(seats - 1, bid(f"{2 * seats + 2}x2"))
    return game


def turn_with_calza(seats: int) -> ArrangedGame:
    return turn(seats, calza="on")


def turn_with_odds(seats: int) -> ArrangedGame:
    return turn(seats, calza="on", show_odds=True)


def highest(seats: int) -> ArrangedGame:
    """The player before the viewer has bid all the dice as pacos: nothing is higher (P15, P16)."""
    game = ArrangedGame(seats, opener=seats - 2)
    game.move(seats - 2, bid("1x6"))
    game.move(seats - 1, bid(f"{5 * seats}xP"))
    return game


def palifico(seats: int) -> ArrangedGame:
    """The player before the viewer is down to one die and has opened the round."""
    game = ArrangedGame(seats, opener=seats - 1, calza="on")
    game.lose_dice(seats - 1, dice=4)
    game.all_continue()
    game.move(seats - 1, bid("2x2"))
    return game


def last_die(seats: int) -> ArrangedGame:
    """The viewer is down to one die and opens the round."""
    game = ArrangedGame(seats)
    game.lose_dice(0, dice=4)
    game.all_continue()
    return game


def waiting(seats: int, **table: Any) -> ArrangedGame:
    game = ArrangedGame(seats, **table)
    game.move(0, bid("3x2"))
    return game


def waiting_with_calza(seats: int) -> ArrangedGame:
    """Two others are at it: the viewer may call calza out of turn."""
    game = ArrangedGame(seats, opener=1, calza="on")
    game.move(1, bid("3x2"))
    return game


def reveal(seats: int) -> ArrangedGame:
    """The first reveal: all the dice there are."""
    game = ArrangedGame(seats, opener=1)
    game.bid_and_doubt(1, seats * 2)
    return game


def reveal_before_palifico(seats: int) -> ArrangedGame:
    """The longest verdict: somebody loses a die and is down to one."""
    game = ArrangedGame(seats, opener=1)
    game.lose_dice(1, dice=4)
    return game


def reveal_of_calza(seats: int) -> ArrangedGame:
    """The viewer called calza in vain."""
    game = ArrangedGame(seats, opener=1, calza="on")
    game.move(1, bid("3x2"))
    game.now = datetime.now(UTC) - timedelta(seconds=5)
    game.move(0, CALZA, after=1)
    game.run_due()
    return game


def seen(seats: int) -> ArrangedGame:
    """The viewer has looked, the others still look."""
    game = reveal_before_palifico(seats)
    game.move(0, CONFIRM, after=0)
    return game


def before_roll(seats: int) -> ArrangedGame:
    """All but the viewer have looked: with their press the next round begins."""
    return _others_continue(reveal(seats))


def before_palifico(seats: int) -> ArrangedGame:
    """The same, and the next round is palifico."""
    return _others_continue(reveal_before_palifico(seats))


def _others_continue(game: ArrangedGame) -> ArrangedGame:
    for seat in range(1, len(game.state.dice)):
        game.move(seat, CONFIRM, after=0)
    return game


def exact(seats: int) -> ArrangedGame:
    """A bid that is exact, for a viewer who calls calza with a die lost before."""
    game = ArrangedGame(seats, opener=0, calza="on")
    game.lose_dice(0, dice=1)
    game.all_continue()
    game.move(0, bid("1x2"), after=1)
    held = [face for seat, dice in enumerate(game.state.dice) for face in HANDS[seat % 5][:dice]]
    game.move(1, bid(f"{held.count(1) + held.count(2)}x2"), after=2)
    game.now = datetime.now(UTC) - timedelta(seconds=5)
    return game


def out(seats: int) -> ArrangedGame:
    game = ArrangedGame(seats)
    game.lose_dice(0, dice=5)
    game.all_continue()
    game.move(game.state.turn, bid("3x2"))
    return game


def over(seats: int) -> ArrangedGame:
    """The viewer has won against everybody, and doubted a likely bid on the way."""
    game = ArrangedGame(seats, opener=1)
    for loser in range(1, seats):
        if loser > 1:
            game.all_continue()
            assert game.state.turn == loser
        if loser == seats - 1:
            game.doubt_a_likely_bid(loser)
        game.lose_dice(loser, dice=4 if loser == seats - 1 else 5)
    return game


def over_and_reviewed(seats: int) -> ArrangedGame:
    """The same, with a review whose line is long."""
    game = over(seats)
    reviewed(Game.objects.get(code=game.code), game.viewer, blunders=12, luck=-0.12)
    return game


def over_by_a_bot(seats: int) -> ArrangedGame:
    """The same, and at the end a bot played for the viewer."""
    game = over(seats)
    Seat.objects.filter(game__code=game.code, number=0).update(asleep=True)
    return game


def defeat_by_a_bot(seats: int) -> ArrangedGame:
    """The viewer, for whom a bot played at the end, is the first to lose all dice."""
    game = ArrangedGame(seats)
    for loser in range(seats - 1):
        if loser:
            game.all_continue()
        game.lose_dice(loser, dice=5)
    Seat.objects.filter(game__code=game.code, number=0).update(asleep=True)
    return game


def _last_doubt(seats: int) -> ArrangedGame:
    """The only other player has one die and bids too high: the viewer wins by doubting."""
    game = ArrangedGame(seats, opener=1)
    game.doubt_a_likely_bid(1)
    game.lose_dice(1, dice=3)
    game.all_continue()
    game.move(1, bid("6x2"))
    return game


def last_doubt_no(seats: int) -> ArrangedGame:
    return _last_doubt(seats)


def last_doubt_re(seats: int) -> ArrangedGame:
    return _last_doubt(seats)


SEATS: dict[Callable[[int], ArrangedGame], tuple[int, ...]] = {
    opening: (2, 3, 6),
    turn: (2, 3, 4, 5, 6),
    doubt: (2, 6),
    too_high: (6,),
    turn_with_calza: (2, 3, 6),
    turn_with_odds: (2, 3, 6),
    palifico: (2, 3, 6),
    highest: (2, 3, 4, 5, 6),
    last_die: (2, 3, 6),
    waiting: (2, 3, 6),
    waiting_with_calza: (3, 6),
    reveal: (2, 3, 4, 5, 6),
    reveal_before_palifico: (2, 3, 6),
    reveal_of_calza: (3, 6),
    seen: (2, 3, 6),
    before_roll: (2, 6),
    before_palifico: (6,),
    exact: (6,),
    out: (3, 6),
    over: (2, 3, 6),
    over_and_reviewed: (2, 3, 6),
    over_by_a_bot: (2, 3, 6),
    defeat_by_a_bot: (2, 3, 6),
    last_doubt_no: (2,),
    last_doubt_re: (2,),
}


def main(tables: Mapping[Callable[[int], ArrangedGame], tuple[int, ...]] = SEATS) -> None:
    arranged: dict[str, dict[int, list[str]]] = {}
    for make, sizes in tables.items():
        for seats in sizes:
            game = make(seats)
            client = Client()
            client.force_login(game.viewer)
            session = client.cookies["sessionid"].value
            arranged.setdefault(make.__name__, {})[seats] = [game.path, session]
    print(json.dumps(arranged))


if __name__ == "__main__":
    main()
