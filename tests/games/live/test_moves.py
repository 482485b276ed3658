"""Moves over the socket of a table: done as by a POST, answered once, never by the wrong person."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import lifecycle
from accounts.models import User
from games.live import moves
from games.live.base_consumer import CLOSE_SIGNED_OUT
from games.models import Game
from tests.support.consumer_socket import ConsumerSocket, in_thread, run_async
from tests.support.fixtures import signed_in
from tests.support.game_driver import GameDriver, deal_game

pytestmark = pytest.mark.django_db(transaction=True)
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
BID = {"do": "bid", "quantity": "3", "face": "5"}


@pytest.fixture
def driver(alice: User, bob: User) -> GameDriver:
    return deal_game(alice, bob, hands=HANDS)


def now_ms() -> int:
    return int(1000 * time.time())


class Page:
    """A page of the table in the browser of somebody, who moves over its socket."""

    def __init__(
        self, game: Game, client: Client | None, *, lang: str = "en", view: str = ""
    ) -> None:
        self.socket = ConsumerSocket(f"/ws/games/{game.code}{view}?lang={lang}", client)
        self.asked = 0

    async def open(self) -> Page:
        await self.socket.open()
        await self.socket.frame()
        return self

    async def say(self, fields: dict[str, Any]) -> None:
        await self.socket.send_to(text_data=moves.MOVE + urlencode(fields))

    async def answer(self) -> dict[str, Any]:
        """The next answer; frames and heartbeats are passed over."""
        while not (text := await self.socket.receive_from(timeout=10)).startswith("{"):
            pass
        return dict(json.loads(text))

    async def move(self, *, at: int | None = None, **fields: Any) -> dict[str, Any]:
        self.asked += 1
        await self.say({"n": self.asked, "at": now_ms() if at is None else at} | fields)
        answered = await self.answer()
        assert answered.pop("n") == self.asked
        return answered


def played(game: Game, client: Client | None, scene: Callable[[Page], Any], **page: Any) -> None:
    """Run what somebody does on their page, from a socket that shows the table."""

    async def run() -> None:
        opened = await Page(game, client, **page).open()
        await scene(opened)
        await opened.socket.disconnect()

    run_async(run)


def seq(game: Game) -> int:
    return Game.objects.values_list("seq", flat=True).get(pk=game.pk)


def test_a_move_is_stored_answered_and_shown(driver: GameDriver, alice: User) -> None:
    game = driver.game
    before = game.seq

    async def scene(page: Page) -> None:
        assert await page.move(seen=before, **BID) == {"seq": before + 1}
        assert await in_thread(seq, game) == before + 1
        frame = await page.socket.frame()
        assert f'data-seq="{before + 1}"' in frame

    played(game, signed_in(alice), scene)


def test_a_bid_takes_three_statements(driver: GameDriver, alice: User, bob: User) -> None:
    """One asks whether the person may act; the others write the move and the game."""
    game = driver.game

    def answered(person: User, seen: int, bid: dict[str, str]) -> dict[str, Any]:
        who = {"user": person, "session": signed_in(person).session}
        said = moves.MOVE + urlencode({"n": 1, "at": now_ms(), "seen": seen} | bid)
        with CaptureQueriesContext(connection) as captured:
            answer = moves.answer(moves.MoveRequest.of(said), game.code, who, language="en")
        statements = [each["sql"] for each in captured]
        work.append([each for each in statements if not each.startswith(("BEGIN", "COMMIT"))])
        return answer

    work: list[list[str]] = []
    assert answered(alice, game.seq, BID) == {"n": 1, "seq": game.seq + 1}  # reads the table
    higher = BID | {"quantity": "4"}
    assert answered(bob, game.seq + 1, higher) == {"n": 1, "seq": game.seq + 2}
    assert [each.split()[0] for each in work[1]] == ["SELECT", "INSERT", "UPDATE"]


@pytest.mark.parametrize(
    ("lang", "fields", "says"),
    [
        ("en", {"quantity": "1", "face": "1", "seen": "{seq}"}, "can't open this round on pacos"),
        ("fr", {"seen": "0"}, "Trop tard"),
        ("en", {"seen": "x"}, "Choose a number"),
        ("en", {"seen": "{seq}", "do": "steal"}, "Choose a number"),
    ],
)
def test_a_refused_move_says_why_and_changes_nothing(
    driver: GameDriver, alice: User, lang: str, fields: dict[str, str], says: str
) -> None:
    game = driver.game
    before = seq(game)
    asked = BID | {name: value.format(seq=before) for name, value in fields.items()}

    async def scene(page: Page) -> None:
        answered = await page.move(**asked)
        assert list(answered) == ["notice"]
        assert says in answered["notice"]

    played(game, signed_in(alice), scene, lang=lang)
    assert seq(game) == before


def test_what_lay_in_a_buffer_for_long_is_too_late(driver: GameDriver, alice: User) -> None:
    """A page that heard nothing has given up and looked: its reader may have pressed again."""
    game = driver.game
    before = seq(game)

    async def scene(page: Page) -> None:
        for at in (now_ms() - moves.LATEST_MS - 1_000, 0):
            answered = await page.move(at=at, seen=before, **BID)
            assert "Too late" in answered["notice"]
        assert (await page.move(at=now_ms() - 3_000, seen=before, **BID)) == {"seq": before + 1}

    played(game, signed_in(alice), scene)


def test_what_makes_no_sense_is_answered_and_changes_nothing(
    driver: GameDriver, alice: User, subtests: pytest.Subtests
) -> None:
    game = driver.game
    before = seq(game)

    for said in [
        "",
        "n=1",
        "at=1",
        "n=x&at=1",
        "n=1&at=-1",
        "n=1&at=1e9",
        f"n={'9' * 4000}&at=1",
        "n=²&at=1",
    ]:
        with subtests.test(said=said):

            async def scene(page: Page, said: str = said) -> None:
                await page.socket.send_to(text_data=f"{moves.MOVE}{said}&do=bid&quantity=3&face=5")
                assert await page.answer() == {"n": None, "status": 400}

            played(game, signed_in(alice), scene)
            assert seq(game) == before


def sign_out(client: Client, person: User) -> None:
    Session.objects.filter(session_key=client.session.session_key).delete()


def suspend(client: Client, person: User) -> None:
    lifecycle.ban(person)


def new_password(client: Client, person: User) -> None:
    person.set_password("eleven parrots in a hat")
    person.save()


@pytest.mark.parametrize("ended", [sign_out, suspend, new_password])
def test_nobody_moves_with_a_session_that_has_ended(
    driver: GameDriver, alice: User, ended: Callable[[Client, User], None]
) -> None:
    """Also when the message that closes their sockets is late or lost."""
    game, client = driver.game, signed_in(alice)
    before = seq(game)

    async def scene(page: Page) -> None:
        await in_thread(ended, client, alice)
        await page.say({"n": 1, "at": now_ms(), "seen": before} | BID)
        assert await page.socket.close_code() == CLOSE_SIGNED_OUT

    played(game, client, scene)
    assert seq(game) == before


def test_who_is_not_seated_or_not_signed_in_moves_nothing(
    driver: GameDriver,
) -> None:
    game = driver.game
    before = seq(game)

    async def watches(page: Page) -> None:
        assert "not at this table" in (await page.move(seen=before, **BID))["notice"]

    async def visits(page: Page) -> None:
        assert await page.move(seen=before, **BID) == {"post": True}

    played(game, signed_in(User.objects.create_user("carol")), watches)
    played(game, None, visits)
    assert seq(game) == before


def test_a_page_of_another_session_moves_nothing(
    driver: GameDriver, alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    """Its socket is refused; what it sends all the same is not heard."""
    game, client = driver.game, signed_in(alice)
    before = seq(game)

    async def scene() -> None:
        socket = ConsumerSocket(f"/ws/games/{game.code}?as=another", client)
        await socket.open()
        said = urlencode({"n": 1, "at": now_ms(), "seen": before} | BID)
        await socket.send_to(text_data=moves.MOVE + said)
        assert await socket.close_code() == CLOSE_SIGNED_OUT
        assert await socket.receive_nothing(timeout=0.5)
        await socket.disconnect()

    run_async(scene)
    assert seq(game) == before
    assert "Traceback" not in caplog.text


def test_nobody_moves_from_a_big_screen(driver: GameDriver, alice: User) -> None:
    game = driver.game
    before = seq(game)

    async def scene(page: Page) -> None:
        await page.say({"n": 1, "at": now_ms(), "seen": before} | BID)
        await page.socket.send_to(text_data="ping")
        while text := await page.socket.receive_from(timeout=10):
            assert not text.startswith("{")

    played(game, signed_in(alice), scene, view="/board")
    assert seq(game) == before


def test_moves_count_as_posts(driver: GameDriver, alice: User, settings: Any) -> None:
    settings.POSTS_PER_PERSON = 2
    game = driver.game

    async def scene(page: Page) -> None:
        for _ in range(2):
            assert "notice" in await page.move(seen=0, **BID)
        assert await page.move(seen=game.seq, **BID) == {"status": 429}

    played(game, signed_in(alice), scene)
    assert seq(game) == game.seq


def test_a_process_that_is_about_to_stop_lets_the_page_post(
    driver: GameDriver, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = driver.game
    before = seq(game)

    async def scene(page: Page) -> None:
        monkeypatch.setattr(moves, "_is_stopping", True)
        assert await page.move(seen=before, **BID) == {"post": True}
        monkeypatch.undo()
        assert await page.move(seen=before, **BID) == {"seq": before + 1}

    played(game, signed_in(alice), scene)


@pytest.mark.parametrize(("error", "status"), [(OperationalError, 503), (ZeroDivisionError, 500)])
def test_what_fails_is_answered_and_logged_without_what_was_bid(
    driver: GameDriver,
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: type[Exception],
    status: int,
) -> None:
    game = driver.game

    def fail(*given: object, **named: object) -> None:
        raise error

    async def scene(page: Page) -> None:
        monkeypatch.setattr(moves, "act", fail)
        assert await page.move(seen=game.seq, **BID) == {"status": status}
        monkeypatch.undo()
        assert "seq" in await page.move(seen=game.seq, **BID)

    played(game, signed_in(alice), scene)
    assert "move over a socket failed" in caplog.text
    assert "quantity" not in caplog.text


def test_who_leaves_is_sent_home(driver: GameDriver, alice: User) -> None:
    async def scene(page: Page) -> None:
        assert await page.move(do="leave") == {"go": "/"}

    played(driver.game, signed_in(alice), scene)
