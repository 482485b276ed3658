"""The moods of faces follow from what everybody saw, and show with the verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from accounts.models import User
from games.models import Game, Seat
from games.perudo import pace, reveal, scene
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Calza, Dudo, Move
from games.perudo.rules.state import State
from games.perudo.tests.tables import after, next_round, table
from games.store import event_log
from games.table import frames, shown_seats
from tests.support.fast_games import play_until, running_game

HANDS = ((5, 5, 2, 3), (5, 2, 3), (4, 4, 6))  # three fives


@dataclass(frozen=True)
class Case:
    name: str
    state: State
    moods: dict[int, str]


def called(call: Move, bid: str, caller: int = 1, hands: object = HANDS) -> State:
    state = table(hands, bid=bid, calza="on")  # type: ignore[arg-type]
    return after(state, (caller, call))


def cases() -> Iterator[Case]:
    begun = table(HANDS)
    yield Case("before a bid", begun, {})
    yield Case("in a turn", after(begun, (0, Bid(2, 5))), {})
    yield Case("while a claim waits", after(table(HANDS, bid="3x5", calza="on"), (2, Calza())), {})
    yield Case("a false bid", called(Dudo(), "4x5"), {0: "caught", 1: "sure"})
    yield Case("a wrong doubt", called(Dudo(), "3x5"), {0: "sure", 1: "caught"})
    yield Case("an exact calza", called(Calza(), "3x5"), {1: "sure"})
    yield Case("a wrong calza", called(Calza(), "2x5"), {1: "caught"})
    yield Case("the next round", next_round(called(Dudo(), "4x5")), {})
    last = called(Dudo(), "3x5", hands=((5, 5, 2, 3), (5,), (4, 4)))
    yield Case("out by a doubt", last, {0: "sure", 1: "caught"})
    yield Case("out before", next_round(last), {1: "caught"})
    won = called(Dudo(), "1x5", hands=((5, 5), (4,)))
    yield Case("a game that is won", won, {0: "sure", 1: "caught"})
    alone = after(table(((5, 5), (), (4,)), gone=(1,)), (0, Bid(1, 5)), (2, Dudo()))
    yield Case("who left is out", alone, {0: "sure", 1: "caught", 2: "caught"})


def seats(state: State) -> list[Seat]:
    return [Seat(number=number, bot="steady") for number in range(state.seats)]


def shown(state: State) -> dict[int, tuple[str, str | None]]:
    """What a table shows: by seat the mood, and the step at which it comes."""
    found = scene.of_state(state, shown_seats.at_table(seats(state)), narration="")
    return {seat.number: (seat.mood, seat.mood_order) for seat in found.seats}


@pytest.mark.parametrize("case", list(cases()), ids=lambda case: case.name)
def test_moods_follow_from_what_everybody_saw(case: Case) -> None:
    calm = dict.fromkeys(range(case.state.seats), "calm")
    assert {seat: mood for seat, (mood, _) in shown(case.state).items()} == calm | case.moods


@pytest.mark.parametrize("case", list(cases()), ids=lambda case: case.name)
def test_no_dice_under_a_cup_change_a_mood(case: Case) -> None:
    """The result of a reveal is public; hands say nothing that a face may tell."""
    hidden = replace(case.state, hands=tuple(None for _ in case.state.hands))
    assert reveal.moods(hidden) == reveal.moods(case.state) == case.moods


def test_a_mood_comes_with_the_verdict(subtests: pytest.Subtests) -> None:
    for case in cases():
        if case.state.result is None:
            continue
        verdict = reveal.order(pace.animation(case.state.result).verdict)
        before = {1} if case.name == "who left is out" else set()
        with subtests.test(case=case.name):
            told = {seat: order for seat, (_, order) in shown(case.state).items()}
            later = {seat: verdict for seat in case.moods if seat not in before}
            assert told == dict.fromkeys(told) | later


def test_who_is_out_already_does_not_recover_while_others_count() -> None:
    state = table(((5, 5, 2), (), (4, 4, 6)), bid="3x5")
    state = after(replace(state, turn=2), (2, Dudo()))
    verdict = shown(state)[0][1]
    assert verdict is not None
    assert shown(state) == {
        0: ("caught", verdict),
        1: ("caught", None),
        2: ("sure", verdict),
    }


def moods(html: str) -> list[str]:
    return re.findall(r'<li class="seat[^>]* data-mood="(\w+)"', html)


@pytest.mark.django_db
def test_all_see_the_same_faces_and_in_a_turn_all_are_calm(alice: User, bob: User) -> None:
    game = running_game(alice, bob, "steady", bids=1)
    seen = set[str]()
    for phase in ("turn", "reveal") * 3:
        game = play_until(game, lambda state, phase=phase: state.phase == phase)
        state = event_log.public_state(game)
        watching = frames.frame(game, None, user=None)
        wanted = dict.fromkeys(range(3), "calm") | reveal.moods(state)
        assert moods(watching.shared) == [wanted[seat] for seat in range(3)]
        assert moods(watching.own) == []
        looks = [str(state.turn)] if phase == "turn" else []
        assert re.findall(r'data-eyes="(\d)"', watching.shared) == looks
        for number, user in enumerate((alice, bob)):
            frame = frames.frame(game, number, user=user)
            assert moods(frame.html) == moods(watching.html)
        calm = {seat for seat, mood in wanted.items() if mood == "calm"}
        assert (calm >= set(range(3)) - set(state.out)) == (phase == "turn")
        seen |= set(wanted.values())
    assert seen == {"calm", "sure", "caught"}


@pytest.mark.django_db
def test_the_winner_grins_at_the_end(alice: User, bob: User) -> None:
    game = play_until(running_game(alice, bob), lambda state: False)
    assert game.status == Game.Status.FINISHED
    winner = game.seat_set.get(place=1).number
    html = frames.table(game)
    assert moods(html) == ["sure" if number == winner else "caught" for number in range(2)]
    assert f'data-eyes="{winner}"' in html
    _, after_it = html.split('<p class="winners" data-mood="sure">')
    assert '-sure"' in after_it.split("</p>")[0]


@pytest.mark.django_db
def test_who_goes_out_is_marked_in_that_reveal_only(alice: User, bob: User) -> None:
    game = play_until(
        running_game(alice, bob, "steady"),
        lambda state: state.phase == "reveal" and bool(state.out),
    )
    out = event_log.public_state(game).out
    marked = r'<li class="seat[^"]* is-just-out"\s+data-seat="(\d)"'
    assert re.findall(marked, frames.table(game)) == [str(seat) for seat in out]
    game = play_until(game, lambda state: state.phase == "turn")
    assert re.findall(marked, frames.table(game)) == []
