"""Moves that the clock or a bot made for a person, and games they finished, count for nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.core.game_record import from_json
from games.models import Event, Game, PackedLog, Result, Tally
from games.perudo import rules
from games.perudo.models import Round
from games.players import history as profile
from games.players import statistics
from games.players.history import export
from games.store import archive, event_log, record_export
from tests.games.evening import CALZA, CONFIRM, DUDO, LEAVE, Evening, asleep, bid, dealt
from tests.games.playing import EVENING, running_game
from tests.games.test_abandoned import bids_until_out
from tests.games.test_results import assert_the_past_is_true

pytestmark = pytest.mark.django_db
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6))
NOTHING = {"doubts": 0, "calzas": 0, "bids_challenged": 0}


def counted(person: User) -> dict[str, int]:
    counters = statistics.counters(person).get("perudo", {})
    return {name: counters.get(name, 0) for name in NOTHING}


def automatic(evening: Evening) -> list[str]:
    """What the log says was done for a person, in order."""
    rows = Event.objects.filter(game__code=evening.code, automatic=True)
    return list(rows.values_list("kind", flat=True))


def play_on(evening: Evening, *, until: Callable[[Any], bool] = lambda state: False) -> None:
    """Let the clock do everything, while somebody watches."""
    while evening.game.due_at is not None and not until(evening.state):
        Game.objects.update(watched_at=evening.now)
        evening.clock_strikes(rolls=None)


# --- what is recorded ----------------------------------------------------------------------------


def test_the_log_says_what_the_clock_and_a_bot_did_for_a_person(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=HANDS[:2])
    evening.clock_strikes()  # alice misses the turn
    assert automatic(evening) == ["bid_made"]
    evening.says(1, bid("2x2"))
    assert automatic(evening) == ["bid_made"]
    evening.clock_strikes()  # and this one: the clock doubts
    assert automatic(evening) == ["bid_made", "revealed"]
    evening.says(1, CONFIRM, rolls=[2] * 9)
    assert automatic(evening) == ["bid_made", "revealed", "reveal_seen"], "a bot looked for alice"


def test_what_bots_do_for_themselves_is_not_marked(alice: User) -> None:
    evening = dealt(alice, "steady", "steady", hands=HANDS, opener=1)
    evening.clock_strikes(rolls=None)
    assert evening.state.bids and automatic(evening) == []


def test_a_calza_that_the_clock_settles_is_the_callers_own(
    alice: User, bob: User, charlie: User
) -> None:
    evening = dealt(alice, bob, charlie, hands=HANDS, calza="on", calza_needs_lost_die=False)
    evening.says(0, bid("3x5"))
    evening.says(2, CALZA, after=0.1)
    evening.clock_strikes()
    assert evening.state.result.caller == 2 and automatic(evening) == []


def test_marks_outlive_the_archive(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=HANDS[:2])
    evening.clock_strikes()
    evening.says(1, DUDO)
    evening.says(1, LEAVE)
    before = event_log.unsealed_facts(evening.game)
    assert [told.automatic for told in before].count(True) == 1
    archive.pack(evening.code, now=evening.game.pack_at or EVENING)
    assert PackedLog.unsealed.exists() and not Event.unsealed.exists()
    assert event_log.unsealed_facts(evening.game) == before
    from_json(rules, record_export.as_json(evening.game))
    assert_the_past_is_true()


# --- what counts ---------------------------------------------------------------------------------


def test_a_bid_of_the_clock_counts_for_nobody_and_the_doubt_of_a_person_counts(
    alice: User, bob: User
) -> None:
    evening = dealt(alice, bob, hands=HANDS[:2])
    evening.clock_strikes()
    evening.says(1, DUDO)
    evening.says(1, LEAVE, rolls=[2] * 9)
    assert counted(alice) == NOTHING
    assert counted(bob) == NOTHING | {"doubts": 1}
    row = Round.objects.get()
    assert (row.bid_automatic, row.call_automatic) == (True, False)
    assert_the_past_is_true()


def test_a_doubt_of_the_clock_counts_for_nobody_and_the_bid_of_a_person_counts(
    alice: User, bob: User
) -> None:
    evening = dealt(alice, bob, hands=HANDS[:2])
    evening.says(0, bid("2x5"))
    evening.clock_strikes()
    evening.says(1, LEAVE, rolls=[2] * 9)
    assert counted(alice) == NOTHING | {"bids_challenged": 1}
    assert counted(bob) == NOTHING
    assert_the_past_is_true()


def test_a_guest_who_never_moved_has_neither_won_nor_lost(alice: User, client: Client) -> None:
    evening = Evening(running_game(alice, "beginner", seed=4))
    play_on(evening)
    [stats] = statistics.statistics(alice)
    assert (stats["games"], stats["won"], stats["places"], stats["left"]) == (1, 0, [], 1)
    assert stats["win_rate"] == 0 and counted(alice) == NOTHING
    assert evening.seat(0).asleep and automatic(evening)
    page = client.get("/players/alice").content.decode()
    assert "abandoned: 1 game" in page and "Abandoned" in page and "1 of 2" not in page
    assert next(export(alice)["games"])["left"] is True
    assert_the_past_is_true()


def test_a_player_who_takes_over_from_the_bot_plays_their_own_game(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=HANDS[:2])
    asleep(evening, 0)
    evening.clock_strikes(rolls=None)
    evening.comes_back(0)
    evening.says(1, LEAVE)
    result = Result.objects.get(user=alice)
    assert (result.place, result.left) == (1, False)
    assert statistics.statistics(alice)[0]["won"] == 1


def test_who_went_out_under_a_bot_cannot_come_back_to_have_played_it(
    alice: User, bob: User
) -> None:
    evening = dealt(alice, bob, "steady", hands=HANDS)
    bids_until_out(evening, 0)
    asleep(evening, 0)
    evening.comes_back(0)
    assert evening.seat(0).left


def test_filters_part_games_won_lost_and_left(alice: User, bob: User) -> None:
    evening = dealt(alice, bob, hands=HANDS[:2])
    evening.says(1, LEAVE)
    for person, outcome in ((alice, "won"), (bob, "left")):
        for chosen in ("won", "lost", "left"):
            form = profile.GamesFilter({"outcome": chosen})
            found = form.apply(profile.finished_games(person, viewer=person))
            assert found.count() == (chosen == outcome), (person, chosen)
    assert [row.counter for row in Tally.objects.filter(user=bob)] == ["left"]
