"""Compressed frames (RFC 7692, permessage-deflate), with one context for the table, one per seat.

A frame has a fragment of the table, which is the same for everyone, and a fragment of a seat, with
the dice or cards that only this player may see. An observer of the network sees how long a frame
is. If both were compressed together, the length would reveal how much of the hand occurs in the
bids of others. So two compressors write the stream of a socket. In place of the other's bytes, each
is fed as many bytes that occur in no text, so that it can refer to nothing there. So the length of
the table's part depends on the table alone. The seat's part is padded with spaces in front, so that
the table's part refers equally far back whatever the hand is, and with a random number of bytes
behind, since some hands take a few bytes more than others. tests/security/test_compression.py
counts how many frames with the same hand would reveal it; a hand is new in one frame only, and the
next frames refer to that one.

The table's part does not depend on the viewer, so it is compressed once for all sockets of the
process (`Table`). For spectators the rest is shared too.

All other messages, such as chat, are not compressed, and are in no context.
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

MOST_RANDOM: Final = 256  # bytes of padding behind; one random byte chooses how many
OWN_BYTES: Final = 8192  # of the seat's part and the time with padding; without, half of that
# The window reaches back to the frame before, which takes some 20 KB.
WINDOW_BITS: Final = 15
# Per process: tables in one language, 160 KB of memory each, and players' sockets, 140 KB each.
MOST_TABLES: Final = 1000
MOST_SEATS: Final = 1000
# How old the time in a spectator's frame may be.
SAME_TIME_SECONDS: Final = 0.2
# Clients send short messages: a small window costs nothing, and saves memory for each client.
CLIENT_WINDOW_BITS: Final = 10
# zlib's memLevel, 1 to 9; with its default of 8 a game takes as many bytes, within a thousandth.
_TABLE_MEMORY, _OWN_MEMORY = 6, 4
# Occurs in no text: no byte of UTF-8 has this value.
_NOTHING: Final = b"\xff"
# Empty blocks that end at a byte boundary: one stored; one of fixed codes and one stored.
_FIVE, _SIX = b"\x00\x00\x00\xff\xff", b"\x02\x00\x00\x00\xff\xff"
_END: Final = b"\x00\x00\xff\xff"  # ends each flush; RFC 7692 omits the last one of a message


def accept(offers: Sequence[PerMessageCompressOffer]) -> PerMessageDeflateOfferAccept | None:
    """Accept the first offer that allows our contexts and window; None: compress nothing."""
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

    `level`: 1 (fast) to 9. A socket that did not get the previous part, such as a new one, gets a
    part that refers to nothing. The next part then refers to nothing either, and suits all sockets.
    """

    def __init__(self, level: int) -> None:
        self.level, self.number = level, 0  # the number of the last part
        self._text = self._written = self._alone = self._own = self._watching = b""
        self._watching_at = -inf  # when that was written, by time.monotonic
        self._compressor: Any = None  # None: the next part refers to nothing
        self._refers = False  # whether the last part refers to the one before

    def part(self, text: bytes, *, known: int) -> bytes:
        """Return the compressed text for a socket whose last part was number `known`, 0 if none."""
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
        """Return the rest of a spectator's frame; the time may be SAME_TIME_SECONDS old."""
        now = monotonic()
        if own != self._own or now - self._watching_at > SAME_TIME_SECONDS:
            self._own, self._watching_at = own, now
            self._watching = _flushed(self._new(), (own + time).rjust(OWN_BYTES))
        return self._watching

    def _new(self) -> Any:
        return zlib.compressobj(self.level, zlib.DEFLATED, -WINDOW_BITS, _TABLE_MEMORY)


_tables: WeakValueDictionary[str, Table] = WeakValueDictionary()


class Packer:
    """Compressor of the frames of one socket, of a player or a spectator; `close` it."""

    seats = 0  # players' compressors in this process

    def __init__(self, table: Table) -> None:
        self.table, self._known = table, 0
        self._own: Any = None  # the compressor of a player's own part

    @classmethod
    def at(cls, table: str, level: int) -> Packer | None:
        """Return a packer for a socket that shows `table`, any name; None: too many tables."""
        found = _tables.get(table)
        if found is None and len(_tables) < MOST_TABLES:
            _tables[table] = found = Table(level)
        return None if found is None else cls(found)

    def packed(self, shared: bytes, own: bytes, time: bytes, *, is_secret: bool) -> bytes | None:
        """Return the payload of a message with all three parts; `own` is padded in front.

        Return None if this frame is not compressed.
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
    """Return empty blocks of `number` bytes; every number from 20 is a sum of 5s and 6s."""
    sixes = number % 5
    return _FIVE * ((number - 6 * sixes) // 5) + _SIX * sixes


_FILLINGS: Final = tuple(_empty_blocks(20 + number) for number in range(MOST_RANDOM))


def _filling() -> bytes:
    return _FILLINGS[secrets.token_bytes(1)[0]]
