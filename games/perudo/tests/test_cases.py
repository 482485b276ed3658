"""The worked cases of the rules, each checked against an independent reference."""

from __future__ import annotations

import json
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pytest

from games.core.chance import ScriptedChance
from games.perudo.rules.bids import Bid, why_illegal
from games.perudo.rules.calza import arbitrate
from games.perudo.rules.decide import decide
from games.perudo.rules.events import RoundStarted
from games.perudo.rules.moves import Calza, Dudo, Move, SettleClaims
from games.perudo.rules.options import PRESETS, Options
from games.perudo.rules.outcome import outcome
from games.perudo.rules.rounds import start
from games.perudo.rules.state import State
from games.perudo.tests.tables import ANY_DICE, after, next_round, refusal, table

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "perudo_cases.json").read_text())


def position(case: dict[str, Any]) -> State:
    given = case["state"]
    quantity, face = given.get("bid", (0, 0))
    return table(
        given["hands"],
        bid=str(Bid(quantity, face)) if quantity else None,
        bidder=given.get("bidder", 0),
        turn=given["turn"],
        palifico=given.get("palifico"),
        been_palifico=given.get("used", ()),
        **case["settings"],
    )


def move_of(action: list[Any]) -> Move:
    match action:
        case ["bid", quantity, face]:
            return Bid(quantity, face)
        case ["dudo"]:
            return Dudo()
    assert action == ["calza"]
    return Calza()


def test_every_preset_plays_its_rulebook() -> None:
    rulebooks = CASES["presets"].items()
    assert {preset: Options.from_json(rules) for preset, rules in rulebooks} == PRESETS


def test_a_bid_is_judged_as_in_the_case(subtests: pytest.Subtests) -> None:
    for case in CASES["bids"]:
        with subtests.test(case["id"]):
            settings = case["settings"]
            options = PRESETS[settings] if isinstance(settings, str) else Options(**settings)
            previous = Bid(*case["prev"]) if case["prev"] else None
            verdict = why_illegal(
                Bid(*case["bid"]), previous, options=options, palifico=case["palifico"], most=30
            )
            assert (verdict or "ok") == case["verdict"], case["why"]


def test_a_move_leads_to_what_the_case_says(subtests: pytest.Subtests) -> None:
    for case in CASES["states"]:
        with subtests.test(case["id"]):
            state, seat, move = position(case), case["seat"], move_of(case["action"])
            assert refusal(state, seat, move) == case["illegal"]
            if case["illegal"]:
                continue
            state = after(state, (seat, move))
            if state.phase == "claims":
                state = after(state, (seat, SettleClaims()))
            found: dict[str, Any] = {"dice": list(state.dice), "turn": state.turn}
            ended = outcome(state)
            if state.result:
                found |= {
                    "count": state.result.count,
                    "loser": state.result.loser,
                    "gainer": state.result.gainer,
                    "eliminated": bool(state.result.eliminated),
                    "winner": ended.winners[0] if ended else None,
                    "opener": None if ended else next_round(state).opener,
                    "palifico": None if ended else next_round(state).palifico,
                }
            expected = case["expect"]
            assert {name: found[name] for name in expected} == expected, case["why"]


def test_of_claims_at_once_the_one_of_the_case_prevails(subtests: pytest.Subtests) -> None:
    """P40, P41."""
    for case in CASES["simultaneous"]:
        with subtests.test(case["id"]):
            state = position(case)
            if case["turn_action"]:
                for claimant in case["claims"]:
                    state = after(state, (claimant, Calza()))
                assert [fact.kind for fact in decide(state, state.turn, Bid(10, 2), ANY_DICE)] == [
                    "bid_made"
                ]
                assert after(state, (state.turn, Bid(10, 2))).claims == ()
                assert case["winner"] == "action"
                continue
            assert arbitrate(state, case["claims"]) == case["winner"], case["why"]


def test_the_first_opener_is_found_as_in_the_case(subtests: pytest.Subtests) -> None:
    """P4."""
    for case in CASES["starters"]:
        with subtests.test(case["id"]):
            numbers = [die for roll in case["rolls"] for dice in roll.values() for die in dice]
            chance = ScriptedChance(chain(numbers, repeat(2)))
            facts = start(len(case["rolls"][0]), Options(starter="two_dice"), chance)
            [opener] = [fact.opener for fact in facts if isinstance(fact, RoundStarted)]
            assert opener == case["opener"], case["why"]
            assert sum(fact.kind == "starter_rolled" for fact in facts) == len(case["rolls"])
