"""Draws from a secret and salts: held against a second, plain way to write the same down."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import pairwise

import pytest

from games.core import proof
from games.core.contract import Draw
from games.core.proof import LENGTH, ProvenChance

GAME = "k3v9xw2m7t"
SECRET, SALT, OTHER = bytes(range(LENGTH)), bytes(range(32, 64)), b"\xff" * LENGTH
OPTIONS = {"starter": "one_die", "calza": "on", "seats": [1, 2], "note": "é"}


def plain(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def chance(*salts: bytes | None, secret: bytes = SECRET) -> ProvenChance:
    """That of a game whose seats added these salts."""
    parts = [None if salt is None else proof.part(GAME, salt) for salt in salts]
    rules = proof.fingerprint("perudo", OPTIONS)
    root = proof.root(GAME, rules, proof.commitment(GAME, secret), parts)
    return ProvenChance(secret, proof.key(root, salts))


def test_each_hash_is_of_lines_that_anybody_can_write() -> None:
    committed = plain(f"draws/commit/1\n{GAME}\n{SECRET.hex()}")
    part = plain(f"draws/part/1\n{GAME}\n{SALT.hex()}")
    options = r'{"calza":"on","note":"\u00e9","seats":[1,2],"starter":"one_die"}'
    rules = plain(f"draws/rules/1\nperudo\n{options}")
    root = plain(f"draws/root/1\n{GAME}\n{rules}\n{committed}\n-\n{part}\n-")
    key = plain(f"draws/key/1\n{root}\n{SALT.hex()}\n-")
    drawn = chance(SALT, None)
    assert proof.commitment(GAME, SECRET).hex() == committed
    assert drawn.key.hex() == key
    text = f"draws/draw/1\n{key}\n3\nhand\n1\n0\n0".encode()
    dice = [byte % 6 + 1 for byte in hmac.new(SECRET, text, "sha256").digest() if byte < 252]
    assert drawn.dice(5, Draw(3, "hand", 1)) == tuple(dice[:5])
    assert drawn.below(6, Draw(3, "hand", 1)) == dice[0] - 1
    assert drawn.pick("abcdef", Draw(3, "hand", 1)) == "abcdef"[dice[0] - 1]


def test_a_shuffle_takes_from_as_many_blocks_as_it_needs() -> None:
    drawn, cards = chance(SALT), tuple(range(100))
    at = Draw(1, "deck")
    stream = b"".join(
        hmac.digest(
            SECRET, f"draws/draw/1\n{drawn.key.hex()}\n1\ndeck\n-\n0\n{block}".encode(), "sha256"
        )
        for block in range(9)
    )
    bytes_left, order = iter(stream), list(cards)
    for place in range(99, 0, -1):
        byte = next(byte for byte in bytes_left if byte < 256 - 256 % (place + 1))
        other = byte % (place + 1)
        order[place], order[other] = order[other], order[place]
    assert drawn.shuffled(cards, at) == tuple(order)


def test_every_bit_of_a_secret_and_of_a_salt_counts() -> None:
    hand = Draw(1, "hand", 0)
    first = chance(SALT, OTHER).dice(30, hand)
    for at in range(8 * LENGTH):
        flipped = bytes(
            byte ^ (1 << at % 8 if at // 8 == number else 0) for number, byte in enumerate(SALT)
        )
        assert chance(flipped, OTHER).dice(30, hand) != first
        assert chance(SALT, OTHER, secret=flipped).dice(30, hand) != first


def test_each_address_and_each_place_of_a_salt_draws_otherwise() -> None:
    drawn = chance(SALT, None, OTHER)
    ats = [
        Draw(1, "hand", 0),
        Draw(2, "hand", 0),
        Draw(1, "hand", 1),
        Draw(1, "hand"),
        Draw(1, "card", 0),
    ]
    ats += [Draw(1, "hand", 0, 1), Draw(11, "hand", 0), Draw(1, "hand", 10)]
    assert len({drawn.dice(30, at) for at in ats}) == len(ats)
    orders = [(SALT, None, OTHER), (OTHER, None, SALT), (None, SALT, OTHER), (SALT, OTHER, None)]
    assert len({chance(*salts).key for salts in orders}) == len(orders)


def test_every_face_and_every_number_is_as_likely() -> None:
    """χ² of 60,000 dice with 5 degrees of freedom, below what one run in 10,000 exceeds."""
    drawn = chance(SALT)
    counted = Counter(
        face for number in range(2_000) for face in drawn.dice(30, Draw(number, "hand"))
    )
    assert sum((counted[face] - 10_000) ** 2 / 10_000 for face in range(1, 7)) < 25.7
    assert {drawn.below(7, Draw(number, "opener")) for number in range(200)} == set(range(7))


def test_hands_that_follow_each_other_are_not_alike() -> None:
    hands = [chance(SALT).dice(5, Draw(number, "hand", 2)) for number in range(300)]
    same = sum(
        one == other
        for first, second in pairwise(hands)
        for one, other in zip(first, second, strict=True)
    )
    assert 200 <= same <= 300  # of 1,495; 249 are expected


def test_what_has_no_address_is_not_drawn() -> None:
    with pytest.raises(ValueError, match="address"):
        chance(SALT).dice(5)


@pytest.mark.parametrize("bound", [0, -1, 257])
def test_a_bound_out_of_range_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="1 to 256"):
        chance(SALT).below(bound, Draw(0, "opener"))


def test_neither_secret_nor_key_is_shown() -> None:
    assert "1f" not in repr(chance(SALT)) and repr(chance(SALT)) == "ProvenChance()"
