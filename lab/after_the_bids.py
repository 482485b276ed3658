"""How well the judge of Perudo believes bids: what it said, and how often it was right.

Seeded games between bots of all strengths at two to six seats, every other one with calza; of each
decision after a bid, the chance that dudo and calza are right by the dice alone, and after the
bids; and of each bid that was made, the chance that it is true. It prints Markdown tables by tenths
of what was said after the bids.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from statistics import mean
from typing import Final

from tqdm import tqdm

from games.perudo import rules
from games.perudo.moments import from_log
from games.perudo.review.judge import Judged
from games.perudo.review.ledger import ledger_of
from games.perudo.rules.bids import Bid, matching
from games.perudo.rules.moves import Calza, Dudo
from games.perudo.rules.options import SITE_OPTIONS
from games.perudo.rules.state import State
from games.perudo.tests.reviewed_games import KINDS, facts_of, record_of
from games.study.review import log

BOTS: Final = tuple(kind for kind in KINDS if kind != "judges")
Said = tuple[float, float, bool]  # after the bids, by the dice alone, whether it was right


def game(number: int) -> Iterator[tuple[str, Said]]:
    """All doubts that could be called and bids that were made in the game of this number."""
    chosen = random.Random(number)  # noqa: S311  # seeded
    kinds = [chosen.choice(BOTS) for _ in range(chosen.randint(2, 6))]
    options = replace(SITE_OPTIONS, calza=("off", "on")[number % 2])
    record = record_of(facts_of(kinds, f"after the bids {number}", options), len(kinds))
    found = log.read(rules.FACTS, record)
    for each in ledger_of(from_log(found.facts), found.by).decisions:
        state, judged = each.before, each.judged
        if state.last_bid is not None and Dudo() in judged.moves:
            doubt = judged.moves.index(Dudo())
            yield "dudo", (*_said(judged, doubt), count_of(state, state.last_bid) < 0)
        if state.last_bid is not None and Calza() in judged.moves:
            calza = judged.moves.index(Calza())
            yield "calza", (*_said(judged, calza), count_of(state, state.last_bid) == 0)
        bid = judged.moves[judged.played]
        if isinstance(bid, Bid):
            yield "bids", (*_said(judged, judged.played), count_of(state, bid) >= 0)


def _said(judged: Judged, index: int) -> tuple[float, float]:
    after, plain = judged.after[index], judged.odds[index]
    assert after is not None  # noqa: S101  # of calls and bids there are odds
    assert plain is not None  # noqa: S101
    return after, plain


def count_of(state: State, bid: Bid) -> int:
    """How many more dice show what was bid than it says."""
    palifico = state.palifico is not None
    held = sum(matching(hand, bid.face, palifico=palifico) for hand in state.hands if hand)
    return held - bid.quantity


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--decisions", type=int, default=20_000)
    most: int = wanted.parse_args().decisions
    tables: dict[str, dict[int, list[Said]]] = {
        "dudo": defaultdict(list),
        "calza": defaultdict(list),
        "bids": defaultdict(list),
    }
    number = count = 0
    with tqdm(total=most) as progress:
        while count < most:
            for kind, each in game(number):
                tables[kind][min(9, int(10 * each[0]))].append(each)
                count += kind == "dudo"
                progress.update(kind == "dudo")
            number += 1
    for kind, tenths in tables.items():
        print(f"\n{kind}\n")
        print("| said after the bids | n | said, mean | by the dice alone, mean | was right |")
        print("|---|---|---|---|---|")
        for tenth, rows in sorted(tenths.items()):
            after, plain, right = (mean(column) for column in zip(*rows, strict=True))
            span = f"{10 * tenth} to {10 * tenth + 10}%"
            print(f"| {span} | {len(rows):,} | {after:.1%} | {plain:.1%} | {right:.1%} |")


if __name__ == "__main__":
    main()
