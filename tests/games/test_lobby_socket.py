"""The lobby's socket: the list of tables once, and again when it has changed, not more often."""

from __future__ import annotations

import pytest
from channels.layers import get_channel_layer
from django.template import Template

from accounts.models import User
from games import consumers, lobby, push, screens
from games.rules.perudo.options import SITE_OPTIONS, SITE_PRESET
from tests.games.evening import EVENING
from tests.games.playing import open_table
from tests.games.sockets import Socket, done, on_the_wire

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "LOBBY_PAUSE_SECONDS", 0.05)


def open_another(host: User, *, public: bool = True) -> str:
    return lobby.open_game(
        host,
        preset=SITE_PRESET,
        options=SITE_OPTIONS.to_json(),
        size=3,
        turn_seconds=45,
        public=public,
        now=EVENING,
    ).code


def test_the_first_frame_is_the_list_of_the_page(alice: User) -> None:
    code = open_table(alice, "steady").code

    async def scene() -> None:
        socket = Socket("/ws/lobby?lang=en")
        await socket.opens()
        [frame] = await socket.frames()
        assert code in frame and frame == await done(screens.lobby_tables)
        await socket.disconnect()

    on_the_wire(scene)


def test_many_changes_at_once_make_one_frame(alice: User) -> None:
    async def scene() -> None:
        socket = Socket("/ws/lobby?lang=en")
        await socket.opens()
        await socket.frames()
        codes = [await done(open_another, alice) for _ in range(3)]
        [frame] = await socket.frames()
        assert all(code in frame for code in codes)
        await socket.disconnect()

    on_the_wire(scene)


def test_a_change_that_does_not_show_makes_no_frame(alice: User) -> None:
    async def scene() -> None:
        socket = Socket("/ws/lobby?lang=en")
        await socket.opens()
        await socket.frames()
        await done(open_another, alice, public=False)
        assert await socket.frames() == []
        await socket.disconnect()

    on_the_wire(scene)


def test_a_change_during_a_look_is_looked_at_too(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would show only with the next one, or the next heartbeat."""
    opened: list[str] = []
    real = screens.lobby_tables

    def slow(**given: float) -> str:
        html = real(**given)
        if len(opened) == 1:  # somebody opens a table after this look, before it is sent
            opened.append(open_another(alice))
        return html

    monkeypatch.setattr(screens, "lobby_tables", slow)

    async def scene() -> None:
        socket = Socket("/ws/lobby?lang=en")
        await socket.opens()
        await socket.frames()
        opened.append(await done(open_another, alice))
        *_, last = await socket.frames()
        assert opened[1] in last
        await socket.disconnect()

    on_the_wire(scene)


def test_a_change_is_rendered_once_for_all_who_look(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: list[str | None] = []
    real = Template.render

    def counted(template: Template, context: object) -> str:
        rendered.append(template.name)
        return real(template, context)

    async def scene() -> None:
        sockets = [Socket("/ws/lobby?lang=en") for _ in range(5)]
        for socket in sockets:
            await socket.opens()
            await socket.frames()
        monkeypatch.setattr(Template, "render", counted)
        await done(open_another, alice)
        await get_channel_layer().group_send(push.LOBBY, {"type": "lobby.changed"})
        for socket in sockets:
            assert len(await socket.frames()) == 1
            await socket.disconnect()
        assert rendered.count("games/_tables.html") == 1

    on_the_wire(scene)
