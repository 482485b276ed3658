"""Compressed frames as clients inflate them, what is offered, and who may not abuse it."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any, cast

import pytest
from autobahn.websocket.compress import PerMessageDeflateOffer
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from perudo_site.server import deflate
from tests.support.autopilot import seeded
from tests.support.deployments import error_entries
from tests.support.live_site import STAMP, LiveSite, until_closed
from tests.support.players import HttpPlayer, player_factory

END = b"\x00\x00\xff\xff"  # which RFC 7692 leaves out of each message


class Line:
    """What a client makes of the messages of one socket."""

    def __init__(self, table: deflate.Table, *, plays: bool = True) -> None:
        self.packer, self.plays = deflate.Packer(table), plays
        self.inflater = zlib.decompressobj(-15)

    def received(self, shared: bytes, own: bytes) -> int:
        """The bytes on the line; they must say what was sent."""
        time = b"<!-- now 1234567890123 -->"
        payload = self.packer.packed(shared, own, time, is_secret=self.plays)
        assert payload is not None
        told = self.inflater.decompress(payload + END)
        assert told.startswith(shared)
        assert told[len(shared) :].lstrip(b" ") == own + time
        return len(payload)


@pytest.fixture(autouse=True)
def nobody_plays_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deflate.Packer, "seats", 0)


def text(chance: random.Random, most: int) -> bytes:
    """Some of few words, with letters of several bytes."""
    words = "".join(chance.choices(["<li>", "</li>", "Zoë", "3 × 4", "€", " "], k=most))
    return f"<p>{words}".encode()


@pytest.mark.parametrize("level", [1, 6, 9])
def test_clients_inflate_what_was_sent_whenever_they_came(level: int) -> None:
    """Some are new, some miss frames, some are sent one twice; all of one table."""
    chance, table = seeded(level), deflate.Table(level)
    lines = [Line(table, plays=number % 3 > 0) for number in range(6)]
    for _ in range(80):
        shared = text(chance, chance.choice((1, 50, 5000)))
        watching = text(chance, 100)
        for place, line in enumerate(lines):
            if chance.random() < 0.1:
                lines[place] = line = Line(table, plays=line.plays)
            own = text(chance, chance.choice((1, 300, 900))) if line.plays else watching
            for _ in range(chance.choice((0, 1, 1, 1, 1, 2))):
                line.received(shared, own)


def test_a_frame_much_like_the_last_one_costs_little_once_all_have_one() -> None:
    chance, table = seeded(3), deflate.Table(6)
    numbers = "".join(f"<li>{chance.randrange(10**6)}</li>" for _ in range(800)).encode()
    shared, own = numbers[:9000], numbers[9000:]
    lines = [Line(table) for _ in range(3)]
    first = [line.received(shared, own) for line in lines]
    second = [line.received(shared + b"1", own + b"1") for line in lines]
    assert max(second) < 0.25 * min(first)
    newcomer = Line(table)
    assert newcomer.received(shared + b"1", own) > 0.5 * first[0]
    third = [line.received(shared + b"2", own + b"2") for line in (*lines, newcomer)]
    fourth = [line.received(shared + b"3", own + b"3") for line in (*lines, newcomer)]
    assert max(fourth) < 0.25 * min(first) < 0.5 * min(third)


def test_what_all_see_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    flushed = deflate._flushed
    monkeypatch.setattr(
        deflate, "_flushed", lambda packer, text: written.append(len(text)) or flushed(packer, text)
    )
    table = deflate.Table(6)
    lines = [Line(table, plays=False) for _ in range(50)]
    for shared in (b"<p>one", b"<p>other"):
        for line in lines:
            line.received(shared, b"<i>watching" + shared)
    assert len(written) == 2 * 3


def test_too_many_sockets_and_too_long_a_frame_do_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deflate, "MOST_SEATS", 2)
    monkeypatch.setattr(deflate, "MOST_TABLES", 1)
    one, two, three = (deflate.Packer.at("a table", 6) for _ in range(3))
    assert one and two and three and one.table is three.table
    assert deflate.Packer.at("another table", 6) is None
    hers = {"shared": b"<p>", "own": b"<i>", "time": b"now", "is_secret": True}
    assert one.packed(**hers) and two.packed(**hers)
    assert three.packed(**hers) is None
    assert three.packed(**hers | {"is_secret": False}) is not None
    assert one.packed(**hers | {"own": b"x" * deflate.OWN_BYTES}) is None
    two.close()
    assert three.packed(**hers) is not None
    del one, two, three
    assert deflate.Packer.at("another table", 6) is not None


def test_the_filling_is_of_any_number_of_bytes_and_says_nothing() -> None:
    lengths = set()
    for _ in range(20 * deflate.MOST_RANDOM):
        filling = deflate._filling()
        assert zlib.decompressobj(-15).decompress(filling) == b""
        assert filling.endswith(END)
        lengths.add(len(filling))
    assert lengths == set(range(20, 20 + deflate.MOST_RANDOM))


def test_an_offer_is_taken_that_leaves_us_our_windows_and_contexts() -> None:
    first = PerMessageDeflateOffer(request_no_context_takeover=True)
    second = PerMessageDeflateOffer(request_max_window_bits=12)
    third = PerMessageDeflateOffer(accept_max_window_bits=True)
    taken = deflate.accept([first, second, third])
    assert taken is not None and taken.offer is third
    assert "client_max_window_bits=10" in taken.get_extension_string()
    assert deflate.accept([first, second]) is deflate.accept([]) is None
    plain = deflate.accept([PerMessageDeflateOffer(accept_max_window_bits=False)])
    assert plain is not None and "window" not in plain.get_extension_string()


# --- at a real server ----------------------------------------------------------------------------


@pytest.fixture
def host(shared_site: LiveSite) -> Iterator[HttpPlayer]:
    with player_factory() as new_player:
        yield new_player(shared_site)


@pytest.fixture
def on_the_line(monkeypatch: pytest.MonkeyPatch) -> list[tuple[bool, int]]:
    """Of each frame that a client of this test receives: whether it is compressed, its bytes."""
    seen: list[tuple[bool, int]] = []
    inflate = PerMessageDeflate.decode

    def decode(self: PerMessageDeflate, frame: Frame, **options: Any) -> Frame:
        if frame.opcode is Opcode.TEXT:
            seen.append((frame.rsv1, len(frame.data)))
        return inflate(self, frame, **options)

    monkeypatch.setattr(PerMessageDeflate, "decode", decode)
    return seen


def look(host: HttpPlayer, path: str, **options: Any) -> list[str]:
    """What a socket is sent when it has opened, up to the first heartbeat."""
    cookies = "; ".join(f"{name}={value}" for name, value in host.client.cookies.items())
    with connect(
        host.site.ws_url + path,
        origin=cast(Any, host.site.url),
        additional_headers={"Cookie": cookies},
        **options,
    ) as line:
        told = [str(line.recv(timeout=10))]
        while STAMP.sub("", told[-1]):
            told.append(str(line.recv(timeout=10)))
        return told[:-1]


def running_table(host: HttpPlayer) -> str:
    code = host.open_table(size=2)
    for action in ({"name": "add-bot", "kind": "steady"}, {"name": "start"}):
        assert host.action(code, **action) == ""
    return code


def test_frames_are_compressed_and_nothing_else(
    host: HttpPlayer, on_the_line: list[tuple[bool, int]]
) -> None:
    path = f"/ws/games/{running_table(host)}"
    frames = [each for each in look(host, path) if 'id="own"' in each]
    packed = [size for is_packed, size in on_the_line if is_packed]
    assert len(packed) == len(frames) == 1
    assert packed[0] < 0.5 * len(frames[0])
    assert len(on_the_line) > 2, "the chat and the heartbeat are not"
    on_the_line.clear()
    with player_factory() as new_player:
        [watched] = (each for each in look(new_player(host.site), path) if 'id="own"' in each)
    [packed] = [size for is_packed, size in on_the_line if is_packed]
    assert packed < 0.5 * len(watched)
    on_the_line.clear()
    look(host, path, compression=None)
    assert on_the_line == []


def test_what_a_client_sends_compressed_is_no_longer_than_anything_else(host: HttpPlayer) -> None:
    """Four kilobytes on the line that would be four million of zeros, twenty times."""
    site = host.site
    with ExitStack() as opened:
        address, origin = f"{site.ws_url}/ws/lobby", cast(Any, site.url)
        lines = [opened.enter_context(connect(address, origin=origin)) for _ in range(20)]
        for line in lines:
            line.recv(timeout=10)
        before = site.forget_peak()
        for line in lines:
            with suppress(ConnectionClosed):
                line.send("\0" * 4_000_000)
            until_closed(line)
        assert site.peak - before < 3  # MB
    assert error_entries(site.log) == []


def test_what_cannot_be_inflated_closes_the_socket(
    host: HttpPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    nonsense = Frame(Opcode.TEXT, b"\xff" * 40, rsv1=True)
    monkeypatch.setattr(PerMessageDeflate, "encode", lambda self, frame: nonsense)
    with connect(f"{host.site.ws_url}/ws/lobby", origin=cast(Any, host.site.url)) as line:
        line.recv(timeout=10)
        line.send("ping")
        until_closed(line)
    assert error_entries(host.site.log) == []
