"""Moves that the clock or a bot made for a person, and games they finished, count for nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.core.game_record import from_json
from games.models import FactRow, Game, PackedLog, Result, Tally
from games.perudo import rules
from games.perudo.models import Round
from games.play import throws
from games.store import archive, event_log, record_export
from games.study.players import statistics
from games.study.players.game_filter import GameFilter
from games.study.players.game_list import finished_games
from games.study.players.history import export
from tests.games.play.test_abandoned import bids_until_out
from tests.games.play.test_finish import assert_the_past_is_true
from tests.support.fast_games import START, running_game
from tests.support.game_driver import (
    CALZA,
    CONFIRM,
    DUDO,
    LEAVE,
    GameDriver,
    bid,
    deal_game,
    hand_to_bots_now,
)

pytestmark = pytest.mark.django_db
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6))
NOTHING = {"doubts": 0, "calzas": 0, "bids_challenged": 0}


def counted(person: User) -> dict[str, int]:
    counters = statistics.counters(person).get("perudo", {})
    return {name: counters.get(name, 0) for name in NOTHING}


def automatic(driver: GameDriver) -> list[str]:
    """What the log says was done for a person, in order."""
    rows = FactRow.objects.filter(game__code=driver.code, automatic=True)
    return list(rows.values_list("kind", flat=True))


def play_on(driver: GameDriver, *, until: Callable[[Any], bool] = lambda state: False) -> None:
    """Let the clock do everything, while somebody watches."""
    while driver.game.due_at is not None and not until(driver.state):
        Game.objects.update(watched_at=driver.now)
        driver.run_due(rolls=None)


# --- what is recorded ----------------------------------------------------------------------------


def test_the_log_says_what_the_clock_and_a_bot_did_for_a_person(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2])
    driver.run_due()  # alice misses the turn
    assert automatic(driver) == ["bid_made"]
    driver.move(1, bid("2x2"))
    assert automatic(driver) == ["bid_made"]
    driver.run_due()  # and this one: the clock doubts
    assert automatic(driver) == ["bid_made", "revealed"]
    driver.move(1, CONFIRM, rolls=[2] * 9)
    assert automatic(driver) == ["bid_made", "revealed", "reveal_seen"], "a bot looked for alice"


def test_what_bots_do_for_themselves_is_not_marked(alice: User) -> None:
    driver = deal_game(alice, "steady", "steady", hands=HANDS, opener=1)
    driver.run_due(rolls=None)
    assert driver.state.bids and automatic(driver) == []


def test_a_calza_that_the_clock_settles_is_the_callers_own(
    alice: User, bob: User, charlie: User
) -> None:
    driver = deal_game(alice, bob, charlie, hands=HANDS, calza="on", calza_needs_lost_die=False)
    driver.move(0, bid("3x5"))
    driver.move(2, CALZA, after=0.1)
    driver.run_due()
    assert driver.state.result.caller == 2 and automatic(driver) == []


def test_marks_outlive_the_archive(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2])
    driver.run_due()
    driver.move(1, DUDO)
    driver.move(1, LEAVE)
    before = event_log.unsealed_facts(driver.game)
    assert [told.automatic for told in before].count(True) == 1
    archive.pack(driver.code, now=driver.game.pack_at or START)
    assert PackedLog.unsealed.exists() and not FactRow.unsealed.exists()
    assert event_log.unsealed_facts(driver.game) == before
    from_json(rules, record_export.as_json(driver.game))
    assert_the_past_is_true()


# --- what counts ---------------------------------------------------------------------------------


def test_a_bid_of_the_clock_counts_for_nobody_and_the_doubt_of_a_person_counts(
    alice: User, bob: User
) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2])
    driver.run_due()
    driver.move(1, DUDO)
    driver.move(1, LEAVE, rolls=[2] * 9)
    assert counted(alice) == NOTHING
    assert counted(bob) == NOTHING | {"doubts": 1}
    row = Round.objects.get()
    assert (row.bid_automatic, row.call_automatic) == (True, False)
    assert_the_past_is_true()


def test_a_doubt_of_the_clock_counts_for_nobody_and_the_bid_of_a_person_counts(
    alice: User, bob: User
) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2])
    driver.move(0, bid("2x5"))
    driver.run_due()
    driver.move(1, LEAVE, rolls=[2] * 9)
    assert counted(alice) == NOTHING | {"bids_challenged": 1}
    assert counted(bob) == NOTHING
    assert_the_past_is_true()


def test_a_guest_who_never_moved_has_neither_won_nor_lost(alice: User, client: Client) -> None:
    driver = GameDriver(running_game(alice, "beginner", seed=4))
    play_on(driver)
    [stats] = statistics.statistics(alice)
    assert (stats["games"], stats["won"], stats["places"], stats["left"]) == (1, 0, [], 1)
    assert stats["win_rate"] == 0 and counted(alice) == NOTHING
    assert driver.seat(0).asleep and automatic(driver)
    page = client.get("/players/alice").content.decode()
    assert "Abandoned: 1 game" in page and "Abandoned" in page and "1 of 2" not in page
    assert next(export(alice)["games"])["left"] is True
    assert_the_past_is_true()


def test_a_player_who_takes_over_from_the_bot_plays_their_own_game(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2])
    hand_to_bots_now(driver, 0)
    driver.run_due(rolls=None)
    driver.come_back(0)
    driver.move(1, LEAVE)
    result = Result.objects.get(user=alice)
    assert (result.place, result.left) == (1, False)
    assert statistics.statistics(alice)[0]["won"] == 1


def test_who_went_out_under_a_bot_cannot_come_back_to_have_played_it(
    alice: User, bob: User
) -> None:
    driver = deal_game(alice, bob, "steady", hands=HANDS)
    bids_until_out(driver, 0)
    hand_to_bots_now(driver, 0)
    driver.come_back(0)
    assert driver.seat(0).left


def test_filters_part_games_won_lost_and_left(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2])
    driver.move(1, LEAVE)
    for person, outcome in ((alice, "won"), (bob, "left")):
        for chosen in ("won", "lost", "left"):
            asked = {"outcome": chosen}
            form = GameFilter(asked, person=person, viewer=person, now=timezone.now())
            found = form.apply(finished_games(person, viewer=person))
            assert found.results.count() == (chosen == outcome), (person, chosen)
    counted = Tally.objects.filter(user=bob).exclude(counter__startswith=throws.PREFIX)
    assert [row.counter for row in counted] == ["left"]
