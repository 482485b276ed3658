"""What a client offers and the site does not know is declined, and the rest is served."""

from __future__ import annotations

import base64
import socket

import pytest
from websockets.sync.client import connect

from tests.support.deployments import error_entries
from tests.support.live_site import PATIENCE, LiveSite

pytestmark = pytest.mark.real_server

HANDSHAKE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": base64.b64encode(b"sixteen bytes...").decode(),
}
Lines = list[tuple[str, str]]
EXTENSIONS = "Sec-WebSocket-Extensions"
DEFLATE = "permessage-deflate"


def answered(site: LiveSite, path: str, lines: Lines) -> str:
    """The head of the answer to a GET with these headers."""
    headers = [("Host", site.url.removeprefix("http://")), *lines]
    head = "".join(f"{name}: {value}\r\n" for name, value in headers)
    with socket.create_connection(("127.0.0.1", site.port), PATIENCE) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1"))
        said = b""
        while b"\r\n\r\n" not in said:
            more = line.recv(65_536)
            assert more, said
            said += more
    return said.split(b"\r\n\r\n")[0].decode("latin-1")


def test_a_handshake_with_unknown_offers_is_accepted_without_them(
    shared_site: LiveSite, subtests: pytest.Subtests
) -> None:
    for offered, compresses in [
        ([(EXTENSIONS, f"{DEFLATE}; of_tomorrow=1")], False),
        ([(EXTENSIONS, f"{DEFLATE}; of_tomorrow=1, {DEFLATE}")], True),
        ([(EXTENSIONS, f"{DEFLATE}; server_max_window_bits=99")], False),
        ([(EXTENSIONS, f"{DEFLATE}; client_max_window_bits=many, {DEFLATE}")], True),
        ([(EXTENSIONS, f"{DEFLATE}; server_max_window_bits=9; server_max_window_bits=9")], False),
        ([(EXTENSIONS, f"x-webkit-mux, {DEFLATE}; client_max_window_bits")], True),
        ([(EXTENSIONS, "permessage-zstd; level=3"), (EXTENSIONS, DEFLATE)], True),
        ([(EXTENSIONS, "permessage-bzip2; max_compress_level=x")], False),
        ([(EXTENSIONS, ",;=, ;;")], False),
        ([("Sec-WebSocket-Protocol", "chat, superchat")], False),
        ([("Sec-WebSocket-Protocol", "chat, chat")], False),
        ([("Sec-WebSocket-Protocol", "chat"), ("Sec-WebSocket-Protocol", "soap")], False),
        ([("Sec-WebSocket-Protocol", "th\xe9")], False),
        ([("Upgrade", "h2c, websocket"), ("X-Of-Tomorrow", "yes")], False),
    ]:
        with subtests.test(offered=offered):
            named = {name for name, _ in offered}
            plain = [each for each in HANDSHAKE.items() if each[0] not in named]
            head = answered(
                shared_site, "/ws/lobby", [("Origin", shared_site.url), *plain, *offered]
            )
            assert head.startswith("HTTP/1.1 101"), head
            assert (f"{EXTENSIONS.lower()}: {DEFLATE}" in head.lower()) == compresses, head
            assert "sec-websocket-protocol" not in head.lower()
            assert error_entries(shared_site.log) == []


def test_a_page_is_served_whatever_else_is_offered(
    shared_site: LiveSite, subtests: pytest.Subtests
) -> None:
    for offered in [
        [("Accept", "application/of-tomorrow")],
        [("Accept", "text/html;q=a lot, */*;;;")],
        [("Accept-Language", "tlh, x-pig-latin;q=2, *;q=none, ,;")],
        [("Accept-Encoding", "zstd, dcb;q=x, br;q=-1")],
        [("Accept-Charset", "klingon")],
        [("Connection", "Upgrade, HTTP2-Settings"), ("Upgrade", "h2c"), ("HTTP2-Settings", "AA")],
        [("Upgrade", "TLS/9.9"), ("Connection", "upgrade")],
        [("TE", "trailers, of-tomorrow"), ("Prefer", "respond-async")],
        [("Range", "furlongs=1-2"), ("If-None-Match", "nonsense"), ("If-Modified-Since", "soon")],
        [("Sec-WebSocket-Extensions", "of-tomorrow"), ("Sec-Fetch-Mode", "of-tomorrow")],
        [("Cookie", "django_language=tlh; sessionid=; =; ;;")],
    ]:
        for path in ["/rules", "/"]:
            with subtests.test(offered=offered, path=path):
                head = answered(shared_site, path, offered)
                assert head.startswith("HTTP/1.1 200"), head
                assert error_entries(shared_site.log) == []


def test_unknown_messages_fields_and_parameters_are_passed_over(shared_site: LiveSite) -> None:
    with shared_site.guest() as guest:
        form = {"game": "perudo", "bots": "2", "of_tomorrow": "yes", "seats[]": "9"}
        answer = guest.post("/play-now?of=tomorrow", data=form)
        assert answer.status_code == 200 and answer.url.path.startswith("/games/")
        code = answer.url.path.removeprefix("/games/")
        with connect(
            f"{shared_site.ws_url}/ws/games/{code}?lang=tlh&of=tomorrow&seen=all",
            origin=shared_site.url,  # type: ignore[arg-type]
            additional_headers={"Cookie": f"sessionid={guest.cookies['sessionid']}"},
        ) as page:
            assert "<section" in str(page.recv(timeout=PATIENCE))
            for said in ("subscribe", '{"type": "of.tomorrow"}', b"\x01", "movement", "look now"):
                page.send(said)
            page.send("ping")
            while not str(page.recv(timeout=PATIENCE)).startswith("<!-- now"):
                pass
    assert error_entries(shared_site.log) == []
