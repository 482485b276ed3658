"""Looking by request: how a page is answered that no WebSocket reaches, for each reader."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import page_identity
from games.models import Game
from games.peco_peco.tests import fast_games as peco_peco
from games.social.chat import talk
from games.store import versioned_lru
from perudo_site.ratelimit import local
from tests.support.consumer_socket import ConsumerSocket, in_thread, run_async
from tests.support.fast_games import open_table
from tests.support.fixtures import signed_in
from tests.support.game_driver import CONFIRM, DUDO, GameDriver, bid, deal_game

pytestmark = pytest.mark.django_db(transaction=True)
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


@pytest.fixture
def driver(alice: User, bob: User) -> GameDriver:
    return deal_game(alice, bob, hands=HANDS)


def look(client: Client, code: str, *, tag: str = "", **query: str) -> HttpResponse:
    headers = {"If-None-Match": tag} if tag else {}
    return client.get(f"/games/{code}/now", query, headers=headers)  # type: ignore[return-value]


def fragments(html: str) -> list[str]:
    """The ids of the fragments of an answer, in order."""
    return [name for name in ("table", "own", "talk") if f'id="{name}"' in html]


def test_a_look_shows_each_reader_what_their_socket_is_sent(
    driver: GameDriver, alice: User, bob: User
) -> None:
    """For both seats and a spectator: at the start, a bid and a reveal."""
    clients = [signed_in(alice), signed_in(bob), Client()]

    async def scene() -> None:
        for move in (None, (0, bid("3x3")), (1, DUDO), (0, CONFIRM)):
            if move is not None:
                await in_thread(driver.move, *move)
            for client in clients:
                socket = ConsumerSocket(f"/ws/games/{driver.code}?seen=&lang=en", client)
                await socket.open()
                frame = await socket.frame()
                versioned_lru.clear_all()
                answer = await in_thread(look, client, driver.code)
                assert answer.content.decode().startswith(frame)
                assert fragments(answer.content.decode()) == ["table", "own", "talk"]
                await socket.disconnect()

    run_async(scene)


def test_a_look_at_the_other_game_is_what_a_socket_is_sent(alice: User, bob: User) -> None:
    game = peco_peco.running_game(alice, bob, "easy", "easy")
    clients = [signed_in(alice), signed_in(bob), Client()]

    async def scene() -> None:
        seen = set()
        for client in clients:
            socket = ConsumerSocket(f"/ws/games/{game.code}?seen=&lang=en", client)
            await socket.open()
            frame = await socket.frame()
            answer = await in_thread(look, client, game.code)
            assert answer.content.decode().startswith(frame)
            seen.add(frame)
            await socket.disconnect()
        assert len(seen) == len(clients)

    run_async(scene)


def test_a_look_says_nothing_of_others_dice(alice: User, bob: User) -> None:
    """The answers to one seat and to a spectator do not depend on the dice of the other seat."""
    answers: list[list[bytes]] = []
    for hands in (HANDS, (HANDS[0], (6, 6, 6, 6, 6))):
        driver = deal_game(alice, bob, hands=hands)
        driver.move(0, bid("3x3"))
        answers.append(
            [
                look(client, driver.code).content.replace(driver.code.encode(), b"")
                for client in (signed_in(alice), Client())
            ]
        )
    assert answers[0] == answers[1]


def test_only_what_is_new_is_sent(driver: GameDriver, alice: User, bob: User) -> None:
    client = signed_in(alice)
    tag = look(client, driver.code)["ETag"]
    unchanged = look(client, driver.code, tag=tag)
    assert (unchanged.status_code, unchanged.content) == (HTTPStatus.NOT_MODIFIED, b"")
    assert look(client, driver.code, tag=f"W/{tag}").status_code == HTTPStatus.NOT_MODIFIED

    talk.say(driver.game, bob, phrase="hello", text="", now=timezone.now())
    talked = look(client, driver.code, tag=tag)
    assert fragments(talked.content.decode()) == ["talk"]

    driver.move(0, bid("3x3"))
    moved = look(client, driver.code, tag=talked["ETag"])
    assert fragments(moved.content.decode()) == ["table", "own"]
    assert fragments(look(client, driver.code, tag="rubbish").content.decode()) == [
        "table",
        "own",
        "talk",
    ]


def test_a_look_is_in_the_language_of_the_page(driver: GameDriver) -> None:
    client = Client(headers={"Accept-Language": "fr"})
    assert "Public" in client.get("/now", {"lang": "en"}).content.decode()
    assert look(client, driver.code, lang="it").content != look(client, driver.code).content


def test_a_page_of_another_session_and_one_of_no_table_are_told_so(
    driver: GameDriver, alice: User
) -> None:
    client = signed_in(alice)
    tag = page_identity.of(alice, client.session)
    assert look(client, driver.code, **{"as": tag}).status_code == HTTPStatus.OK
    for path in (f"/games/{driver.code}/now", "/now"):
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


def test_looking_counts_as_watching(driver: GameDriver) -> None:
    Game.objects.update(watched_at=None)
    look(Client(), driver.code)
    assert Game.objects.get(pk=driver.game.pk).watched_at is not None


def test_who_looks_too_often_is_refused_and_nobody_else(
    driver: GameDriver, alice: User, bob: User, settings: object
) -> None:
    settings.OPENINGS_PER_PERSON = 3  # type: ignore[attr-defined]
    local.reset()
    often, other = signed_in(alice), signed_in(bob)
    statuses = [look(often, driver.code).status_code for _ in range(4)]
    assert statuses == [HTTPStatus.OK] * 3 + [HTTPStatus.TOO_MANY_REQUESTS]
    assert look(other, driver.code).status_code == HTTPStatus.OK
