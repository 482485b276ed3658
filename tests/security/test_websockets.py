"""WebSocket connections: allowed origins, rate limits, and closing with the session."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from http import HTTPStatus
from time import monotonic, sleep

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.support.deployments import error_entries
from tests.support.fixtures import PASSWORD
from tests.support.live_site import LiveSite, until_closed

pytestmark = pytest.mark.real_server

NewSite = Callable[..., LiveSite]
# The socket of the lobby, and of a page that hears of nothing but its person.
PAGES = ("/ws/lobby", "/ws/person")


@pytest.fixture(autouse=True)
def nothing_breaks(shared_site: LiveSite) -> Iterator[None]:
    """Whatever these tests send, the log of the shared site has no trace in it."""
    yield
    assert error_entries(shared_site.log) == []


def refused(site: LiveSite, path: str, **headers: str | None) -> int:
    """The status with which a handshake is refused; it must be."""
    given = {"Origin": site.url} | headers
    with (
        pytest.raises(InvalidStatus) as answer,
        connect(
            site.ws_url + path,
            additional_headers={name: value for name, value in given.items() if value is not None},
        ),
    ):
        pass
    return int(answer.value.response.status_code)


def socket_of(client: httpx.Client, site: LiveSite, path: str = "/ws/lobby") -> ClientConnection:
    cookie = f"sessionid={client.cookies['sessionid']}"
    return connect(site.ws_url + path, origin=site.url, additional_headers={"Cookie": cookie})


def ending(socket: ClientConnection) -> int:
    """The closing code."""
    closed = until_closed(socket, within=5)
    assert closed.rcvd is not None
    return int(closed.rcvd.code)


# --- who may open one ----------------------------------------------------------------------------


def test_only_our_own_origin_may_open_a_socket(
    shared_site: LiveSite, subtests: pytest.Subtests
) -> None:
    for origin in [
        None,
        "",
        "null",
        "https://evil.example",
        "http://127.0.0.1:9",  # another site of this machine
        "http://127.0.0.1",
        "http://localhost",
        "http://[",
        "//",
    ]:
        for path in ["/ws/lobby", "/ws/games/nosuchtable"]:
            with subtests.test(origin=origin, path=path):
                malformed = origin in ("", "http://[", "//")
                status = HTTPStatus.BAD_REQUEST if malformed else HTTPStatus.FORBIDDEN
                assert refused(shared_site, path, Origin=origin) == status


def test_another_scheme_is_another_origin(shared_site: LiveSite) -> None:
    secure = shared_site.url.replace("http:", "https:")
    assert refused(shared_site, "/ws/lobby", Origin=secure) == HTTPStatus.FORBIDDEN


def test_a_trusted_origin_may_open_sockets_as_it_may_post(new_site: NewSite) -> None:
    site = new_site(CSRF_TRUSTED_ORIGINS="https://perudo.example")
    site.start()
    with connect(f"{site.ws_url}/ws/lobby", origin="https://perudo.example"):  # type: ignore[arg-type]
        pass
    assert refused(site, "/ws/lobby", Origin="http://perudo.example") == HTTPStatus.FORBIDDEN


def test_behind_a_proxy_the_public_origin_counts(new_site: NewSite) -> None:
    site = new_site(BEHIND_PROXIES="1", ALLOWED_HOSTS="perudo.example,127.0.0.1")
    site.start()
    told = {"X-Forwarded-Host": "perudo.example", "X-Forwarded-Proto": "https"}
    address = f"{site.ws_url}/ws/lobby"
    with connect(address, origin="https://perudo.example", additional_headers=told):  # type: ignore[arg-type]
        pass
    assert refused(site, "/ws/lobby", Origin="http://perudo.example", **told) == 403
    assert refused(site, "/ws/lobby", Origin=site.url, **told) == 403


def test_an_unknown_or_invalid_path_is_refused(
    shared_site: LiveSite, subtests: pytest.Subtests
) -> None:
    unknown = ("/ws/", "/ws/nothing", "/ws/games/", "/ws/games/a/b", "/ws/lobby/", "/", "/healthz")
    for path in (*unknown, "/ws/games/%00", "/ws/games/%ff%fe", "/ws/games/a%2Fb"):
        with subtests.test(path=path):
            assert refused(shared_site, path) == HTTPStatus.FORBIDDEN


# --- what is said on it --------------------------------------------------------------------------


def test_a_flood_of_frames_closes_the_socket(
    shared_site: LiveSite, subtests: pytest.Subtests
) -> None:
    for frame in ["", "x", b"\x00\xff", '{"type": "person.left"}']:
        with (
            subtests.test(frame=frame),
            connect(f"{shared_site.ws_url}/ws/lobby", origin=shared_site.url) as socket,
        ):
            socket.recv(timeout=10)
            with suppress(ConnectionClosed):
                for _ in range(1000):
                    socket.send(frame)
            # A client that still sends when it is cut off gets no close frame.
            farewell = until_closed(socket).rcvd
            assert farewell is None or farewell.code == 4429


def test_a_few_frames_do_no_harm(shared_site: LiveSite) -> None:
    with connect(f"{shared_site.ws_url}/ws/lobby", origin=shared_site.url) as socket:
        socket.recv(timeout=10)
        for frame in ("", "x", b"\x00\xff", "[" * 4000):
            socket.send(frame)
        assert socket.ping().wait(10)


def test_invalid_utf8_as_text_closes_the_socket(shared_site: LiveSite) -> None:
    with connect(f"{shared_site.ws_url}/ws/lobby", origin=shared_site.url) as socket:
        socket.recv(timeout=10)
        socket.send(b"\xff\xfe", text=True)
        until_closed(socket)


# --- the end of a session ------------------------------------------------------------------------


@pytest.mark.parametrize("path", PAGES)
def test_signing_out_closes_the_sockets_of_that_session_at_once(
    shared_site: LiveSite, path: str
) -> None:
    with (
        shared_site.guest() as guest,
        shared_site.guest() as another,
        socket_of(guest, shared_site, path) as mine,
        socket_of(another, shared_site, path) as theirs,
    ):
        mine.recv(timeout=10)
        guest.post("/account/logout/", data={"sure": "yes"}).raise_for_status()
        assert ending(mine) == 4401
        assert theirs.ping().wait(10)


def member(site: LiveSite, client: httpx.Client, name: str) -> None:
    form = {"username": name, "password1": PASSWORD}
    client.post("/account/signup/", data=form).raise_for_status()
    client.get("/account/")
    client.headers["X-CSRFToken"] = client.cookies["csrftoken"]


def test_a_new_password_closes_the_sockets_of_all_other_devices(shared_site: LiveSite) -> None:
    with shared_site.client() as phone, shared_site.client() as desk:
        member(shared_site, desk, "Pilar")
        phone.post("/account/login/", data={"login": "Pilar", "password": PASSWORD})
        with socket_of(phone, shared_site) as socket:
            socket.recv(timeout=10)
            new = PASSWORD + "!"
            form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
            answer = desk.post("/account/password/change/", data=form)
            assert answer.url.path == "/account/"
            assert ending(socket) == 4401


@pytest.mark.parametrize("path", PAGES)
def test_a_deleted_account_leaves_no_socket_open(shared_site: LiveSite, path: str) -> None:
    with shared_site.guest() as guest, socket_of(guest, shared_site, path) as socket:
        socket.recv(timeout=10)
        guest.post("/account/delete", data={"sure": "on"}).raise_for_status()
        assert ending(socket) == 4401


def test_sockets_close_on_every_process(new_site: NewSite, needs_redis: str) -> None:
    first = new_site(REDIS_URL=needs_redis)
    second = new_site(beside=first, REDIS_URL=needs_redis)
    first.start()
    second.start()
    with first.guest() as guest, socket_of(guest, second) as socket:
        socket.recv(timeout=10)
        guest.post("/account/logout/", data={"sure": "yes"}).raise_for_status()
        assert ending(socket) == 4401


# --- how many ------------------------------------------------------------------------------------


def test_open_sockets_are_limited_per_user_and_per_address(
    new_site: NewSite,
) -> None:
    site = new_site(SOCKETS_PER_PERSON="2", SOCKETS_PER_ADDRESS="4")
    site.start()
    with site.guest() as guest, ExitStack() as held:
        mine, theirs = (held.enter_context(ExitStack()) for _ in range(2))

        def stranger() -> ClientConnection:
            return connect(f"{site.ws_url}/ws/lobby", origin=site.url)

        for path in PAGES:
            assert mine.enter_context(socket_of(guest, site, path)).recv(timeout=10)
            assert theirs.enter_context(stranger()).recv(timeout=10)
        for one_more in (*(socket_of(guest, site, path) for path in PAGES), stranger()):
            with one_more as turned_away:
                assert ending(turned_away) == 4429
        mine.close()
        deadline = monotonic() + 10  # the server closes a socket first, then stops counting it
        while not stays_open(socket_of(guest, site)):
            assert monotonic() < deadline
            sleep(0.05)
    assert error_entries(site.log) == []


def stays_open(socket: ClientConnection) -> bool:
    """Whether the server sends something before it closes the socket."""
    with socket:
        try:
            return bool(socket.recv(timeout=10))
        except ConnectionClosed:
            return False


def test_new_sockets_are_rate_limited(new_site: NewSite) -> None:
    """Refused before it is open, so that a browser's tries grow slower instead of faster."""
    site = new_site(OPENINGS_PER_PERSON="3", OPENINGS_PER_ADDRESS="5")
    site.start()
    with site.guest() as guest:
        for _ in range(3):
            with socket_of(guest, site):
                pass
        with pytest.raises(InvalidStatus), socket_of(guest, site):
            pass
    with connect(f"{site.ws_url}/ws/lobby", origin=site.url):
        pass
    assert refused(site, "/ws/lobby") == HTTPStatus.FORBIDDEN
    assert error_entries(site.log) == []


def test_local_limits_depend_on_no_service(caplog: pytest.LogCaptureFixture) -> None:
    """They are in the memory of the process: no network, so no outage."""
    from perudo_site.ratelimit.local import allow

    with caplog.at_level(logging.DEBUG):
        assert [allow("test", "one", per_minute=2) for _ in range(3)] == [True, True, False]
        assert allow("test", "another", per_minute=2)
    assert caplog.records == []
