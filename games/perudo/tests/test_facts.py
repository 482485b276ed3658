"""A fact must say who may know it, and its JSON form is read strictly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from games.core.codec import pack, unpack, unpack_as
from games.core.contract import Fact
from games.perudo.rules.bids import Bid
from games.perudo.rules.events import FACTS, BidMade, GameStarted, Rolled
from games.perudo.rules.options import PRESETS, Options


def test_a_fact_that_does_not_say_who_may_know_it_cannot_be_defined() -> None:
    with pytest.raises(TypeError, match="does not say who may know it"):

        @dataclass(frozen=True, slots=True)
        class Forgetful(Fact):
            kind: ClassVar[str] = "forgetful"
            seat: int


def test_a_fact_does_not_inherit_its_audience() -> None:
    with pytest.raises(TypeError, match="does not say who may know it"):
        type("Heir", (BidMade,), {"kind": "heir", "__slots__": ()})


def test_a_fact_without_a_name_cannot_be_defined() -> None:
    with pytest.raises(TypeError, match="has no `kind`"):

        @dataclass(frozen=True, slots=True)
        class Nameless(Fact):
            audience: ClassVar[None] = None


def test_a_roll_is_for_its_seat_alone_and_all_else_for_everybody() -> None:
    assert Rolled(3, (1, 2)).audience == (3,)
    assert [kind for kind, fact in FACTS.items() if vars(fact)["audience"] is not None] == [
        "rolled"
    ]


def test_a_roll_never_prints_its_dice() -> None:
    assert repr(Rolled(0, (4, 4, 4))) == "Rolled(only=0)"


def test_the_stored_form_of_a_fact_is_plain() -> None:
    assert pack(BidMade(2, Bid(3, 5))) == {
        "kind": "bid_made",
        "seat": 2,
        "bid": {"quantity": 3, "face": 5},
    }


def test_presets_survive_their_stored_form() -> None:
    started = [GameStarted(4, options) for options in PRESETS.values()]
    assert [unpack(FACTS, pack(each)) for each in started] == started


BID: dict[str, Any] = {"quantity": 3, "face": 5}


def test_a_stored_form_that_does_not_fit_is_refused(subtests: pytest.Subtests) -> None:
    for data in [
        None,
        [],
        "bid_made",
        {},
        {"kind": None},
        {"kind": ["bid_made"]},
        {"kind": "nothing"},
        {"kind": "bid_made"},
        {"kind": "bid_made", "seat": 2},
        {"kind": "bid_made", "seat": "2", "bid": BID},
        {"kind": "bid_made", "seat": True, "bid": BID},
        {"kind": "bid_made", "seat": 2.0, "bid": BID},
        {"kind": "bid_made", "seat": None, "bid": BID},
        {"kind": "bid_made", "seat": 2, "bid": "3x5"},
        {"kind": "bid_made", "seat": 2, "bid": {**BID, "quantity": [3]}},
        {"kind": "bid_made", "seat": 2, "bid": {"quantity": 3}},
        {"kind": "bid_made", "seat": 2, "bid": {**BID, "kind": "dudo"}},
        {"kind": "bid_made", "seat": 2, "bid": BID, "only": None},
        {"kind": "rolled", "only": None, "dice": [1]},
        {"kind": "rolled", "only": 1, "dice": "12"},
        {"kind": "rolled", "only": 1, "dice": [1, "2"]},
        {"kind": "revealed", "call": "perhaps", "caller": 0, "hands": [], "count": 0},
        {"kind": "revealed", "call": "dudo", "caller": 0, "hands": [1], "count": 0},
        {"kind": "round_started", "number": 1, "opener": 0, "palifico": "no"},
        {"kind": "starter_rolled", "rolls": [[0, [1], 2]]},
        {"kind": "game_started", "seats": 2, "options": {"calza": "on"}},
    ]:
        with (
            subtests.test(data=data),
            pytest.raises(ValueError, match=r"not|unknown|has the fields"),
        ):
            unpack(FACTS, data)


def test_a_move_is_not_read_as_a_fact() -> None:
    with pytest.raises(ValueError, match="unknown kind: 'bid'"):
        unpack(FACTS, pack(Bid(3, 5)))


def test_options_with_a_value_that_is_not_offered_are_refused(subtests: pytest.Subtests) -> None:
    for setting, value in [
        ("calza", True),
        ("calza_in_palifico", "true"),
        ("calza_in_palifico", 1),
        ("palifico_min_players", 4),
        ("palifico_min_players", "2"),
        ("starter", None),
        ("lost_dice_visible", None),
    ]:
        with subtests.test(setting=setting, value=value):
            data = {**PRESETS["asmodee_fr"].to_json(), setting: value}
            with pytest.raises(ValueError, match="is not"):
                Options.from_json(data)


def test_options_are_read_whole_or_not_at_all(subtests: pytest.Subtests) -> None:
    for data in [None, [], {}, {"calza": "on"}, "calza"]:
        with (
            subtests.test(data=data),
            pytest.raises(ValueError, match="Options has the fields"),
        ):
            Options.from_json(data)


def test_a_tuple_of_fixed_length_is_read_at_that_length_only() -> None:
    assert unpack_as(tuple[int, str], [1, "a"]) == (1, "a")
    with pytest.raises(ValueError, match="is not"):
        unpack_as(tuple[int, str], [1, "a", 2])
