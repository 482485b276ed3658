"""The worked cases of the rules; the file of cases is the authority."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.core.contract import fold
from games.core.values import changed
from games.peco_peco import rules
from games.peco_peco.rules.cards import DECK, ICONS_PER_ANIMAL
from games.peco_peco.rules.events import GameStarted, RoundEnded, SoloJoined
from games.peco_peco.rules.evolve import evolve
from games.peco_peco.rules.moves import Accuse, Declare, JoinTeam, Play
from games.peco_peco.rules.options import Options
from games.peco_peco.rules.outcome import outcome
from games.peco_peco.rules.scoring import is_set, value
from games.peco_peco.rules.stakes import STAKES, food_pile
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import is_bluff
from games.peco_peco.tests.tables import (
    after,
    before_the_last_stake,
    buffet,
    choosing_a_team,
    hand,
    refusal,
    table,
)

A, B, C, D = range(4)
ALL: dict[str, Any] = json.loads((Path(__file__).parent / "cases.json").read_text())
CASES: dict[str, dict[str, Any]] = {case["id"]: case for case in ALL["cases"]}
PECO_CALL = Options(peco_call="on")
SINGLE_MOVES = {
    "play elephant": Play("E"),
    "play cat": Play("C"),
    "play mouse": Play("M"),
    "play cat (bomb)": Play("Cb"),
    "play mouse (bomb)": Play("Mb"),
}

SINGLE = [case for case in ALL["cases"] if case["action"] in SINGLE_MOVES]

tested: set[str] = {case["id"] for case in SINGLE}


def case(number: str) -> Callable[[Callable[[dict[str, Any]], None]], Callable[[], None]]:
    """Hands the case of this number to its test."""
    tested.add(number)

    def bind(test: Callable[[dict[str, Any]], None]) -> Callable[[], None]:
        def run() -> None:
            test(CASES[number])

        run.__name__, run.__doc__ = test.__name__, CASES[number]["why"]
        return run

    return bind


def position(given: dict[str, Any], options: Options | None = None) -> State:
    return table(given["start"], options=options)


def sizes(state: State) -> str:
    return "/".join(map(str, state.sizes))


def active(state: State) -> str:
    return "".join("ABCDEFGH"[seat] for seat in state.active)


# --- the deck -------------------------------------------------------------------------------------


def test_the_stakes_are_those_of_the_cases() -> None:
    """Q2, B9."""
    for id_, food, dishes, deal, direction, rule, symbols in ALL["food"]:
        stake = STAKES[id_]
        found = (stake.food, stake.dishes, stake.deal, stake.direction, stake.rule)
        assert found == (food, dishes, deal, direction, rule)
        extra = {1: "+1", -1: "-1", 0: ""}[stake.extra]
        assert ("tilt" if stake.tilt else "") + extra == symbols
    assert len(STAKES) == len(ALL["food"]) == 18


def test_the_animal_cards_are_those_of_the_cases() -> None:
    """Q1, B9."""
    assert ALL["icons_per_kind"] == ICONS_PER_ANIMAL
    assert len(DECK) == 72


# --- playing (Q10 to Q13) -------------------------------------------------------------------------


def test_a_card_is_legal_exactly_when_the_case_says(subtests: pytest.Subtests) -> None:
    for given in SINGLE:
        with subtests.test(given["id"]):
            code = refusal(position(given), A, SINGLE_MOVES[given["action"]])
            found = "legal" if code is None else f"ILLEGAL {code}"
            assert found == given["expect"], given["why"]


@case("TQ020")
def test_an_honest_declaration_passes_the_turn(given: dict[str, Any]) -> None:
    state = position(given)
    assert not is_bluff(state, A)
    assert after(state, (A, Declare())).turn == B


def test_a_false_declaration_is_a_bluff(subtests: pytest.Subtests) -> None:
    for number in ("TQ021", "TQ022"):
        with subtests.test(number):
            state = position(CASES[number])
            assert is_bluff(state, A)
            assert after(state, (A, Declare())).turn == B


# --- accusing (Q17 to Q22, Q33) -------------------------------------------------------------------


@case("TQ023")
def test_nobody_is_accused_in_the_first_turn(given: dict[str, Any]) -> None:
    assert refusal(position(given), A, Accuse()) == "nothing_to_accuse"


@case("TQ024")
def test_a_player_who_played_is_not_accused(given: dict[str, Any]) -> None:
    assert refusal(after(position(given), (A, Play("E"))), B, Accuse()) == "nothing_to_accuse"


@case("TQ027")
def test_the_accuser_may_declare_and_be_accused(given: dict[str, Any]) -> None:
    state = after(position(given), (A, Declare()), (B, Accuse()), (B, Declare()))
    assert refusal(state, C, Accuse()) is None


@case("TQ028")
def test_only_the_next_player_accuses(given: dict[str, Any]) -> None:
    assert refusal(after(position(given), (A, Declare())), C, Accuse()) == "not_your_turn"


@case("TQ030")
def test_an_accuser_who_loses_the_last_card_is_out(given: dict[str, Any]) -> None:
    state = after(position(given), (A, Declare()), (B, Accuse()))
    assert (sizes(state), active(state), state.turn) == ("3/0/2/2", "ACD", C)


@case("TQ031")
def test_a_bluffer_who_loses_the_last_card_is_out(given: dict[str, Any]) -> None:
    state = after(position(given), (A, Declare()), (B, Accuse()))
    assert (sizes(state), active(state), state.turn) == ("0/3/2/2", "BCD", B)


@case("TQ034")
def test_the_second_slap_is_too_late(given: dict[str, Any]) -> None:
    state = after(position(given), (A, Declare()), (D, Accuse()))
    assert refusal(state, C, Accuse()) == "nothing_to_accuse"


@case("TQ036")
def test_nobody_slaps_their_own_declaration(given: dict[str, Any]) -> None:
    assert refusal(after(position(given), (A, Declare())), A, Accuse()) == "own_pass"


@case("TQ037")
def test_a_wrong_slapper_may_lose_the_last_card(given: dict[str, Any]) -> None:
    state = after(position(given), (A, Declare()), (D, Accuse()))
    assert (sizes(state), active(state), state.turn) == ("3/2/2/0", "ABC", B)


@case("TQ038")
def test_the_last_declaration_of_a_round_can_still_be_slapped(given: dict[str, Any]) -> None:
    state = after(position(given), (C, Declare()))
    assert refusal(state, D, Play("E")) == "await_slap_window"
    ended = after(state, *rules.due_moves(state))
    assert ended.result is not None
    assert ended.result.winner == D


# --- icons (Q27 to Q31) ---------------------------------------------------------------------------


@case("TQ042")
def test_a_reverse_between_two_changes_nothing(given: dict[str, Any]) -> None:
    assert after(position(given), (A, Play("Er"))).turn == B


@case("TQ044")
def test_an_empty_pile_is_made_of_the_discard(given: dict[str, Any]) -> None:
    state = after(position(given), (A, Play("Ed")))
    found = (state.sizes[A], state.pile_size, 1 + state.under_size, state.top)
    assert found == (2, 3, 1, "Ed")


@case("TQ045")
def test_the_covered_card_is_drawn_when_there_is_no_other(given: dict[str, Any]) -> None:
    state = after(position(given), (A, Play("Ed")))
    assert (state.sizes[A], state.pile_size, 1 + state.under_size) == (2, 0, 1)
    assert "C" in state.hand(A)


@case("TQ046")
def test_a_victim_without_cards_is_out(given: dict[str, Any]) -> None:
    state = after(position(given), (A, Play("Es", target=C)))
    found = (sizes(state), active(state), state.top, 1 + state.under_size)
    assert found == ("1/2/0", "AB", "Es", 3)


@case("TQ047")
def test_nobody_steals_from_themselves(given: dict[str, Any]) -> None:
    start = CASES["TQ046"]["start"] if given["start"] is None else given["start"]
    assert refusal(table(start), A, Play("Es", target=A)) == "bad_target"


# --- the end of a round (Q15, Q23 to Q25) ---------------------------------------------------------


@case("TQ051")
def test_nobody_played_in_the_first_lap(given: dict[str, Any]) -> None:
    state = after(position(given), *((seat, Declare()) for seat in (C, D, A, B)))
    assert state.result is not None
    assert state.result.winner is None
    confirmed = after(state, *rules.due_moves(state))
    assert confirmed.starter == C


@case("TQ052")
def test_a_player_without_cards_is_out_when_covered(given: dict[str, Any]) -> None:
    state = after(position(given), (A, Play("E")))
    assert active(state) == "ABCD"
    assert active(after(state, (B, Play("M")))) == "BCD"


@case("TQ053")
def test_a_player_without_cards_can_win(given: dict[str, Any]) -> None:
    state = after(position(given), (A, Play("E")), *((seat, Declare()) for seat in (B, C, D)))
    assert state.result is not None
    assert state.result.winner == A


@case("TQ055")
def test_the_icon_of_the_turned_card_does_nothing(given: dict[str, Any]) -> None:
    assert sizes(position(given)) == given["expect"].removeprefix("hands ")
    state = after(position(given), (A, Play("E")))
    assert sizes(state) == "1/2/2/2"


# --- scoring (Q36 to Q42) -------------------------------------------------------------------------


def test_a_buffet_is_worth_what_the_case_says() -> None:
    buffets = {"TQ061": ("F03", "F04", "F03"), "TQ062": ("F17", "F05_"), "TQ064": ()}
    found = {number: str(value(buffet(*stakes))) for number, stakes in buffets.items()}
    assert found == {number: CASES[number]["expect"] for number in buffets}


def test_a_set_lies_face_up() -> None:
    third = {"TQ066": "F13_", "TQ067": "F18~", "TQ068": "F13"}
    found = {number: str(is_set(buffet("F01", "F07", stake))) for number, stake in third.items()}
    assert found == {number: CASES[number]["expect"] for number in third}


def last_round(
    *buffets: tuple[str, ...],
    winner: int | None = None,
    sizes: tuple[int, ...] = (0, 0),
    stake: str = "F14",
) -> State:
    """A game whose last stake was just settled without changing these buffets."""
    begun = evolve(None, GameStarted(len(buffets), Options()))
    state = changed(begun, food_left=0, stake_id=stake, sizes=sizes)
    ended = evolve(state, RoundEnded(winner))
    return changed(
        ended, buffets=tuple(buffet(*one) for one in buffets), phase="over", reason="pile"
    )


def test_the_winner_is_the_one_of_the_case(subtests: pytest.Subtests) -> None:
    for number, buffets, winner, sizes in [
        ("TQ069", (("F05", "F07"), ("F09", "F07", "F08")), None, (0, 0)),
        ("TQ070", (("F05", "F07"), ("F17", "F01")), None, (0, 0)),
        ("TQ071", (("F05",), ("F09", "F15")), 0, (2, 4)),
    ]:
        with subtests.test(number):
            ended = outcome(last_round(*buffets, winner=winner, sizes=sizes))
            assert ended is not None
            assert str(["AB"[seat] for seat in ended.winners]) == CASES[number]["expect"]


@case("TQ072")
def test_the_single_player_joins_the_weaker_side(given: dict[str, Any]) -> None:
    # X, seats 1 and 3, has 3 + 2 = 5; Y, seats 2 and 4, has 3.
    state = before_the_last_stake((), ("F05",), ("F11",), ("F09",), ())
    joined = next_round(state)
    assert joined.sides == ((1, 3), (0, 2, 4)), given["why"]
    assert joined.solo is None


@case("TQ074")
def test_between_equal_sides_the_single_player_chooses(given: dict[str, Any]) -> None:
    asked = choosing_a_team()
    assert rules.to_act(asked) == (0,)
    assert rules.legal_moves(asked, 0) == [JoinTeam(1), JoinTeam(2)]
    joined = after(asked, (0, JoinTeam(2)))
    assert joined.sides == ((1, 3), (0, 2, 4)), given["why"]
    assert joined.sizes == (5, 5, 5, 5, 5)
    assert refusal(joined, 0, JoinTeam(1)) == "nothing_to_choose"


# --- "Peco Peco!" (Q43) ---------------------------------------------------------------------------


@case("TQ076")
def test_a_missing_call_costs_the_last_card(given: dict[str, Any]) -> None:
    state = after(position(given, PECO_CALL), (A, Play("E")))
    assert (state.sizes[A], active(state), state.owner, state.top) == (0, "ABC", A, "E")
    called = after(position(given, PECO_CALL), (A, Play("E", call=True)))
    assert called.sizes[A] == 1


@case("TQ077")
def test_with_three_cards_no_call_is_due(given: dict[str, Any]) -> None:
    state = after(position(given, PECO_CALL), (A, Play("E")))
    assert (state.sizes[A], active(state), state.owner, state.top) == (2, "ABC", A, "E")


@case("TQ078")
def test_the_call_is_due_before_the_draw(given: dict[str, Any]) -> None:
    state = after(position(given, PECO_CALL), (A, Play("Ed")))
    assert (state.sizes[A], active(state), state.owner, state.top) == (1, "ABC", A, "Ed")
    assert state.hand(A) == hand("C")
    assert "M" in state.under


# --- dealing and winning (Q26, Q35 to Q37, Q40) ---------------------------------------------------


@case("TQ080")
def test_a_short_pile_leaves_out_the_stakes_that_deal_five(given: dict[str, Any]) -> None:
    assert str(len(food_pile(short=Options().has_short_pile(7)))) == given["expect"]
    assert not Options().has_short_pile(6)


def playing_for(stakes: tuple[str, ...], *, seats: int = 4, **changes: object) -> State:
    """A round for the first of these stakes has been dealt; the others wait in the pile."""
    begun = evolve(None, GameStarted(seats, Options()))
    pile = (STAKES["F03"].id, *stakes)
    state = changed(begun, food=stakes, food_left=len(stakes), stake_id=pile[0], **changes)
    return next_round(evolve(state, RoundEnded(None)))


def won_by(state: State, winner: int | None) -> State:
    return evolve(state, RoundEnded(winner))


def next_round(state: State) -> State:
    return after(state, *rules.due_moves(state))


@case("TQ081")
def test_a_winner_is_dealt_one_card_more(given: dict[str, Any]) -> None:
    state = next_round(won_by(playing_for(("F07", "F01")), B))
    assert sizes(state) == given["expect"]


@case("TQ082")
def test_a_winner_is_dealt_one_card_fewer_in_the_next_round_only(given: dict[str, Any]) -> None:
    second = next_round(won_by(playing_for(("F12", "F04", "F01")), A))
    third = next_round(won_by(second, None))
    assert f"{sizes(second)} then {sizes(third)}" == given["expect"]


@case("TQ083")
def test_the_deck_is_large_enough(given: dict[str, Any]) -> None:
    state = playing_for(("F02",), seats=8, extra=(0,) * 8)
    assert sizes(state) == "5/5/5/5/5/5/5/5"
    one_more = next_round(won_by(playing_for(("F07", "F02"), seats=8), B))
    needed = sum(one_more.sizes) + 1
    assert f"{needed} of {len(DECK)}" == given["expect"]


def settled(state: State, winner: int | None) -> State:
    """The round ends by the rules: this seat owns the top card and the last other declares."""
    last = (winner or 0) + 1
    ready = changed(
        state,
        owner=winner,
        pending=frozenset({last}),
        last_actor=(last - state.direction) % state.seats,
        phase="turn",
    )
    return after(ready, (last, Declare()))


def lying(state: State, seat: int) -> str:
    word = {"up": "up", "tilted": "tilted", "down": "down"}
    return " ".join(
        f"{STAKES[laid.stake].food}{STAKES[laid.stake].dishes}:{word[laid.facing]}"
        for laid in state.buffets[seat]
    )


@case("TQ088")
def test_a_stake_that_is_turned_up_may_complete_the_set(given: dict[str, Any]) -> None:
    state = playing_for(("F03", "F14"), buffets=(buffet("F01", "F07", "F18~"), (), (), ()))
    state = changed(state, buffets=(buffet("F01", "F07", "F18~"), (), (), ()))
    ended = settled(state, A)
    ended = after(ended, *rules.due_moves(ended)) if ended.phase == "claims" else ended
    assert (ended.reason, outcome(ended).winners) == ("set", (A,))  # type: ignore[union-attr]
    assert f"A {lying(ended, A)}" == given["expect"].partition("; ")[2]


@case("TQ089")
def test_one_is_turned_up_and_the_next_lies_tilted(given: dict[str, Any]) -> None:
    first = settled(playing_for(("F06", "F11", "F14")), A)
    second = settled(next_round(first), A)
    assert second.reason is None
    assert (
        f"A's buffet {lying(second, A)}".replace("'s buffet", "")
        == (given["expect"].partition("; ")[2])
    )


@case("TQ090")
def test_a_set_on_the_last_stake_wins_without_a_count(given: dict[str, Any]) -> None:
    state = changed(playing_for(("F14",)), buffets=(buffet("F01", "F07"), (), (), ()))
    ended = settled(state, A)
    assert (ended.reason, outcome(ended).winners) == ("set", (A,))  # type: ignore[union-attr]
    assert f"A {lying(ended, A)}" == given["expect"].partition("; ")[2]


@case("TQ091")
def test_a_general_defeat_on_the_last_stake_gives_no_bonus(given: dict[str, Any]) -> None:
    laid = (buffet("F05"), buffet("F09", "F07"), (), ())
    state = changed(playing_for(("F14",)), buffets=laid)
    ended = settled(state, None)
    found = outcome(ended)
    assert found is not None
    assert str((found.reason, list(found.winners))) == given["expect"].partition(";")[0]
    assert found.scores == (3, 3, 0, 0)


def test_every_case_is_tested() -> None:
    parametrized = {"TQ021", "TQ022", "TQ061", "TQ062", "TQ064", "TQ066", "TQ067", "TQ068"}
    assert tested | parametrized | {"TQ069", "TQ070", "TQ071"} == set(CASES)


def test_the_single_player_who_joined_shares_the_buffet() -> None:
    """Q42."""
    state = before_the_last_stake(("F13",), ("F05",), ("F11",), ("F09",), ())
    joined = fold(rules, [SoloJoined(0, 2)], state)
    assert joined.side_of(0) == (0, 2, 4)
