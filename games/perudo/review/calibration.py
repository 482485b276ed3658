"""How likely the judge said bids and calls were, beside what the dice were."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from games.contract.game_values import Said
from games.perudo import rules
from games.perudo.moments import from_log
from games.perudo.review.analysis import bidders_of, habits_of
from games.perudo.review.judge import Judged
from games.perudo.review.ledger import Ledger, ledger_of
from games.perudo.rules.bids import Bid, matching
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.rules.state import State
from games.study.review import log


def of_record(record: Any) -> Iterator[Said]:
    """What a review of this log says about the bids of people, and how it was."""
    found = log.read(rules.FACTS, record)
    bidders = bidders_of(found, habits_of(record))
    people = set(range(found.seats)) - found.bots
    yield from of_ledger(ledger_of(from_log(found.facts), found.by, bidders), people)


def of_ledger(ledger: Ledger, bidders: Container[int]) -> Iterator[Said]:
    """All doubts that could be called of these seats' bids, and the bids that they made."""
    for each in ledger.decisions:
        state, judged = each.before, each.judged
        if state.last_bid is not None and state.bidder in bidders:
            more = _more(state, state.last_bid)
            if Dudo() in judged.moves:
                yield _said("dudo", judged, judged.moves.index(Dudo()), happened=more < 0)
            if Calza() in judged.moves:
                yield _said("calza", judged, judged.moves.index(Calza()), happened=more == 0)
        bid = judged.moves[judged.played]
        if isinstance(bid, Bid) and judged.seat in bidders:
            yield _said("bids", judged, judged.played, happened=_more(state, bid) >= 0)


def _said(about: str, judged: Judged, index: int, *, happened: bool) -> Said:
    after, alone = judged.after[index], judged.odds[index]
    assert after is not None  # noqa: S101  # of calls and bids there are odds
    assert alone is not None  # noqa: S101
    return Said(about, after, alone, happened)


def _more(state: State, bid: Bid) -> int:
    """How many more dice show what was bid than it says."""
    palifico = state.palifico is not None
    held = sum(matching(hand, bid.face, palifico=palifico) for hand in state.hands if hand)
    return held - bid.quantity
