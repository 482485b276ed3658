"""The strings of a form or an API become a move, or are refused as none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core.contract import IllegalMove
from games.core.moves import Confirm, Leave
from games.perudo.rules.bids import PACO, Bid
from games.perudo.rules.moves import Calza, Dudo, SettleClaims, parse


@pytest.mark.parametrize(
    ("data", "move"),
    [
        ({"do": "bid", "quantity": "3", "face": "5"}, Bid(3, 5)),
        ({"do": "bid", "quantity": "4", "face": "P"}, Bid(4, PACO)),
        ({"do": "bid", "quantity": "4", "face": "1"}, Bid(4, PACO)),
        ({"do": "bid", "quantity": "007", "face": "2"}, Bid(7, 2)),
        ({"do": "dudo"}, Dudo()),
        ({"do": "calza"}, Calza()),
        ({"do": "confirm"}, Confirm()),
        ({"do": "leave"}, Leave()),
        ({"do": "dudo", "quantity": "nonsense", "seen": "41"}, Dudo()),
    ],
)
def test_a_form_becomes_a_move(data: dict[str, str], move: object) -> None:
    assert parse(data) == move


@pytest.mark.parametrize(
    ("quantity", "face"), [("0", "5"), ("9999", "5"), ("3", "0"), ("3", "7"), ("3", "9999")]
)
def test_a_number_that_cannot_be_bid_is_left_to_the_rules(quantity: str, face: str) -> None:
    assert parse({"do": "bid", "quantity": quantity, "face": face}) == Bid(int(quantity), int(face))


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
    "٣",
    "３",
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


@pytest.mark.parametrize("value", NOT_A_NUMBER, ids=lambda value: repr(value)[:12])
@pytest.mark.parametrize("name", ["quantity", "face"])
def test_what_is_not_a_number_is_no_bid(name: str, value: Any) -> None:
    with pytest.raises(IllegalMove) as refused:
        parse({"do": "bid", "quantity": "3", "face": "5", name: value})
    assert refused.value.code == "malformed"


@pytest.mark.parametrize(
    "data",
    [
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
    ],
)
def test_what_names_no_action_is_malformed(data: dict[str, Any]) -> None:
    with pytest.raises(IllegalMove) as refused:
        parse(data)
    assert refused.value.code == "malformed"


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
