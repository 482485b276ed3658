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
from games.models import Event, Game, PackedLog, Seat, Tally
from games.play import before_start, commands, rematches
from games.store import archive, event_log
from tests.games.evening import LEAVE, Evening, bid, dealt, names
from tests.games.playing import EVENING, finished_game, open_table
from tests.games.test_results import assert_the_past_is_true

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


def due(evening: Evening) -> datetime:
    return evening.game.due_at or EVENING


@pytest.mark.parametrize("_", range(TIMES))
def test_a_bid_against_the_clock(alice: User, bob: User, _: int) -> None:
    """Both write the seat and the table: in one order, or PostgreSQL would call it a deadlock."""
    evening = dealt(alice, bob, hands=HANDS)
    Seat.objects.filter(number=0).update(missed=1)
    then, seen = due(evening), evening.game.seq
    person, clock = at_once(
        lambda: commands.move(evening.code, 0, bid("2x3"), seen=seen, now=then),
        lambda: commands.play_due(evening.code, now=then),
    )
    assert clock == "done" and person in ("done", "stale")
    assert Event.objects.filter(kind="bid_made").count() == 1
    assert evening.seat(0).asleep == (person == "stale")


@pytest.mark.parametrize("_", range(TIMES))
def test_coming_back_against_the_clock(alice: User, bob: User, _: int) -> None:
    evening = dealt(alice, bob, hands=HANDS)
    Seat.objects.filter(number=0).update(missed=2, asleep=True)
    then = due(evening)
    assert at_once(
        lambda: commands.come_back(evening.code, 0, now=then),
        lambda: commands.play_due(evening.code, now=then),
    ) == ["done", "done"]
    assert (evening.seat(0).missed, evening.seat(0).asleep) == (0, False)


@pytest.mark.parametrize("_", range(TIMES))
def test_the_last_seat_goes_to_one(alice: User, bob: User, charlie: User, _: int) -> None:
    code = open_table(alice, "steady").code
    before_start.remove(code, alice, number=1, now=EVENING)
    outcome = at_once(
        lambda: before_start.sit(code, bob, now=EVENING),
        lambda: before_start.sit(code, charlie, now=EVENING),
    )
    assert sorted(outcome) == ["done", "table_full"]
    assert None not in names(code)


@pytest.mark.parametrize("_", range(TIMES))
def test_a_start_against_who_sits_down(alice: User, bob: User, charlie: User, _: int) -> None:
    code = open_table(alice, bob, "steady").code
    before_start.remove(code, alice, number=2, now=EVENING)
    start, sit = at_once(
        lambda: before_start.start(code, alice, now=EVENING),
        lambda: before_start.sit(code, charlie, now=EVENING),
    )
    assert start == "done" and sit in ("done", "not_open")
    assert Game.objects.get().seat_set.count() == (3 if sit == "done" else 2)


@pytest.mark.parametrize("_", range(TIMES))
def test_two_who_ask_for_a_rematch_meet_at_one_table(alice: User, bob: User, _: int) -> None:
    old = finished_game(alice, bob)
    later = EVENING + timedelta(hours=1)
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
    evenings = [dealt(*company, hands=HANDS) for company in companies]
    assert at_once(*(partial(evening.says, 0, LEAVE) for evening in evenings)) == ["done"] * 4
    rows = Tally.objects.values_list("user__username", "counter", "value")
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
    assert PackedLog.unsealed.count() == 1 and not Event.unsealed.exists()
    assert event_log.unsealed_facts(Game.objects.get(pk=game.pk)) == facts
