"""Out of the game: a new game at once, and the end at once when only bots still play."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import words
from games.models import FactRow, Game, Result, Seat
from games.perudo.rules import legal_moves
from games.perudo.rules.bids import Bid
from games.play import commands, due, presence
from games.play.clock import Clock
from games.play.jobs import Job
from games.table import frames as screens
from perudo_site import jobs
from tests.games.play.test_races import at_once
from tests.support.consumer_socket import ConsumerSocket, in_thread, run_async
from tests.support.fast_games import running_game, seeded
from tests.support.fixtures import signed_in
from tests.support.game_driver import DUDO, LEAVE, GameDriver, all_rows, refusal_of
from tests.support.ticks import new_scheduler

BOTS = ("steady", "steady", "steady")
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def nobody_has_pressed_before() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def played(*company: User | str, **table: Any) -> GameDriver:
    """A game that has just begun."""
    return GameDriver(running_game(company[0], *company[1:], **table))  # type: ignore[arg-type]


def lose(driver: GameDriver, *numbers: int, seed: int = 7) -> None:
    """Play on until these seats are out: their people bid as high as they can, time and again."""
    rng = seeded(seed)
    for _ in range(2_000):
        game, state = driver.game, driver.state
        if set(numbers) <= set(state.out):
            return
        assert game.status == Game.Status.PLAYING, "the game ended before that"
        if state.phase == "turn" and state.turn in numbers:
            bids = [move for move in legal_moves(state, state.turn) if isinstance(move, Bid)]
            high = max(bids, key=lambda bid: (bid.quantity, bid.face), default=DUDO)
            driver.now = max(driver.now, game.opens_at or driver.now)
            commands.move(game.code, state.turn, high, seen=game.seq, now=driver.now, chance=rng)
        else:
            assert game.due_at is not None
            driver.now = max(driver.now, game.due_at)
            commands.play_due(game.code, now=driver.now, chance=rng)
    raise AssertionError("they do not lose")


def skips(driver: GameDriver, number: int, *, after: float = 1) -> None:
    driver.now += timedelta(seconds=after)
    commands.skip_to_the_end(driver.code, number, now=driver.now)


def watches(driver: GameDriver, number: int) -> None:
    presence.record(driver.game, number, now=driver.now)


def leaves_the_page(driver: GameDriver, number: int) -> None:
    long_ago = driver.now - timedelta(minutes=2)
    Seat.objects.filter(game=driver.game, number=number).update(seen_at=long_ago)


def plays_on(driver: GameDriver, *, most: int = 2_000) -> int:
    """The clock beats, without a moment passing, until the game is over; how many steps it took."""
    for step in range(most):
        if driver.game.status == Game.Status.FINISHED:
            return step
        commands.play_due(driver.code, now=driver.now)
    raise AssertionError("the game does not end")


def own(driver: GameDriver, number: int | None, user: User) -> str:
    return re.sub(r"\s+", " ", html.unescape(screens.own(driver.game, number, user=user)))


@pytest.fixture
def alone(alice: User) -> GameDriver:
    """Alice is out; three bots play on."""
    driver = played(alice, *BOTS)
    lose(driver, 0)
    return driver


@pytest.fixture
def both(alice: User, bob: User) -> GameDriver:
    """Alice and Bob are out and watch; three bots play on."""
    driver = played(alice, bob, *BOTS)
    lose(driver, 0, 1)
    for number in (0, 1):
        watches(driver, number)
    return driver


# --- what is offered -----------------------------------------------------------------------------


def test_who_is_out_against_bots_is_offered_a_new_game_and_the_end(
    alone: GameDriver, alice: User
) -> None:
    shown = own(alone, 0, alice)
    assert f'formaction="/games/{alone.code}/new-game"' in shown
    assert f'formaction="/games/{alone.code}/skip"' in shown
    assert "agreed" not in shown, "there is nobody to agree with"
    assert " data-out" in shown, "the page hides Leave by this"


def test_while_a_person_plays_the_end_is_not_offered_and_a_new_game_is_in_the_lobby(
    alice: User, bob: User
) -> None:
    driver = played(alice, bob, *BOTS)
    lose(driver, 0)
    shown = own(driver, 0, alice)
    assert "/skip" not in shown and "/new-game" not in shown
    assert re.search(r'<a class="button" href="/">\s*New game', shown)


def test_players_who_still_have_dice_and_spectators_are_offered_nothing(
    alone: GameDriver, alice: User, bob: User
) -> None:
    assert "/skip" not in own(alone, None, bob) and "New game" not in own(alone, None, bob)
    fresh = played(alice, *BOTS)
    shown = own(fresh, 0, alice)
    assert "/skip" not in shown and "New game" not in shown and "data-out" not in shown


# --- skipping ------------------------------------------------------------------------------------


def test_the_only_one_who_is_out_skips_to_the_ranking_without_a_moment_passing(
    alone: GameDriver,
) -> None:
    before = alone.game.seq
    skips(alone, 0)
    assert alone.game.skipping
    assert alone.times == (None, 0, 0)
    steps = plays_on(alone)
    assert steps > 3
    game = alone.game
    assert game.finished_at == alone.now
    assert sorted(seat.place or 0 for seat in game.seat_set.all()) == [1, 2, 3, 4]
    assert Result.objects.filter(seat__game=game, user__username="alice").count() == 1
    written = FactRow.unsealed.filter(game=game, seq__gt=before).count()
    assert written == game.seq - before - 1, "every fact is there, and one number for the press"


def test_each_move_of_a_skipped_game_is_a_step_of_its_own(alone: GameDriver) -> None:
    skips(alone, 0)
    state = alone.state
    commands.play_due(alone.code, now=alone.now)
    now = alone.state
    moved = (now.phase, now.number, len(now.bids)) != (state.phase, state.number, len(state.bids))
    assert moved
    assert now.number - state.number <= 1 and len(now.bids) <= len(state.bids) + 1


def test_bots_may_still_call_calza_out_of_turn_while_a_game_is_skipped(alice: User) -> None:
    for seed in range(1, 21):
        driver = played(alice, *["beginner"] * 5, calza="on", seed=seed)
        lose(driver, 0, seed=seed)
        skips(driver, 0)
        while (state := driver.state).phase != "over":
            if state.claims and state.turn not in state.claims:
                return
            commands.play_due(driver.code, now=driver.now)
    raise AssertionError("in twenty games no bot called calza out of turn")


def test_to_press_again_changes_nothing(alone: GameDriver) -> None:
    skips(alone, 0)
    before = all_rows()
    for _ in range(5):
        skips(alone, 0, after=0.01)
    assert all_rows() == before


def test_nobody_skips_while_a_person_plays_even_if_a_bot_holds_that_seat(
    alice: User, bob: User
) -> None:
    driver = played(alice, bob, *BOTS)
    lose(driver, 0)
    assert refusal_of(lambda: skips(driver, 0)) == "people_play"
    Seat.objects.filter(game=driver.game, number=1).update(asleep=True, missed=2)
    Game.objects.filter(code=driver.code).update(seats_seq=driver.game.seats_seq + 1)
    assert refusal_of(lambda: skips(driver, 0)) == "people_play"


def test_a_player_who_has_dice_or_left_or_whose_game_is_over_cannot_skip(
    alone: GameDriver, alice: User, bob: User
) -> None:
    driver = played(alice, bob, *BOTS)
    assert refusal_of(lambda: skips(driver, 0)) == "people_play"
    driver.move(0, LEAVE)
    assert refusal_of(lambda: skips(driver, 0)) == "already_left"
    skips(alone, 0)
    plays_on(alone)
    assert refusal_of(lambda: skips(alone, 0)) == "not_playing"


def test_who_is_out_may_skip_when_the_other_people_left(alice: User, bob: User) -> None:
    driver = played(alice, bob, *BOTS)
    lose(driver, 0)
    commands.move(driver.code, 1, LEAVE, seen=None, now=driver.now)
    skips(driver, 0)
    assert driver.game.skipping


# --- agreeing ------------------------------------------------------------------------------------


def test_two_who_are_out_must_both_agree(both: GameDriver, alice: User, bob: User) -> None:
    assert "0 of 2 agreed" in own(both, 0, alice)
    skips(both, 0)
    assert not both.game.skipping
    commands.play_due(both.code, now=both.now + timedelta(seconds=20))
    assert not both.game.skipping, "Bob was there a moment ago"
    assert "1 of 2 agreed" in own(both, 0, alice) and "/skip" not in own(both, 0, alice)
    assert "1 of 2 agreed" in own(both, 1, bob) and "/skip" in own(both, 1, bob)
    skips(both, 1)
    assert both.game.skipping
    assert "The bots are playing to the end" in own(both, 0, alice)


def test_who_has_left_the_page_is_not_waited_for(both: GameDriver) -> None:
    leaves_the_page(both, 1)
    skips(both, 0)
    assert both.game.skipping


def test_who_leaves_the_page_after_another_agreed_is_waited_for_no_longer(both: GameDriver) -> None:
    skips(both, 0)
    leaves_the_page(both, 1)
    both.run_due(rolls=None)
    assert both.game.skipping
    plays_on(both)


@pytest.mark.django_db(transaction=True)
def test_an_open_page_signs_for_who_is_out_and_for_nobody_else(alice: User, bob: User) -> None:
    driver = played(alice, bob, *BOTS)
    lose(driver, 0)
    Seat.objects.filter(game=driver.game).update(seen_at=None)
    path = f"/ws/games/{driver.code}?lang=en"
    clients = [signed_in(alice), signed_in(bob)]

    async def scene() -> None:
        for client in clients:
            socket = ConsumerSocket(path, client)
            await socket.open()
            await socket.frame()
            await socket.disconnect()

    began = timezone.now()
    run_async(scene)
    seen: list[datetime | None] = [driver.seat(number).seen_at for number in range(5)]
    assert seen[0] is not None and seen[0] >= began
    assert seen[1:] == [None] * 4


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_", range(4))
def test_two_who_press_at_the_same_instant_have_agreed_whatever_the_clock_does(
    both: GameDriver, _: int
) -> None:
    now = both.game.due_at or both.now
    press = [partial(commands.skip_to_the_end, both.code, number, now=now) for number in (0, 1)]
    assert at_once(*press, partial(commands.play_due, both.code, now=now)) == ["done"] * 3
    assert both.game.skipping
    assert both.seat(0).skips and both.seat(1).skips


@pytest.mark.django_db(transaction=True)
def test_many_presses_at_the_same_instant_are_one(alone: GameDriver) -> None:
    before = alone.game.seq
    press = partial(commands.skip_to_the_end, alone.code, 0, now=alone.now)
    assert at_once(*[press] * 4) == ["done"] * 4
    assert alone.game.seq == before + 1
    assert alone.game.skipping


# --- what watchers get ---------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_screens_are_told_of_the_press_and_of_the_end_and_see_no_hidden_die(
    alice: User, bob: User
) -> None:
    driver = played(alice, *BOTS)
    lose(driver, 0)
    code, clients = driver.code, [signed_in(alice), signed_in(bob)]

    async def scene() -> None:
        sockets = [ConsumerSocket(f"/ws/games/{code}?lang=en", client) for client in clients]
        for socket in sockets:
            await socket.open()
            await socket.frame()
        await in_thread(commands.skip_to_the_end, code, 0, now=driver.now)
        pressed = [await socket.frames() for socket in sockets]
        assert [len(each) for each in pressed] == [1, 1]
        assert "The bots are playing to the end" in pressed[0][0]
        for frames in pressed:
            hidden = 'class="hand"' not in frames[0] and "my-dice" not in frames[0]
            assert hidden or 'data-phase="reveal"' in frames[0]
        await in_thread(plays_on, driver)
        ended = [await socket.frames() for socket in sockets]
        assert [len(each) for each in ended] == [1, 1]
        assert all("Final ranking" in each[0] for each in ended)
        for socket in sockets:
            await socket.disconnect()

    run_async(scene)


# --- by post -------------------------------------------------------------------------------------


def posted(client: Client, driver: GameDriver, action: str) -> Any:
    return client.post(reverse(f"games:{action}", args=[driver.code]), headers=HTMX)


def test_pressing_again_and_again_is_limited(alone: GameDriver, alice: User) -> None:
    client = signed_in(alice)
    answers = [posted(client, alone, "skip").content.decode().strip() for _ in range(12)]
    assert answers[:10] == [""] * 10
    assert all(words.reason("too_many_skips") in html.unescape(each) for each in answers[10:])
    assert alone.game.skipping


def test_a_stranger_cannot_skip(alone: GameDriver, bob: User) -> None:
    before = all_rows()
    answer = posted(signed_in(bob), alone, "skip").content.decode()
    assert words.reason("not_seated") in html.unescape(answer)
    assert all_rows() == before


def test_a_new_game_is_against_the_same_bots_by_the_same_rules_and_lets_the_old_one_end(
    alice: User,
) -> None:
    driver = played(alice, "sharp", "steady", "beginner", preset="asmodee_fr", calza="on")
    lose(driver, 0)
    answer = posted(signed_in(alice), driver, "new-game")
    new = Game.objects.exclude(code=driver.code).get()
    assert answer["HX-Redirect"] == f"/games/{new.code}"
    assert new.status == Game.Status.PLAYING
    assert [seat.bot for seat in new.seat_set.all()] == ["", "sharp", "steady", "beginner"]
    assert (new.preset, new.options) == (driver.game.preset, driver.game.options)
    assert driver.game.skipping


def test_a_game_with_other_people_has_no_new_game_of_its_own(alice: User, bob: User) -> None:
    driver = played(alice, bob, *BOTS)
    lose(driver, 0)
    answer = posted(signed_in(alice), driver, "new-game").content.decode()
    assert words.reason("with_people") in html.unescape(answer)
    assert Game.objects.count() == 1


# --- the clock -----------------------------------------------------------------------------------


def with_least_shares(clock: Clock) -> list[Job]:
    """The jobs of the scheduler, each of which makes one step in a tick."""
    return [replace(job, share=0.0) for job in jobs.of_the_scheduler(clock)]


@pytest.mark.django_db(transaction=True)
def test_a_beat_plays_other_games_first_and_skipped_ones_for_a_share_of_it(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    skipped = played(alice, *BOTS)
    lose(skipped, 0)
    skipped.now = timezone.now()
    skips(skipped, 0, after=-60)
    other = played(bob, *BOTS)
    found = due.find(now=timezone.now())
    assert [*found.codes, *found.bots] == [other.code]
    before = skipped.game.seq, other.game.seq
    woken: list[str] = []
    real = due.run_due

    def wake(code: str, **named: Any) -> None:
        woken.append(code)
        real(code, **named)

    monkeypatch.setattr(due, "run_due", wake)
    scheduler = new_scheduler(make_jobs=with_least_shares)
    Game.objects.update(watched_at=timezone.now())

    async def scene() -> None:
        await scheduler.tick()  # the site opens
        woken.clear()
        await asyncio.sleep(0)
        await in_thread(Game.objects.filter(code=other.code).update, due_at=timezone.now())
        await scheduler.tick()

    run_async(scene)
    assert woken == [other.code, skipped.code], "one step of each, the skipped game last"
    assert skipped.game.seq > before[0] and other.game.seq > before[1]


def test_nothing_of_an_unskipped_game_is_in_the_share_for_skipped_ones(alone: GameDriver) -> None:
    assert due.skipped(now=alone.now + timedelta(days=1)) == []
    skips(alone, 0)
    assert due.skipped(now=alone.now) == [alone.code]
