"""Draws that nobody could choose: from a secret of the site and what players add to it.

The site publishes a hash of its secret, the `commitment`, before it accepts anything. The browser
of each player chooses a `salt` and sends its hash, the `part`. The `root` is a hash of all that is
fixed by then; only after it is public do browsers send their salts. Secret and salts together give
each draw of the rules at its address, so that it can be checked by itself, in any order.

Everything that is hashed is written out in ASCII, a line for each item, so that any language can do
the same: `verify.py` and `draws.js` do (docs/decisions/0012-proven-draws.md).
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_bytes
from typing import Any, Final, TypeVar

from games.core.contract import Draw

T = TypeVar("T")

VERSION: Final = 1
LENGTH: Final = 32  # of a secret, a salt and all hashes, in bytes
NOTHING: Final = "-"  # where a seat has added nothing
_BYTE: Final = 256


def new_secret() -> bytes:
    """Return a secret or a salt from the operating system's generator."""
    return token_bytes(LENGTH)


def commitment(game: str, secret: bytes) -> bytes:
    """Return the hash that the site publishes of its secret for the game with this code."""
    return _hash("commit", game, secret.hex())


def part(game: str, salt: bytes) -> bytes:
    """Return the hash that a browser sends of its salt; it fits no other game."""
    return _hash("part", game, salt.hex())


def fingerprint(game: str, options: Any) -> bytes:
    """Return the hash of a game's rules: its key, and its options as in its record."""
    written = json.dumps(options, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return _hash("rules", game, written)


def root(
    game: str,
    rules: bytes,
    committed: bytes,
    parts: Sequence[bytes | None],
    *,
    won_before: Sequence[int] = (),
) -> bytes:
    """Return the hash of all that is fixed before any salt is known.

    `rules`: their `fingerprint`; `committed`: the `commitment`; `parts` by seat; `won_before`: the
    seats that won the game of which this is the rematch.
    """
    won = ",".join(map(str, won_before)) or NOTHING
    return _hash("root", game, rules.hex(), committed.hex(), won, *map(_written, parts))


def key(root: bytes, salts: Sequence[bytes | None]) -> bytes:
    """Return what the draws depend on besides the secret; `salts` by seat."""
    return _hash("key", root.hex(), *map(_written, salts))


@dataclass(frozen=True, slots=True)
class Proof:
    """What the record of a finished game says of its draws.

    `parts` and `salts` by seat, None where a seat has added nothing; `won_before` as in `root`. Of
    the `late` seats the site says that they sent no salt, or no new part, in time.
    """

    code: str  # of the game
    commitment: bytes = field(repr=False)
    secret: bytes = field(repr=False)
    root: bytes = field(repr=False)
    won_before: tuple[int, ...]
    parts: tuple[bytes | None, ...] = field(repr=False)
    salts: tuple[bytes | None, ...] = field(repr=False)
    late: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "code": self.code,
            "commitment": self.commitment.hex(),
            "secret": self.secret.hex(),
            "won_before": list(self.won_before),
            "parts": [each and each.hex() for each in self.parts],
            "salts": [each and each.hex() for each in self.salts],
            "root": self.root.hex(),
            "late": list(self.late),
        }

    def chance(self, game: str, options: Any) -> ProvenChance:
        """Return what drew a game with these rules (see `fingerprint`).

        Raises ValueError if one of the hashes does not follow from what it is of.
        """
        if self.commitment != commitment(self.code, self.secret):
            raise ValueError("the secret is not the one that was committed to")
        for seat, (sent, salt) in enumerate(zip(self.parts, self.salts, strict=True)):
            if salt is not None and sent != part(self.code, salt):
                raise ValueError(f"the salt of seat {seat} is not the one that it committed to")
        rules = fingerprint(game, options)
        frozen = root(self.code, rules, self.commitment, self.parts, won_before=self.won_before)
        if self.root != frozen:
            raise ValueError("the root is not that of these rules and seats")
        return ProvenChance(self.secret, key(self.root, self.salts))


def read(data: Any, *, seats: int) -> Proof:
    """Read `Proof.to_json` of a game with so many seats. Raises ValueError for anything else."""
    if not isinstance(data, dict) or set(data) != _FIELDS or data["version"] != VERSION:
        raise ValueError(
            f"a proof of version {VERSION} has the fields {', '.join(sorted(_FIELDS))}"
        )
    if not isinstance(data["code"], str) or not _CODE.fullmatch(data["code"]):
        raise ValueError("the code of a game is of small letters and digits")
    won, late = data["won_before"], data["late"]
    for found in (won, late):
        if not isinstance(found, list) or not all(type(seat) is int for seat in found):
            raise ValueError("who won before, and who was late, are lists of seats")
    parts, salts = (
        [_read(each) for each in _list(data[name], seats)] for name in ("parts", "salts")
    )
    hashes = [_read(data[name]) for name in ("commitment", "secret", "root")]
    if None in hashes:
        raise ValueError("no hash of a proof is missing")
    committed, secret, frozen = (each or b"" for each in hashes)
    given = tuple(won), tuple(parts), tuple(salts), tuple(late)
    return Proof(data["code"], committed, secret, frozen, *given)


_FIELDS: Final = {
    *("version", "code", "commitment", "secret", "won_before", "parts", "salts", "root", "late"),
}
_CODE: Final = re.compile("[0-9a-z]+")
_HEX: Final = re.compile(f"[0-9a-f]{{{2 * LENGTH}}}")


def _list(value: object, length: int) -> list[Any]:
    if not isinstance(value, list) or len(value) != length:
        raise ValueError(f"a proof lists {length} seats")
    return value


def read_hash(value: object) -> bytes | None:
    """Read a hash, secret or salt in hexadecimal; None if it is none."""
    return bytes.fromhex(value) if isinstance(value, str) and _HEX.fullmatch(value) else None


def _read(value: object) -> bytes | None:
    read = read_hash(value)
    if value is not None and read is None:
        raise ValueError(f"a hash is written as {2 * LENGTH} hexadecimal digits")
    return read


@dataclass(frozen=True, slots=True)
class ProvenChance:
    """The draws of one game. Raises ValueError where the rules name no address."""

    secret: bytes
    key: bytes

    def __repr__(self) -> str:
        return "ProvenChance()"

    def dice(self, count: int, at: Draw | None = None) -> tuple[int, ...]:
        stream = self._stream(at)
        return tuple(_below(6, stream) + 1 for _ in range(count))

    def below(self, bound: int, at: Draw | None = None) -> int:
        return _below(bound, self._stream(at))

    def shuffled(self, items: Sequence[T], at: Draw | None = None) -> tuple[T, ...]:
        """Shuffle as Fisher and Yates do, from the last place to the second."""
        stream, order = self._stream(at), list(items)
        for place in range(len(order) - 1, 0, -1):
            other = _below(place + 1, stream)
            order[place], order[other] = order[other], order[place]
        return tuple(order)

    def pick(self, items: Sequence[T], at: Draw | None = None) -> T:
        return items[_below(len(items), self._stream(at))]

    def _stream(self, at: Draw | None) -> Iterator[int]:
        """Yield the bytes of an address: HMAC-SHA-256 under the secret, block by block."""
        if at is None:
            raise ValueError("a draw of the rules has an address")
        seat = NOTHING if at.seat is None else str(at.seat)
        address = (self.key.hex(), str(at.round), at.purpose, seat, str(at.number))
        block = 0
        while True:
            text = _lines("draw", *address, str(block))
            yield from hmac.digest(self.secret, text, "sha256")
            block += 1


def _below(bound: int, stream: Iterator[int]) -> int:
    """Return a number from 0 to `bound` - 1, each as likely: bytes that would favour low ones are
    dropped. Raises ValueError for more than 256.
    """
    if not 0 < bound <= _BYTE:
        raise ValueError(f"a draw is of 1 to {_BYTE} numbers, not {bound}")
    fair = _BYTE - _BYTE % bound
    return next(byte for byte in stream if byte < fair) % bound


def _written(value: bytes | None) -> str:
    return NOTHING if value is None else value.hex()


def _hash(purpose: str, *lines: str) -> bytes:
    return sha256(_lines(purpose, *lines)).digest()


def _lines(purpose: str, *lines: str) -> bytes:
    return "\n".join((f"draws/{purpose}/{VERSION}", *lines)).encode("ascii")
