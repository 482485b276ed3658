"""How long the two parts of a compressed frame are, before what is one's own is filled up."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from unittest.mock import patch

from django.conf import settings

from games.table.frames import Frame
from perudo_site.server import deflate

CERTAIN = 1.96  # standard deviations on either side of 95 %


def lengths(frames: Sequence[Frame]) -> Iterator[tuple[int, int]]:
    """Of the part in common and one's own, of frames that one socket is sent one after the other.

    What it would inflate them to is asserted.
    """
    table = deflate.Table(settings.SOCKET_COMPRESSION)
    packer, inflater = deflate.Packer(table), zlib.decompressobj(-15)
    for frame in frames:
        shared, own = frame.encoded
        with patch.object(deflate, "_filling", lambda: deflate._END):
            payload = packer.packed(shared, own, b"", is_secret=True)
        assert payload is not None
        until = payload.index(deflate._END) + len(deflate._END)
        assert inflater.decompress(payload[:until]) == shared
        assert inflater.decompress(payload[until:]).lstrip(b" ") == own
        yield until, len(payload) - until
    packer.close()


def needed_to_tell(own: Sequence[int]) -> float:
    """How many frames of each of two hands tell them apart with 95 % certainty.

    `own`: the lengths of one's own part with different hands, of which those at either end count.
    """
    gap = max(max(own) - min(own), 0.1)
    spread = deflate.MOST_RANDOM / 12**0.5  # of what is evenly spread
    return 2 * (CERTAIN * spread / gap) ** 2
