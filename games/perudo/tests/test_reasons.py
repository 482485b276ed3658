"""Every reason for a refusal can be met, is in the list, and is explained in the rules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from games.core.contract import IllegalMove
from games.core.moves import Confirm, Leave
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Calza, Dudo, Move, SettleClaims, parse
from games.perudo.rules.reasons import Reason
from games.perudo.rules.state import State
from games.perudo.tests.tables import after, refusal, table

RULES = Path(__file__).parents[3] / "docs" / "rules.md"
THREE = [[2, 2], [3, 3], [4, 4]]


def bidding(bid: str | None = "5x4", **more: object) -> State:
    return table(THREE, bid=bid, **{"calza": "on", **more})  # type: ignore[arg-type]


REFUSED: list[tuple[str, State, int, Move]] = [
    ("bad_face", bidding(), 1, Bid(5, 7)),
    ("bad_face", bidding(), 1, Bid(5, 0)),
    ("bad_face", bidding(), 1, Bid(99, -1)),
    ("bad_count", bidding(), 1, Bid(16, 4)),
    ("bad_count", bidding(), 1, Bid(0, 4)),
    ("bad_count", bidding(), 1, Bid(-3, 4)),
    ("bad_count", bidding(None), 0, Bid(0, 1)),
    ("paco_opening", bidding(None), 0, Bid(3, 1)),
    ("count_too_low", bidding(), 1, Bid(5, 4)),
    ("count_too_low", bidding("4xP"), 1, Bid(3, 1)),
    ("face_locked", bidding(palifico=0), 1, Bid(6, 5)),
    ("paco_below_half", bidding(), 1, Bid(2, 1)),
    ("below_double_plus_one", bidding("4xP"), 1, Bid(8, 6)),
    ("count_lower", bidding(), 1, Bid(4, 6)),
    ("face_lower", bidding(), 1, Bid(5, 3)),
    ("face_lower", bidding(), 1, Bid(6, 3)),
    ("both_raised", bidding(), 1, Bid(6, 5)),
    ("game_over", after(table([[2], [3]], bid="2x2"), (1, Dudo())), 1, Confirm()),
    ("already_left", after(bidding(), (2, Leave())), 2, Leave()),
    ("already_left", after(bidding(), (1, Leave())), 1, Bid(6, 4)),
    ("eliminated", table([[2], [], [3]], bid="1x2"), 1, Dudo()),
    ("eliminated", table([[2], [], [3]], bid="1x2"), 1, Leave()),
    ("round_over", after(bidding(), (1, Dudo())), 0, Bid(1, 2)),
    ("not_your_turn", bidding(), 2, Bid(6, 4)),
    ("not_your_turn", bidding(None), 1, Dudo()),
    ("no_bid", bidding(None), 0, Dudo()),
    ("calza_off", bidding(calza="off"), 2, Calza()),
    ("own_bid", bidding(), 0, Calza()),
    ("next_bidder", bidding(calza_who="any_but_bidder_and_next"), 1, Calza()),
    ("calza_palifico", bidding(palifico=0, calza_in_palifico=False), 2, Calza()),
    (
        "calza_two_left",
        table([[2], [3]], bid="1x2", calza="on", calza_min_players=3),
        1,
        Calza(),
    ),
    (
        "calza_full",
        table([[2], [3] * 5], bid="1x2", calza="on", calza_needs_lost_die=True),
        1,
        Calza(),
    ),
    ("already_claimed", after(bidding(), (2, Calza())), 2, Calza()),
    ("nothing_to_settle", bidding(), 1, SettleClaims()),
    ("nothing_to_confirm", bidding(), 1, Confirm()),
    ("nothing_to_confirm", after(bidding(), (1, Dudo()), (2, Confirm())), 2, Confirm()),
]


def test_moves_are_refused_with_their_reasons() -> None:
    assert [case for case in REFUSED if refusal(*case[1:]) != case[0]] == []


def test_no_reason_is_only_on_paper() -> None:
    with pytest.raises(IllegalMove) as malformed:
        parse({})
    assert {code for code, *_ in REFUSED} | {malformed.value.code} == set(get_args(Reason))


def test_the_rules_explain_every_reason_and_no_other() -> None:
    section = RULES.read_text().split("## Reason codes")[1].split("\n## ")[0]
    assert set(re.findall(r"^\| `([a-z_]+)`", section, flags=re.MULTILINE)) == set(get_args(Reason))


def test_a_refused_bid_says_what_was_bid_what_stood_and_what_is_legal() -> None:
    with pytest.raises(IllegalMove) as refused:
        after(bidding(), (1, Bid(5, 3)))
    assert refused.value.details == {"bid": "5x3", "last": "5x4", "legal": "6x4+ 5x5 5x6 3xP+"}
    with pytest.raises(IllegalMove) as refused:
        after(bidding(None), (0, Bid(3, 1)))
    legal = "1x2+ 1x3+ 1x4+ 1x5+ 1x6+"
    assert refused.value.details == {"bid": "3xP", "last": "", "legal": legal}


def test_a_finished_game_is_said_to_be_over_before_anything_else() -> None:
    over = after(table([[2], [3], []], bid="2x2"), (1, Dudo()))
    moves: list[Move] = [Bid(1, 2), Dudo(), Calza(), Confirm(), Leave(), SettleClaims()]
    assert {refusal(over, seat, move) for seat in range(3) for move in moves} == {"game_over"}


def test_every_move_of_an_eliminated_seat_is_refused_as_such() -> None:
    out = table([[2], [], [3]], bid="1x2", calza="on")
    moves: list[Move] = [Bid(2, 2), Dudo(), Calza(), Confirm(), Leave()]
    assert {refusal(out, 1, move) for move in moves} == {"eliminated"}


def test_a_bid_that_is_wrong_twice_is_judged_by_its_turn_first() -> None:
    assert refusal(bidding(), 2, Bid(99, 9)) == "not_your_turn"
