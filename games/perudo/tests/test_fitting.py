"""Habits are fitted to people who play unlike our bots, and then say more of their bids."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import mean
from typing import Any

import numpy as np
import pytest

from games.contract.game_values import Said
from games.core.contract import Chance
from games.perudo import rules
from games.perudo.bots.answer import answer, drawn
from games.perudo.moments import from_log
from games.perudo.review import fitting, styles
from games.perudo.review.ledger import ledger_of
from games.perudo.review.styles import Bidders
from games.perudo.rules.bids import Bid, matching
from games.perudo.rules.moves import Dudo, Move
from games.perudo.rules.state import State
from games.perudo.tests import reviewed_games
from games.perudo.tests.reviewed_games import facts_of, record_of
from games.study.review import log
from games.study.review.calibration import tables


def swaggers(state: State, seat: int, chance: Chance) -> Move | None:
    """Bids by chance, whatever it holds, and doubts only what is far too much: no style of ours."""

    def on_turn(state: State, seat: int, chance: Chance) -> Move:
        last = state.last_bid
        moves = [each for each in rules.legal_moves(state, seat) if isinstance(each, Bid)]
        small = [each for each in moves if each.quantity <= sum(state.dice) / 2]
        if last is not None and (not small or last.quantity > sum(state.dice) / 2.2):
            return Dudo()
        return drawn(small or moves, [0.0] * len(small or moves), chance, 1.0)

    return answer(state, seat, chance, on_turn=on_turn, interrupt=lambda *_: False)


def games(first: int, count: int) -> Iterator[Any]:
    for number in range(first, first + count):
        facts = facts_of(["swaggers", "swaggers", "sharp"], f"swagger {number}")
        yield record_of(facts, 3, bots=[2])


def errors(record: Any, bidders: Bidders) -> Iterator[float]:
    """Of each bid that could be doubted: how far what was believed is from what it was, squared."""
    found = log.read(rules.FACTS, record)
    for each in ledger_of(from_log(found.facts), found.by, bidders).decisions:
        state, bid = each.before, each.before.last_bid
        if bid is None or state.bidder not in bidders or Dudo() not in each.judged.moves:
            continue
        palifico = state.palifico is not None
        held = sum(matching(hand, bid.face, palifico=palifico) for hand in state.hands if hand)
        said = styles.expected(state, each.judged.seat, bidders)[bid.face].true(bid)
        yield (said - (held >= bid.quantity)) ** 2


@pytest.mark.slow
def test_habits_of_people_unlike_our_bots_say_more_of_their_bids(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(reviewed_games.KINDS, "swaggers", swaggers)  # type: ignore[arg-type]
    players = [each for record in games(0, 12) for each in fitting.players_of(record)]
    found = fitting.fitted(players)
    assert json.loads(json.dumps(found)) == found
    assert found["players"] == 24 and found["decisions"] > 200
    people = styles.mixture(found["shares"])
    as_people = dict.fromkeys((0, 1), people)
    as_bots = {seat: styles.of_bots() for seat in (0, 1)}
    new = list(games(100, 12))
    fitted, shipped = (
        mean(error for record in new for error in errors(record, bidders))
        for bidders in (as_people, as_bots)
    )
    assert np.isfinite(fitted) and fitted < shipped - 0.005, (fitted, shipped)
    as_fitted, as_shipped = (
        off([each for record in new for each in fitting.said(record | {"habits": habits})])
        for habits in (found | {"version": 1}, None)
    )
    assert as_fitted < as_shipped, (as_fitted, as_shipped)


def off(said: Sequence[Said]) -> float:
    """By how much what was said of doubts is off what happened, over its tenths."""
    tenths: dict[int, list[float]] = defaultdict(list)
    for each in said:
        if each.about == "dudo":
            tenths[int(10 * each.chance)].append(each.chance - each.happened)
    count = sum(map(len, tenths.values()))
    assert count > 100
    return sum(abs(sum(rows)) for rows in tenths.values()) / count


def test_the_bids_of_people_alone_are_compared_with_what_was_under_the_cups(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(reviewed_games.KINDS, "swaggers", swaggers)  # type: ignore[arg-type]
    [record] = games(300, 1)
    said = list(fitting.said(record))
    found = log.read(rules.FACTS, record)
    moves = [each.move for each in from_log(found.facts) if each.move]
    bids = [move for move in moves if move.code == "bid" and move.seat != 2]
    assert [each.happened for each in said if each.about == "bids"] == [
        move.values["count"] >= move.values["quantity"] for move in bids
    ]
    for each, move in zip((each for each in said if each.about == "bids"), bids, strict=True):
        assert move.chance is not None and each.alone == pytest.approx(move.chance, abs=1e-4)
    lines = list(tables(said))
    assert "bids" in lines and "dudo" in lines and "calza" not in lines
    rows = [line for line in lines if line.startswith("| ") and "%" in line]
    counted = sum(int(line.split("|")[2].replace(",", "")) for line in rows)
    assert counted == len(said)
    assert list(fitting.said(record | {"bots": [0, 1, 2]})) == []
