"""Who left is removed before a round is judged (Q37; B10, 33); by version 1 of the rules after it.

Games that ended by version 1 keep their result; those still running go on by the present rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from accounts.models import User
from games.contract.game_values import RecordedFact
from games.core.contract import VERSION, Fact, fold
from games.core.game_record import Record, RecordError, from_json, replay, to_json
from games.core.moves import Leave
from games.core.values import changed
from games.models import FactRow, Game
from games.peco_peco import rules
from games.peco_peco.rules.events import GameEnded
from games.peco_peco.rules.moves import Declare, Move, Play
from games.peco_peco.rules.notation import to_text
from games.peco_peco.rules.options import Options
from games.peco_peco.rules.outcome import outcome, points
from games.peco_peco.rules.state import State
from games.peco_peco.tests.fast_games import played_game
from games.peco_peco.tests.random_games import steps
from games.peco_peco.tests.tables import FirstOfAll, after, buffet, table
from games.peco_peco.tests.test_golden import GOLDEN
from games.store import event_log, record_export
from tests.games.contract.random_games import NAMES, facts_of, seeded

A, B, C, D = range(4)
TEAMS = Options(teams="on")
# A and C are partners: A has maki, C has sushi, and A is about to win an onigiri.
ONIGIRI = "F13"


def about_to_win(*buffets: Sequence[str], food_left: int = 2, options: Options = TEAMS) -> State:
    start = (
        "hands A[E,E] B[C,C] C[C,C] D[C,C]; top C; draw E,C; turn A; clockwise; rule none; "
        "top card owned by D"
    )
    laid = tuple(buffet(*one) for one in buffets)
    state = table(start, options=options, buffets=laid)
    return changed(state, stake_id=ONIGIRI, food_left=food_left, food=("F01", "F02")[:food_left])


def won_by_a(state: State, *leavers: int, version: int = VERSION) -> State:
    """A plays, these seats leave, nobody beats the card."""
    moves: list[tuple[int, Move]] = [(A, Play("E")), *((seat, Leave()) for seat in leavers)]
    for seat, move in [*moves, *((seat, Declare()) for seat in (B, C, D))]:
        facts = rules.decide(state, seat, move, FirstOfAll(), version=version)
        state = fold(rules, facts, state)
    assert state.result is not None and state.result.winner == A
    return state


def test_the_buffet_of_a_partner_who_stays_completes_the_set() -> None:
    for food_left in (2, 0):
        state = won_by_a(about_to_win(["F01"], [], ["F07"], [], food_left=food_left))
        assert state.reason == "set", food_left


def test_the_buffet_of_a_partner_who_left_completes_no_set() -> None:
    state = won_by_a(about_to_win(["F01"], [], ["F07"], []), C)
    assert (state.phase, state.reason) == ("reveal", None), "the game goes on"
    assert state.removed == {C}


def test_at_the_last_stake_the_buffet_of_a_partner_who_left_counts_nothing() -> None:
    state = won_by_a(about_to_win(["F01"], [], ["F07"], [], food_left=0), C)
    assert state.reason == "pile"
    ended = outcome(state)
    assert ended is not None and ended.unranked == (C,)
    assert ended.scores == (1 + 1 + state.sizes[A], 0, 0, 0), "maki 1, onigiri 1, the cards in hand"


def test_a_set_of_ones_own_is_won_although_the_partner_leaves() -> None:
    state = won_by_a(about_to_win(["F01", "F07"], [], ["F08"], []), C)
    assert state.reason == "set"
    assert points(state, A) == 3


def test_the_set_of_a_player_who_left_wins_nothing() -> None:
    state = won_by_a(about_to_win(["F01", "F07"], [], [], [], options=Options()), A)
    assert (state.phase, state.reason) == ("reveal", None)


def test_version_1_judged_first_and_removed_then() -> None:
    state = won_by_a(about_to_win(["F01"], [], ["F07"], []), C, version=1)
    assert state.reason == "set"
    assert points(state, A) == 2, "the result shows what was left"


# --- records --------------------------------------------------------------------------------------


def game_with_leavers(seed: int, *, version: int) -> list[Fact]:
    """A random game in teams whose players often leave, judged by this version."""
    game = steps(seeded(seed), leaving=0.02, seats=8, options=TEAMS, version=version)
    return facts_of(game)


def record(facts: Sequence[Fact], version: int) -> Record:
    seats: int = facts[0].seats  # type: ignore[attr-defined]
    return Record("peco_peco", NAMES[:seats], tuple(facts), "2026-01-02", version)


# A game of four that ended by a set with the buffet of a partner who had left.
OLD = from_json(rules, (GOLDEN / "set_of_a_leaver.json").read_text(encoding="utf-8"))


def test_each_version_is_read_and_replayed_by_its_own_rules() -> None:
    assert OLD.version == rules.judged_by(OLD.facts) == 1
    assert from_json(rules, to_json(OLD)) == OLD
    assert to_text(OLD).startswith("Peco Peco record, version 1\n")
    assert replay(rules, OLD).reason == "set"
    with pytest.raises(RecordError, match="game_ended"):
        replay(rules, replace(OLD, version=2))


def test_a_record_has_the_latest_version_by_which_it_ends_in_the_same_way() -> None:
    for seed in range(40):
        for version in (1, 2):
            facts = game_with_leavers(seed, version=version)
            judged = rules.judged_by(facts)
            replay(rules, record(facts, judged))
            assert judged in (version, VERSION)


def test_a_game_begun_under_version_1_goes_on_by_the_present_rules() -> None:
    """Its log up to the last move, by which it would have ended, is that of a running game."""
    assert OLD.facts[-1] == GameEnded("set")
    last_move = max(at for at, fact in enumerate(OLD.facts) if fact.kind == "declared")
    facts = list(OLD.facts[:last_move])
    running = fold(rules, facts)
    for _ in range(3_000):
        for seat, move in rules.due_moves(running):
            following = rules.decide(running, seat, move, FirstOfAll())
            running, facts = fold(rules, following, running), facts + following
    assert running.phase == "over" and running.number > 9
    assert rules.judged_by(facts) == VERSION
    assert replay(rules, record(facts, VERSION)) == running


# --- games in the database ------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_finished_game_keeps_its_result_and_is_exported_by_its_version(
    alice: User,
) -> None:
    """The log of a game that ended before the rules changed, stored as it was then."""
    game = played_game(alice, *["easy"] * 3, preset="peco_teams")
    new = record_export.record_of(game)
    assert new.version == VERSION and from_json(rules, record_export.as_json(game)) == new
    FactRow.unsealed.filter(game=game).delete()
    at = datetime(2025, 1, 2, tzinfo=UTC)
    rows = [RecordedFact(seq, at, fact) for seq, fact in enumerate(OLD.facts, start=1)]
    FactRow.unsealed.bulk_create(event_log._row(game, row) for row in rows)
    Game.objects.filter(pk=game.pk).update(seq=len(rows), code="oldoldoldold")
    old = Game.objects.get(pk=game.pk)
    exported = record_export.record_of(old)
    assert exported.version == 1
    assert from_json(rules, record_export.as_json(old)) == exported
    assert outcome(event_log.public_state(old)) == outcome(replay(rules, exported))
    assert "version 1\n" in record_export.as_text(old)


def test_running_games_are_judged_by_the_present_rules() -> None:
    """Nobody who plays, nor the scheduler, names a version."""
    state = about_to_win(["F01"], [], ["F07"], [])
    assert after(
        state, (A, Play("E")), (C, Leave()), (B, Declare()), (C, Declare()), (D, Declare())
    ) == won_by_a(state, C, version=2)
