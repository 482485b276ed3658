"""What a person is told reaches each of their pages, and is what a page load would show."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.contrib.sessions.models import Session
from django.urls import reverse

from accounts import lifecycle
from accounts.models import User
from games import metrics
from games.live import base_consumer, person_consumer
from games.models import InboxEntry
from games.play import announce, open_pages, recent_moves
from games.social.inbox import entries, turns
from tests.support.consumer_socket import ConsumerSocket, in_thread, run_async
from tests.support.fast_games import START
from tests.support.fixtures import signed_in
from tests.support.game_driver import GameDriver, bid, deal_game

pytestmark = pytest.mark.django_db(transaction=True)
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


@pytest.fixture
def driver(alice: User, bob: User) -> GameDriver:
    return deal_game(alice, bob, hands=HANDS)


def inbox_on(page: str) -> str:
    """The fragment of the inbox on a page."""
    start = page.index('<div id="inbox"')
    return page[start : page.index("</div>", start) + len("</div>")]


async def told(socket: ConsumerSocket) -> str:
    """The next fragment of an inbox."""
    while 'id="inbox"' not in (text := await socket.receive_from(timeout=10)):
        pass
    return inbox_on(text)


async def is_quiet(socket: ConsumerSocket) -> bool:
    return not any('id="inbox"' in text for text in await socket.frames())


def paths(driver: GameDriver) -> list[str]:
    return [f"/ws/games/{driver.code}", "/ws/lobby", "/ws/person"]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_every_page_of_a_person_is_sent_what_a_page_load_shows(
    driver: GameDriver, alice: User, bob: User, place: int
) -> None:
    client = signed_in(bob)
    page = [reverse("games:table", args=[driver.code]), "/", "/rules"][place]

    async def scene() -> None:
        socket = ConsumerSocket(f"{paths(driver)[place]}?lang=en&told=0", client)
        other = ConsumerSocket(f"{paths(driver)[place]}?lang=en&told=0", signed_in_alice)
        for each in (socket, other):
            await each.open()
            assert await is_quiet(each), "nobody was told anything"
        await in_thread(entries.put, bob.pk, "turn", driver.code, now=START)
        first = await told(socket)
        assert first == inbox_on((await in_thread(client.get, page)).content.decode())
        assert ("turn at alice" in first) == (place > 0)
        await in_thread(entries.mark_read, bob.pk, until=1, now=START)
        assert await told(socket) == inbox_on((await in_thread(client.get, page)).content.decode())
        assert await is_quiet(other)
        for each in (socket, other):
            await each.disconnect()

    signed_in_alice = signed_in(alice)
    run_async(scene)


def test_a_page_is_sent_what_it_has_missed_and_nothing_it_shows(alice: User) -> None:
    client = signed_in(alice)
    entries.put(alice.pk, "turn", "gone", now=START)

    async def scene() -> None:
        for shown, is_sent in (("0", True), ("1", False), ("99", True), ("x", True), ("", True)):
            socket = ConsumerSocket(f"/ws/person?lang=en&told={shown}", client)
            await socket.open()
            assert await is_quiet(socket) != is_sent, shown
            await socket.disconnect()

    run_async(scene)


def test_each_page_is_told_in_its_language(driver: GameDriver, bob: User) -> None:
    client = signed_in(bob)

    async def scene() -> None:
        sockets = [
            ConsumerSocket(f"/ws/person?lang={language}", client) for language in ("en", "fr")
        ]
        for socket in sockets:
            await socket.open()
            assert await is_quiet(socket)
        await in_thread(entries.put, bob.pk, "turn", driver.code, now=START)
        english, french = [await told(socket) for socket in sockets]
        assert "your turn" in english
        assert english.count("<") == french.count("<")
        for socket in sockets:
            await socket.disconnect()

    run_async(scene)


def test_nobody_but_a_signed_in_person_has_a_socket_of_their_own() -> None:
    async def scene() -> None:
        socket = ConsumerSocket("/ws/person?lang=en")
        await socket.open()
        assert await socket.close_code() == base_consumer.CLOSE_NOT_FOUND

    run_async(scene)


def test_a_page_has_one_subscription_for_its_person(alice: User) -> None:
    client = signed_in(alice)

    async def scene() -> None:
        socket = ConsumerSocket("/ws/person?lang=en", client)
        await socket.open()
        await socket.frames()
        assert list(get_channel_layer().groups) == [announce.person(alice.pk)]
        assert metrics.sockets.labels("person")._value.get() == 1
        await socket.disconnect()
        assert not get_channel_layer().groups
        assert metrics.sockets.labels("person")._value.get() == 0

    run_async(scene)


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("end", ["session", "deletion"])
def test_every_page_closes_with_its_session(
    driver: GameDriver, alice: User, place: int, end: str
) -> None:
    client = signed_in(alice)

    def sign_out() -> None:
        Session.objects.filter(pk=client.session.session_key).delete()

    def delete() -> None:
        lifecycle.forget(alice)

    async def scene() -> None:
        socket = ConsumerSocket(paths(driver)[place], client)
        await socket.open()
        await socket.frames()
        await in_thread({"session": sign_out, "deletion": delete}[end])
        await in_thread(announce.sessions_ended, alice.pk)
        assert await socket.close_code() == base_consumer.CLOSE_SIGNED_OUT

    run_async(scene)


def test_a_page_of_another_session_is_turned_away(alice: User) -> None:
    async def scene() -> None:
        socket = ConsumerSocket("/ws/person?as=another", signed_in_client)
        await socket.open()
        assert await socket.close_code() == base_consumer.CLOSE_SIGNED_OUT

    signed_in_client = signed_in(alice)
    run_async(scene)


def test_a_missed_message_is_made_up_for_by_the_heartbeat(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(person_consumer.PersonConsumer, "heartbeat_seconds", 0.3)
    monkeypatch.setattr(announce, "inbox_changed", lambda *_: None)
    client = signed_in(alice)

    async def scene() -> None:
        socket = ConsumerSocket("/ws/person?lang=en", client)
        await socket.open()
        await socket.receive_from(timeout=10)
        await in_thread(entries.put, alice.pk, "turn", "gone", now=START)
        assert 'data-seq="1"' in await told(socket)
        await socket.disconnect()

    run_async(scene)


# --- a table in view -----------------------------------------------------------------------------


def settle(driver: GameDriver) -> None:
    turns.settle([driver.code], now=driver.now + timedelta(seconds=5))


def test_a_turn_is_told_to_pages_elsewhere_and_goes_when_the_table_comes_into_view(
    driver: GameDriver, bob: User
) -> None:
    client = signed_in(bob)

    async def scene() -> None:
        elsewhere = ConsumerSocket("/ws/person?lang=en", client)
        await elsewhere.open()
        assert await is_quiet(elsewhere)
        await in_thread(driver.move, 0, bid("2x3"))
        await in_thread(settle, driver)
        assert "turn at alice" in await told(elsewhere)
        table = ConsumerSocket(f"/ws/games/{driver.code}?lang=en&hidden", client)
        await table.open()
        await table.frames()
        assert await is_quiet(elsewhere), "the table is open, and not in view"
        await table.send_to("shown")
        assert "turn" not in await told(elsewhere)
        await in_thread(settle, driver)
        assert await is_quiet(elsewhere)
        await table.send_to("hidden")
        await _until(lambda: not open_pages.is_in_view(driver.code, bob.pk))
        assert recent_moves.take(still=0) == [driver.code], "they may go on turn"
        await in_thread(settle, driver)
        assert "turn at alice" in await told(elsewhere)
        for socket in (elsewhere, table):
            await socket.disconnect()

    run_async(scene)


def test_a_table_that_is_opened_or_left_counts_as_in_view_or_not(
    driver: GameDriver, bob: User
) -> None:
    client = signed_in(bob)

    async def scene() -> None:
        await in_thread(driver.move, 0, bid("2x3"))
        await in_thread(settle, driver)
        sockets = [ConsumerSocket(f"/ws/games/{driver.code}?lang=en", client) for _ in range(2)]
        for socket in sockets:
            await socket.open()
            await socket.frames()
        assert not await in_thread(InboxEntry.objects.filter(user=bob).exists)
        await sockets[0].disconnect()
        assert open_pages.is_in_view(driver.code, bob.pk)
        await sockets[1].disconnect()
        assert not open_pages.is_in_view(driver.code, bob.pk)

    run_async(scene)


async def _until(true: Callable[[], Any]) -> None:
    async with asyncio.timeout(10):
        while not true():
            await asyncio.sleep(0.01)
