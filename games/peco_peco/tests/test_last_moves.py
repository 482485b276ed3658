"""The last moves of a round in words, and what came of an accusation."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from games.core.contract import Fact
from games.core.values import changed
from games.models import Seat
from games.peco_peco import scene
from games.peco_peco.last_moves import MOST, consequence, last_moves
from games.peco_peco.last_step import Step
from games.peco_peco.rules.events import SlapWindowClosed
from games.peco_peco.rules.moves import Accuse, CloseWindow, Declare, Move, Play
from games.peco_peco.rules.options import Options
from games.peco_peco.rules.state import State
from games.peco_peco.shown import Consequence, ToldMove, ToldSeat
from games.peco_peco.tests.random_games import ARENA, steps
from games.peco_peco.tests.tables import after, facts_of, table
from games.table import shown_seats
from tests.games.contract.random_games import seeded

A, B, C, D = range(4)
NAMES = ("Ana", "Urpi", "Killa", "Wayra")
LANGUAGES = ("en", "fr", "it", "es")
TEXT = (
    "hands A[{a}] B[{b}] C[E,M,M] D[C,M,E]; top {top}; draw C,C,C; turn A; clockwise; rule {rule}"
)


def position(a: str, b: str = "M,C,E", *, top: str = "E", rule: str = "none") -> State:
    return table(TEXT.format(a=a, b=b, top=top, rule=rule))


def played(state: State, *moves: tuple[int, Move]) -> tuple[State, list[Step]]:
    """The state after these moves, and each with its public facts."""
    found: list[Step] = []
    for number, (seat, move) in enumerate(moves):
        facts = [fact for fact in facts_of(state, seat, move) if fact.audience is None]
        facts = [fact for fact in facts if not isinstance(fact, SlapWindowClosed)]
        found += [Step(number, facts)] if facts else []
        state = after(state, (seat, move))
    return state, found


def moves(state: State, *made: tuple[int, Move]) -> list[dict[str, Any]]:
    return last_moves(*played(state, *made), NAMES)


def texts(state: State, *made: tuple[int, Move]) -> list[str]:
    return [each.text for each in moves(state, *made)]


# --- one move ------------------------------------------------------------------------------------


def test_a_move_is_told_to_everybody_and_to_who_made_it(subtests: pytest.Subtests) -> None:
    for held, play, text, you in [
        ("M,C", Play("M"), "Ana played a mouse.", "You played a mouse."),
        ("Mb,C", Play("Mb"), "Ana played a mouse (bomb).", "You played a mouse (bomb)."),
        (
            "Mr,C",
            Play("Mr"),
            "Ana played a mouse and changed the direction.",
            "You played a mouse and changed the direction.",
        ),
        (
            "Md,C",
            Play("Md"),
            "Ana played a mouse and drew a card.",
            "You played a mouse and drew a card.",
        ),
        (
            "Ms,C",
            Play("Ms", C),
            "Ana played a mouse and took a card from Killa.",
            "You played a mouse and took a card from Killa.",
        ),
        ("M,C", Declare(), "Ana said they couldn't play.", "You said you couldn't play."),
    ]:
        with subtests.test(held=held, play=play):
            assert moves(position(held), (A, play)) == [ToldMove(seat=A, text=text, you=you)]


def test_a_declaration_is_told_alike_whether_it_is_true() -> None:
    """Q13: it is what was said, not what is so."""
    assert moves(position("M,C"), (A, Declare())) == moves(position("C,C"), (A, Declare()))


def test_a_steal_that_found_nobody_is_told_as_the_card_alone() -> None:
    state = table("hands A[Es,E] B[] C[] D[]; top C; draw C; turn A; clockwise; rule none")
    [move] = moves(state, (A, Play("Es")))
    assert move.text == "Ana played an elephant (steal)."


def test_the_call_is_told_with_the_card(subtests: pytest.Subtests) -> None:
    text_of = TEXT.format(a="M,C", b="M,C,E", top="E", rule="none")
    state = table(text_of, options=Options(peco_call="on"))
    for call, text, you in [
        (True, "Ana played a mouse. “Peco Peco!”", "You played a mouse. “Peco Peco!”"),
        (
            False,
            "Ana played a mouse. Ana didn't say “Peco Peco!” and loses their last card.",
            "You played a mouse. You didn't say “Peco Peco!” and lose your last card.",
        ),
    ]:
        with subtests.test(call=call):
            [move] = moves(state, (A, Play("M", call=call)))
            assert (move.text, move.you) == (text, you)


# --- the last three ------------------------------------------------------------------------------


def test_the_last_three_moves_are_told_the_newest_first() -> None:
    made = [(A, Play("M")), (B, Play("C")), (C, Play("E")), (D, Play("M"))]
    assert texts(position("M,C"), *made[:2]) == ["Urpi played a cat.", "Ana played a mouse."]
    told = moves(position("M,C"), *made)
    assert len(told) == MOST == 3
    assert [each.seat for each in told] == [D, C, B]


def test_a_new_round_has_no_moves_yet() -> None:
    first = next(iter(steps(seeded(1))))
    dealt = [fact for fact in first.facts if fact.audience is None]
    assert last_moves(first.after, [Step(1, dealt)], NAMES) == []
    assert last_moves(first.after, [], NAMES) == []


def test_that_nobody_accused_is_told_once_play_has_gone_on() -> None:
    state = position("C,C")
    assert texts(state, (A, Declare())) == ["Ana said they couldn't play."]
    went_on = moves(state, (A, Declare()), (B, Play("M")))[1]
    assert went_on.text == "Ana said they couldn't play. Nobody accused."
    assert went_on.you == "You said you couldn't play. Nobody accused."
    again = texts(state, (A, Declare()), (B, Declare()))
    assert again == [
        "Urpi said they couldn't play.",
        "Ana said they couldn't play. Nobody accused.",
    ]


def test_it_is_not_told_where_nobody_could_have_accused() -> None:
    """Q22, Q32: under that rule, and of the last declaration of a round."""
    forbidden = position("C,C", rule="no_accuse")
    assert "Nobody" not in " ".join(texts(forbidden, (A, Declare()), (B, Play("M"))))
    last = [(A, Play("M")), *((seat, Declare()) for seat in (B, C, D))]
    ended, _ = played(position("M,C"), *last)
    assert ended.phase == "reveal"
    assert texts(position("M,C"), *last)[0] == "Wayra said they couldn't play."
    text = TEXT.format(a="C,C", b="M,C,E", top="E", rule="none")
    partners = table(text, options=Options(teams="on", team_accuse_partner=False))
    to_partner = changed_to_skip_b(partners)
    assert texts(to_partner, (A, Declare()), (C, Declare()))[1] == "Ana said they couldn't play."


def changed_to_skip_b(state: State) -> State:
    """B is out of the round, so that A's partner C is the next on turn."""
    return changed(state, out=frozenset({B}), pending=state.pending - {B})


def test_after_a_slap_window_it_is_told_also_of_the_last_declaration() -> None:
    state = position("C,C", rule="slap")
    window = [(A, Declare()), (A, CloseWindow())]
    assert texts(state, *window) == ["Ana said they couldn't play."], "they may still (B10, 34)"
    assert "Nobody accused." in texts(state, *window, (B, Play("M")))[1]
    defeat = [one for seat in range(4) for one in ((seat, Declare()), (seat, CloseWindow()))]
    ended, _ = played(state, *defeat)
    assert ended.phase == "reveal"
    assert texts(state, *defeat)[0] == "Wayra said they couldn't play. Nobody accused."


# --- an accusation -------------------------------------------------------------------------------


def accused(state: State) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    """B accuses A, who has declared: the moves, and what came of it."""
    made = [(A, Declare()), (B, Accuse())]
    now, found = played(state, *made)
    return last_moves(now, found, NAMES), consequence(found[-1].facts, NAMES)


def test_a_bluff_costs_a_card_which_is_not_named() -> None:
    told, came = accused(position("M,C"))
    assert came == Consequence(
        text="It was a bluff: Urpi took a card from Ana.",
        accuser=ToldSeat(seat=B, text="Right: you took a card from Ana."),
        accused=ToldSeat(seat=A, text="Caught: Urpi took a card from you."),
    )
    assert [each.seat for each in told] == [B, A]
    assert told[0].text == "Urpi accused Ana. It was a bluff: Urpi took a card from Ana."
    assert told[0].you == "You accused Ana. Right: you took a card from Ana."
    assert told[1].text == "Ana said they couldn't play."


def test_an_honest_player_draws_and_takes_a_card() -> None:
    _, came = accused(position("C,C,C"))
    assert came == Consequence(
        text="It was true: Ana drew 3 cards and took one from Urpi.",
        accuser=ToldSeat(seat=B, text="Wrong: Ana drew 3 cards and took one from you."),
        accused=ToldSeat(seat=A, text="It was true: you drew 3 cards and took one from Urpi."),
    )
    _, single = accused(position("C"))
    assert single and single.text.startswith("It was true: Ana drew 1 card and took one")


def test_who_is_out_by_it_is_told() -> None:
    _, caught = accused(position("M,C", "M,C", rule="severe"))
    assert caught and [caught.text, caught.accuser.text, caught.accused.text] == [
        "It was a bluff: Urpi took a card from Ana. Ana is out of this round.",
        "Right: you took a card from Ana. Ana is out of this round.",
        "Caught: Urpi took a card from you. You're out of this round.",
    ]
    _, wrong = accused(position("C", "M"))
    assert wrong and [wrong.text, wrong.accuser.text, wrong.accused.text] == [
        "It was true: Ana drew 1 card and took one from Urpi. Urpi is out of this round.",
        "Wrong: Ana drew 1 card and took one from you. You're out of this round.",
        "It was true: you drew 1 card and took one from Urpi. Urpi is out of this round.",
    ]


def test_without_an_accusation_there_is_no_consequence() -> None:
    for move in (Declare(), Play("M")):
        _, [step] = played(position("M,C"), (A, move))
        assert consequence(step.facts, NAMES) is None
    assert consequence((), NAMES) is None


def test_an_accusation_stays_among_the_moves_when_its_accuser_plays_at_once() -> None:
    made = [(A, Declare()), (B, Accuse()), (B, Play("M"))]
    assert texts(position("C,C"), *made)[1].startswith("Urpi accused Ana. It was true: ")
    state, found = played(position("C,C"), *made)
    seats = [Seat(number=number, bot="easy") for number in range(4)]
    players = shown_seats.at_table(seats, NAMES)
    view = scene.of_state(state, players, narration="", steps=found)
    assert view.last.consequence is None and view.moves == last_moves(state, found, NAMES)
    assert [seat.next for seat in view.seats] == [False, False, False, True]
    assert view.turn.number == C and view.next.number == D


def test_every_move_of_random_games_is_told_without_a_gap(subtests: pytest.Subtests) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language):
            names = ("Ana", "Urpi", "Killa", "Wayra", "Eloy", "Inti", "Nina", "Quilla")
            told: set[str] = set()
            with translation.override(language):
                for seed, seats in ((1, 4), (2, 5), (3, 8)):
                    since: list[Step] = []
                    for number, step in enumerate(steps(seeded(seed), seats=seats)):
                        public: list[Fact] = [fact for fact in step.facts if fact.audience is None]
                        if any(fact.new_deal for fact in public):
                            since = []
                        since.append(Step(number, public))
                        for move in last_moves(step.after, since, names):
                            told |= {move.text, move.you}
                        came = consequence(public, names)
                        if came is not None:
                            told |= {came.text, came.accuser.text, came.accused.text}
            assert len(told) > 100
            for text in told:
                assert text[-1] in ".!”»" and "%" not in text and "None" not in text
                assert len(text) < 200, "too long for a phone"


def test_they_are_the_same_for_who_knows_more(subtests: pytest.Subtests) -> None:
    """Every viewer folds other facts; what is told rests on the public ones."""
    for seed in range(3):
        with subtests.test(seed=seed):
            for number, step in enumerate(steps(seeded(seed))):
                public = [Step(number, [fact for fact in step.facts if fact.audience is None])]
                seen = {
                    repr(last_moves(ARENA.as_known(step.after, seat), public, NAMES * 2))
                    for seat in (None, 0, 1)
                }
                assert seen == {repr(last_moves(step.after, public, NAMES * 2))}
