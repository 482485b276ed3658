"""Compressed frames (RFC 7692, permessage-deflate): the table in one context, one's own in another.

A frame is the fragment of the table, which is the same for everybody, and that of a seat, with the
dice or cards that only this person may see. Whoever can watch the line sees how long a frame is.
Compressed together, its length would tell how much of one's hand stands in what others have bid. So
two compressors write the stream of a socket: each takes what the other writes for as many bytes
that occur in no text, and can refer to nothing there. So what the table takes follows from the
table alone. What is one's own is filled up with spaces before, so that the table refers to places
as far back whatever the hand is, and with a random number of bytes after, since some hands take
some bytes more than others. tests/security/test_compression.py counts how many frames with the same
hand would tell it; a hand is new in one frame, and the next ones refer to that.

As the table's part does not depend on who looks, it is written once for all sockets of the process
(`Table`), and for those who only watch, the rest too.

All other messages, such as chat, are not compressed, and are in nobody's context.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Sequence
from math import inf
from time import monotonic
from typing import Any, Final
from weakref import WeakValueDictionary

from autobahn.websocket.compress import (
    PerMessageCompressOffer,
    PerMessageDeflateOffer,
    PerMessageDeflateOfferAccept,
)

MOST_RANDOM: Final = 256  # bytes; as many as one random byte can say
OWN_BYTES: Final = 8192  # what is one's own and the time, filled up; it takes half of that
# A frame refers to the one before it, some 20 KB back.
WINDOW_BITS: Final = 15
# Of a process: tables in a language, 160 KB of memory each, and players' sockets, 140 KB each.
MOST_TABLES: Final = 1000
MOST_SEATS: Final = 1000
# What spectators are told of the time may be as old.
SAME_TIME_SECONDS: Final = 0.2
# What clients send is short: a small window costs nothing, and saves memory for each of them.
CLIENT_WINDOW_BITS: Final = 10
# As zlib counts it, 1 to 9; with its own 8 a game takes as many bytes, within a thousandth.
_TABLE_MEMORY, _OWN_MEMORY = 6, 4
# In no text: no byte of UTF-8 has this value.
_NOTHING: Final = b"\xff"
# Blocks without content, which end at a byte: one stored; one of fixed codes and one stored.
_FIVE, _SIX = b"\x00\x00\x00\xff\xff", b"\x02\x00\x00\x00\xff\xff"
_END: Final = b"\x00\x00\xff\xff"  # of each flush; RFC 7692 leaves the last of a message out


def accept(offers: Sequence[PerMessageCompressOffer]) -> PerMessageDeflateOfferAccept | None:
    """The first offer that lets us keep our contexts and windows; None: compress nothing."""
    for offer in offers:
        if (
            isinstance(offer, PerMessageDeflateOffer)
            and not offer.request_no_context_takeover
            and offer.request_max_window_bits in (0, WINDOW_BITS)
        ):
            bits = CLIENT_WINDOW_BITS if offer.accept_max_window_bits else 0
            return PerMessageDeflateOfferAccept(offer, request_max_window_bits=bits)
    return None


class Table:
    """The table's part of each frame, for all sockets of this process that show it alike.

    `level`: 1 (fast) to 9. A socket that did not get the part before, such as a new one, gets one
    that refers to nothing; the next part then refers to nothing either, and is for all again.
    """

    def __init__(self, level: int) -> None:
        self.level, self.number = level, 0  # of the last part
        self._text = self._written = self._alone = self._own = self._watching = b""
        self._watching_at = -inf  # when that was written, by time.monotonic
        self._compressor: Any = None  # the next part refers to nothing
        self._refers = False  # the last part, to the one before

    def part(self, text: bytes, *, known: int) -> bytes:
        """This text, for a socket whose last part was number `known`, 0 for none."""
        if text != self._text:
            self._refers = self._compressor is not None
            self._compressor = self._compressor or self._new()
            self._written = _flushed(self._compressor, text)
            _flushed(self._compressor, _NOTHING * OWN_BYTES)
            self._text, self._alone, self.number = text, b"", self.number + 1
        if not self._refers or known == self.number - 1:
            return self._written
        self._compressor = None
        self._alone = self._alone or _flushed(self._new(), text)
        return self._alone

    def watching(self, own: bytes, time: bytes) -> bytes:
        """What everybody sees who only watches, and when; one time for all in a moment will do."""
        now = monotonic()
        if own != self._own or now - self._watching_at > SAME_TIME_SECONDS:
            self._own, self._watching_at = own, now
            self._watching = _flushed(self._new(), (own + time).rjust(OWN_BYTES))
        return self._watching

    def _new(self) -> Any:
        return zlib.compressobj(self.level, zlib.DEFLATED, -WINDOW_BITS, _TABLE_MEMORY)


_tables: WeakValueDictionary[str, Table] = WeakValueDictionary()


class Packer:
    """The compressed frames of one socket, of somebody who plays or watches; `close` it."""

    seats = 0  # of this process

    def __init__(self, table: Table) -> None:
        self.table, self._known = table, 0
        self._own: Any = None  # of who plays

    @classmethod
    def at(cls, table: str, level: int) -> Packer | None:
        """Of one more socket that shows this table, by any name; None: these are too many."""
        found = _tables.get(table)
        if found is None and len(_tables) < MOST_TABLES:
            _tables[table] = found = Table(level)
        return None if found is None else cls(found)

    def packed(self, shared: bytes, own: bytes, time: bytes, *, is_secret: bool) -> bytes | None:
        """The payload of a message of all three, with spaces before what is one's own.

        None: this frame is not compressed.
        """
        if len(own) + len(time) > OWN_BYTES or (is_secret and not self._takes_a_seat()):
            return None
        table = self.table.part(shared, known=self._known)
        self._known = self.table.number
        if self._own is None:
            return table + self.table.watching(own, time)[: -len(_END)]
        _flushed(self._own, _NOTHING * len(shared))
        seat = _flushed(self._own, (own + time).rjust(OWN_BYTES))
        return (table + seat + _filling())[: -len(_END)]

    def _takes_a_seat(self) -> bool:
        if self._own is None and Packer.seats < MOST_SEATS:
            Packer.seats += 1
            level = self.table.level
            self._own = zlib.compressobj(level, zlib.DEFLATED, -WINDOW_BITS, _OWN_MEMORY)
        return self._own is not None

    def close(self) -> None:
        if self._own is not None:
            self._own = None
            Packer.seats -= 1


def _flushed(compressor: Any, text: bytes) -> bytes:
    written: bytes = compressor.compress(text) + compressor.flush(zlib.Z_SYNC_FLUSH)
    return written


def _empty_blocks(number: int) -> bytes:
    """So many bytes; every number from 20 is so many 5s and 6s."""
    sixes = number % 5
    return _FIVE * ((number - 6 * sixes) // 5) + _SIX * sixes


_FILLINGS: Final = tuple(_empty_blocks(20 + number) for number in range(MOST_RANDOM))


def _filling() -> bytes:
    return _FILLINGS[secrets.token_bytes(1)[0]]
