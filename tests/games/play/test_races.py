"""The person and the clock move at the same instant, in threads: one wins, nothing breaks."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from threading import Barrier

import pytest
from django.db import connection

from accounts.models import User
from games.core.contract import IllegalMove
from games.errors import Refused
from games.models import FactRow, Game, NextSeat, PackedLog, Seat, Tally
from games.play import before_start, commands, next_seats, next_tables, rematches, throws
from games.store import archive, event_log
from tests.games.play.test_finish import assert_the_past_is_true
from tests.support.fast_games import START, finished_game, open_table
from tests.support.game_driver import LEAVE, GameDriver, bid, deal_game, seat_names

pytestmark = pytest.mark.django_db(transaction=True)
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
TIMES = 8


def at_once(*actions: Callable[[], object]) -> list[str]:
    """What became of actions that start together: "done", or the code of the refusal."""
    barrier = Barrier(len(actions))

    def does(action: Callable[[], object]) -> str:
        barrier.wait()
        try:
            action()
        except (Refused, IllegalMove) as refused:
            return refused.code
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(does, actions))


def due(driver: GameDriver) -> datetime:
    return driver.game.due_at or START


@pytest.mark.parametrize("_", range(TIMES))
def test_a_bid_against_the_clock(alice: User, bob: User, _: int) -> None:
    """Both write the seat and the table: in one order, or PostgreSQL would call it a deadlock."""
    driver = deal_game(alice, bob, hands=HANDS)
    Seat.objects.filter(number=0).update(missed=1)
    then, seen = due(driver), driver.game.seq
    person, clock = at_once(
        lambda: commands.move(driver.code, 0, bid("2x3"), seen=seen, now=then),
        lambda: commands.play_due(driver.code, now=then),
    )
    assert clock == "done" and person in ("done", "stale")
    assert FactRow.objects.filter(kind="bid_made").count() == 1
    assert driver.seat(0).asleep == (person == "stale")


@pytest.mark.parametrize("_", range(TIMES))
def test_coming_back_against_the_clock(alice: User, bob: User, _: int) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    Seat.objects.filter(number=0).update(missed=2, asleep=True)
    then = due(driver)
    assert at_once(
        lambda: commands.come_back(driver.code, 0, now=then),
        lambda: commands.play_due(driver.code, now=then),
    ) == ["done", "done"]
    assert (driver.seat(0).missed, driver.seat(0).asleep) == (0, False)


@pytest.mark.parametrize("_", range(TIMES))
def test_the_last_seat_goes_to_one(alice: User, bob: User, charlie: User, _: int) -> None:
    code = open_table(alice, "steady").code
    before_start.remove(code, alice, number=1, now=START)
    outcome = at_once(
        lambda: before_start.sit(code, bob, now=START),
        lambda: before_start.sit(code, charlie, now=START),
    )
    assert sorted(outcome) == ["done", "table_full"]
    assert None not in seat_names(code)


@pytest.mark.parametrize("_", range(TIMES))
def test_a_start_against_who_sits_down(alice: User, bob: User, charlie: User, _: int) -> None:
    code = open_table(alice, bob, "steady").code
    before_start.remove(code, alice, number=2, now=START)
    start, sit = at_once(
        lambda: before_start.start(code, alice, now=START),
        lambda: before_start.sit(code, charlie, now=START),
    )
    assert start == "done" and sit in ("done", "not_open")
    assert Game.objects.get().seat_set.count() == (3 if sit == "done" else 2)


@pytest.mark.parametrize("_", range(TIMES))
def test_two_who_ask_for_a_rematch_meet_at_one_table(alice: User, bob: User, _: int) -> None:
    old = finished_game(alice, bob)
    later = START + timedelta(hours=1)
    outcome = at_once(
        lambda: rematches.rematch(old.code, alice, now=later),
        lambda: rematches.rematch(old.code, bob, now=later),
    )
    assert outcome == ["done", "done"]
    table = Game.objects.exclude(pk=old.pk).get()
    assert {seat.user for seat in table.seat_set.all()} == {alice, bob}


@pytest.mark.parametrize("_", range(TIMES))
def test_games_of_one_company_that_end_together_are_all_counted(
    alice: User, bob: User, charlie: User, _: int
) -> None:
    """Each holds the tallies of the same people: in one order, or it would be a deadlock."""
    companies = ((alice, bob), (bob, alice), (charlie, alice), (bob, charlie))
    evenings = [deal_game(*company, hands=HANDS) for company in companies]
    assert at_once(*(partial(driver.move, 0, LEAVE) for driver in evenings)) == ["done"] * 4
    counted = Tally.objects.exclude(counter__startswith=throws.PREFIX)
    rows = counted.values_list("user__username", "counter", "value")
    assert {(name, counter): value for name, counter, value in rows} == {
        ("alice", "place_1"): 2, ("alice", "left"): 1, ("bob", "place_1"): 1, ("bob", "left"): 2,
        ("charlie", "place_1"): 1, ("charlie", "left"): 1,
    }  # fmt: skip
    assert_the_past_is_true()


@pytest.mark.parametrize("_", range(TIMES))
def test_two_who_pack_a_log_pack_it_once(alice: User, bob: User, _: int) -> None:
    game = finished_game(alice, bob)
    facts = event_log.unsealed_facts(game)
    assert game.pack_at is not None
    pack = partial(archive.pack, game.code, now=game.pack_at)
    read = partial(event_log.unsealed_facts, Game.objects.get(pk=game.pk))
    assert at_once(pack, read, pack) == ["done"] * 3
    assert PackedLog.unsealed.count() == 1 and not FactRow.unsealed.exists()
    assert event_log.unsealed_facts(Game.objects.get(pk=game.pk)) == facts


@pytest.mark.parametrize("_", range(TIMES))
def test_all_who_press_play_at_one_table_that_begins_once(
    alice: User, bob: User, charlie: User, _: int
) -> None:
    old, later = finished_game(alice, bob, charlie), START + timedelta(hours=1)
    Seat.objects.filter(game=old).update(seen_at=later)
    outcome = at_once(
        *(partial(rematches.rematch, old.code, one, now=later) for one in (alice, bob, charlie)),
        partial(next_tables.run, now=later),
        partial(next_tables.run, now=later),
    )
    assert outcome == ["done"] * 5
    table = Game.objects.exclude(pk=old.pk).get()
    assert table.status == Game.Status.PLAYING
    assert sorted(filter(None, seat_names(table.code))) == ["alice", "bob", "charlie"]


@pytest.mark.parametrize("_", range(TIMES))
def test_processes_that_find_a_wish_together_open_one_table(
    alice: User, bob: User, charlie: User, _: int
) -> None:
    """While its player gives the seat back, or sits there by a press of their own."""
    old, later = finished_game(alice, bob, charlie), START + timedelta(hours=1)
    for person in (alice, bob):
        NextSeat.objects.create(game=old, user=person, seen_at=later)
    outcome = at_once(
        partial(next_tables.run, now=later),
        partial(next_tables.run, now=later),
        partial(next_seats.take_back, old.code, alice),
        partial(rematches.rematch, old.code, bob, now=later),
    )
    assert outcome == ["done"] * 4
    next_tables.run(now=later)
    table = Game.objects.exclude(pk=old.pk).get()
    names = [name for name in seat_names(table.code) if name is not None]
    assert "bob" in names and len(names) == len(set(names))


@pytest.mark.parametrize("_", range(TIMES))
def test_a_wish_against_the_end_of_the_game(alice: User, bob: User, charlie: User, _: int) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    asked, left = at_once(
        partial(next_seats.ask, driver.code, charlie, now=START),
        partial(driver.move, 0, LEAVE),
    )
    assert left == "done" and asked in ("done", "not_playing")
    assert NextSeat.objects.count() == (asked == "done")
