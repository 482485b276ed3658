"""The moods of faces: from accusations and won stakes, the same for everybody."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from games.core.contract import Fact
from games.core.values import changed
from games.models import Seat
from games.peco_peco import scene
from games.peco_peco.rules.moves import Accuse, Declare, Move, Play
from games.peco_peco.rules.options import Options
from games.peco_peco.rules.state import State
from games.peco_peco.tests.arranged import Table, game_with_stakes, person
from games.peco_peco.tests.tables import after, buffet, facts_of, table
from games.table import frames, shown_seats

A, B, C, D = range(4)
HANDS = "hands A[{a}] B[M,C] C[M,C]; top E; draw C,C,C; turn A; clockwise; rule {rule}"
TO_WIN = "hands A[E,E] B[C] C[C] D[C]; top C; draw empty; turn A; clockwise; rule none"
WON = ((A, Play("E")), *((seat, Declare()) for seat in (B, C, D)))


@dataclass(frozen=True)
class Case:
    name: str
    state: State
    moves: Sequence[tuple[int, Move]]
    moods: dict[int, str]


def position(a: str, rule: str = "none") -> State:
    return table(HANDS.format(a=a, rule=rule))


def teams() -> State:
    given = (buffet("F02"), (), buffet("F07"), ())
    return changed(table(TO_WIN, options=Options(teams="on"), buffets=given), stake_id="F14")


DECLARED, ACCUSED = (A, Declare()), (B, Accuse())
CASES = [
    Case("a card", position("M,C"), [(A, Play("M"))], {}),
    Case("a bluff that nobody has caught", position("M,E"), [DECLARED], {}),
    Case("a declaration that is true", position("C,E"), [DECLARED], {}),
    Case("a bluff that is believed", position("M,E"), [DECLARED, (B, Play("M"))], {}),
    Case("a caught bluff", position("M,E"), [DECLARED, ACCUSED], {A: "caught", B: "sure"}),
    Case("a wrong accusation", position("C,E"), [DECLARED, ACCUSED], {A: "sure", B: "caught"}),
    Case(
        "a slap out of turn",
        position("M,E", "slap"),
        [DECLARED, (C, Accuse())],
        {A: "caught", C: "sure"},
    ),
    Case("the move after", position("M,E"), [DECLARED, ACCUSED, (B, Play("M"))], {}),
    Case("a won stake", table(TO_WIN), WON, {A: "sure"}),
    Case("a general defeat", table(TO_WIN), [(seat, Declare()) for seat in range(4)], {}),
    Case("a game won by a team", teams(), WON, {A: "sure", C: "sure"}),
]


def shown(state: State, news: Sequence[Fact]) -> dict[int, str]:
    seats = [Seat(number=number, bot="easy") for number in range(state.seats)]
    found = scene.of_state(state, shown_seats.at_table(seats), narration="", news=news)
    return {seat.number: seat.mood for seat in found.seats}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_moods_follow_from_what_everybody_saw(case: Case) -> None:
    *before, (seat, move) = case.moves
    state = after(case.state, *before)
    news = [fact for fact in facts_of(state, seat, move) if fact.audience is None]
    found = shown(after(state, (seat, move)), news)
    assert found == dict.fromkeys(range(state.seats), "calm") | case.moods


def moods(html: str) -> list[str]:
    return re.findall(r'<li class="seat[^>]* data-mood="(\w+)"', html)


@pytest.mark.django_db
def test_all_see_the_same_faces_whatever_they_hold(subtests: pytest.Subtests) -> None:
    for hand, declarer, accuser in [("E M C C", "caught", "sure"), ("E E C C", "sure", "caught")]:
        at = Table([person() for _ in range(4)], ["F13"])
        at.start_round({0: hand}, top="E")
        at.move(0, Declare())
        with subtests.test(hand=hand):
            assert seen(at) == [["calm"] * 4] * 5
            at.move(1, Accuse())
            assert seen(at) == [[declarer, accuser, "calm", "calm"]] * 5


def seen(at: Table) -> list[list[str]]:
    """The faces as a spectator and each of four players are sent them."""
    return [moods(frames.frame(at.game, seat, user=None).html) for seat in (None, *range(4))]


@pytest.mark.django_db
def test_who_wins_a_stake_is_sure_until_the_next_round() -> None:
    at = game_with_stakes(4, {"F02": 1}, "F03")
    assert moods(frames.table(at.game)) == ["calm", "sure", "calm", "calm"]
    at.all_continue({}, top="E")
    assert moods(frames.table(at.game)) == ["calm"] * 4
