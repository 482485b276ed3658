"""The lobby's consumer: it sends the list of tables when the list has changed, not more often."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from time import monotonic, sleep

import pytest
from channels.layers import get_channel_layer
from django.template import Template
from django.test import Client

from accounts.models import User
from games.live import fanout, lobby_consumer
from games.lobby import lobby_frame, table_list
from games.models import Game, TableSettings
from games.perudo.rules import KEY
from games.perudo.rules.options import SITE_OPTIONS, SITE_PRESET
from games.play import announce, before_start
from tests.support.consumer_socket import ConsumerSocket, in_thread, run_async
from tests.support.fast_games import open_table
from tests.support.game_driver import START

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _short_coalescing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_consumer, "LOBBY_COALESCE_SECONDS", 0.05)


def open_another(host: User, *, public: bool = True) -> str:
    return before_start.open_game(
        host,
        TableSettings(
            kind_key=KEY,
            preset=SITE_PRESET,
            options=SITE_OPTIONS.to_json(),
            size=3,
            turn_seconds=45,
            visibility=Game.Visibility.PUBLIC if public else Game.Visibility.LINK,
        ),
        now=START,
    ).code


def test_the_first_frame_is_the_list_that_the_page_shows(alice: User) -> None:
    code = open_table(alice, "steady").code

    async def scene() -> None:
        socket = ConsumerSocket("/ws/lobby?lang=en")
        await socket.open()
        [frame] = await socket.frames()
        assert code in frame and frame == await in_thread(lobby_frame.lobby)
        await socket.disconnect()

    run_async(scene)


def test_many_changes_at_once_make_one_frame(alice: User) -> None:
    async def scene() -> None:
        socket = ConsumerSocket("/ws/lobby?lang=en")
        await socket.open()
        await socket.frames()
        fanout.pause()
        try:
            codes = [await in_thread(open_another, alice) for _ in range(3)]
        finally:
            fanout.resume()
        [frame] = await socket.frames()
        assert all(code in frame for code in codes)
        await socket.disconnect()

    run_async(scene)


def test_a_change_that_is_not_visible_makes_no_frame(alice: User) -> None:
    async def scene() -> None:
        socket = ConsumerSocket("/ws/lobby?lang=en")
        await socket.open()
        await socket.frames()
        await in_thread(open_another, alice, public=False)
        assert await socket.frames() == []
        await socket.disconnect()

    run_async(scene)


def test_a_change_during_a_rendering_is_sent_too(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise it would show only with the next change or heartbeat."""
    opened: list[str] = []
    real = lobby_frame.lobby_in_time

    def slow(*which: str, **given: float) -> str | None:
        shown = real(*which, **given)
        if shown and len(opened) == 1:  # a table is created after this rendering, before it is sent
            opened.append(open_another(alice))
        return shown

    monkeypatch.setattr(lobby_frame, "lobby_in_time", slow)

    async def scene() -> None:
        socket = ConsumerSocket("/ws/lobby?lang=en")
        await socket.open()
        await socket.frames()
        opened.append(await in_thread(open_another, alice))
        *_, last = await socket.frames()
        assert opened[1] in last
        await socket.disconnect()

    run_async(scene)


def test_a_change_is_rendered_once_for_all_sockets(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: list[str | None] = []
    real = Template.render

    def counted(template: Template, context: object) -> str:
        rendered.append(template.name)
        return real(template, context)

    async def scene() -> None:
        sockets = [ConsumerSocket("/ws/lobby?lang=en") for _ in range(5)]
        for socket in sockets:
            await socket.open()
            await socket.frames()
        monkeypatch.setattr(Template, "render", counted)
        await in_thread(open_another, alice)
        await get_channel_layer().group_send(announce.LOBBY, {"type": "lobby.changed"})
        for socket in sockets:
            assert len(await socket.frames()) == 1
            await socket.disconnect()
        assert rendered.count("games/_tables.html") == 1

    run_async(scene)


@pytest.mark.parametrize("lasts", [0.0, 0.4])
def test_pages_and_sockets_together_render_the_list_once_a_second(
    alice: User, monkeypatch: pytest.MonkeyPatch, lasts: float
) -> None:
    """However many look at it, however often it changes, and however long a rendering lasts."""
    began: list[float] = []
    real = table_list.tables

    def timed(*which: str, now: datetime) -> dict[str, object]:
        began.append(monotonic())
        sleep(lasts)
        return real(*which, now=now)

    monkeypatch.setattr(table_list, "tables", timed)

    async def scene() -> None:
        until, sockets = monotonic() + 2.5, list[ConsumerSocket]()
        while monotonic() < until:
            sockets.append(ConsumerSocket("/ws/lobby?lang=en"))
            await sockets[-1].open()
            await get_channel_layer().group_send(announce.LOBBY, {"type": "lobby.changed"})
            for _ in range(5):
                assert (await in_thread(Client().get, "/")).status_code == 200
        code = await in_thread(open_another, alice)
        assert code in (await sockets[0].frames())[-1]
        for socket in sockets:
            await socket.disconnect()

    run_async(scene)
    pauses = [later - earlier for earlier, later in pairwise(began)]
    assert len(began) >= 3 and min(pauses) > 0.9 * lobby_frame.LOBBY_SECONDS, pauses
