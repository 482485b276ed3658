"""Games that nobody plays or watches any more end: the bots do not play on for nobody."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.core.game_record import from_json
from games.models import Game, Result, Seat
from games.perudo import rules
from games.play import abandoned, before_start, commands, due, presence
from games.play.abandoned import UNWATCHED_AT_MOST
from games.store import event_log, record_export, versioned_lru
from games.study.players.statistics import statistics
from tests.support.cases import untouched
from tests.support.consumer_socket import ConsumerSocket, in_thread, run_async
from tests.support.fast_games import end_downtime, running_game
from tests.support.fixtures import signed_in
from tests.support.game_driver import (
    CALZA,
    DUDO,
    LEAVE,
    GameDriver,
    all_rows,
    bid,
    deal_game,
    hand_to_bots_now,
)

pytestmark = pytest.mark.django_db
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6), (2, 3, 4, 4, 5))
A_MINUTE = timedelta(minutes=1)


def against_bots(alice: User, **table: Any) -> GameDriver:
    return deal_game(alice, "steady", "steady", "steady", hands=HANDS, **table)


def is_over(driver: GameDriver) -> bool:
    game = driver.game
    over = game.status == Game.Status.FINISHED
    assert over == (game.due_at is None), "the clock looks at running games alone"
    return over


def places(driver: GameDriver) -> list[int | None]:
    seats = driver.game.seat_set.order_by("number")
    return list(seats.values_list("place", flat=True))


# --- every person has left -----------------------------------------------------------------------


def on_your_turn(driver: GameDriver) -> None:
    pass


def while_a_bot_thinks(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))


def while_the_dice_are_shown(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))
    driver.run_due(rolls=None)
    while driver.state.phase != "reveal":
        if driver.state.turn == 0:
            driver.move(0, DUDO)
        else:
            driver.run_due(rolls=None)


def test_the_game_ends_at_once_when_its_only_person_leaves(
    alice: User, subtests: pytest.Subtests
) -> None:
    for moment in [on_your_turn, while_a_bot_thinks, while_the_dice_are_shown]:
        with subtests.test(moment=moment.__name__), untouched():
            driver = against_bots(alice)
            moment(driver)
            driver.move(0, LEAVE, after=0.1)
            assert is_over(driver) and places(driver)[0] == 4
            assert sorted(place or 0 for place in places(driver)) == [1, 2, 3, 4]
            result = Result.objects.get()
            assert (result.user_id, result.left) == (alice.pk, True)


def test_it_ends_in_the_moment_in_which_a_calza_waits(alice: User, bob: User) -> None:
    driver = deal_game(
        alice, "steady", bob, "steady", hands=HANDS, calza="on", calza_needs_lost_die=False
    )
    driver.move(0, bid("2x3"))
    driver.move(2, CALZA, after=0.1)
    assert driver.state.phase == "claims"
    driver.move(2, LEAVE, after=0)
    driver.move(0, LEAVE, after=0)
    assert is_over(driver)


def test_it_goes_on_for_the_person_who_stays(alice: User, bob: User) -> None:
    driver = deal_game(alice, "steady", bob, "steady", hands=HANDS)
    driver.move(2, LEAVE)
    assert not is_over(driver)
    driver.move(0, LEAVE)
    assert is_over(driver)
    assert list(Result.objects.values_list("left", flat=True)) == [True, True]


def test_the_bots_rank_by_the_dice_they_have_left(alice: User) -> None:
    driver = GameDriver(running_game(alice, "steady", "steady", "steady", rounds=4, seed=3))
    dice = driver.state.dice
    driver.now = driver.game.due_at or driver.now
    driver.move(0, LEAVE, after=0)
    assert is_over(driver)
    standing = sorted((1, 2, 3), key=lambda number: places(driver)[number] or 0)
    left = [dice[number] for number in standing]
    assert left == sorted(left, reverse=True) and len(set(left)) > 1


def test_a_game_that_all_had_left_before_an_upgrade_ends_at_its_next_step(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = against_bots(alice, opener=1)
    with monkeypatch.context() as older:
        older.setattr(abandoned, "all_left", lambda seats: False)
        driver.move(0, LEAVE, after=1)
    assert not is_over(driver)
    driver.run_due()
    assert is_over(driver)


def test_its_record_is_true_to_the_rules_and_its_replay_opens(alice: User, client: Client) -> None:
    driver = GameDriver(running_game(alice, "steady", "sharp", rounds=2, bids=1))
    driver.now = driver.game.due_at or driver.now
    driver.move(0, LEAVE, after=0)
    from_json(rules, record_export.as_json(driver.game))
    page = client.get(f"/games/{driver.code}/replay", follow=True)
    assert page.status_code == 200
    last = client.get(f"/games/{driver.code}/replay/{page.context['bar'].count}")
    assert last.context["t"].reason == "others_left"
    assert client.get(f"/games/{driver.code}").status_code == 200


# --- nobody watches ------------------------------------------------------------------------------


def later(driver: GameDriver, time: timedelta) -> None:
    """The scheduler checks the game this much later, and at no time between."""
    driver.now += time
    Game.objects.filter(code=driver.code).update(due_at=driver.now)
    driver.run_due(rolls=None)


def test_a_game_whose_person_is_away_goes_on_for_ten_minutes(alice: User) -> None:
    driver = against_bots(alice, opener=1)
    driver.hand_to_bots(0)
    later(driver, UNWATCHED_AT_MOST - A_MINUTE)
    assert not is_over(driver)
    later(driver, A_MINUTE)
    assert is_over(driver) and driver.seat(0).gone
    assert [(result.user_id, result.left) for result in Result.objects.all()] == [(alice.pk, True)]
    from_json(rules, record_export.as_json(driver.game))


def test_it_goes_on_while_somebody_watches(alice: User) -> None:
    driver = against_bots(alice, opener=1)
    driver.hand_to_bots(0)
    for _ in range(3):
        later(driver, UNWATCHED_AT_MOST - A_MINUTE)
        presence._written.clear()
        presence.record(driver.game, None, now=driver.now)
    assert not is_over(driver)
    later(driver, UNWATCHED_AT_MOST)
    assert is_over(driver)


def test_the_ten_minutes_begin_with_the_last_move_of_a_person(alice: User, bob: User) -> None:
    driver = deal_game(alice, "steady", bob, hands=HANDS[:3])
    driver.move(0, bid("2x3"), after=600)
    driver.hand_to_bots(0, 2)
    later(driver, UNWATCHED_AT_MOST - A_MINUTE)
    assert not is_over(driver)


def test_a_person_whose_turn_may_come_is_not_away(alice: User, bob: User) -> None:
    driver = deal_game(alice, "steady", bob, hands=HANDS[:3], opener=1)
    driver.hand_to_bots(0)
    later(driver, 6 * UNWATCHED_AT_MOST)
    assert not is_over(driver)


def test_who_is_out_keeps_the_place_when_the_others_have_left(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, "steady", "steady", "steady", hands=[*HANDS, (2, 3, 4, 5, 6)])
    bids_until_out(driver, 0)
    driver.move(1, LEAVE, rolls=[2] * 30)
    assert not is_over(driver), "the one who is out may watch"
    later(driver, UNWATCHED_AT_MOST)
    assert is_over(driver)
    assert (places(driver)[0], places(driver)[1]) == (5, 4)
    left = dict(Result.objects.values_list("user_id", "left"))
    assert left == {alice.pk: False, bob.pk: True}


def bids_until_out(driver: GameDriver, number: int) -> None:
    """Play on until the seat is out: it bids what cannot be, and the next one doubts it."""
    for _ in range(400):
        game, state = driver.game, driver.state
        if number in state.out:
            return
        driver.now = max(driver.now, game.opens_at or driver.now)
        if state.phase == "turn" and state.turn == number:
            driver.move(number, DUDO if state.bids else bid(f"{5 * state.seats}x6"), after=0)
        elif state.phase == "turn" and state.turn == number + 1:
            driver.move(number + 1, DUDO if state.bids else bid("1x2"), after=0)
        else:
            driver.run_due(rolls=None)
    raise AssertionError("the seat is still in")


def test_at_a_table_of_people_alone_nobody_wins_by_sleeping(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2])
    hand_to_bots_now(driver, 0, 1)
    later(driver, UNWATCHED_AT_MOST)
    assert is_over(driver)
    assert [statistics(one)[0]["won"] for one in (alice, bob)] == [0, 0]
    assert list(Result.objects.values_list("left", flat=True)) == [True, True]


def test_nobody_could_watch_while_the_site_was_down(alice: User) -> None:
    driver = against_bots(alice, opener=1)
    driver.hand_to_bots(0)
    driver.now += 6 * UNWATCHED_AT_MOST
    end_downtime(6 * UNWATCHED_AT_MOST, now=driver.now)
    later(driver, A_MINUTE)
    assert not is_over(driver)


# --- who watches ---------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("who", ["a player", "a spectator"])
def test_an_open_page_is_signed_for(alice: User, who: str) -> None:
    driver = against_bots(alice)
    client = signed_in(alice) if who == "a player" else Client()
    before = timezone.now()

    async def scene() -> None:
        socket = ConsumerSocket(f"/ws/games/{driver.code}?lang=en", client)
        await socket.open()
        await socket.frame()
        assert (await in_thread(lambda: driver.game.watched_at)) >= before
        await socket.disconnect()

    run_async(scene)


def test_a_process_records_presence_once_a_minute_at_most(
    alice: User, django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, now = against_bots(alice).game, timezone.now()
    with django_assert_num_queries(1):
        for second in range(100):
            presence.record(game, None, now=now + timedelta(seconds=second))
    game.refresh_from_db()
    assert game.watched_at == now


def test_of_two_processes_one_writes(alice: User) -> None:
    game, now = against_bots(alice).game, timezone.now()
    presence.record(game, None, now=now)
    presence._written.clear()  # the other process
    presence.record(game, None, now=now + A_MINUTE / 2)
    game.refresh_from_db()
    assert game.watched_at == now


def test_watching_makes_no_move_stale_and_writes_nothing_of_a_game_that_is_over(
    alice: User,
) -> None:
    driver = against_bots(alice)
    seq = driver.game.seq
    presence.record(driver.game, None, now=timezone.now())
    assert driver.game.seq == seq
    driver.move(0, bid("2x3"), seen=seq)
    driver.move(0, LEAVE)
    before = Game.objects.values().get()
    presence._written.clear()
    presence.record(driver.game, None, now=timezone.now() + UNWATCHED_AT_MOST)
    assert Game.objects.values().get() == before


# --- those who are sent away ---------------------------------------------------------------------


def test_a_deleted_account_leaves_no_game_of_bots_behind(alice: User) -> None:
    evenings = [against_bots(alice), against_bots(alice)]
    before_start.leave_everything(alice, now=evenings[0].now)
    assert all(map(is_over, evenings))


# --- two processes -------------------------------------------------------------------------------


def left_by_one(alice: User, bob: User) -> GameDriver:
    """Bob has left a game of two people and two bots; when Alice does, it is over."""
    driver = deal_game(alice, "steady", bob, "steady", hands=HANDS)
    driver.move(2, LEAVE)
    return driver


@pytest.mark.parametrize("cached", [False, True])
def test_one_that_read_the_game_before_its_end_and_its_seats_after_it_writes_nothing(
    alice: User, bob: User, cached: bool
) -> None:
    """The scheduler of another process, in the moment in which the last person leaves."""
    driver = left_by_one(alice, bob)
    row = driver.game
    driver.move(0, LEAVE)
    assert is_over(driver)
    versioned_lru.clear_all()
    if cached:  # what this process knows of the end
        event_log.known(driver.game)
    before = all_rows()
    row.due_at = driver.now
    assert not commands.play_due(driver.code, now=driver.now, row=row)
    assert all_rows() == before


def test_a_game_that_cannot_end_is_set_aside(
    alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    """No version of the site leaves one behind: nobody is there who could still leave."""
    driver = left_by_one(alice, bob)
    Seat.objects.filter(number__in=(0, 1, 3)).update(gone=True)
    versioned_lru.clear_all()
    before = {name: rows for name, rows in all_rows().items() if name != "Game"}
    now = driver.now + timedelta(hours=1)
    due.run_due(driver.code, now=now)
    assert {name: rows for name, rows in all_rows().items() if name != "Game"} == before
    assert (driver.game.failing_since, driver.game.due_at) == (now, now + A_MINUTE)
    assert "NothingToWrite" in caplog.text
