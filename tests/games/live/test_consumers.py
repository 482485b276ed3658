"""The consumer of a table: one frame for every change, equal to what a page loaded now shows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from channels.layers import get_channel_layer
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts import lifecycle
from accounts.models import User
from games import page_identity
from games.live import base_consumer, consumers, fair_queue, fanout
from games.models import Game
from games.play import announce, before_start
from games.store import versioned_lru
from games.table import frames
from tests.support.consumer_socket import ConsumerSocket, in_thread, run_async
from tests.support.fast_games import START, open_table
from tests.support.fixtures import signed_in
from tests.support.game_driver import CONFIRM, DUDO, GameDriver, bid, deal_game

pytestmark = pytest.mark.django_db(transaction=True)
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


@pytest.fixture
def driver(alice: User, bob: User) -> GameDriver:
    return deal_game(alice, bob, hands=HANDS)


def path(game: Game, *, seen: int | str = "", lang: str = "en") -> str:
    return f"/ws/games/{game.code}?seen={seen}&lang={lang}"


def is_on_the_page(frame: str, client: Client, game: Game) -> bool:
    """Whether a page loaded now, without caches, has exactly the two fragments of a frame."""
    versioned_lru.clear_all()
    page = client.get(reverse("games:table", args=[game.code])).content.decode()
    own = frame.index('<section id="own"')
    return frame[:own].strip() in page and frame[own:].strip() in page


def test_the_first_frame_is_what_the_page_shows(driver: GameDriver, alice: User) -> None:
    game, clients = driver.game, [signed_in(alice), Client()]

    async def scene() -> None:
        for client in clients:
            socket = ConsumerSocket(path(game), client)
            await socket.open()
            assert await in_thread(is_on_the_page, await socket.frame(), client, game)
            await socket.disconnect()

    run_async(scene)


def test_every_pushed_frame_is_what_a_reload_would_show(driver: GameDriver, bob: User) -> None:
    """Through a bid, a reveal, a confirmation and the next round, for a seat and a spectator."""
    game, clients = driver.game, [signed_in(bob), Client()]

    async def scene() -> None:
        sockets = [ConsumerSocket(path(game, seen=game.seq), client) for client in clients]
        for socket in sockets:
            await socket.open()
        for number, move, rolls in (
            (0, bid("3x3"), ()),
            (1, DUDO, ()),
            (0, CONFIRM, ()),
            (1, CONFIRM, [2] * 9),
        ):
            await in_thread(driver.move, number, move, rolls=rolls)
            for socket, client in zip(sockets, clients, strict=True):
                assert await in_thread(is_on_the_page, await socket.frame(), client, game)
        for socket in sockets:
            assert await socket.frames() == []
            await socket.disconnect()

    run_async(scene)


def test_a_page_that_is_up_to_date_is_sent_nothing(driver: GameDriver) -> None:
    game = driver.game

    async def scene() -> None:
        socket = ConsumerSocket(path(game, seen=game.seq))
        await socket.open()
        assert await socket.frames() == []
        await socket.disconnect()

    run_async(scene)


def test_a_page_with_an_older_or_invalid_version_is_sent_the_current_state(
    driver: GameDriver, subtests: pytest.Subtests
) -> None:
    game = driver.game

    for seen in ["", "0", "999999999", "-1", "１", "9" * 5_000, "seven"]:
        with subtests.test(seen=seen):

            async def scene(seen: str = seen) -> None:
                socket = ConsumerSocket(path(game, seen=seen))
                await socket.open()
                assert len(await socket.frames()) == 1
                await socket.disconnect()

            run_async(scene)


def test_a_change_makes_one_frame_even_if_announced_twice(driver: GameDriver) -> None:
    game = driver.game

    async def scene() -> None:
        socket = ConsumerSocket(path(game, seen=game.seq))
        await socket.open()
        await in_thread(driver.move, 0, bid("3x3"))
        message = {"type": "game.moved", "seq": game.seq + 1}
        for older in (message, message, message | {"seq": 1}):
            await get_channel_layer().group_send(announce.group(game.code), older)
        assert len(await socket.frames()) == 1
        await socket.disconnect()

    run_async(scene)


def test_an_announced_version_that_is_not_new_is_ignored_without_a_query(
    driver: GameDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = driver.game

    async def render(self: consumers.GameConsumer, seen: int) -> None:
        raise AssertionError("it queried the database")

    async def scene() -> None:
        socket = ConsumerSocket(path(game, seen=game.seq))
        await socket.open()
        assert await socket.frames() == []
        monkeypatch.setattr(consumers.GameConsumer, "_render", render)
        for seq in (1, game.seq):
            message = {"type": "game.moved", "seq": seq}
            await get_channel_layer().group_send(announce.group(game.code), message)
        assert await socket.frames() == []
        await socket.disconnect()

    run_async(scene)


def test_the_heartbeat_makes_up_for_a_lost_message(
    driver: GameDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = driver.game
    monkeypatch.setattr(base_consumer, "HEARTBEAT_SECONDS", 0.3)

    async def scene() -> None:
        socket = ConsumerSocket(path(game, seen=game.seq))
        await socket.open()
        assert await socket.frames() == []
        get_channel_layer().groups.clear()  # nothing that is published arrives
        await in_thread(driver.move, 0, bid("3x3"))
        assert await in_thread(is_on_the_page, await socket.frame(), Client(), game)
        await socket.disconnect()

    run_async(scene)


def test_each_socket_uses_the_language_of_its_page(driver: GameDriver) -> None:
    game = driver.game

    async def scene() -> None:
        for lang, spoken in (("fr", "fr"), ("it", "it"), ("xx", "en"), ("", "en")):
            socket = ConsumerSocket(path(game, lang=lang))
            await socket.open()
            frame = await socket.frame()
            await socket.disconnect()
            assert frame == await in_thread(in_language, spoken)

    def in_language(language: str) -> str:
        versioned_lru.clear_all()
        with translation.override(language):
            return frames.frame(game, None, user=None).html

    run_async(scene)


def test_players_at_an_open_table_see_each_other_join_and_leave(alice: User, bob: User) -> None:
    game = open_table(alice, "steady")
    clients = [signed_in(alice), signed_in(bob)]
    before_start.remove(game.code, alice, number=1, now=START)

    async def scene() -> None:
        sockets = [ConsumerSocket(path(game), client) for client in clients]
        for socket in sockets:
            await socket.open()
            await socket.frame()
        await in_thread(before_start.sit, game.code, bob, now=START)
        for socket in sockets:
            assert "bob" in await socket.frame()
        await in_thread(before_start.remove, game.code, alice, number=1, now=START)
        removed = await sockets[1].frame()
        assert "The host removed you from this table." in removed
        await in_thread(before_start.close, game.code, alice, now=START)
        for socket, client in zip(sockets, clients, strict=True):
            *_, last = await socket.frames()
            assert await in_thread(is_on_the_page, last, client, game)
            await socket.disconnect()

    run_async(scene)


def test_a_failed_first_render_leaves_no_subscription_and_no_heartbeat(
    driver: GameDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = driver.game

    async def fails(self: consumers.GameConsumer) -> None:
        raise OSError("no database")

    monkeypatch.setattr(consumers.GameConsumer, "refresh", fails)

    async def scene() -> None:
        socket = ConsumerSocket(path(game))
        await socket.open()
        with pytest.raises(OSError, match="no database"):
            await socket.wait(timeout=5)
        assert announce.group(game.code) not in get_channel_layer().groups
        coroutines = [str(task.get_coro()) for task in asyncio.all_tasks()]
        assert not any("_run_heartbeat" in each for each in coroutines)

    run_async(scene)


# --- what a page asks ----------------------------------------------------------------------------


def test_a_page_that_asks_is_answered_and_sent_nothing_it_has(driver: GameDriver) -> None:
    game = driver.game

    async def scene() -> None:
        socket = ConsumerSocket(path(game, seen=game.seq))
        await socket.open()
        assert await socket.frames() == []
        await socket.send_to("ping")
        assert await socket.receive_from() == ""  # nothing but the time
        await socket.send_to("anything else")
        assert await socket.receive_nothing()
        await socket.disconnect()

    run_async(scene)


def test_a_page_that_asks_to_look_is_sent_the_whole_state(driver: GameDriver, alice: User) -> None:
    game = driver.game
    client = signed_in(alice)

    async def scene() -> None:
        socket = ConsumerSocket(path(game, seen=game.seq), client)
        await socket.open()
        assert await socket.frames() == []
        await socket.send_to("look")
        assert await in_thread(is_on_the_page, await socket.frame(), client, game)
        await socket.disconnect()

    run_async(scene)


@pytest.mark.parametrize("asks", ["ping", "look"])
def test_a_page_is_not_told_that_it_is_current_before_it_is(
    driver: GameDriver, monkeypatch: pytest.MonkeyPatch, asks: str
) -> None:
    """In a reconnect storm a page may ask while its first render waits for its turn."""
    game, may_render = driver.game, asyncio.Event()

    async def waits(socket: consumers.GameConsumer) -> bool:
        await may_render.wait()
        return True

    async def scene() -> None:
        socket = ConsumerSocket(path(game))
        await socket.open()
        await socket.send_to(asks)
        assert await socket.receive_nothing(timeout=0.2)
        may_render.set()
        assert await socket.receive_from() == ""  # nothing but the time
        await socket.disconnect()

    monkeypatch.setattr(consumers.GameConsumer, "refresh", waits)
    run_async(scene)


# --- what closes a socket ------------------------------------------------------------------------


def test_an_unknown_table_is_closed_with_4404(db: None) -> None:
    async def scene() -> None:
        socket = ConsumerSocket("/ws/games/nothing?lang=en")
        await socket.open()
        assert await socket.close_code() == 4404

    run_async(scene)


@pytest.mark.parametrize("made_for", ["nobody", "the same person, earlier"])
@pytest.mark.parametrize("address", ["/ws/games/{code}?as={tag}", "/ws/lobby?as={tag}"])
def test_a_page_of_another_session_is_closed_with_4401(
    driver: GameDriver, alice: User, address: str, made_for: str
) -> None:
    tag = "" if made_for == "nobody" else tag_of(alice, signed_in(alice))
    client = signed_in(alice)
    ours = tag_of(alice, client)

    async def scene() -> None:
        socket = ConsumerSocket(address.format(code=driver.code, tag=tag), client)
        await socket.open()
        assert await socket.close_code() == 4401
        for tag_sent in (ours, "-"):  # "-" is none: a page of an older version
            mine = address.format(code=driver.code, tag=tag_sent).removesuffix("as=-")
            socket = ConsumerSocket(mine, client)
            await socket.open()
            assert await socket.frame()
            await socket.disconnect()

    run_async(scene)


def tag_of(person: User, client: Client) -> str:
    """The tag that a page has for this client's session."""
    page = client.get("/").content.decode()
    tag = page_identity.of(person, client.session)
    assert f'data-session="{tag}"' in page
    return tag


def sign_out(person: User, client: Client) -> None:
    Session.objects.all().delete()


def forget(person: User, client: Client) -> None:
    lifecycle.forget(person)


def new_password(person: User, client: Client) -> None:
    person.set_password("another secret altogether")
    person.save()


@pytest.mark.parametrize("ends", [sign_out, forget, new_password])
def test_a_socket_closes_when_its_session_ends(
    driver: GameDriver, alice: User, monkeypatch: pytest.MonkeyPatch, ends: object
) -> None:
    game, client = driver.game, signed_in(alice)
    monkeypatch.setattr(base_consumer, "HEARTBEAT_SECONDS", 0.3)

    async def scene() -> None:
        socket = ConsumerSocket(path(game, seen=game.seq), client)
        await socket.open()
        assert await socket.frames() == []
        await in_thread(ends, alice, client)
        assert await socket.close_code() == 4401

    run_async(scene)


def test_an_anonymous_socket_stays_open(
    driver: GameDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = driver.game
    monkeypatch.setattr(base_consumer, "HEARTBEAT_SECONDS", 0.05)

    async def scene() -> None:
        socket = ConsumerSocket(path(game, seen=game.seq))
        await socket.open()
        await asyncio.sleep(0.2)
        await in_thread(driver.move, 0, bid("3x3"))
        assert await socket.frame()
        await socket.disconnect()

    run_async(scene)


def test_a_failed_heartbeat_closes_the_socket_with_1011(
    driver: GameDriver,
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fails(scope: object) -> bool:
        raise OSError("no database")

    game, client = driver.game, signed_in(alice)
    monkeypatch.setattr(base_consumer, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(base_consumer, "_is_still_signed_in", fails)

    async def scene() -> None:
        socket = ConsumerSocket(path(game, seen=game.seq), client)
        await socket.open()
        assert await socket.close_code() == 1011

    run_async(scene)
    assert f"websocket heartbeat failed group=game.{game.code}" in caplog.text


@pytest.mark.parametrize(
    ("where", "what", "message"),
    [
        (consumers, "_render_for", {"type": "game.moved", "seq": 10_000}),
        (consumers, "_render_chat", {"type": "game.talked"}),
        (consumers.GameConsumer, "_render", {"type": "look.again"}),
    ],
)
def test_a_failed_update_closes_the_socket_with_1011(
    driver: GameDriver,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    where: object,
    what: str,
    message: dict[str, object],
) -> None:
    async def fails(*given: object, **named: object) -> None:
        raise OSError("no database")

    game = driver.game

    async def scene() -> None:
        socket = ConsumerSocket(path(game))
        await socket.open()
        assert await socket.frame()
        monkeypatch.setattr(where, what, fails)
        await get_channel_layer().group_send(announce.group(game.code), message)
        assert await socket.close_code() == 1011
        await socket.disconnect()

    run_async(scene)
    message = f"delivering a message to local sockets failed group=game.{game.code}"
    assert message in caplog.text


def test_what_a_client_sends_is_ignored(driver: GameDriver) -> None:
    game = driver.game

    async def scene() -> None:
        socket = ConsumerSocket(path(game, seen=game.seq))
        await socket.open()
        await socket.send_to(text_data='{"type": "game.moved", "seq": 99}')
        await socket.send_to(bytes_data=b"\x00" * 10_000)
        assert await socket.frames() == []
        await socket.disconnect()

    run_async(scene)


@pytest.fixture
def rendering(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The consumers whose first render is under way; it never ends."""
    current: list[object] = []

    async def refresh(self: consumers.GameConsumer) -> None:
        current.append(self)
        try:
            await asyncio.Event().wait()
        finally:
            current.remove(self)

    monkeypatch.setattr(consumers.GameConsumer, "refresh", refresh)
    return current


def test_disconnecting_during_the_first_render_cancels_it(
    driver: GameDriver, rendering: list[object]
) -> None:
    game = driver.game

    async def scene() -> None:
        socket = ConsumerSocket(path(game))
        await socket.open()
        await _until(lambda: len(rendering) == 1)
        await socket.disconnect()
        assert rendering == []
        assert fanout._subscriptions[asyncio.get_running_loop()] == {}

    run_async(scene)


def test_concurrent_first_renders_are_limited(
    driver: GameDriver, rendering: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base_consumer, "LOOKS", fair_queue.PerLoop(at_once=2))
    game = driver.game

    async def scene() -> None:
        sockets = [ConsumerSocket(path(game)) for _ in range(4)]
        for socket in sockets:
            await socket.open()
        await _until(lambda: len(rendering) == 2)
        await asyncio.sleep(0.2)
        assert len(rendering) == 2
        await sockets[3].disconnect()  # one that was still waiting
        for socket in sockets[:2]:
            await socket.disconnect()
        await _until(lambda: len(rendering) == 1)
        await sockets[2].disconnect()
        assert rendering == []

    run_async(scene)


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.01)
