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
from games.live import base_consumer, consumers, fanout
from games.models import Game
from games.play import announce, before_start
from games.rendering import frames
from games.store import versioned_lru
from tests.conftest import signed_in
from tests.games.evening import CONFIRM, DUDO, Evening, bid, dealt
from tests.games.playing import EVENING, open_table
from tests.games.sockets import Socket, done, on_the_wire

pytestmark = pytest.mark.django_db(transaction=True)
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


@pytest.fixture
def evening(alice: User, bob: User) -> Evening:
    return dealt(alice, bob, hands=HANDS)


def path(game: Game, *, seen: int | str = "", lang: str = "en") -> str:
    return f"/ws/games/{game.code}?seen={seen}&lang={lang}"


def is_on_the_page(frame: str, client: Client, game: Game) -> bool:
    """Whether a page loaded now, without caches, has exactly the two fragments of a frame."""
    versioned_lru.clear_all()
    page = client.get(reverse("games:table", args=[game.code])).content.decode()
    own = frame.index('<section id="own"')
    return frame[:own].strip() in page and frame[own:].strip() in page


def test_the_first_frame_is_what_the_page_shows(evening: Evening, alice: User) -> None:
    game, clients = evening.game, [signed_in(alice), Client()]

    async def scene() -> None:
        for client in clients:
            socket = Socket(path(game), client)
            await socket.opens()
            assert await done(is_on_the_page, await socket.frame(), client, game)
            await socket.disconnect()

    on_the_wire(scene)


def test_every_pushed_frame_is_what_a_reload_would_show(evening: Evening, bob: User) -> None:
    """Through a bid, a reveal, a confirmation and the next round, for a seat and a spectator."""
    game, clients = evening.game, [signed_in(bob), Client()]

    async def scene() -> None:
        sockets = [Socket(path(game, seen=game.seq), client) for client in clients]
        for socket in sockets:
            await socket.opens()
        for number, move, rolls in (
            (0, bid("3x3"), ()),
            (1, DUDO, ()),
            (0, CONFIRM, ()),
            (1, CONFIRM, [2] * 9),
        ):
            await done(evening.says, number, move, rolls=rolls)
            for socket, client in zip(sockets, clients, strict=True):
                assert await done(is_on_the_page, await socket.frame(), client, game)
        for socket in sockets:
            assert await socket.frames() == []
            await socket.disconnect()

    on_the_wire(scene)


def test_a_page_that_is_up_to_date_is_sent_nothing(evening: Evening) -> None:
    game = evening.game

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq))
        await socket.opens()
        assert await socket.frames() == []
        await socket.disconnect()

    on_the_wire(scene)


@pytest.mark.parametrize("seen", ["", "0", "999999999", "-1", "１", "9" * 5_000, "seven"])
def test_a_page_with_an_older_or_invalid_version_is_sent_the_current_state(
    evening: Evening, seen: str
) -> None:
    game = evening.game

    async def scene() -> None:
        socket = Socket(path(game, seen=seen))
        await socket.opens()
        assert len(await socket.frames()) == 1
        await socket.disconnect()

    on_the_wire(scene)


def test_a_change_makes_one_frame_even_if_announced_twice(evening: Evening) -> None:
    game = evening.game

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq))
        await socket.opens()
        await done(evening.says, 0, bid("3x3"))
        message = {"type": "game.moved", "seq": game.seq + 1}
        for older in (message, message, message | {"seq": 1}):
            await get_channel_layer().group_send(announce.group(game.code), older)
        assert len(await socket.frames()) == 1
        await socket.disconnect()

    on_the_wire(scene)


def test_an_announced_version_that_is_not_new_is_ignored_without_a_query(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = evening.game

    async def render(self: consumers.GameConsumer, seen: int) -> None:
        raise AssertionError("it queried the database")

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq))
        await socket.opens()
        assert await socket.frames() == []
        monkeypatch.setattr(consumers.GameConsumer, "_render", render)
        for seq in (1, game.seq):
            message = {"type": "game.moved", "seq": seq}
            await get_channel_layer().group_send(announce.group(game.code), message)
        assert await socket.frames() == []
        await socket.disconnect()

    on_the_wire(scene)


def test_the_heartbeat_makes_up_for_a_lost_message(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = evening.game
    monkeypatch.setattr(base_consumer, "HEARTBEAT_SECONDS", 0.3)
    monkeypatch.setattr(fanout, "RENEW_SECONDS", 0.3)

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq))
        await socket.opens()
        assert await socket.frames() == []
        get_channel_layer().groups.clear()  # the layer drops the membership
        await done(evening.says, 0, bid("3x3"))
        assert await done(is_on_the_page, await socket.frame(), Client(), game)
        for _ in range(100):  # the subscription is renewed independently of the heartbeat
            if announce.group(game.code) in get_channel_layer().groups:
                break
            await asyncio.sleep(0.02)
        assert len(get_channel_layer().groups[announce.group(game.code)]) == 1, (
            "the membership was renewed"
        )
        await socket.disconnect()

    on_the_wire(scene)


def test_each_socket_uses_the_language_of_its_page(evening: Evening) -> None:
    game = evening.game

    async def scene() -> None:
        for lang, spoken in (("fr", "fr"), ("it", "it"), ("xx", "en"), ("", "en")):
            socket = Socket(path(game, lang=lang))
            await socket.opens()
            frame = await socket.frame()
            await socket.disconnect()
            assert frame == await done(in_language, spoken)

    def in_language(language: str) -> str:
        versioned_lru.clear_all()
        with translation.override(language):
            return frames.frame(game, None, user=None)

    on_the_wire(scene)


def test_players_at_an_open_table_see_each_other_join_and_leave(alice: User, bob: User) -> None:
    game = open_table(alice, "steady")
    clients = [signed_in(alice), signed_in(bob)]
    before_start.remove(game.code, alice, number=1, now=EVENING)

    async def scene() -> None:
        sockets = [Socket(path(game), client) for client in clients]
        for socket in sockets:
            await socket.opens()
            await socket.frame()
        await done(before_start.sit, game.code, bob, now=EVENING)
        for socket in sockets:
            assert "bob" in await socket.frame()
        await done(before_start.remove, game.code, alice, number=1, now=EVENING)
        removed = await sockets[1].frame()
        assert "The host removed you from this table." in removed
        await done(before_start.close, game.code, alice, now=EVENING)
        for socket, client in zip(sockets, clients, strict=True):
            *_, last = await socket.frames()
            assert await done(is_on_the_page, last, client, game)
            await socket.disconnect()

    on_the_wire(scene)


def test_a_failed_first_render_leaves_no_subscription_and_no_heartbeat(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = evening.game

    async def fails(self: consumers.GameConsumer) -> None:
        raise OSError("no database")

    monkeypatch.setattr(consumers.GameConsumer, "refresh", fails)

    async def scene() -> None:
        socket = Socket(path(game))
        await socket.opens()
        with pytest.raises(OSError, match="no database"):
            await socket.wait(timeout=5)
        assert announce.group(game.code) not in get_channel_layer().groups
        coroutines = [str(task.get_coro()) for task in asyncio.all_tasks()]
        assert not any("_run_heartbeat" in each for each in coroutines)

    on_the_wire(scene)


# --- what a page asks ----------------------------------------------------------------------------


def test_a_page_that_asks_is_answered_and_sent_nothing_it_has(evening: Evening) -> None:
    game = evening.game

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq))
        await socket.opens()
        assert await socket.frames() == []
        await socket.send_to("ping")
        assert await socket.receive_from() == ""  # nothing but the time
        await socket.send_to("anything else")
        assert await socket.receive_nothing()
        await socket.disconnect()

    on_the_wire(scene)


def test_a_page_that_asks_to_look_is_sent_the_whole_state(evening: Evening, alice: User) -> None:
    game = evening.game
    client = signed_in(alice)

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq), client)
        await socket.opens()
        assert await socket.frames() == []
        await socket.send_to("look")
        assert await done(is_on_the_page, await socket.frame(), client, game)
        await socket.disconnect()

    on_the_wire(scene)


@pytest.mark.parametrize("asks", ["ping", "look"])
def test_a_page_is_not_told_that_it_is_current_before_it_is(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, asks: str
) -> None:
    """In a reconnect storm a page may ask while its first render waits for its turn."""
    game, may_render = evening.game, asyncio.Event()

    async def waits(socket: consumers.GameConsumer) -> bool:
        await may_render.wait()
        return True

    async def scene() -> None:
        socket = Socket(path(game))
        await socket.opens()
        await socket.send_to(asks)
        assert await socket.receive_nothing(timeout=0.2)
        may_render.set()
        assert await socket.receive_from() == ""  # nothing but the time
        await socket.disconnect()

    monkeypatch.setattr(consumers.GameConsumer, "refresh", waits)
    on_the_wire(scene)


# --- what closes a socket ------------------------------------------------------------------------


def test_an_unknown_table_is_closed_with_4404(db: None) -> None:
    async def scene() -> None:
        socket = Socket("/ws/games/nothing?lang=en")
        await socket.opens()
        assert await socket.closing_code() == 4404

    on_the_wire(scene)


@pytest.mark.parametrize("made_for", ["nobody", "the same person, earlier"])
@pytest.mark.parametrize("address", ["/ws/games/{code}?as={tag}", "/ws/lobby?as={tag}"])
def test_a_page_of_another_session_is_closed_with_4401(
    evening: Evening, alice: User, address: str, made_for: str
) -> None:
    tag = "" if made_for == "nobody" else tag_of(alice, signed_in(alice))
    client = signed_in(alice)
    ours = tag_of(alice, client)

    async def scene() -> None:
        socket = Socket(address.format(code=evening.code, tag=tag), client)
        await socket.opens()
        assert await socket.closing_code() == 4401
        for tag_sent in (ours, "-"):  # "-" is none: a page of an older version
            mine = address.format(code=evening.code, tag=tag_sent).removesuffix("as=-")
            socket = Socket(mine, client)
            await socket.opens()
            assert await socket.frame()
            await socket.disconnect()

    on_the_wire(scene)


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
    evening: Evening, alice: User, monkeypatch: pytest.MonkeyPatch, ends: object
) -> None:
    game, client = evening.game, signed_in(alice)
    monkeypatch.setattr(base_consumer, "HEARTBEAT_SECONDS", 0.3)

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq), client)
        await socket.opens()
        assert await socket.frames() == []
        await done(ends, alice, client)
        assert await socket.closing_code() == 4401

    on_the_wire(scene)


def test_an_anonymous_socket_stays_open(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    game = evening.game
    monkeypatch.setattr(base_consumer, "HEARTBEAT_SECONDS", 0.05)

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq))
        await socket.opens()
        await asyncio.sleep(0.2)
        await done(evening.says, 0, bid("3x3"))
        assert await socket.frame()
        await socket.disconnect()

    on_the_wire(scene)


def test_a_failed_heartbeat_closes_the_socket_with_1011(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(scope: object) -> bool:
        raise OSError("no database")

    game = evening.game
    monkeypatch.setattr(base_consumer, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(base_consumer, "_is_still_signed_in", fails)

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq))
        await socket.opens()
        assert await socket.closing_code() == 1011

    on_the_wire(scene)
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
    evening: Evening,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    where: object,
    what: str,
    message: dict[str, object],
) -> None:
    async def fails(*given: object, **named: object) -> None:
        raise OSError("no database")

    game = evening.game

    async def scene() -> None:
        socket = Socket(path(game))
        await socket.opens()
        assert await socket.frame()
        monkeypatch.setattr(where, what, fails)
        await get_channel_layer().group_send(announce.group(game.code), message)
        assert await socket.closing_code() == 1011
        await socket.disconnect()

    on_the_wire(scene)
    message = f"delivering a message to local sockets failed group=game.{game.code}"
    assert message in caplog.text


def test_what_a_client_sends_is_ignored(evening: Evening) -> None:
    game = evening.game

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq))
        await socket.opens()
        await socket.send_to(text_data='{"type": "game.moved", "seq": 99}')
        await socket.send_to(bytes_data=b"\x00" * 10_000)
        assert await socket.frames() == []
        await socket.disconnect()

    on_the_wire(scene)


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
    evening: Evening, rendering: list[object]
) -> None:
    game = evening.game

    async def scene() -> None:
        socket = Socket(path(game))
        await socket.opens()
        await _until(lambda: len(rendering) == 1)
        await socket.disconnect()
        assert rendering == []
        assert fanout._subscriptions[asyncio.get_running_loop()] == {}

    on_the_wire(scene)


def test_concurrent_first_renders_are_limited(
    evening: Evening, rendering: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base_consumer, "MAX_CONCURRENT_FIRST_RENDERS", 2)
    game = evening.game

    async def scene() -> None:
        sockets = [Socket(path(game)) for _ in range(4)]
        for socket in sockets:
            await socket.opens()
        await _until(lambda: len(rendering) == 2)
        await asyncio.sleep(0.2)
        assert len(rendering) == 2
        await sockets[3].disconnect()  # one that was still waiting
        for socket in sockets[:2]:
            await socket.disconnect()
        await _until(lambda: len(rendering) == 1)
        await sockets[2].disconnect()
        assert rendering == []

    on_the_wire(scene)


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.01)
