"""A step happens once and whole, or not at all, also with concurrent writers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

import dj_database_url
import psycopg
import pytest
from django.db import connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.errors import Refused
from games.models import FactRow, Game
from games.perudo import bots, rules
from games.perudo.rules.events import BidMade
from games.play import commands
from games.play.draft import GameDraft
from games.store import event_log, row_cache
from perudo_site import databases
from tests.support.databases import using_database
from tests.support.fast_games import START
from tests.support.fixtures import new_database
from tests.support.game_driver import (
    CONFIRM,
    DUDO,
    LEAVE,
    GameDriver,
    all_rows,
    append_facts,
    bid,
    deal_game,
    hand_to_bots_now,
    refusal_of,
)

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
Race = Callable[[int], list[int]]


@pytest.fixture
def driver(alice: User) -> GameDriver:
    """Alice has bid against a bot that is about to answer."""
    driver = deal_game(alice, "steady", hands=HANDS)
    driver.move(0, bid("2x3"))
    return driver


@pytest.fixture
def somebody_is_faster(monkeypatch: pytest.MonkeyPatch) -> Race:
    """While the bot thinks, another writer moves the game on; so many times, and then no more."""

    def happens(times: int) -> list[int]:
        thought: list[int] = []

        def thinks(state: Any, seat: int, chance: Any) -> Any:
            thought.append(len(thought) + 1)
            if len(thought) <= times:
                Game.objects.update(seq=F("seq") + 1)
            return bid("3x3")

        monkeypatch.setitem(bots.BOTS, "steady", thinks)
        return thought

    return happens


def test_a_step_that_lost_a_race_is_judged_again(
    driver: GameDriver, somebody_is_faster: Race
) -> None:
    thought = somebody_is_faster(2)
    driver.run_due()
    assert thought == [1, 2, 3]
    assert driver.state.bids[1:] == ((1, bid("3x3")),)


def test_a_step_that_loses_every_race_gives_up_and_leaves_nothing(
    driver: GameDriver, somebody_is_faster: Race
) -> None:
    thought = somebody_is_faster(99)
    before, seq = all_rows(), driver.game.seq
    with pytest.raises(Refused, match="someone_faster"):
        driver.run_due()
    assert thought == [1, 2, 3, 4, 5]
    Game.objects.update(seq=seq)  # what the others wrote
    assert all_rows() == before


def test_a_number_of_the_log_that_is_taken_is_a_lost_race_too(driver: GameDriver) -> None:
    game = driver.game
    append_facts(game, BidMade(1, bid("3x3")))
    before = all_rows()
    with pytest.raises(Refused, match="someone_faster"):
        driver.run_due(rolls=None)
    assert all_rows() == before


@pytest.fixture
def moved_on_elsewhere(alice: User, bob: User) -> GameDriver:
    """Alice has bid, and another process took it: this one remembers the table before that."""
    driver = deal_game(alice, bob, hands=HANDS)
    before = driver.game
    driver.move(0, bid("2x3"))
    row_cache._games.forget(driver.code)
    event_log._known.forget(driver.code)
    row_cache.keep(before)
    return driver


def test_a_move_that_is_right_now_is_not_refused_from_memory(
    moved_on_elsewhere: GameDriver,
) -> None:
    moved_on_elsewhere.move(1, bid("3x3"))
    assert moved_on_elsewhere.state.bids[1:] == ((1, bid("3x3")),)


def test_a_move_that_was_right_then_is_refused_now(moved_on_elsewhere: GameDriver) -> None:
    """Whatever was remembered, the refusal tells what is true."""
    driver = moved_on_elsewhere
    again = partial(commands.move, driver.code, 0, bid("2x4"), now=driver.now)
    assert refusal_of(partial(again, seen=driver.game.deal_seq)) == "stale"
    remembered = row_cache.cached_game(driver.code)
    assert remembered is not None and remembered.seq == driver.game.seq - 1
    assert refusal_of(partial(again, seen=None)) == "not_your_turn"


def test_a_step_that_asks_nothing_new_leaves_the_time_of_the_table_alone(
    alice: User, bob: User, charlie: User
) -> None:
    """The clock puts its next look off without counting, and a process may remember the old."""
    driver = deal_game(alice, bob, charlie, hands=(*HANDS, HANDS[0]))
    remembered = driver.game
    later = driver.now + timedelta(minutes=3)
    commands.set_aside(driver.code, now=later, until=later)
    row_cache.keep(remembered)
    driver.move(2, LEAVE)
    assert driver.seat(2).gone
    assert driver.game.due_at == later


def test_a_step_is_never_part_of_a_larger_transaction(driver: GameDriver) -> None:
    """Else what it read could be taken back after this process has learnt it by heart."""
    with transaction.atomic(), pytest.raises(RuntimeError, match="durable"):
        commands.move(driver.code, 1, DUDO, seen=None, now=driver.now)


def test_nothing_of_a_step_that_failed_is_remembered(
    driver: GameDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: Any, **named: Any) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as broken:
        broken.setattr(GameDraft, "save", full)
        with pytest.raises(OSError, match="disk full"):
            driver.run_due(rolls=None)
    remembered = event_log._known.get(driver.code)
    event_log._known.forget(driver.code)
    assert remembered == (driver.game.seq, event_log.known(driver.game))


@pytest.mark.django_db(transaction=True)
def test_what_a_move_needs_is_loaded_once_and_each_new_fact_is_folded_once(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    folded: list[str] = []
    evolve = rules.evolve

    def counted(state: Any, fact: Any) -> Any:
        folded.append(fact.kind)
        return evolve(state, fact)

    def costs(play: Callable[[], object]) -> tuple[list[str], list[str]]:
        """Which tables are read, and which facts are folded."""
        folded.clear()
        with CaptureQueriesContext(connection) as asked:
            play()
        read = [
            query["sql"].split(" FROM ")[1] for query in asked if query["sql"].startswith("SELECT")
        ]
        return [table.split()[0].strip('"') for table in read], list(folded)

    monkeypatch.setattr(rules, "evolve", counted)

    def moves(number: int, move: Any) -> tuple[list[str], list[str]]:
        return costs(partial(commands.move, driver.code, number, move, seen=None, now=driver.now))

    assert moves(0, bid("2x3")) == (["games_seat"], ["bid_made"])
    assert moves(1, bid("3x3")) == ([], ["bid_made"]), "the row and the seats are cached"
    row_cache._games.clear()
    row_cache._seats.clear()
    assert moves(0, bid("4x3")) == (["games_game", "games_seat"], ["bid_made"])
    read, facts = moves(1, DUDO)
    assert read == ["games_event"], "the hidden dice"
    assert [kind for kind in facts if kind not in ("rolled", "bid_made")] == [
        "revealed",
        "die_lost",
    ]
    assert moves(0, CONFIRM) == ([], ["reveal_seen"])
    read, facts = moves(1, CONFIRM)
    assert read == ["games_drawproof"], "the secret of the draws, once a game"
    assert facts == ["reveal_seen", "round_started"], "no hidden facts"
    assert event_log._known.get(driver.code) == (driver.game.seq, event_log.known(driver.game))


@pytest.mark.django_db(transaction=True)
def test_a_bot_thinks_outside_any_transaction_and_holds_no_lock(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On SQLite a write of another connection would wait until the bot has decided."""
    driver = deal_game(alice, "steady", hands=HANDS, opener=1)
    thought: list[bool] = []

    def somebody_writes() -> float:
        try:
            began = monotonic()
            User.objects.filter(pk=alice.pk).update(last_login=START)
            return monotonic() - began
        finally:
            connection.close()

    def thinks(state: Any, seat: int, chance: Any) -> Any:
        thought.append(connection.in_atomic_block)
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(somebody_writes).result() < 1
        return bid("3x3")

    monkeypatch.setitem(bots.BOTS, "steady", thinks)
    driver.run_due()
    assert thought == [False]
    assert driver.state.bids == ((1, bid("3x3")),)
    assert User.objects.get(pk=alice.pk).last_login == START


def test_a_stand_in_decides_from_what_its_seat_knows_before_the_transaction(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    hand_to_bots_now(driver, 0)
    asked: list[Any] = []

    def thinks(state: Any, seat: int, chance: Any) -> Any:
        asked.append((seat, state.hands, connection.savepoint_ids))
        return bid("2x3")

    outside = list(connection.savepoint_ids)
    monkeypatch.setitem(bots.BOTS, bots.STAND_IN, thinks)
    driver.run_due()
    assert asked == [(0, (HANDS[0], None), outside)]


def test_a_move_changes_the_time_somebody_watched_only_for_people(driver: GameDriver) -> None:
    """A bot thinks between reading the row and writing it; what is noted meanwhile stays."""
    Game.objects.update(watched_at=START)
    row = driver.game
    later = START + timedelta(seconds=5)
    Game.objects.update(watched_at=later)
    commands.play_due(driver.code, now=row.due_at or START, row=row)
    assert driver.state.bids[1:] or driver.state.phase == "reveal"
    assert driver.game.watched_at == later


def test_a_step_reads_the_log_before_it_writes_to_it(
    driver: GameDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the states that are kept hold committed facts only."""
    order: list[str] = []
    for name in ("known", "append"):
        real = getattr(event_log, name)

        def spied(*given: Any, real: Any = real, name: str = name, **named: Any) -> Any:
            order.append(name)
            return real(*given, **named)

        monkeypatch.setattr(event_log, name, spied)
    commands.play_due(driver.code, now=driver.now.replace(hour=23))
    assert order[-1] == "append" and order.count("append") == 1 and "known" in order


def test_the_numbers_of_a_log_have_no_doubles_and_only_rise(driver: GameDriver) -> None:
    while driver.game.due_at is not None:
        driver.run_due(rolls=None)
    numbers = list(FactRow.unsealed.order_by("pk").values_list("seq", flat=True))
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == driver.game.seq


# --- a migration --------------------------------------------------------------------------------


def leave_beside_a_migration(driver: GameDriver, address: str, *, times: int) -> None:
    """Bob leaves while so many migrations lock the tables in another order than a move does.

    PostgreSQL ends who finds the circle after its `deadlock_timeout`, here the move.
    """
    own = connection.settings_dict["NAME"]
    waits = (
        "SELECT count(*) FROM pg_stat_activity "
        "WHERE datname = %s AND wait_event_type = 'Lock' AND pid <> %s"
    )
    locked = Event()

    def migrate() -> None:
        for _ in range(times):
            with psycopg.connect(address) as line, psycopg.connect(address) as looks:
                looks.autocommit = True
                line.execute("SET deadlock_timeout = '60s'")
                line.execute("LOCK TABLE games_seat IN ACCESS EXCLUSIVE MODE")
                locked.set()
                while not looks.execute(waits, [own, line.info.backend_pid]).fetchone()[0]:
                    sleep(0.01)
                line.execute("LOCK TABLE games_game IN ACCESS EXCLUSIVE MODE")
                locked.clear()

    other = Thread(target=migrate)
    other.start()
    try:
        locked.wait()
        driver.move(2, LEAVE)
    finally:
        other.join()


@pytest.mark.real_server
def test_a_move_that_meets_the_deadlock_of_a_migration_is_made_once(
    migrated_postgres: str, django_db_blocker: Any
) -> None:
    with new_database(like=migrated_postgres) as address:
        settings = databases.postgresql(dj_database_url.parse(address))
        with django_db_blocker.unblock(), using_database(settings):
            people = [User.objects.create_user(name) for name in ("ana", "ben", "cleo")]
            driver = deal_game(*people, hands=(*HANDS, HANDS[0]))
            row_cache.seats(driver.game)
            leave_beside_a_migration(driver, address, times=1)
            assert driver.seat(2).gone
            assert driver.kinds.count("left") == 1
