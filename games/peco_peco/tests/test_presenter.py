"""What the table of Peco Peco shows of a position, and what it offers to a seat."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.template.loader import render_to_string

from games.contract.game_values import RecordedFact
from games.core.contract import Fact
from games.core.values import changed
from games.models import Seat
from games.peco_peco import last_step, presenter
from games.peco_peco import scene as scenes
from games.peco_peco.rules.events import CardPlayed, Declared, SlapWindowClosed
from games.peco_peco.rules.moves import Accuse, Declare, Move, Play, Waive
from games.peco_peco.rules.options import Options
from games.peco_peco.rules.state import State
from games.peco_peco.tests.random_games import ARENA
from games.peco_peco.tests.tables import after, buffet, choosing_a_team, facts_of, table
from games.table import shown_seats
from tests.games.contract.random_games import seeded, steps

A, B, C, D = range(4)
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def seats_of(state: State) -> list[Seat]:
    return [Seat(number=number, bot="easy") for number in range(state.seats)]


def scene(state: State, *news: Fact) -> Any:
    players = shown_seats.at_table(seats_of(state))
    return scenes.of_state(state, players, narration="", news=news)


def choices(state: State, seat: int) -> Any:
    return presenter.choices(state, seat, [each.name for each in seats_of(state)])


def controls(state: State, seat: int) -> str:
    """The own fragment of a seat."""
    values = replace(choices(state, seat), seq=7)
    return render_to_string("peco_peco/_own.html", {"o": values, "code": "abcdefghij"})


def announced(state: State, seat: int, move: Move) -> Any:
    """The scene after a move, as its public facts tell it."""
    facts = [fact for fact in facts_of(state, seat, move) if fact.audience is None]
    return scene(after(state, (seat, move)), *facts)


# --- what a seat is offered -----------------------------------------------------------------------


def test_the_cards_that_beat_the_top_are_marked() -> None:
    text = "hands A[E,Er,Mb,M,C] B[C]; top C; draw empty; turn A; clockwise; rule none"
    marked = {one.card: one.playable for one in choices(table(text), A).hand}
    assert marked == {"E": True, "Er": True, "Mb": True, "M": False, "C": False}
    inverse = choices(table(text.replace("rule none", "rule inverse")), A).hand
    assert {one.card for one in inverse if one.playable} == {"M", "Mb"}


def test_nothing_is_marked_while_others_play() -> None:
    state = table("hands A[E] B[E,Eb]; top C; draw empty; turn A; clockwise; rule none")
    view = choices(state, B)
    assert not any(one.playable for one in view.hand)
    assert (view.my_turn, view.controls.can_play, view.controls.bluff) == (False, False, False)


def test_to_declare_is_always_offered_and_only_that_seat_is_told_of_the_bluff(
    subtests: pytest.Subtests,
) -> None:
    for held, bluff in [("E,M", True), ("C,M", False), ("C,Cb", True)]:
        text = f"hands A[{held}] B[C,C]; top C; draw empty; turn A; clockwise; rule none"
        state = table(text)
        with subtests.test(held=held):
            assert choices(state, A).controls.bluff is bluff
            html = controls(state, A)
            assert 'value="declare"' in html
            assert ("this is a bluff" in html) is bluff
            assert choices(state, B).controls.bluff is False
            assert 'value="declare"' not in controls(state, B)


def test_to_accuse_is_offered_whatever_the_seat_holds(subtests: pytest.Subtests) -> None:
    """C4.6: an ordinary stake entitles the next player, a slap stake everybody with cards."""
    for held in ["E", "C", "M", "Mb"]:
        text = (
            f"hands A[M,E] B[{held},C] C[{held}] D[]; top E; draw empty; turn A; clockwise; rule "
        )
        with subtests.test(held=held):
            ordinary, slap, without = (
                after(table(text + rule), (A, Declare())) for rule in ("none", "slap", "no_accuse")
            )
            offered = [
                [choices(state, seat).controls.can_accuse for seat in range(4)]
                for state in (ordinary, slap, without)
            ]
            assert offered == [
                [False, True, False, False],
                [False, True, True, False],
                [False, False, False, False],
            ]
            assert "You're bluffing!" in controls(ordinary, B)


def test_the_slap_window_offers_to_waive_until_one_has() -> None:
    text = "hands A[M,E] B[M,C] C[M] D[C]; top E; draw empty; turn A; clockwise; rule slap"
    state = after(table(text), (A, Declare()))
    assert [choices(state, seat).controls.can_waive for seat in range(4)] == [
        False,
        True,
        True,
        True,
    ]
    assert 'value="waive"' in controls(state, C) and 'value="declare"' not in controls(state, B)
    waived = after(state, (C, Waive()))
    assert choices(waived, C).waived and not choices(waived, C).controls.can_accuse
    assert "You let it pass." in controls(waived, C)


def test_a_steal_names_its_possible_targets() -> None:
    text = "hands A[Es,E] B[C] C[] D[M,M]; top C; draw empty; turn A; clockwise; rule none"
    view = choices(table(text), A)
    assert [each.number for each in view.controls.victims] == [B, D]
    assert {one.card: one.steals for one in view.hand} == {"Es": True, "E": False}


def test_a_steal_that_finds_nobody_needs_no_target() -> None:
    text = "hands A[Es] B[] C[] D[]; top C; draw empty; turn A; clockwise; rule none"
    view = choices(table(text), A)
    assert view.controls.victims == [] and not view.hand[0].steals


def test_a_partner_is_no_target() -> None:
    text = "hands A[Es] B[C] C[C] D[M]; top C; draw empty; turn A; clockwise; rule none"
    view = choices(table(text, options=Options(teams="on")), A)
    assert [each.number for each in view.controls.victims] == [B, D]


def test_the_call_is_offered_with_exactly_two_cards(subtests: pytest.Subtests) -> None:
    for held, offered in [("E", False), ("E,M", True), ("E,M,C", False)]:
        with subtests.test(held=held):
            text = f"hands A[{held}] B[C,C]; top C; draw empty; turn A; clockwise; rule none"
            assert choices(table(text, options=Options(peco_call="on")), A).controls.call is offered
            assert choices(table(text), A).controls.call is False


def test_the_single_player_chooses_a_team() -> None:
    state = choosing_a_team()
    assert [each.partner for each in choices(state, 0).teams] == [1, 2]
    html = controls(state, 0)
    assert html.count('name="partner"') == 2 and 'value="join_team"' in html
    assert choices(state, 1).teams == []
    assert scene(state).turn.number == 0 and scene(state).choosing


def test_a_hand_is_only_shown_to_a_seat_that_can_choose_from_it() -> None:
    state = table("hands A[E,M] B[C,C]; top C; draw empty; turn A; clockwise; rule none")
    assert controls(state, A).count('name="card"') == 2
    assert controls(state, B).count('name="card"') == 0


# --- what everybody sees --------------------------------------------------------------------------


def test_seats_show_hand_sizes_and_buffets_with_their_points() -> None:
    buffets = (buffet("F05", "F02"), buffet("F09", "F17_"), buffet("F18~"), ())
    text = "hands A[E,M] B[C] C[] D[M,M,M]; top C; draw empty; turn A; clockwise; rule none"
    views = scene(table(text, buffets=buffets)).seats
    assert [seat.size for seat in views] == [2, 1, 0, 3]
    assert [seat.points for seat in views] == [4, 3, 0, 0]
    maki, sushi, onigiri = views[A].buffet.foods
    assert (maki.cards, maki.points) == (2, 4)
    assert sushi.cards == onigiri.cards == 0
    assert views[B].buffet.down == 1 and views[C].buffet.tilted == ["onigiri"]


def test_the_stake_is_shown_with_its_rule_in_words() -> None:
    text = "hands A[E] B[C]; top C; draw empty; turn A; anticlockwise; rule inverse"
    view = scene(table(text))
    assert view.stake.rule_help == "Elephant beats mouse, mouse beats cat, cat beats elephant."
    assert view.direction == "anticlockwise"
    assert scene(changed(table(text), direction=1)).direction == "clockwise"


def test_a_declaration_stands_over_its_seat_until_the_next_move() -> None:
    text = "hands A[M,E] B[M,C] C[M]; top E; draw empty; turn A; clockwise; rule none"
    declared = after(table(text), (A, Declare()))
    assert [seat.shout for seat in scene(declared).seats] == ["pass", None, None]
    played = after(declared, (B, Play("M")))
    assert [seat.shout for seat in scene(played).seats] == [None, None, None]


def test_an_accusation_says_who_was_right_and_whose_card_went_where() -> None:
    text = "hands A[M,E] B[M,C] C[M]; top E; draw C,C; turn A; clockwise; rule none"
    state = after(table(text), (A, Declare()))
    view = announced(state, B, Accuse())
    assert view.last.kind == "accuse" and view.last.verdict == "caught" and view.last.shown is None
    assert [seat.shout for seat in view.seats] == ["bluff", "accuse", None]
    assert [seat.change for seat in view.seats] == [-1, 1, 0]


def test_an_honest_hand_is_shown_once() -> None:
    text = "hands A[C,E] B[M,C] C[M]; top E; draw C,C; turn A; clockwise; rule none"
    state = after(table(text), (A, Declare()))
    view = announced(state, B, Accuse())
    assert view.last.shown.hand == ("C", "E")
    assert (view.last.kind, view.last.verdict) == ("accuse", "true")
    assert [seat.shout for seat in view.seats] == ["honest", "accuse", None]
    assert [seat.change for seat in view.seats] == [1, -1, 0]
    later = after(state, (B, Accuse()), (B, Declare()))
    assert scene(later, *facts_of(after(state, (B, Accuse())), B, Declare())).last.shown is None


def test_a_round_ends_with_its_winner_or_with_nobody() -> None:
    text = "hands A[E,E] B[C] C[C]; top C; draw empty; turn A; clockwise; rule none"
    won = after(table(text), (A, Play("E")), (B, Declare()), (C, Declare()))
    view = scene(won)
    assert view.phase == "reveal" and view.result.winner.number == A
    assert view.seats[A].won and view.turn is None
    lost = after(table(text), *((seat, Declare()) for seat in (A, B, C)))
    assert scene(lost).result.winner is None


def test_the_verdict_stands_in_words_beside_the_cards_and_in_no_other_position() -> None:
    text = "hands A[{held}] B[M,C] C[M]; top E; draw C,C; turn A; clockwise; rule none"
    told = {"M,E": "A bluff, and caught!", "C,E": "No bluff: it was true"}
    for held, words in told.items():
        declared = after(table(text.format(held=held)), (A, Declare()))
        views = [scene(declared), announced(declared, B, Accuse())]
        before, now = (render_to_string("peco_peco/_discard.html", {"t": view}) for view in views)
        assert [line for line in told.values() if line in now] == [words]
        assert not any(line in before for line in told.values()) and not views[0].last.verdict


def test_a_dish_that_was_just_won_is_marked_where_it_lies() -> None:
    """Face up or tilted, and only in the buffet of the winner."""
    text = "hands A[E,E] B[C] C[C]; top C; draw empty; turn A; clockwise; rule none"
    moves = ((A, Play("E")), (B, Declare()), (C, Declare()))
    buffets = (buffet("F02"), buffet("F07"), ())
    for stake, food, kind in (
        ("F07", "sushi", "dish is-new"),
        ("F18", "onigiri", "is-tilted is-n"),
    ):
        start = changed(table(text, buffets=buffets), stake_id=stake)
        view = scene(after(start, *moves))
        assert [seat.buffet.new for seat in view.seats] == [food, None, None]
        drawn = [
            render_to_string("peco_peco/_buffet.html", {"s": seat.buffet}) for seat in view.seats
        ]
        assert [html.count(kind) for html in drawn] == [1, 0, 0]
        assert [seat.buffet.new for seat in scene(start).seats] == [None, None, None]


def test_a_buffet_is_completed_once_for_the_whole_side() -> None:
    text = "hands A[E,E] B[C] C[C] D[C]; top C; draw empty; turn A; clockwise; rule none"
    moves = ((A, Play("E")), *((seat, Declare()) for seat in (B, C, D)))
    state = changed(
        table(text, options=Options(teams="on"), buffets=(buffet("F02"), (), buffet("F07"), ())),
        stake_id="F14",
    )
    won = after(state, *moves)
    assert won.phase == "over"
    view = scene(won)
    assert [seat.buffet.completed for seat in view.seats] == [True, False, True, False]
    assert [seat.place for seat in view.seats] == [1, 3, 1, 3]
    html = [render_to_string("peco_peco/_seat.html", {"s": seat}) for seat in view.seats]
    assert ["is-winner" in each for each in html] == [True, False, True, False]
    again = changed(state, buffets=(buffet("F02", "F17"), (), buffet("F07"), ()))
    assert not any(seat.buffet.completed for seat in scene(after(again, *moves)).seats)


# --- why a seat is out ----------------------------------------------------------------------------


def events(*moves: list[Fact]) -> list[RecordedFact]:
    found: list[RecordedFact] = []
    for minute, facts in enumerate(moves):
        at = NOON + timedelta(minutes=minute)
        public = [fact for fact in facts if fact.audience is None]
        found += [RecordedFact(len(found) + n, at, fact) for n, fact in enumerate(public, 1)]
    return found


def test_a_seat_that_is_out_of_the_round_is_told_why(subtests: pytest.Subtests) -> None:
    for text, moves, seat, why in [
        ("A[M] B[M,C] C[M]; top E; rule none", [(A, Declare()), (B, Accuse())], A, "taken"),
        ("A[C] B[M] C[M]; top E; rule none", [(A, Declare()), (B, Accuse())], B, "taken"),
        ("A[M,C] B[M,C] C[M]; top E; rule severe", [(A, Declare()), (B, Accuse())], A, "severe"),
        ("A[Es,E] B[C] C[M]; top C; rule none", [(A, Play("Es", B))], B, "stolen"),
        ("A[E] B[M,M] C[M]; top C; rule none", [(A, Play("E")), (B, Play("M"))], A, "covered"),
    ]:
        with subtests.test(text=text):
            hands, top, rule = text.split("; ")
            state = table(f"hands {hands}; {top}; draw C,C; turn A; clockwise; {rule}")
            made = []
            for mover, move in moves:
                made.append(facts_of(state, mover, move))
                state = after(state, (mover, move))
            assert seat in state.out
            assert last_step.why_out(events(*made), seat) == why
            html = {
                last: render_to_string(
                    "peco_peco/_out.html",
                    {"away": {"why": why, "left": "Ana, Ben", "stake": "2 maki", "last": last}},
                )
                for last in (False, True)
            }
            assert all("Still playing for 2 maki: Ana, Ben." in told for told in html.values())
            assert "You get new cards in the next round." in html[False]
            assert "This is the last round." in html[True] and "new cards" not in html[True]


def test_moves_are_told_apart_and_asides_left_out() -> None:
    text = "hands A[M,E] B[M,C] C[M] D[C]; top E; draw empty; turn A; clockwise; rule slap"
    state = table(text)
    declared = after(state, (A, Declare()))
    steps = last_step.steps(events(facts_of(state, A, Declare()), facts_of(declared, C, Waive())))
    assert [[fact.kind for fact in step.facts] for step in steps] == [["declared"]]


@pytest.mark.parametrize("seed", range(3))
def test_the_board_says_who_starts_until_somebody_has_acted_and_then_what_happened(
    seed: int,
) -> None:
    """Every position of a game with slap windows that nobody uses, and players who leave."""
    since: list[RecordedFact] = []
    unused_windows = 0
    often_late = replace(ARENA, due_share=0.6)
    for at, step in enumerate(steps(often_late, seeded(seed), leaving=0.005, seats=8)):
        for fact in step.facts:
            if fact.new_deal:
                since = []
            elif fact.audience is None:
                since.append(RecordedFact(1, NOON + timedelta(seconds=at), fact))
        state: State = step.after
        if state.phase not in ("turn", "claims"):
            continue
        moves = last_step.steps(since)
        shown = scene(state, *(moves[-1].facts if moves else ()))
        said = render_to_string("peco_peco/_discard.html", {"t": shown})
        acted = any(isinstance(each.fact, CardPlayed | Declared) for each in since)
        assert ("starts this round" in said) is not acted
        assert bool(shown.last.happened) or not acted
        unused_windows += acted and isinstance(since[-1].fact, SlapWindowClosed)
    assert unused_windows > 3
