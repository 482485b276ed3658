"""Tables of Peco Peco in every state, arranged in the data of a site that is about to start.

`python -m games.peco_peco.tests.arranged` writes them through the same functions that people's
moves use, with chosen cards, and prints one JSON object: {state: {seats: [path, session key of the
viewer]}}. All players are people with the longest names allowed, so no bot moves while a test
looks.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count, cycle, islice
from typing import Any, TypeVar, cast

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
    django.setup()

from django.test import Client  # noqa: E402

from accounts.models import User  # noqa: E402
from games.core.moves import Confirm  # noqa: E402
from games.models import Game, Seat, TableSettings  # noqa: E402
from games.peco_peco import rules  # noqa: E402
from games.peco_peco.rules.moves import Accuse, Declare, Move, Play, Waive  # noqa: E402
from games.peco_peco.rules.options import PRESETS  # noqa: E402
from games.peco_peco.rules.stakes import STAKES  # noqa: E402
from games.peco_peco.rules.state import State  # noqa: E402
from games.peco_peco.rules.turns import is_playable  # noqa: E402
from games.play import before_start, commands  # noqa: E402
from games.store import event_log  # noqa: E402
from tests.support.reviewed_play import reviewed  # noqa: E402

T = TypeVar("T")
AN_HOUR = timedelta(hours=1)  # no clock runs out while a test looks

_numbers = count()


class ChosenCards:
    """Chance that puts the chosen cards on top and leaves everything else in its order."""

    def __init__(self, stakes: Sequence[str]) -> None:
        self.stakes = stakes
        self.cards: list[str] = []

    def dice(self, count: int, at: object = None) -> tuple[int, ...]:
        raise AssertionError("no dice are rolled in Peco Peco")

    def below(self, bound: int, at: object = None) -> int:
        return 0

    def shuffled(self, items: Sequence[T], at: object = None) -> tuple[T, ...]:
        rest = list(items)
        first = [*(self.stakes if items[0] in STAKES else self.cards)]
        for item in first:
            rest.remove(cast("T", item))
        return (*cast("list[T]", first), *rest)

    def pick(self, items: Sequence[T], at: object = None) -> T:
        return items[0]


def person(name: str = "") -> User:
    return User.objects.create_user(name or f"Maximilian-Marce-{next(_numbers):03}")


def session_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value


class Table:
    """A running game of `people`, the viewer at seat 0, with chosen cards and stakes.

    `bots` sit after them, by their kind.
    """

    def __init__(
        self,
        people: Sequence[User],
        stakes: Sequence[str],
        *,
        bots: Sequence[str] = (),
        **options: Any,
    ) -> None:
        self.people = people
        self.seats = len(people) + len(bots)
        self.now = datetime.now(UTC) - AN_HOUR
        self.chance = ChosenCards(stakes)
        options = {"first_feast_on_top": False, "slap_window_ms": 10_000} | options
        game = before_start.open_game(
            people[0],
            TableSettings(
                kind_key=rules.KEY,
                preset="peco_base",
                options=replace(PRESETS["peco_base"], **options).to_json(),
                size=self.seats,
                turn_seconds=3_600,
                visibility=Game.Visibility.LINK,
            ),
            now=self.now,
        )
        for other in people[1:]:
            before_start.sit(game.code, other, now=self.now)
        for kind in bots:
            before_start.add_bot(game.code, people[0], kind=kind, now=self.now)
        self.code = game.code

    @property
    def game(self) -> Game:
        return Game.objects.get(code=self.code)

    @property
    def state(self) -> State:
        """What everybody knows."""
        known: State = event_log.public_state(self.game)
        return known

    def start_round(self, hands: Mapping[int, str], *, top: str, draws: str = "") -> None:
        """The first round; see `_stack`. Seat 0 starts."""
        sizes = [STAKES[self.chance.stakes[0]].deal] * self.seats
        self._stack(sizes, hands, top, draws)
        before_start.start(self.code, self.people[0], now=self.now, chance=self.chance)

    def all_continue(self, hands: Mapping[int, str], *, top: str, draws: str = "") -> None:
        """Everybody has seen the end of the round, and the next one begins; see `_stack`."""
        state: State = event_log.unsealed(self.game)
        assert state.food is not None
        deal = STAKES[state.food[0]].deal
        self._stack([deal + extra for extra in state.extra], hands, top, draws)
        due = self.game.due_at
        assert due is not None
        self.now = max(self.now, due)
        commands.play_due(self.code, now=self.now, chance=self.chance)

    def _stack(self, sizes: Sequence[int], hands: Mapping[int, str], top: str, draws: str) -> None:
        """The next deal: whole hands by seat, plain cards of every animal for the others; the card
        turned up, and the first cards of the pile.
        """
        self.chance.cards = []
        plain = cycle("ECM")
        for seat, size in enumerate(sizes):
            held = hands[seat].split() if seat in hands else list(islice(plain, size))
            assert len(held) == size, f"seat {seat} is dealt {size} cards"
            self.chance.cards += held
        self.chance.cards += [top, *draws.split()]

    def move(self, seat: int, move: Move, *, after: float = 3) -> None:
        """The move of a person or a bot, so many seconds after the last one."""
        self.now += timedelta(seconds=after)
        seen = self.game.seq
        commands.move(self.code, seat, move, seen=seen, now=self.now, chance=self.chance)

    def play_until_won_by(self, winner: int | None) -> None:
        """The rest of the round, in which only the winner plays, one card; None: nobody does."""
        while (state := self.state).phase == "turn":
            turn = state.turn
            assert turn is not None
            if turn == winner and state.owner is None:
                held = event_log.seat_view(self.game, turn).hand(turn)
                self.move(turn, Play(next(card for card in held if is_playable(state, card))))
            else:
                self.move(turn, Declare())

    def declare(self, seat: int) -> None:
        """A declaration that nobody accuses, also where everybody may for a moment."""
        self.move(seat, Declare())
        if self.state.phase == "claims":
            due = self.game.due_at
            assert due is not None
            self.now = due
            commands.play_due(self.code, now=due, chance=self.chance)

    def path(self) -> str:
        """Where the table is; from now on nothing is due there for an hour."""
        Game.objects.filter(code=self.code).update(
            turn_ends_at=datetime.now(UTC) + AN_HOUR, due_at=None
        )
        return f"/games/{self.code}"


def game_with_stakes(seats: int, won: Mapping[str, int], *then: str, **options: Any) -> Table:
    """A table at which these stakes have been won by these seats; the stakes `then` come next."""
    table = Table([person() for _ in range(seats)], [*won, *then], **options)
    for number, winner in enumerate(won.values()):
        begins = table.all_continue if number else table.start_round
        begins({}, top="E")
        table.play_until_won_by(winner)
    return table


def full_buffets(seats: int) -> dict[str, int]:
    """Stakes won by many: face up, two of a type, face down, and in the end tilted. The last seat
    starts the next round.
    """
    return {"F04": 1, "F12": 2, "F10": 1, "F06": 3, "F18": seats - 1}


# --- what a viewer at seat 0 meets ----------------------------------------------------------------


def turn(seats: int) -> Table:
    """The player before the viewer has declared; the viewer may play, steal, bluff and accuse."""
    table = game_with_stakes(seats, full_buffets(seats), "F15")
    table.all_continue({0: "E Ms M Eb"}, top="C")
    table.move(seats - 1, Declare())
    return table


def stuck(seats: int) -> Table:
    """The same with nothing to play."""
    table = game_with_stakes(seats, full_buffets(seats), "F15")
    table.all_continue({0: "E E C C"}, top="C")
    table.move(seats - 1, Declare())
    return table


def many_cards(seats: int) -> Table:
    """The viewer has caught everybody between the starter and themselves bluffing."""
    won = full_buffets(seats)
    table = game_with_stakes(seats, won, "F16")
    hands = dict.fromkeys(range(1, seats - 1), "C C E")
    table.all_continue({0: "Cs Er Md", seats - 1: "M E"} | hands, top="E")
    table.move(seats - 1, Play("M"))
    for seat in range(seats - 2, 0, -1):
        table.move(seat, Declare())
        table.move(0, Accuse())
    return table


def call(seats: int) -> Table:
    """The viewer holds two cards and may call."""
    table = game_with_stakes(seats, {"F18": 1, "F04": 2, "F12": 0}, "F10", peco_call="on")
    table.all_continue({0: "Ms Cb"}, top="E")
    return table


def window(seats: int) -> Table:
    """Somebody has declared, and anybody may accuse for a moment."""
    table = game_with_stakes(seats, full_buffets(seats), "F03")
    table.all_continue({}, top="E")
    table.move(seats - 1, Declare())
    return table


def waived(seats: int) -> Table:
    """The viewer has let it pass, the others have not."""
    table = window(seats)
    table.move(0, Waive())
    return table


def waiting(seats: int) -> Table:
    """A card of the viewer has been stolen, and it is another player's turn."""
    table = game_with_stakes(seats, full_buffets(seats), "F09")
    table.all_continue({seats - 1: "Ms E C"}, top="E")
    table.move(seats - 1, Play("Ms", 0))
    return table


def before_true(seats: int) -> Table:
    """The viewer may accuse the player before them, who could not play."""
    table = game_with_stakes(seats, full_buffets(seats), "F15")
    hands = {0: "E Ms M Eb", seats - 1: "E C C"}
    table.all_continue(hands, top="C", draws="M Mb E")
    table.move(seats - 1, Declare())
    return table


def honest(seats: int) -> Table:
    """The viewer has accused an honest player, who showed their cards, and has still to play."""
    table = before_true(seats)
    table.move(0, Accuse())
    return table


def out(seats: int) -> Table:
    """The viewer has accused an honest player at a table without mercy."""
    won = {"F12": 2, "F10": 1, "F15": 0, "F06": seats - 1}
    table = game_with_stakes(seats, won, "F13")
    table.all_continue({seats - 1: "E E C C"}, top="E")
    table.move(seats - 1, Declare())
    table.move(0, Accuse())
    return table


def won(seats: int) -> Table:
    """The round is over; its stake has the most symbols."""
    table = game_with_stakes(seats, {"F04": 1, "F12": 2, "F15": 0, "F06": seats - 1}, "F18")
    table.all_continue({}, top="E")
    table.play_until_won_by(seats - 1)
    return table


def ended_by_a_bluff(seats: int) -> Table:
    """The viewer has slapped the last declaration of the round, and rightly."""
    table = game_with_stakes(seats, full_buffets(seats), "F16")
    starter, winner = seats - 1, seats - 2
    table.all_continue({starter: "C Mb", winner: "M E C"}, top="E")
    table.declare(starter)
    table.move(winner, Play("M"))
    for seat in range(winner - 1, -1, -1):
        table.declare(seat)
    table.move(starter, Declare())
    table.move(0, Accuse())
    return table


def ended_by_an_honest_hand(seats: int) -> Table:
    """The viewer was the last who could act, accused wrongly and is out, which ends the round."""
    table = game_with_stakes(seats, full_buffets(seats), "F05", short_pile="off")
    starter = seats - 1
    table.all_continue({starter: "E Mr Md Ms", 1: "M E C E C"}, top="E")
    table.declare(starter)
    table.declare(0)
    table.move(1, Play("M"))
    for seat in range(2, seats):
        table.declare(seat)
    table.move(0, Accuse())
    return table


def seen(seats: int) -> Table:
    """The same as `won`, which the viewer has seen and the others have not."""
    table = won(seats)
    table.move(0, Confirm())
    return table


def defeat(seats: int) -> Table:
    """Nobody has played."""
    table = game_with_stakes(seats, full_buffets(seats), "F17" if seats < 7 else "F15")
    table.all_continue({}, top="E")
    table.play_until_won_by(None)
    return table


def over(seats: int) -> Table:
    """The viewer has won all three dishes."""
    won = {"F13": 0, "F09": 0, "F06": 3, "F18": seats - 1}
    table = game_with_stakes(seats, won, "F01")
    table.all_continue({}, top="E")
    table.play_until_won_by(0)
    return table


def over_and_reviewed(seats: int) -> Table:
    """The same, with a review whose line is long."""
    table = over(seats)
    game = Game.objects.get(code=table.code)
    viewer = game.seat_set.get(number=0).user
    assert viewer is not None
    reviewed(game, viewer, blunders=12, luck=-0.12)
    return table


def over_by_a_bot(seats: int) -> Table:
    """The same, and at the end a bot played for the viewer."""
    table = over(seats)
    Seat.objects.filter(game__code=table.code, number=0).update(asleep=True)
    return table


def over_in_teams(seats: int) -> Table:
    """The viewer and their partner have won all three dishes."""
    won = {"F13": 0, "F09": seats // 2, "F06": 3, "F18": seats - 1}
    table = game_with_stakes(seats, won, "F01", teams="on")
    table.all_continue({}, top="E")
    table.play_until_won_by(0)
    return table


def choosing(seats: int) -> Table:
    """Teams with one player alone, who has to choose a side before the last stake."""
    table = Table([person() for _ in range(seats)], ["F04"], teams="on", short_pile="on")
    table.start_round({}, top="E")
    while not table.state.choices:
        table.play_until_won_by(None)
        table.all_continue({}, top="E")
    return table


STATES: Mapping[Callable[[int], Table], Sequence[int]] = {
    turn: (4, 5, 6, 7, 8),
    stuck: (6,),
    many_cards: (6, 8),
    call: (4, 8),
    window: (4, 6, 8),
    waived: (8,),
    waiting: (6, 8),
    honest: (6, 8),
    out: (6, 8),
    won: (6, 8),
    ended_by_a_bluff: (4, 8),
    ended_by_an_honest_hand: (4, 6, 8),
    seen: (8,),
    defeat: (8,),
    over: (4, 6, 8),
    over_and_reviewed: (4, 6, 8),
    over_by_a_bot: (8,),
    over_in_teams: (4, 8),
    choosing: (7,),
}


def main(states: Mapping[Callable[[int], Table], Sequence[int]] = STATES) -> None:
    arranged: dict[str, dict[int, list[str]]] = {}
    for make, sizes in states.items():
        for seats in sizes:
            table = make(seats)
            key = session_of(table.people[0])
            arranged.setdefault(make.__name__, {})[seats] = [table.path(), key]
    print(json.dumps(arranged))


if __name__ == "__main__":
    main()
