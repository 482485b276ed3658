"""Who is told that a game waits for them: people on turn who do not have the table in view."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import Game, InboxEntry, Seat
from games.play import announce, before_start, open_pages, recent_moves
from games.social.inbox import badge, turns
from games.social.inbox import entries as inbox
from games.social.inbox.kinds import STARTED, TURN
from tests.support.game_driver import DUDO, LEAVE, GameDriver, bid, deal_game, hand_to_bots_now

pytestmark = pytest.mark.django_db(transaction=True)
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


@pytest.fixture
def driver(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> GameDriver:
    """A game that has not begun just now."""
    monkeypatch.setattr(turns, "JUST_BEGUN", timedelta(0))
    return deal_game(alice, bob, hands=HANDS)


def settle(driver: GameDriver) -> list[tuple[str, bool]]:
    """The game stands still; who was told of their turn, and whether it is unread."""
    turns.settle([driver.code], now=driver.now)
    entries = InboxEntry.objects.filter(about=driver.code, kind=TURN).order_by("user__username")
    return [(each.user.username, each.read_at is None) for each in entries.select_related("user")]


def test_who_is_on_turn_and_sees_no_page_of_the_table_is_told(driver: GameDriver) -> None:
    assert settle(driver) == [("alice", True)]
    assert settle(driver) == [("alice", True)]
    driver.move(0, bid("2x3"))
    assert settle(driver) == [("bob", True)]
    assert InboxEntry.objects.get().values == {"turn": driver.game.turn_seq}


def test_who_has_the_table_in_view_is_not(driver: GameDriver, alice: User, bob: User) -> None:
    open_pages.opened(driver.code, alice.pk)
    assert settle(driver) == []
    open_pages.closed(driver.code, alice.pk)
    assert settle(driver) == [("alice", True)]
    turns.seen(driver.code, alice.pk)
    assert not InboxEntry.objects.exists()
    assert inbox.of(alice.pk).unread == 0


def test_a_page_without_a_socket_is_in_view_while_it_looks(driver: GameDriver, alice: User) -> None:
    open_pages.looked(driver.code, alice.pk)
    assert settle(driver) == []


def test_another_process_says_who_has_the_table_in_view(
    driver: GameDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_pages.get_channel_layer(), "has_peers", lambda: True)
    seat = driver.seat(0)
    open_pages.tell_others(seat, driver.code, now=driver.now)
    assert settle(driver) == []
    open_pages.tell_others_of_leaving(seat, driver.code, now=driver.now)
    assert settle(driver) == [("alice", True)]


def test_one_process_writes_nothing_about_open_pages(driver: GameDriver) -> None:
    open_pages.tell_others(driver.seat(0), driver.code, now=driver.now)
    open_pages.tell_others_of_leaving(driver.seat(0), driver.code, now=driver.now)
    assert not Seat.objects.exclude(present_at=None).exists()


def test_what_was_read_is_unread_again_at_a_later_turn_only(
    driver: GameDriver, alice: User
) -> None:
    settle(driver)
    inbox.mark_read(alice.pk, until=1, now=driver.now)
    assert settle(driver) == [("alice", False)]
    driver.move(0, bid("2x3"))
    driver.move(1, bid("3x3"))
    assert settle(driver) == [("alice", True)]


@pytest.mark.parametrize("end", ["the other leaves", "a bot plays"])
def test_nobody_is_told_once_a_bot_plays_for_them_or_the_game_is_over(
    driver: GameDriver, end: str
) -> None:
    settle(driver)
    if end == "a bot plays":
        hand_to_bots_now(driver, 0)
    else:
        driver.move(1, LEAVE)
    assert settle(driver) == []


def test_nobody_is_told_of_a_reveal(driver: GameDriver) -> None:
    driver.move(0, bid("2x3"))
    driver.move(1, DUDO)
    assert settle(driver) == []


def test_an_entry_holds_nothing_of_the_game_and_names_nobody(driver: GameDriver) -> None:
    settle(driver)
    entry = InboxEntry.objects.get()
    assert (entry.kind, entry.about) == ("turn", driver.code)
    assert entry.values.keys() == {"turn"}


def test_the_entry_names_the_host_and_leads_to_the_table(
    driver: GameDriver, alice: User, bob: User
) -> None:
    settle(driver)
    assert "It&#x27;s your turn at your table." in badge.fragment(alice.pk)
    driver.move(0, bid("2x3"))
    settle(driver)
    shown = badge.fragment(bob.pk)
    assert "It&#x27;s your turn at alice&#x27;s table." in shown
    assert reverse("games:table", args=[driver.code]) in shown
    at_the_table = badge.fragment(bob.pk, here=driver.code)
    assert "turn" not in at_the_table and "hidden" in at_the_table


def test_a_page_of_the_table_itself_does_not_count_its_turn(
    driver: GameDriver, alice_client: Client
) -> None:
    settle(driver)
    table = alice_client.get(reverse("games:table", args=[driver.code])).content.decode()
    rules = alice_client.get("/rules").content.decode()
    assert "<b>0</b>" in table and "<b>1</b>" in rules


def test_a_move_is_looked_at_when_the_game_stands_still(
    driver: GameDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announce, "_loop", None)
    driver.move(0, bid("2x3"))
    assert recent_moves.take(still=0) == [], "a command has nobody who looks"
    recent_moves.note(driver.code)
    turns.run(driver.now, 1.0)
    assert not InboxEntry.objects.exists(), "it has just moved"
    monkeypatch.setattr(turns, "STILL_SECONDS", 0)
    turns.run(driver.now, 1.0)
    assert InboxEntry.objects.get().user.username == "bob"
    with CaptureQueriesContext(connection) as asked:
        turns.run(driver.now, 1.0)
    assert len(asked) == 0


def test_looking_at_many_games_whose_people_are_there_costs_two_queries(
    alice: User, bob: User, charlie: User
) -> None:
    games = [deal_game(alice, bob, hands=HANDS), deal_game(alice, charlie, hands=HANDS)]
    for each in games:
        each.move(0, bid("2x3"))
        for person in (alice, bob, charlie):
            open_pages.opened(each.code, person.pk)
    codes = list(Game.objects.values_list("code", flat=True))
    turns.settle(codes, now=games[0].now)
    with CaptureQueriesContext(connection) as asked:
        turns.settle(codes, now=games[0].now)
    assert len(asked) == 2, asked.captured_queries


def test_what_is_not_done_in_the_share_of_a_job_is_done_in_the_next_one(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "STILL_SECONDS", 0)
    monkeypatch.setattr(turns, "_AT_ONCE", 1)
    games = [deal_game(alice, bob, hands=HANDS) for _ in range(3)]
    for each in games:
        recent_moves.note(each.code)
    assert [turns.run(games[0].now, 0.0) for _ in games] == [True, True, False]
    assert InboxEntry.objects.filter(user=alice).count() == 3


# --- that a game has begun -----------------------------------------------------------------------


@pytest.fixture
def dealt(alice: User, bob: User) -> GameDriver:
    return deal_game(alice, bob, hands=HANDS)


def began(driver: GameDriver, *, after: timedelta = timedelta(0)) -> list[str]:
    turns.settle([driver.code], now=driver.now + after)
    entries = InboxEntry.objects.filter(kind=STARTED).select_related("user")
    return sorted(each.user.username for each in entries)


def test_who_does_not_see_their_game_begin_is_told_until_they_see_it(
    dealt: GameDriver, bob: User
) -> None:
    assert began(dealt) == ["bob"], "alice is told that it is her turn"
    turns.seen(dealt.code, bob.pk)
    assert not InboxEntry.objects.filter(kind=STARTED).exists()
    assert began(dealt, after=turns.JUST_BEGUN) == []


def test_who_sees_their_game_begin_is_not_told(dealt: GameDriver, bob: User) -> None:
    open_pages.opened(dealt.code, bob.pk)
    assert began(dealt) == []


def test_who_plays_alone_has_begun_the_game(alice: User) -> None:
    game = before_start.play_now(
        alice,
        before_start.quick_settings("perudo", bots=3),
        bots=["sharp"] * 3,
        holder="",
        now=timezone.now(),
    )
    turns.settle([game.code], now=timezone.now())
    assert not InboxEntry.objects.filter(kind=STARTED).exists()


def test_that_a_game_has_begun_is_forgotten_when_it_is_over(dealt: GameDriver) -> None:
    assert began(dealt) == ["bob"]
    dealt.move(0, LEAVE)
    assert dealt.game.status == Game.Status.FINISHED
    assert began(dealt) == []
