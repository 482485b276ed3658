"""Single decisions of the bots of Peco Peco, and the numbers that the documentation states."""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module
from itertools import repeat
from pathlib import Path

import pytest

from games.core.chance import ScriptedChance, SeededChance
from games.core.contract import Chance
from games.core.values import changed
from games.peco_peco.bots import BOTS
from games.peco_peco.rules.moves import Accuse, Declare, Move, Play
from games.peco_peco.rules.options import Options
from games.peco_peco.rules.state import State
from games.peco_peco.tests.tables import after, buffet, table
from tests.games.contract.random_games import seeded
from tests.support.bot_games import Match, options_of, play_games

A, B, C, D = range(4)
DRAW = "draw E,E,E,E,C,C,C,C,M,M,M,M,Eb,Cb,Mb,Er,Cd,Md,Es,Cs"
LAST = "; top card owned by D; still to answer A"  # if A does not answer it, D wins the round


def position(hands: str, top: str, *, more: str = "", rule: str = "none", stake: str = "") -> State:
    state = table(f"hands {hands}; top {top}; {DRAW}; turn A; clockwise; rule {rule}{more}")
    return changed(state, stake_id=stake) if stake else state


def choice(kind: str, state: State, seat: int = A, chance: Chance | None = None) -> Move | None:
    """What this bot does, as it is told the state; of equally good moves the first."""
    hands = tuple(hand if owner == seat else None for owner, hand in enumerate(state.hands))
    known = changed(state, hands=hands, pile=None, food=None)
    return BOTS[kind](known, seat, chance or ScriptedChance(repeat(0)))


def often(kind: str, state: State, seat: int = A) -> Counter[str | None]:
    """The kinds of moves of this bot over many throws of chance."""
    chances = (SeededChance(seeded(number)) for number in range(60))
    moves = (choice(kind, state, seat, chance) for chance in chances)
    return Counter(move and move.kind for move in moves)


# --- easy ----------------------------------------------------------------------------------------


def test_easy_bluffs_and_accuses_now_and_then() -> None:
    state = position("A[E,M] B[C,C] C[M,M] D[C,C]", "C")
    assert often("easy", state).keys() == {"play", "declare"}
    assert often("easy", state)["play"] > 40
    accused = often("easy", after(state, (A, Declare())), B)
    assert 0 < accused["accuse"] < 30


def test_easy_forgets_the_call_now_and_then() -> None:
    state = changed(position("A[E,M] B[C] C[M] D[C]", "C"), options=Options(peco_call="on"))
    moves = [choice("easy", state, A, SeededChance(seeded(number))) for number in range(60)]
    assert {move.call for move in moves if isinstance(move, Play)} == {True, False}


# --- medium --------------------------------------------------------------------------------------


def test_the_call_is_made_when_it_is_due() -> None:
    due = changed(
        position("A[E,M] B[C] C[M] D[C]", "C", more=LAST), options=Options(peco_call="on")
    )
    assert choice("medium", due) == choice("hard", due) == Play("E", call=True)


def test_medium_plays_whenever_it_can_without_a_bomb() -> None:
    assert choice("medium", position("A[E,Mb] B[C,C] C[M,M] D[C,C]", "C")) == Play("E")


def test_medium_keeps_its_bomb_while_others_will_answer() -> None:
    hands = "A[Mb,M] B[C,C] C[M,M] D[C,C]"
    assert choice("medium", position(hands, "C")) == Declare()
    assert choice("medium", position(hands, "C", more=LAST)) == Play("Mb")


def test_medium_plays_the_card_that_is_hardest_to_beat() -> None:
    """Twelve mice lie buried, so an elephant is harder to beat than a cat."""
    gone = ",".join(["M"] * 12)
    state = position("A[Eb,Cb] B[C,C] C[M,M] D[C,C]", f"C+under {gone}", more=LAST)
    assert choice("medium", state) == Play("Eb")


def test_medium_accuses_what_is_unlikely_to_be_true() -> None:
    many = after(position("A[E,M,M,C,C,C,C] B[C] C[M,M] D[C,C]", "C"), (A, Declare()))
    few = after(position("A[E,M] B[C] C[M,M] D[C,C]", "C"), (A, Declare()))
    assert choice("medium", many, B) == Accuse()
    assert choice("medium", few, B) != Accuse()


def test_medium_does_not_accuse_its_partner() -> None:
    teams = {"options": Options(teams="on")}
    hands = "A[E,M,M,C,C,C,C] B[C] C[M,M] D[C,C]"
    state = with_changes(position(hands, "C", rule="slap"), teams)
    declared = after(state, (A, Declare()))
    assert (choice("medium", declared, B), choice("medium", declared, C)) == (Accuse(), None)


# --- hard ----------------------------------------------------------------------------------------


def about_to_win(
    seat: int, stake: str = "F13", options: Options | None = None
) -> dict[str, object]:
    """The seat has two types, and the stake is of the third."""
    buffets = tuple(buffet("F01", "F07") if one == seat else () for one in range(4))
    return {"buffets": buffets, "stake_id": stake} | ({"options": options} if options else {})


def with_changes(state: State, changes: dict[str, object]) -> State:
    teams = changes.get("options")
    sides = {"sides": teams.sides(state.seats)} if isinstance(teams, Options) else {}
    return changed(state, **changes, **sides)


def test_hard_spends_its_last_card_to_keep_a_set_from_another() -> None:
    """The stake would complete the set of D."""
    hands = "A[Mb] B[C,C,E] C[M,M,E] D[C,C,E]"
    state = position(hands, "C", more=LAST)
    assert choice("hard", with_changes(state, about_to_win(D))) == Play("Mb")


def test_hard_does_not_beat_a_partner_who_is_winning_the_game() -> None:
    more = "; top card owned by C; still to answer A"
    state = position("A[E,E] B[C] C[M] D[C]", "C", more=more)
    alone = with_changes(state, about_to_win(C))
    teams = with_changes(state, about_to_win(C, options=Options(teams="on")))
    assert choice("hard", alone) == Play("E")
    assert choice("hard", teams) == Declare()


def test_hard_saves_a_card_where_others_will_answer() -> None:
    """A bluff: three players with four cards each have still to answer."""
    hands = "A[Mb,M,C] B[C,C,E,E] C[M,M,E,E] D[C,C,E,E]"
    assert choice("hard", position(hands, "C")) == Declare()


def test_hard_does_not_risk_a_bluff_for_which_it_would_be_out() -> None:
    """Q34: with so many cards the next player accuses; a severe stake takes them all."""
    hands = "A[E,E,E,M,M,C,C] B[C,C,E] C[M,M,E] D[C,C,E]"
    assert isinstance(choice("hard", position(hands, "C", rule="severe")), Play)


def test_hard_steals_from_who_would_win_the_game() -> None:
    hands = "A[Es,M] B[C,C] C[M,M] D[C,C]"
    for rival in (B, C, D):
        state = with_changes(position(hands, "C"), about_to_win(rival))
        weighed = dict(hard_weights(state))
        steals = {play.target: weighed[play] for play in weighed if isinstance(play, Play)}
        assert max(steals, key=lambda target: steals[target]) == rival


def hard_weights(state: State) -> list[tuple[Move, float]]:
    module = import_module("games.peco_peco.bots.hard")
    return list(module.weigh(state, module.present(state, A), module.chances(state, A)))


def test_hard_accuses_only_what_may_be_a_bluff() -> None:
    many = after(position("A[E,M,M,C,C,C,C] B[C,E] C[M,M] D[C,C]", "C"), (A, Declare()))
    one = after(position("A[M] B[C,E] C[M,M] D[C,C]", "C"), (A, Declare()))
    assert choice("hard", many, B) == Accuse()
    assert choice("hard", one, B) != Accuse()


def test_hard_slaps_only_what_is_probably_a_bluff() -> None:
    """Q33: anybody may, out of turn."""
    many = after(
        position("A[E,M,M,C,C,C,C] B[C,E] C[M,M] D[C,C]", "C", rule="slap"), (A, Declare())
    )
    one = after(position("A[M] B[C,E] C[M,M] D[C,C]", "C", rule="slap"), (A, Declare()))
    assert many.phase == "claims"
    assert choice("hard", many, C) == Accuse()
    assert choice("hard", one, C) is None


# --- strength and documentation ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hero", "field", "preset", "games", "least"),
    [
        ("medium", "easy", None, 80, 0.27),
        pytest.param("hard", "easy", None, 80, 0.3, marks=pytest.mark.long),
        pytest.param("hard", "medium", "peco_teams", 60, 0.45, marks=pytest.mark.long),
    ],
)
def test_the_bots_are_as_strong_as_we_say(
    hero: str, field: str, preset: str | None, games: int, least: float
) -> None:
    options = options_of("peco_peco", preset)
    score = play_games(Match("peco_peco", hero, field, 4, games, options=options), range(games))
    assert score.games == games
    assert score.rate > least


def test_the_documentation_says_what_the_bots_decide_by() -> None:
    text = (Path(__file__).parents[3] / "docs" / "bots.md").read_text()
    section = text[text.index("## Peco Peco") :]
    written = dict(re.findall(r"^\| `([A-Z_]+)` \| ([0-9.]+) \|", section, re.MULTILINE))
    numbers = {
        name: value
        for module in ("easy", "medium", "hard", "round_model")
        for name, value in vars(import_module(f"games.peco_peco.bots.{module}")).items()
        if isinstance(value, int | float)
    }
    assert {name: float(value) for name, value in written.items()} == numbers
    assert all(f"**{kind}**" in section for kind in BOTS)
