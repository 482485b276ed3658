"""Streamed downloads of user data: bounded memory, and no other request waits."""

from __future__ import annotations

import json
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from statistics import median

import httpx
import pytest

from tests.support.fixtures import PASSWORD
from tests.support.live_site import LiveSite
from tests.support.players import wait_for

pytestmark = pytest.mark.real_server

GAMES, ROUNDS = 1_500, 20  # of some 3 KB each
FEW_GAMES, MOST_GAMES = 500, 5_000
ROOM = 40  # MB
SIGN_IN_SECONDS = 5  # on a busy machine; alone it takes a fifth of a second


def with_many_games(site: LiveSite, guest: httpx.Client, *, games: int = GAMES) -> str:
    """The guest starts a game, and has finished so many others like it. The guest's cookies."""
    assert "/games/" in guest.post("/play-now", data={"bots": "5"}).url.path
    with closing(sqlite3.connect(site.folder / "db.sqlite3", timeout=30)) as books, books:
        [game] = books.execute("SELECT max(id) FROM games_game").fetchone()
        others = {"code": "'copy' || n", "status": "'finished'", "due_at": "NULL"}
        counted = f"(SELECT n FROM numbers LIMIT {games})"  # noqa: S608
        copy(books, "games_game", others, counted, f"id = {game}")
        copied = "(SELECT id other FROM games_game WHERE code LIKE 'copy%')"
        others = {"game_id": "other", "live": "0", "place": "number + 1"}
        copy(books, "games_seat", others, copied, f"game_id = {game}")
        books.execute(
            f"{numbers(ROUNDS)} INSERT INTO games_round (game_id, number, seq, opener_id,"  # noqa: S608
            " bidder_id, quantity, face, call, caller_id, count, loser_id, hands)"
            " SELECT game_id, n, 4 * n, id, id, 5, 3, 'dudo', id, 4, id, ?"
            " FROM games_seat, numbers WHERE number = 0 AND live = 0",
            [json.dumps([[1, 2, 3, 4, 5]] * 6)],
        )
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in guest.cookies.jar)


def numbers(most: int) -> str:
    """The beginning of a statement that counts from 1 in a table `numbers`."""
    counting = "SELECT 1 UNION ALL SELECT n + 1 FROM numbers"
    return f"WITH RECURSIVE numbers(n) AS ({counting} LIMIT {most}) "


def copy(
    books: sqlite3.Connection, table: str, others: dict[str, str], times: str, where: str
) -> None:
    """Copy rows of a table for each row of `times`, with other values in some columns."""
    rows = books.execute(f"PRAGMA table_info({table})").fetchall()
    columns = [name for _, name, *_ in rows if name != "id"]
    values = ", ".join(others.get(name, name) for name in columns)
    books.execute(
        f"{numbers(MOST_GAMES)} INSERT INTO {table} ({', '.join(columns)}) "  # noqa: S608
        f"SELECT {values} FROM {table}, {times} WHERE {where}"
    )


def asked(site: LiveSite, cookies: str) -> socket.socket:
    """A download that has begun, on a connection that takes little at a time."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.settimeout(60)
    line.connect(("127.0.0.1", site.port))
    line.sendall(
        f"GET /account/data HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookies}\r\n"
        "Connection: close\r\n\r\n".encode()
    )
    assert line.recv(12) == b"HTTP/1.1 200"
    return line


def rest(line: socket.socket) -> bytes:
    """What still comes on a line, until it ends or breaks."""
    parts = []
    try:
        while part := line.recv(65_536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


@pytest.fixture
def player(live_site: LiveSite) -> Iterator[str]:
    """The cookies of a guest with many games."""
    with live_site.guest() as guest:
        yield with_many_games(live_site, guest)


@pytest.mark.slow
def test_four_stalled_downloads_delay_no_other_request(live_site: LiveSite, player: str) -> None:
    before = live_site.forget_peak()
    with ExitStack() as opened:
        lines = [opened.enter_context(closing(asked(live_site, player))) for _ in range(4)]
        with live_site.client() as other:
            words = {"username": "otherone", "password1": PASSWORD}
            assert other.get("/rules").status_code == 200
            grown = live_site.peak - before  # signing up needs memory of its own
            answer = other.post("/account/signup/", data=words, timeout=60)
            assert answer.url.path == "/account/welcome"
            copy = other.get("/account/data", timeout=60).json()
            assert copy["account"]["name"] == "otherone"
            assert copy["games"] == []
        assert grown < ROOM
        read = [rest(line) for line in lines]
    for answer in read:
        for game in (1, GAMES // 2, GAMES):
            assert answer.count(f'"code": "copy{game}"'.encode()) == 1


@pytest.mark.slow
def test_a_long_download_needs_no_more_memory_than_a_short_one(
    live_site: LiveSite, player: str
) -> None:
    before = live_site.forget_peak()
    with httpx.Client(base_url=live_site.url, headers={"Cookie": player}, timeout=60) as guest:
        answer = guest.get("/account/data")
        assert live_site.peak - before < ROOM
    games = answer.json()["games"]
    assert {game["code"] for game in games if game["status"] == "finished"} == {
        f"copy{number}" for number in range(1, GAMES + 1)
    }
    assert {len(game["rounds"]) for game in games if game["status"] == "finished"} == {ROUNDS}
    assert len(answer.content) > 2_000 * GAMES


@pytest.mark.long
def test_a_download_of_5000_games_needs_the_memory_of_one_of_500(
    new_site: Callable[..., LiveSite],
) -> None:
    """Four at a time, read as fast as they come; meanwhile somebody else signs in."""
    needed: list[int] = []
    for games in (FEW_GAMES, MOST_GAMES):
        site = new_site()
        site.start()
        with site.client() as other:
            words = {"username": "otherone", "password1": PASSWORD}
            assert other.post("/account/signup/", data=words).url.path == "/"
        with site.guest() as guest, ThreadPoolExecutor(4) as readers:
            cookies = {"Cookie": with_many_games(site, guest, games=games)}
            before, began = site.forget_peak(), time.monotonic()
            copies = [readers.submit(length_of_copy, site, cookies) for _ in range(4)]
            waits = []
            while len(waits) < 5:  # an address may do so thirty times a minute
                waits.append(seconds_to_sign_in(site))
            lengths = {copy.result() for copy in copies}
            needed.append(site.peak)
        print(
            f"{games} games: 4 × {min(lengths) / 1e6:.1f} MB in {time.monotonic() - began:.1f} s; "
            f"memory {before} MB, at most {needed[-1]} MB; signing in meanwhile took "
            f"{median(waits):.2f} s, at most {max(waits):.2f} s ({len(waits)} times)"
        )
        assert min(lengths) > 2_000 * games
        assert max(waits) < SIGN_IN_SECONDS
    print(f"memory of {MOST_GAMES} games to that of {FEW_GAMES}: {needed[1] / needed[0]:.2f}")
    assert needed[1] / needed[0] < 1.15


def length_of_copy(site: LiveSite, cookies: dict[str, str]) -> int:
    with httpx.stream("GET", f"{site.url}/account/data", headers=cookies, timeout=120) as answer:
        answer.raise_for_status()
        return sum(map(len, answer.iter_bytes()))


def seconds_to_sign_in(site: LiveSite) -> float:
    """From the press to the page, for somebody who has the form open."""
    with site.client() as other:
        began = time.monotonic()
        answer = other.post("/account/login/", data={"login": "otherone", "password": PASSWORD})
        assert answer.url.path == "/"
        return time.monotonic() - began


def test_a_client_that_stops_reading_is_disconnected(new_site: Callable[..., LiveSite]) -> None:
    site = new_site(DJANGO_SETTINGS_MODULE="tests.support.short_timeouts")
    site.start()
    with site.guest() as guest, closing(asked(site, with_many_games(site, guest))) as line:
        wait_for(lambda: "reason=client_stalled" in site.log, "the end of patience")
        assert not rest(line).endswith(b"}\n\r\n0\r\n\r\n")
        assert guest.get("/account/data", timeout=60).json()["games"]
