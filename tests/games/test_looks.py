"""Looking by request: how a page is answered that no WebSocket reaches, for each reader."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import page_identity
from games.chat import services
from games.models import Game
from games.store import versioned_lru
from perudo_site.ratelimit import local
from tests.conftest import signed_in
from tests.games.evening import CONFIRM, DUDO, Evening, bid, dealt
from tests.games.peco_peco import playing as peco_peco
from tests.games.playing import open_table
from tests.games.sockets import Socket, done, on_the_wire

pytestmark = pytest.mark.django_db(transaction=True)
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


@pytest.fixture
def evening(alice: User, bob: User) -> Evening:
    return dealt(alice, bob, hands=HANDS)


def look(client: Client, code: str, *, tag: str = "", **query: str) -> HttpResponse:
    headers = {"If-None-Match": tag} if tag else {}
    return client.get(f"/games/{code}/now", query, headers=headers)  # type: ignore[return-value]


def fragments(html: str) -> list[str]:
    """The ids of the fragments of an answer, in order."""
    return [name for name in ("table", "own", "talk") if f'id="{name}"' in html]


def test_a_look_shows_each_reader_what_their_socket_is_sent(
    evening: Evening, alice: User, bob: User
) -> None:
    """For both seats and a spectator: at the start, a bid and a reveal."""
    clients = [signed_in(alice), signed_in(bob), Client()]

    async def scene() -> None:
        for move in (None, (0, bid("3x3")), (1, DUDO), (0, CONFIRM)):
            if move is not None:
                await done(evening.says, *move)
            for client in clients:
                socket = Socket(f"/ws/games/{evening.code}?seen=&lang=en", client)
                await socket.opens()
                frame = await socket.frame()
                versioned_lru.clear_all()
                answer = await done(look, client, evening.code)
                assert answer.content.decode().startswith(frame)
                assert fragments(answer.content.decode()) == ["table", "own", "talk"]
                await socket.disconnect()

    on_the_wire(scene)


def test_a_look_at_the_other_game_is_what_a_socket_is_sent(alice: User, bob: User) -> None:
    game = peco_peco.running_game(alice, bob, "easy", "easy")
    clients = [signed_in(alice), signed_in(bob), Client()]

    async def scene() -> None:
        seen = set()
        for client in clients:
            socket = Socket(f"/ws/games/{game.code}?seen=&lang=en", client)
            await socket.opens()
            frame = await socket.frame()
            answer = await done(look, client, game.code)
            assert answer.content.decode().startswith(frame)
            seen.add(frame)
            await socket.disconnect()
        assert len(seen) == len(clients)

    on_the_wire(scene)


def test_a_look_says_nothing_of_others_dice(alice: User, bob: User) -> None:
    """The answers to one seat and to a spectator do not depend on the dice of the other seat."""
    answers: list[list[bytes]] = []
    for hands in (HANDS, (HANDS[0], (6, 6, 6, 6, 6))):
        evening = dealt(alice, bob, hands=hands)
        evening.says(0, bid("3x3"))
        answers.append(
            [
                look(client, evening.code).content.replace(evening.code.encode(), b"")
                for client in (signed_in(alice), Client())
            ]
        )
    assert answers[0] == answers[1]


def test_only_what_is_new_is_sent(evening: Evening, alice: User, bob: User) -> None:
    client = signed_in(alice)
    tag = look(client, evening.code)["ETag"]
    unchanged = look(client, evening.code, tag=tag)
    assert (unchanged.status_code, unchanged.content) == (HTTPStatus.NOT_MODIFIED, b"")
    assert look(client, evening.code, tag=f"W/{tag}").status_code == HTTPStatus.NOT_MODIFIED

    services.say(evening.game, bob, phrase="hello", text="", now=timezone.now())
    talked = look(client, evening.code, tag=tag)
    assert fragments(talked.content.decode()) == ["talk"]

    evening.says(0, bid("3x3"))
    moved = look(client, evening.code, tag=talked["ETag"])
    assert fragments(moved.content.decode()) == ["table", "own"]
    assert fragments(look(client, evening.code, tag="rubbish").content.decode()) == [
        "table",
        "own",
        "talk",
    ]


def test_a_look_is_in_the_language_of_the_page(evening: Evening) -> None:
    client = Client(headers={"Accept-Language": "fr"})
    assert "Public" in client.get("/now", {"lang": "en"}).content.decode()
    assert look(client, evening.code, lang="it").content != look(client, evening.code).content


def test_a_page_of_another_session_and_one_of_no_table_are_told_so(
    evening: Evening, alice: User
) -> None:
    client = signed_in(alice)
    tag = page_identity.of(alice, client.session)
    assert look(client, evening.code, **{"as": tag}).status_code == HTTPStatus.OK
    for path in (f"/games/{evening.code}/now", "/now"):
        for asked in ("", "f" * 16):
            assert client.get(path, {"as": asked}).status_code == HTTPStatus.CONFLICT
        assert Client().get(path, {"as": tag}).status_code == HTTPStatus.CONFLICT
    assert look(client, "nothing").status_code == HTTPStatus.NOT_FOUND
    assert client.get("/now", {"game": "chess"}).status_code == HTTPStatus.NOT_FOUND


def test_the_lobby_is_looked_at_too(alice: User, bob: User) -> None:
    client = Client()
    before = client.get("/now")
    assert client.get("/now", headers={"If-None-Match": before["ETag"]}).status_code == 304
    game = open_table(alice, bob)
    versioned_lru.clear_all()
    after = client.get("/now", headers={"If-None-Match": before["ETag"]})
    assert after.status_code == HTTPStatus.OK
    assert game.code in after.content.decode()
    assert game.code not in client.get("/now", {"game": "peco_peco"}).content.decode()


def test_looking_counts_as_watching(evening: Evening) -> None:
    Game.objects.update(watched_at=None)
    look(Client(), evening.code)
    assert Game.objects.get(pk=evening.game.pk).watched_at is not None


def test_who_looks_too_often_is_refused_and_nobody_else(
    evening: Evening, alice: User, bob: User, settings: object
) -> None:
    settings.OPENINGS_PER_PERSON = 3  # type: ignore[attr-defined]
    local.reset()
    often, other = signed_in(alice), signed_in(bob)
    statuses = [look(often, evening.code).status_code for _ in range(4)]
    assert statuses == [HTTPStatus.OK] * 3 + [HTTPStatus.TOO_MANY_REQUESTS]
    assert look(other, evening.code).status_code == HTTPStatus.OK
