"""The strings of a form or an API become a move, or are refused as none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core.contract import IllegalMove
from games.core.moves import Confirm, Leave
from games.perudo.rules.bids import PACO, Bid
from games.perudo.rules.moves import Calza, Dudo, Move, SettleClaims, parse


def test_forms_become_moves() -> None:
    cases = [
        ({"do": "bid", "quantity": "3", "face": "5"}, Bid(3, 5)),
        ({"do": "bid", "quantity": "4", "face": "P"}, Bid(4, PACO)),
        ({"do": "bid", "quantity": "4", "face": "1"}, Bid(4, PACO)),
        ({"do": "bid", "quantity": "007", "face": "2"}, Bid(7, 2)),
        ({"do": "dudo"}, Dudo()),
        ({"do": "calza"}, Calza()),
        ({"do": "confirm"}, Confirm()),
        ({"do": "leave"}, Leave()),
        ({"do": "dudo", "quantity": "nonsense", "seen": "41"}, Dudo()),
    ]
    assert [(data, move) for data, move in cases if parse(data) != move] == []


def a_bid(quantity: str, face: str) -> Move:
    return parse({"do": "bid", "quantity": quantity, "face": face})


def test_numbers_that_cannot_be_bid_are_left_to_the_rules() -> None:
    bids = [Bid(0, 5), Bid(9999, 5), Bid(3, 0), Bid(3, 7), Bid(3, 9999)]
    assert [a_bid(str(bid.quantity), str(bid.face)) for bid in bids] == bids


def test_digits_of_every_script_count() -> None:
    assert [a_bid("٣", "5"), a_bid("3", "۵"), a_bid("３", "५")] == [Bid(3, 5)] * 3


NOT_A_NUMBER: list[Any] = [
    "",
    " ",
    "-1",
    "+3",
    "3 ",
    " 3",
    "3\n",
    "3.0",
    "1e1",
    "0x3",
    "1_0",
    "Ⅲ",
    "²",
    "三",
    "3\u200b",
    "10000",
    "9" * 5000,
    "p",
    "PP",
    "three",
    "None",
    None,
    3,
    3.0,
    True,
    ["3"],
    [],
    {},
    b"3",
]


def is_malformed(data: dict[str, Any]) -> bool:
    try:
        parse(data)
    except IllegalMove as refused:
        return refused.code == "malformed"
    return False


def test_what_is_not_a_number_is_no_bid() -> None:
    bid = {"do": "bid", "quantity": "3", "face": "5"}
    odd = [{name: value} for name in ("quantity", "face") for value in NOT_A_NUMBER]
    assert [each for each in odd if not is_malformed(bid | each)] == []


def test_what_names_no_action_is_malformed() -> None:
    forms = [
        {},
        {"do": ""},
        {"do": "Dudo"},
        {"do": "dudo "},
        {"do": "pass"},
        {"do": ["dudo"]},
        {"do": {"dudo": 1}},
        {"do": None},
        {"do": 1},
        {"quantity": "3", "face": "5"},
        {"do": "bid"},
        {"do": "bid", "quantity": "3"},
        {"do": "bid", "face": "5"},
    ]
    assert [data for data in forms if not is_malformed(data)] == []


def test_settling_claims_is_never_read_from_a_form() -> None:
    for word in ("settle", SettleClaims.kind, "SettleClaims"):
        with pytest.raises(IllegalMove):
            parse({"do": word})


values = st.none() | st.integers() | st.floats() | st.text(max_size=8) | st.lists(st.text())


@given(st.dictionaries(st.sampled_from(["do", "quantity", "face", "seen"]), values))
def test_nothing_but_a_move_or_a_refusal_ever_comes_out(data: dict[str, Any]) -> None:
    try:
        assert parse(data).kind in {"bid", "dudo", "calza", "confirm", "leave"}
    except IllegalMove as refused:
        assert refused.code == "malformed"
