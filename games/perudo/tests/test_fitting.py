"""Habits are fitted to people who play unlike our bots, and then say more of their bids."""

from __future__ import annotations

import json
from collections.abc import Iterator
from statistics import mean
from typing import Any

import numpy as np
import pytest

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
