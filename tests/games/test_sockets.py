"""Sockets of a table: a frame for every change, equal to what a fresh page shows, and no other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from channels.layers import get_channel_layer
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts import people
from accounts.models import User
from games import consumers, ears, listener, lobby, push, screens
from games.models import Game
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
    """Whether a page loaded now, rendered anew, shows exactly the two parts of a frame."""
    screens._shared.clear()
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
    """Through a bid, a reveal, a look and the next round, for a seat and for a spectator."""
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


def test_a_screen_that_has_it_already_is_sent_nothing(evening: Evening) -> None:
    game = evening.game

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq))
        await socket.opens()
        assert await socket.frames() == []
        await socket.disconnect()

    on_the_wire(scene)


@pytest.mark.parametrize("seen", ["", "0", "999999999", "-1", "１", "9" * 5_000, "seven"])
def test_a_screen_with_an_older_or_impossible_number_is_sent_what_is_true(
    evening: Evening, seen: str
) -> None:
    game = evening.game

    async def scene() -> None:
        socket = Socket(path(game, seen=seen))
        await socket.opens()
        assert len(await socket.frames()) == 1
        await socket.disconnect()

    on_the_wire(scene)


def test_a_change_makes_one_frame_however_often_it_is_told(evening: Evening) -> None:
    game = evening.game

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq))
        await socket.opens()
        await done(evening.says, 0, bid("3x3"))
        message = {"type": "game.moved", "seq": game.seq + 1}
        for older in (message, message, message | {"seq": 1}):
            await get_channel_layer().group_send(push.group(game.code), older)
        assert len(await socket.frames()) == 1
        await socket.disconnect()

    on_the_wire(scene)


def test_a_number_that_is_no_news_is_forgotten_without_a_look(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = evening.game

    async def looks(self: consumers.GameConsumer, seen: int) -> None:
        raise AssertionError("it asked the database")

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq))
        await socket.opens()
        assert await socket.frames() == []
        monkeypatch.setattr(consumers.GameConsumer, "_see", looks)
        for seq in (1, game.seq):
            message = {"type": "game.moved", "seq": seq}
            await get_channel_layer().group_send(push.group(game.code), message)
        assert await socket.frames() == []
        await socket.disconnect()

    on_the_wire(scene)


def test_a_message_that_was_lost_is_found_by_the_heartbeat(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = evening.game
    monkeypatch.setattr(listener, "HEARTBEAT_SECONDS", 0.3)
    monkeypatch.setattr(ears, "RENEWED_SECONDS", 0.3)

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq))
        await socket.opens()
        assert await socket.frames() == []
        get_channel_layer().groups.clear()  # the layer forgets who listens
        await done(evening.says, 0, bid("3x3"))
        assert await done(is_on_the_page, await socket.frame(), Client(), game)
        for _ in range(100):  # the ear joins again by itself, a moment before the beat or after
            if push.group(game.code) in get_channel_layer().groups:
                break
            await asyncio.sleep(0.02)
        assert len(get_channel_layer().groups[push.group(game.code)]) == 1, "it has joined again"
        await socket.disconnect()

    on_the_wire(scene)


def test_each_socket_speaks_the_language_of_its_page(evening: Evening) -> None:
    game = evening.game

    async def scene() -> None:
        for lang, spoken in (("fr", "fr"), ("it", "it"), ("xx", "en"), ("", "en")):
            socket = Socket(path(game, lang=lang))
            await socket.opens()
            frame = await socket.frame()
            await socket.disconnect()
            assert frame == await done(in_language, spoken)

    def in_language(language: str) -> str:
        screens._shared.clear()
        with translation.override(language):
            return screens.frame(game, None, user=None)

    on_the_wire(scene)


def test_people_at_an_open_table_see_each_other_come_and_go(alice: User, bob: User) -> None:
    game = open_table(alice, "steady")
    clients = [signed_in(alice), signed_in(bob)]
    lobby.remove(game.code, alice, number=1, now=EVENING)

    async def scene() -> None:
        sockets = [Socket(path(game), client) for client in clients]
        for socket in sockets:
            await socket.opens()
            await socket.frame()
        await done(lobby.sit, game.code, bob, now=EVENING)
        for socket in sockets:
            assert "bob" in await socket.frame()
        await done(lobby.remove, game.code, alice, number=1, now=EVENING)
        removed = await sockets[1].frame()
        assert reverse("games:sit", args=[game.code]) in removed
        await done(lobby.close, game.code, alice, now=EVENING)
        for socket, client in zip(sockets, clients, strict=True):
            *_, last = await socket.frames()
            assert await done(is_on_the_page, last, client, game)
            await socket.disconnect()

    on_the_wire(scene)


def test_a_socket_whose_first_look_fails_leaves_nothing_behind(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = evening.game

    async def fails(self: consumers.GameConsumer) -> None:
        raise OSError("no database")

    monkeypatch.setattr(consumers.GameConsumer, "look", fails)

    async def scene() -> None:
        socket = Socket(path(game))
        await socket.opens()
        with pytest.raises(OSError, match="no database"):
            await socket.wait(timeout=5)
        assert push.group(game.code) not in get_channel_layer().groups
        beating = [task for task in asyncio.all_tasks() if "_beat" in str(task.get_coro())]
        assert beating == []

    on_the_wire(scene)


# --- what closes a socket ------------------------------------------------------------------------


def test_a_table_that_never_was_is_accepted_and_closed_for_good(db: None) -> None:
    async def scene() -> None:
        socket = Socket("/ws/games/nothing?lang=en")
        await socket.opens()
        assert await socket.closing_code() == 4404

    on_the_wire(scene)


def sign_out(person: User, client: Client) -> None:
    Session.objects.all().delete()


def forget(person: User, client: Client) -> None:
    people.forget(person)


def new_password(person: User, client: Client) -> None:
    person.set_password("another secret altogether")
    person.save()


@pytest.mark.parametrize("ends", [sign_out, forget, new_password])
def test_a_socket_ends_with_the_session_it_came_with(
    evening: Evening, alice: User, monkeypatch: pytest.MonkeyPatch, ends: object
) -> None:
    game, client = evening.game, signed_in(alice)
    monkeypatch.setattr(listener, "HEARTBEAT_SECONDS", 0.3)

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq), client)
        await socket.opens()
        assert await socket.frames() == []
        await done(ends, alice, client)
        assert await socket.closing_code() == 4401

    on_the_wire(scene)


def test_a_stranger_has_no_session_to_lose(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = evening.game
    monkeypatch.setattr(listener, "HEARTBEAT_SECONDS", 0.05)

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq))
        await socket.opens()
        await asyncio.sleep(0.2)
        await done(evening.says, 0, bid("3x3"))
        assert await socket.frame()
        await socket.disconnect()

    on_the_wire(scene)


def test_trouble_beside_the_socket_closes_it_so_that_the_browser_comes_back(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(scope: object) -> bool:
        raise OSError("no database")

    game = evening.game
    monkeypatch.setattr(listener, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(listener, "_still_signed_in", fails)

    async def scene() -> None:
        socket = Socket(path(game, seen=game.seq))
        await socket.opens()
        assert await socket.closing_code() == 1011

    on_the_wire(scene)
    assert f"game.{game.code} failed" in caplog.text


@pytest.mark.parametrize(
    ("where", "what", "message"),
    [
        (consumers, "_look", {"type": "game.moved", "seq": 10_000}),
        (consumers, "_talks", {"type": "game.talked"}),
        (consumers.GameConsumer, "_see", {"type": "look.again"}),
    ],
)
def test_who_cannot_be_told_what_is_new_comes_back(
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
        await get_channel_layer().group_send(push.group(game.code), message)
        assert await socket.closing_code() == 1011
        await socket.disconnect()

    on_the_wire(scene)
    assert f"what was said to game.{game.code} came to nobody" in caplog.text


def test_whatever_a_socket_is_told_it_does_not_listen(evening: Evening) -> None:
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
def looking(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Who looks right now; nobody ever comes to an end with it."""
    at_it: list[object] = []

    async def look(self: consumers.GameConsumer) -> None:
        at_it.append(self)
        try:
            await asyncio.Event().wait()
        finally:
            at_it.remove(self)

    monkeypatch.setattr(consumers.GameConsumer, "look", look)
    return at_it


def test_who_goes_while_he_is_let_in_is_served_no_further(
    evening: Evening, looking: list[object]
) -> None:
    game = evening.game

    async def scene() -> None:
        socket = Socket(path(game))
        await socket.opens()
        await _until(lambda: len(looking) == 1)
        await socket.disconnect()
        assert looking == []
        assert ears._ears[asyncio.get_running_loop()] == {}

    on_the_wire(scene)


def test_a_crowd_is_let_in_a_few_at_a_time(
    evening: Evening, looking: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "AT_THE_DOOR", 2)
    game = evening.game

    async def scene() -> None:
        sockets = [Socket(path(game)) for _ in range(4)]
        for socket in sockets:
            await socket.opens()
        await _until(lambda: len(looking) == 2)
        await asyncio.sleep(0.2)
        assert len(looking) == 2
        await sockets[3].disconnect()  # who goes gives up his place in the queue, too
        for socket in sockets[:2]:
            await socket.disconnect()
        await _until(lambda: len(looking) == 1)
        await sockets[2].disconnect()
        assert looking == []

    on_the_wire(scene)


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not true():
            await asyncio.sleep(0.01)
