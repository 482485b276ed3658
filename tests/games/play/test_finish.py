"""What a game leaves when it ends: results and tallies, as the log alone would tell them."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from accounts import lifecycle
from accounts.models import User
from games.lobby import table_list
from games.models import Game, Result, Seat, SiteTally, Tally
from games.perudo.rules.options import PRESETS
from games.play import before_start
from games.store import event_log, queries
from tests.support.expected_tallies import stored_tally, tally_from_log, thrown_on_the_site
from tests.support.fast_games import START, finish_game, open_table, played_game, running_game
from tests.support.game_driver import LEAVE, GameDriver

pytestmark = pytest.mark.django_db


def assert_the_past_is_true() -> None:
    """Every result, every tally and every seat says what the log and the games say."""
    finished = Seat.objects.filter(game__status=Game.Status.FINISHED, user__isnull=False)
    expected = {
        seat.pk: (
            seat.user_id, seat.game.finished_at, seat.place, seat.gone or seat.asleep,
            seat.game.preset, seat.game.kind_key,
            "calza" if seat.game.options["calza"] == "on" else "", seat.game.listed,
        )
        for seat in finished.select_related("game")
    }  # fmt: skip
    columns = ("user_id", "finished_at", "place", "left", "preset", "kind_key", "variant", "public")
    assert {pk: tuple(rest) for pk, *rest in Result.objects.values_list("pk", *columns)} == expected
    played = {user for user, *_ in expected.values() if user is not None}
    assert set(Tally.objects.values_list("user_id", flat=True)) == played
    assert {user: stored_tally(user) for user in played} == {
        user: tally_from_log(user) for user in played
    }
    assert SiteTally.objects.counted("perudo") == thrown_on_the_site()
    live = Seat.objects.filter(game__status__in=("open", "playing"))
    assert set(Seat.objects.filter(live=True)) == set(live)


def test_they_follow_from_the_log_after_games_of_every_kind(
    alice: User, bob: User, charlie: User
) -> None:
    for seed, preset in enumerate(PRESETS, start=1):
        company = (alice, bob, charlie, "steady")[: 2 + seed % 3]
        calza = ("off", "on")[seed % 2]
        played_game(*company, preset=preset, calza=calza, seed=seed, public=seed < 3)
    assert stored_tally(alice.pk)["doubts"] > 0
    assert_the_past_is_true()


def test_they_do_so_when_somebody_left(alice: User, bob: User, charlie: User) -> None:
    game = running_game(alice, bob, charlie, rounds=1, calza="on")
    seat = next(
        seat for seat in game.seat_set.all() if seat.number != event_log.public_state(game).turn
    )
    driver = GameDriver(game, now=game.due_at)  # type: ignore[arg-type]
    driver.move(seat.number, LEAVE, after=-10)
    finish_game(driver.game)
    assert Result.objects.filter(left=True).count() == 1
    assert_the_past_is_true()


def test_a_running_an_open_and_a_closed_table_leave_nothing(alice: User, bob: User) -> None:
    running_game(alice, bob, rounds=2)
    open_table(alice, bob)
    before_start.close(open_table(alice, bob).code, alice, now=START)
    assert not Result.objects.exists() and not Tally.objects.exists()
    assert_the_past_is_true()


def test_bots_leave_nothing(alice: User) -> None:
    played_game(alice, "steady", "sharp")
    assert [result.user_id for result in Result.objects.all()] == [alice.pk]
    assert {tally.user_id for tally in Tally.objects.all()} == {alice.pk}


def test_who_is_gone_keeps_the_numbers_without_the_name(alice: User, bob: User) -> None:
    played_game(alice, bob)
    before = list(Tally.objects.values())
    lifecycle.forget(bob)
    assert list(Tally.objects.values()) == before


def test_tallies_are_locked_in_one_order_for_any_seating(
    alice: User, bob: User, charlie: User
) -> None:
    games = [running_game(*seats) for seats in ((alice, bob, charlie), (charlie, bob, alice))]
    taken = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if '"games_tally"' in sql:
            assert many and sql.startswith("INSERT")
            taken.append([row[:3] for row in params])
        return execute(sql, params, many, context)

    for game in games:
        with connection.execute_wrapper(note):
            finish_game(game)
    assert len(taken) == 2 and all(len(rows) > 3 and rows == sorted(rows) for rows in taken)


def test_counters_are_added_to_and_what_is_zero_has_no_row(alice: User, bob: User) -> None:
    Tally.objects.add("perudo", {alice.pk: {"left": 2, "doubts": 0}, bob.pk: {"left": 1}})
    Tally.objects.add("perudo", {alice.pk: {"left": 3}})
    Tally.objects.add("another", {alice.pk: {"left": 5}})
    rows = Tally.objects.order_by("user", "kind_key").values_list(
        "user", "kind_key", "counter", "value"
    )
    assert list(rows) == [
        (alice.pk, "another", "left", 5),
        (alice.pk, "perudo", "left", 5),
        (bob.pk, "perudo", "left", 1),
    ]


def test_a_tally_is_counted_on_and_a_first_one_begun(alice: User, bob: User) -> None:
    played_game(alice, "steady", seed=2)
    played_game(alice, bob)
    assert [sum(stored_tally(one.pk)["places"]) for one in (alice, bob)] == [2, 1]
    assert_the_past_is_true()


def test_a_table_that_is_over_is_none_of_a_persons_own(alice: User, bob: User) -> None:
    game = running_game(alice, bob)
    assert [card.code for card in table_list.my_games(alice, now=START).running] == [game.code]
    finish_game(game)
    assert table_list.my_games(alice, now=START) == table_list.MyTables(running=[], waiting=[])
    assert not queries.seats_in_progress(alice).exists()
