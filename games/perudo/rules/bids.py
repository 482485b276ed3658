"""Bids: how they are written, what beats what (P9 to P17, P25 to P27), what counts (P12)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import ClassVar, Final

from games.perudo.rules.options import Options, PacoOpening, RaiseRule
from games.perudo.rules.reasons import BidReason

PACO: Final = 1
ORDINARY: Final = range(2, 7)
FACES: Final = range(1, 7)
DICE_EACH: Final = 5  # P2

_WRITTEN = re.compile(r"([1-9][0-9]{0,2})x([P2-6])", re.ASCII)


@dataclass(frozen=True, slots=True)
class Bid:
    """ "At least `quantity` dice of `face` on the whole table" (P9); face 1 is the paco."""

    kind: ClassVar[str] = "bid"
    quantity: int
    face: int

    def __str__(self) -> str:
        return f"{self.quantity}x{'P' if self.face == PACO else self.face}"

    @classmethod
    def from_text(cls, text: str) -> Bid:
        """The bid written as `3x5` or `4xP`; ValueError quotes anything else."""
        written = _WRITTEN.fullmatch(text)
        if written is None:
            raise ValueError(f"not a bid: {text!r}")
        quantity, face = written.groups()
        return cls(int(quantity), PACO if face == "P" else int(face))


def ceiling(seats: int) -> int:
    """The largest number that may be bid: five a seat at the start, which reveals nothing (P9)."""
    return DICE_EACH * seats


def legal_counts(
    previous: Bid | None, face: int, *, options: Options, palifico: bool, most: int
) -> range:
    """The numbers that may be bid on `face` over `previous`; empty where none may (A4 table)."""
    return _counts(previous, face, options.raise_rule, options.paco_opening, palifico, most)


def _counts(
    previous: Bid | None,
    face: int,
    raise_rule: RaiseRule,
    paco_opening: PacoOpening,
    palifico: bool,
    most: int,
) -> range:
    if previous is None:
        if face == PACO and not (palifico and paco_opening == "palifico_only"):
            return range(0)  # P13, P27
        return range(1, most + 1)
    quantity, last = previous.quantity, previous.face
    if face == last:
        return range(quantity + 1, most + 1)  # P10, P15, P26
    if palifico:
        return range(0)  # P26
    if face == PACO:
        return range((quantity + 1) // 2, most + 1)  # P14
    if last == PACO:
        return range(2 * quantity + 1, most + 1)  # P16
    if raise_rule == "any_face_if_more":
        return range(quantity if face > last else quantity + 1, most + 1)  # P11
    if face > last:
        return range(quantity, min(quantity, most) + 1)  # P10
    return range(0)


def counts_by_face(
    previous: Bid | None, *, options: Options, palifico: bool, most: int
) -> Mapping[int, range]:
    """`legal_counts` of every face."""
    return _counts_by_face(previous, options.raise_rule, options.paco_opening, palifico, most)


@lru_cache(maxsize=4096)
def _counts_by_face(
    previous: Bid | None,
    raise_rule: RaiseRule,
    paco_opening: PacoOpening,
    palifico: bool,
    most: int,
) -> Mapping[int, range]:
    return MappingProxyType(
        {face: _counts(previous, face, raise_rule, paco_opening, palifico, most) for face in FACES}
    )


def legal_bids(
    previous: Bid | None, *, options: Options, palifico: bool, most: int
) -> tuple[Bid, ...]:
    """Every legal bid over `previous`, smallest number first within each face."""
    return _legal_bids(previous, options.raise_rule, options.paco_opening, palifico, most)


@lru_cache(maxsize=4096)  # the same few arguments recur in every round
def _legal_bids(
    previous: Bid | None,
    raise_rule: RaiseRule,
    paco_opening: PacoOpening,
    palifico: bool,
    most: int,
) -> tuple[Bid, ...]:
    return tuple(
        _one(quantity, face)
        for face in (*ORDINARY, PACO)
        for quantity in _counts(previous, face, raise_rule, paco_opening, palifico, most)
    )


@cache
def _one(quantity: int, face: int) -> Bid:
    return Bid(quantity, face)  # so that the lists above share their bids


def why_illegal(
    bid: Bid, previous: Bid | None, *, options: Options, palifico: bool, most: int
) -> BidReason | None:
    """The reason code for which `bid` may not follow `previous`; None when it may (A13)."""
    if bid.face not in FACES:
        return "bad_face"
    if not 1 <= bid.quantity <= most:
        return "bad_count"
    counts = legal_counts(previous, bid.face, options=options, palifico=palifico, most=most)
    if bid.quantity in counts:
        return None
    if previous is None:
        return "paco_opening"
    if bid.face == previous.face:
        return "count_too_low"
    if palifico:
        return "face_locked"
    if bid.face == PACO:
        return "paco_below_half"
    if previous.face == PACO:
        return "below_double_plus_one"
    if bid.quantity < previous.quantity:
        return "count_lower"
    if bid.face < previous.face:
        return "face_lower"
    return "both_raised"


def raises_as_text(previous: Bid | None, *, options: Options, palifico: bool, most: int) -> str:
    """Every legal bid over `previous`, in short: `6x4+ 5x5 5x6 3xP+`; "" where none is legal.

    `6x4+` is six fours or more, `5x5` exactly five fives. It follows from public facts alone.
    """
    ranges = (
        (face, legal_counts(previous, face, options=options, palifico=palifico, most=most))
        for face in (*ORDINARY, PACO)
    )
    return " ".join(
        f"{Bid(counts[0], face)}{'+' if len(counts) > 1 else ''}"
        for face, counts in ranges
        if counts
    )


def matching(dice: Sequence[int], face: int, *, palifico: bool) -> int:
    """How many of these dice count for a bid on `face`: pacos are wild except in palifico (P12)."""
    if face == PACO or palifico:
        return dice.count(face)
    return dice.count(face) + dice.count(PACO)
