"""Requests and frames that no page would send: a clear answer, and nothing is changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from html import unescape

import aiohttp
import httpx
import pytest

from games.perudo import words
from tests.support.deployments import Deployment
from tests.support.players import Answer, HttpPlayer, player_factory, wait_for
from tests.wire.scenes import NewPlayer, Scene, table_of_three

pytestmark = pytest.mark.real_server


@pytest.fixture(scope="module")
def scene(still_deployment: Deployment) -> Iterator[Scene]:
    """One table for all: nothing that is sent to it here changes it."""
    with player_factory() as new_player:
        yield table_of_three(still_deployment, new_player)


@contextmanager
def no_change(scene: Scene) -> Iterator[None]:
    """Whatever is sent meanwhile, not one row of the database is another."""
    before = scene.deployment.database.dump()
    yield
    assert scene.deployment.database.dump() == before


@pytest.fixture
def unchanged(scene: Scene) -> Iterator[None]:
    with no_change(scene):
        yield


LATER = "2100-01-01 00:00:00"


def test_only_what_time_writes_is_left_out_of_the_comparison(
    scene: Scene, subtests: pytest.Subtests
) -> None:
    """A page that is open is noted every minute, in the middle of a test too."""
    database = scene.deployment.database
    [game] = database.game(scene.code, "id")
    for column, value, compared in (
        ("games_game.watched_at", LATER, False),
        ("games_game.started_at", LATER, True),
        ("games_seat.seen_at", LATER, False),
        ("games_seat.place", 1, True),
    ):
        with subtests.test(column=column):
            table, name = column.split(".")
            key = "id" if table == "games_game" else "game_id"
            before = database.dump()
            [[stored], *_] = database.rows(f"SELECT {name} FROM {table} WHERE {key} = ?", game)  # noqa: S608
            change = f"UPDATE {table} SET {name} = ? WHERE {key} = ?"  # noqa: S608
            database.write(change, value, game)
            differs = database.dump() != before
            database.write(change, stored, game)
            assert differs is compared


SENTENCES = {
    400: "Bad request",
    403: "Please submit the form again",
    404: "Page not found",
}
MOVE = {"do": "bid", "quantity": "1", "face": "3"}

Send = Callable[[HttpPlayer, str], Answer]
REQUESTS: dict[str, tuple[Send, int]] = {
    "no token": (lambda one, at: one.request("POST", f"{at}/move", data=MOVE), 403),
    "a wrong token": (
        lambda one, at: one.request(
            "POST", f"{at}/move", data=MOVE | {"csrfmiddlewaretoken": "x" * 64, "seen": "9"}
        ),
        403,
    ),
    "a foreign origin": (
        lambda one, at: one.request(
            "POST",
            f"{at}/move",
            data=MOVE,
            headers={"Origin": "https://evil.example", "X-CSRFToken": one.client.token},
        ),
        403,
    ),
    "an unknown table": (lambda one, at: one.post("/games/nosuchtable/move", **MOVE), 404),
    "an unknown page": (lambda one, at: one.get("/games/nosuchtable"), 404),
    "an unknown action": (lambda one, at: one.post(f"{at}/cheat"), 404),
    "a null in the address": (lambda one, at: one.get("/games/%00"), 404),
    "no unicode in the address": (lambda one, at: one.get("/games/%ff%fe"), 404),
    "a way upwards": (lambda one, at: one.get("/games/..%2f..%2fetc%2fpasswd"), 404),
    "a body of three megabytes": (
        lambda one, at: one.post(f"{at}/move", **MOVE, x="9" * 3_000_000),
        400,
    ),
    "two thousand fields": (
        lambda one, at: one.post(f"{at}/move", **{f"f{n}": "1" for n in range(2_000)}),
        400,
    ),
    "a strange host": (lambda one, at: one.get(at, Host="evil.example"), 400),
}


def test_a_bad_request_gets_a_page_with_a_sentence(scene: Scene, subtests: pytest.Subtests) -> None:
    for name, (send, status) in REQUESTS.items():
        with subtests.test(name=name), no_change(scene):
            answer = send(scene.cast["speaker"], f"/games/{scene.code}")
            assert answer.status_code == status
            assert SENTENCES[status] in unescape(answer.text)
            assert "Traceback" not in answer.text and "Exception" not in answer.text


BODIES: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "application/x-www-form-urlencoded"),
    "no text": (b"do=bid&quantity=\xff\xfe&face=3", "application/x-www-form-urlencoded"),
    "a null": (b"do=bid&quantity=1%00&face=3", "application/x-www-form-urlencoded"),
    "only signs": (b"&&&===&%%%", "application/x-www-form-urlencoded"),
    "json": (json.dumps(MOVE).encode(), "application/json"),
    "a torn multipart": (
        b"--x\r\nContent-Disposition: form-data",
        "multipart/form-data; boundary=x",
    ),
    "an unknown kind": (b"\x00\x01\x02", "application/octet-stream"),
    "an unknown alphabet": (b"do=dudo", "application/x-www-form-urlencoded; charset=klingon"),
}


def test_a_body_that_is_no_form_is_refused(scene: Scene, subtests: pytest.Subtests) -> None:
    speaker = scene.cast["speaker"]
    path, token = f"/games/{scene.code}/move", speaker.client.token
    for name, (body, kind) in BODIES.items():
        headers = {"Content-Type": kind, "X-CSRFToken": token, "HX-Request": "true"}
        with subtests.test(name=name), no_change(scene):
            answer = speaker.request("POST", path, data=body, headers=headers)
            assert answer.status_code in (200, 400, 403)
            if answer.status_code == httpx.codes.OK:
                assert words.reason("malformed") in unescape(answer.text)
            else:
                assert SENTENCES[answer.status_code] in unescape(answer.text)


def test_a_multipart_body_without_boundary_does_not_even_reach_the_site(
    scene: Scene, unchanged: None
) -> None:
    """The server below Django turns it away, without a page."""
    answer = scene.cast["speaker"].request(
        "POST",
        f"/games/{scene.code}/move",
        data=b"do=dudo",
        headers={"Content-Type": "multipart/form-data"},
    )
    assert answer.status_code == httpx.codes.BAD_REQUEST


ACTIONS = (
    "move back skip new-game sit stand start close add-bot remove rematch next not-next play-on "
    "end-here find-people"
).split()


@pytest.mark.parametrize("method", "GET PUT DELETE PATCH".split())
def test_every_action_needs_post(method: str, scene: Scene, subtests: pytest.Subtests) -> None:
    speaker = scene.cast["speaker"]
    headers = {"X-CSRFToken": speaker.client.token}
    for action in ACTIONS:
        with subtests.test(action=action), no_change(scene):
            answer = speaker.request(method, f"/games/{scene.code}/{action}", headers=headers)
            assert answer.status_code == httpx.codes.METHOD_NOT_ALLOWED


def test_an_anonymous_visitor_is_sent_to_sign_in(
    scene: Scene, unchanged: None, new_player: NewPlayer
) -> None:
    stranger = new_player(scene.deployment.site, stranger=True)
    stranger.get("/account/login/")
    answer = stranger.post(f"/games/{scene.code}/move", htmx=False, **MOVE, seen=1)
    assert answer.url.path == "/account/login/"
    assert "Sign in" in answer.text


def test_without_htmx_the_refusal_stands_on_the_tables_page(scene: Scene, unchanged: None) -> None:
    waiting = scene.cast["next"]
    seen = waiting.view(scene.code).seq
    answer = waiting.post(f"/games/{scene.code}/move", htmx=False, **MOVE, seen=seen)
    assert answer.url.path == f"/games/{scene.code}"
    assert words.reason("not_your_turn") in unescape(answer.text)


def test_another_seats_move_cannot_be_made(scene: Scene, unchanged: None) -> None:
    """A seat belongs to a session; naming another's changes nothing."""
    waiting = scene.cast["next"]
    told = waiting.move(scene.code, **MOVE, seat="0", number="0", user="1")  # type: ignore[arg-type]
    assert told == words.reason("not_your_turn")


# --- sockets -------------------------------------------------------------------------------------


def test_a_socket_from_another_site_is_not_opened(scene: Scene) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        scene.cast["speaker"].listen(f"/ws/games/{scene.code}", Origin="https://evil.example")
    assert refused.value.status == httpx.codes.FORBIDDEN


@pytest.mark.parametrize("code", ["nosuchtable", "x" * 500])
def test_a_socket_of_no_table_is_closed_for_good(code: str, scene: Scene) -> None:
    socket = scene.cast["speaker"].listen(f"/ws/games/{code}")
    wait_for(lambda: socket.closed is not None, "the end of the socket")
    assert socket.closed == 4404
    assert socket.frames == []


def test_a_socket_with_odd_wishes_shows_the_table_all_the_same(
    scene: Scene, subtests: pytest.Subtests
) -> None:
    speaker = scene.cast["speaker"]
    long = "seen=" + "9" * 5_000
    for query in ("seen=-1", "seen=x", long, "seen=%ff", "lang=klingon", "seen=1&seen=2"):
        with subtests.test(query=query[:20]):
            socket = speaker.listen(f"/ws/games/{scene.code}?{query}")
            wait_for(lambda socket=socket: socket.frames, "a frame")
            assert speaker.view(scene.code).table in socket.frames[0]


GARBAGE: dict[str, str | bytes] = {
    "nothing": "",
    "words": "dudo",
    "json": json.dumps({"type": "game.moved", "seq": 10**9, **MOVE}),
    "deep json": "[" * 4_000,
    "bytes": bytes(range(256)),
}


def test_what_arrives_on_a_socket_is_not_listened_to(
    scene: Scene, subtests: pytest.Subtests
) -> None:
    socket = scene.cast["outsider"].sockets[0]
    for name, garbage in GARBAGE.items():
        with subtests.test(name=name), no_change(scene):
            heard = len(socket.frames)
            socket.send(garbage)
            assert socket.ping()
            assert len(socket.frames) == heard
            assert socket.closed is None


@pytest.mark.parametrize("size", [2_000_000, 20_000_000])
def test_a_huge_frame_ends_its_socket_and_no_other(
    size: int, scene: Scene, unchanged: None, new_player: NewPlayer
) -> None:
    rude = new_player(scene.deployment.site, stranger=True).open_page(scene.code)
    with suppress(aiohttp.ClientError, OSError):
        rude.sockets[0].send("x" * size)
    wait_for(lambda: rude.sockets[0].closed is not None, "the end of the rude one's socket")
    assert scene.cast["outsider"].sockets[0].ping()


def test_a_socket_that_sent_garbage_still_hears_the_table(
    still_deployment: Deployment, new_player: NewPlayer
) -> None:
    scene = table_of_three(still_deployment, new_player)
    watcher = scene.cast["outsider"]
    for garbage in GARBAGE.values():
        watcher.sockets[0].send(garbage)
    seq = watcher.view(scene.code).seq
    scene.bids(1, 3)
    wait_for(lambda: watcher.view(scene.code).seq > seq, "the bid")
