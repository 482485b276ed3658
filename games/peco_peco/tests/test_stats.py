"""What Peco Peco keeps of rounds and games is what the log says, in whole games of every kind."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.core.moves import Leave
from games.models import Game, Result, Seat, Tally
from games.peco_peco import rules, stats
from games.peco_peco.models import Round
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CardPlayed,
    Declared,
    GameEnded,
    HonestyShown,
    RoundEnded,
    RoundStarted,
)
from games.peco_peco.rules.options import PRESETS, Options
from games.peco_peco.rules.turns import is_bluff
from games.peco_peco.tests.fast_games import play_until, played_game, running_game
from games.play import commands
from games.store import event_log
from games.study.players.game_filter import GameFilter
from games.study.players.game_list import finished_games
from games.study.players.history import export
from games.study.players.statistics import statistics

pytestmark = pytest.mark.django_db


def counters_of_the_log(game: Game, seat: int) -> dict[str, int]:
    """The counters of a seat, read from the log without the code under test."""
    counted: Counter[str] = Counter()
    state: Any = None
    top_is_own = last_bluff_is_own = acted = False
    for event in event_log.unsealed_facts(game):
        own = not event.automatic
        match event.fact:
            case RoundStarted():
                acted = False
            case CardPlayed(player):
                top_is_own = own
                acted |= own and player == seat
            case Declared(player):
                mine = own and player == seat
                acted |= mine
                last_bluff_is_own = mine and is_bluff(state, seat)
                counted["bluffs"] += last_bluff_is_own
                counted["bluffs_held"] += last_bluff_is_own
            case BluffAdmitted(accuser):
                counted["bluffs_held"] -= last_bluff_is_own
                counted["accusations"] += own and accuser == seat
                counted["accusations_right"] += own and accuser == seat
                acted |= own and accuser == seat
            case HonestyShown(accuser):
                counted["accusations"] += own and accuser == seat
                acted |= own and accuser == seat
            case RoundEnded(winner):
                counted["rounds"] += acted
                won = winner == seat and top_is_own
                counted["rounds_won"] += won
            case GameEnded("set"):
                counted["sets"] += won
        state = rules.evolve(state, event.fact)
    return {name: count for name, count in counted.items() if count}


def assert_the_past_is_true(game: Game) -> None:
    """Tallies, results, places and rounds say what the log says."""
    ended = rules.outcome(event_log.public_state(game))
    assert ended is not None
    placed = {seat: place for place, seat in ended.places()}
    for seat in Seat.objects.filter(game=game):
        last = len(placed) + 1
        assert seat.place == placed.get(seat.number, last)
        if seat.user is None:
            continue
        result = Result.objects.get(seat=seat)
        assert (result.kind_key, result.place) == ("peco_peco", seat.place)
        tally = dict(Tally.objects.filter(user=seat.user).values_list("counter", "value"))
        expected = counters_of_the_log(game, seat.number)
        expected["left" if seat.left else f"place_{seat.place}"] = 1
        assert tally == expected
    assert_rounds_are_true(game)


def assert_rounds_are_true(game: Game) -> None:
    rows = list(Round.objects.filter(game=game))
    state: Any = None
    ended = []
    for event in event_log.unsealed_facts(game):
        state = rules.evolve(state, event.fact)
        if isinstance(event.fact, RoundEnded):
            ended.append(rules.finished_round(state))
    assert [row.number for row in rows] == [each.number for each in ended]
    for row, each in zip(rows, ended, strict=True):
        assert row.stake == each.stake and row.starter.number == each.starter
        assert (row.winner and row.winner.number) == each.winner
        assert row.hands is not None and row.bluffs is not None
        caught = Counter(one["accused"] for one in row.accusations if one["bluff"])
        accused = Counter(one["accused"] for one in row.accusations)
        for seat in range(state.seats):
            assert caught[seat] <= row.bluffs[seat] <= row.declarations[seat]
            assert accused[seat] <= row.declarations[seat]
            assert len(row.hands[seat]) in range(8)


@pytest.mark.parametrize("preset", PRESETS)
def test_they_follow_from_the_log_after_games_of_every_preset(
    alice: User, bob: User, charlie: User, preset: str
) -> None:
    game = played_game(alice, bob, charlie, "easy", preset=preset, seed=3)
    assert_the_past_is_true(game)
    met = set(Tally.objects.values_list("counter", flat=True))
    assert {"rounds", "rounds_won", "bluffs", "bluffs_held", "accusations"} <= met


@pytest.mark.slow
def test_moves_of_a_timeout_or_a_bot_count_for_nobody(
    alice: User, bob: User, charlie: User
) -> None:
    game = played_game(alice, bob, charlie, "easy", "medium", seed=5, missed=0.4)
    assert event_log.has_automatic_moves(game)
    assert_the_past_is_true(game)


def test_a_slap_round_is_counted_too(alice: User, bob: User, charlie: User) -> None:
    game = played_game(alice, bob, charlie, "easy", seed=6, short_pile="off")
    slapped = Round.objects.filter(game=game, stake__in=("F03", "F08", "F16"))
    assert any(row.accusations for row in slapped)
    assert_the_past_is_true(game)


def test_a_player_who_left_is_neither_won_nor_lost(alice: User, bob: User, charlie: User) -> None:
    game = running_game(alice, bob, charlie, "easy")
    game = play_until(game, lambda state: state.number == 2)
    game = leave(game, 1)
    game = play_until(game, lambda state: False)
    assert_the_past_is_true(game)
    assert Seat.objects.get(game=game, number=1).place == 4
    assert [row["left"] for row in statistics(bob)] == [1]
    assert "left" in dict(Tally.objects.filter(user=bob).values_list("counter", "value"))


def leave(game: Game, number: int) -> Game:
    commands.move(
        game.code, number, Leave(), seen=None, now=event_log.latest_public_facts(game)[-1].at
    )
    game.refresh_from_db()
    return game


@pytest.mark.parametrize("preset", ["peco_base", "peco_teams"])
@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_a_game_that_all_people_left_ends_at_once(alice: User, preset: str, rounds: int) -> None:
    game = running_game(alice, "easy", "easy", "easy", preset=preset)
    game = play_until(game, lambda state: state.number > rounds)
    game = leave(game, 0)
    assert game.status == Game.Status.FINISHED
    ended = rules.outcome(event_log.public_state(game))
    assert ended is not None and ended.reason == "others_left"
    assert Result.objects.get(user=alice).left
    assert Round.objects.count() == rounds
    assert_the_past_is_true(game)


def test_a_game_of_teams_ends_when_only_partners_are_left(alice: User) -> None:
    """The bots of the other team lead, so they would leave last; one of them need not."""
    game = running_game(alice, "easy", "easy", "easy", preset="peco_teams")
    game = play_until(game, lambda state: rules.ranking(state)[0] in (1, 3))
    assert game.status == Game.Status.PLAYING
    game = leave(game, 0)
    assert game.status == Game.Status.FINISHED
    assert_the_past_is_true(game)


def test_a_shared_place_is_the_same_for_both_partners(
    alice: User, bob: User, charlie: User
) -> None:
    game = played_game(alice, bob, charlie, "easy", preset="peco_teams", seed=8)
    places = list(Seat.objects.filter(game=game).order_by("number").values_list("place", flat=True))
    assert places[0] == places[2] and places[1] == places[3]


# --- while a game runs ---------------------------------------------------------------------------


def test_the_rounds_of_a_running_game_hold_nothing_hidden(
    alice: User, bob: User, charlie: User
) -> None:
    game = running_game(alice, bob, charlie, "easy", seed=4)
    game = play_until(game, lambda state: state.number == 3 and state.phase == "reveal")
    rows = list(Round.objects.filter(game=game))
    assert len(rows) == 3
    assert all(row.hands is None and row.bluffs is None for row in rows)
    told = event_log.public_facts(game, after=0, upto=game.seq)
    declared = sum(isinstance(each.fact, Declared) for each in told)
    assert sum(sum(row.declarations) for row in rows) == declared


# --- the data export -----------------------------------------------------------------------------


def exported(person: User) -> list[dict[str, Any]]:
    return list(export(person)["games"])


def test_the_export_has_a_persons_own_cards_and_nobody_elses(
    alice: User, bob: User, charlie: User
) -> None:
    game = played_game(alice, bob, charlie, "easy", seed=3)
    rows = list(Round.objects.filter(game=game))
    for number, person in enumerate((alice, bob, charlie)):
        [copy] = exported(person)
        assert copy["kind_key"] == "peco_peco" and len(copy["rounds"]) == len(rows)
        for row, told in zip(rows, copy["rounds"], strict=True):
            assert row.hands is not None and row.bluffs is not None
            assert told["my_cards"] == row.hands[number]
            assert told["my_bluffs"] == row.bluffs[number]
            assert told["my_declarations"] == row.declarations[number]
            assert set(told) == {
                *("number", "stake", "started_by", "won_by", "accusations"),
                *("my_declarations", "my_cards", "my_bluffs"),
            }
            assert told["started_by"] in range(4) and told["won_by"] in (None, 0, 1, 2, 3)


def test_the_export_of_a_running_game_has_what_everyone_saw(
    alice: User, bob: User, charlie: User
) -> None:
    game = running_game(alice, bob, charlie, "easy", seed=4)
    play_until(game, lambda state: state.number == 3 and state.phase == "turn")
    [copy] = exported(alice)
    assert len(copy["rounds"]) == 2
    assert not any("my_cards" in told or "my_bluffs" in told for told in copy["rounds"])


def test_the_export_of_many_games_takes_a_few_queries(
    alice: User, bob: User, charlie: User, django_assert_max_num_queries: Any
) -> None:
    for seed in (3, 4):
        played_game(alice, bob, charlie, "easy", seed=seed)
    with django_assert_max_num_queries(8):
        assert len(exported(alice)) == 2


# --- what a person's page shows ------------------------------------------------------------------


def test_the_figures_are_shares_and_sets() -> None:
    counted = {"rounds": 12, "rounds_won": 3, "bluffs": 4, "bluffs_held": 2, "sets": 1}
    assert stats.figures(counted) == [
        ("Rounds won", "3 of 12"),
        ("Bluffs nobody caught", "2 of 4"),
        ("Games won with all three dishes", "1"),
    ]


@pytest.mark.slow
def test_games_in_teams_are_told_apart(alice: User, bob: User, charlie: User) -> None:
    played_game(alice, bob, charlie, "easy", preset="peco_teams", seed=3)
    played_game(alice, bob, charlie, "easy", seed=3)
    [own] = stats.filters
    for key, (_label, variant) in own.choices.items():
        form = GameFilter({own.name: key}, person=alice, viewer=alice, now=timezone.now())
        found = form.apply(finished_games(alice, viewer=alice))
        assert [result.variant for result in found.results] == [variant]


def test_the_variant_of_a_game_says_whether_it_was_in_teams() -> None:
    assert stats.variant(Game(options=Options(teams="on").to_json())) == "teams"
    assert stats.variant(Game(options=Options(teams="off").to_json())) == ""
    assert tuple(stats.presets) == tuple(PRESETS)
