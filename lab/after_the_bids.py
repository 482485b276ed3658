"""How well the judge of Perudo believes bids: of doubts, what it said and how often it was right.

Seeded games between bots of all strengths at two to six seats; of each decision after a bid, the
chance that dudo is right by the dice alone, and after the bids. It prints a Markdown table by
tenths of what was said after the bids.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator
from statistics import mean
from typing import Final

from tqdm import tqdm

from games.perudo import rules
from games.perudo.moments import from_log
from games.perudo.review.judge import Judged
from games.perudo.review.ledger import ledger_of
from games.perudo.rules.bids import matching
from games.perudo.rules.moves import Dudo
from games.perudo.rules.state import State
from games.perudo.tests.reviewed_games import KINDS, facts_of, record_of
from games.study.review import log

BOTS: Final = tuple(kind for kind in KINDS if kind != "judges")
Said = tuple[float, float, bool]  # after the bids, by the dice alone, whether the bid was false


def game(number: int) -> Iterator[Said]:
    """All decisions after a bid in the game of this number."""
    chosen = random.Random(number)  # noqa: S311  # seeded
    kinds = [chosen.choice(BOTS) for _ in range(chosen.randint(2, 6))]
    record = record_of(facts_of(kinds, f"after the bids {number}"), len(kinds))
    found = log.read(rules.FACTS, record)
    for each in ledger_of(from_log(found.facts), found.by).decisions:
        if Dudo() in each.judged.moves:
            yield from said(each.before, each.judged)


def said(state: State, judged: Judged) -> Iterator[Said]:
    index, bid = judged.moves.index(Dudo()), state.last_bid
    plain = judged.odds[index]
    if bid is None or plain is None:
        return
    palifico = state.palifico is not None
    held = sum(matching(hand, bid.face, palifico=palifico) for hand in state.hands if hand)
    yield 1 - float(judged.ends[index, 0]), plain, held < bid.quantity


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--decisions", type=int, default=20_000)
    most: int = wanted.parse_args().decisions
    tenths: dict[int, list[Said]] = defaultdict(list)
    number = count = 0
    with tqdm(total=most) as progress:
        while count < most:
            for each in game(number):
                tenths[min(9, int(10 * each[0]))].append(each)
                count += 1
                progress.update()
            number += 1
    print("| said after the bids | n | said, mean | by the dice alone, mean | was right |")
    print("|---|---|---|---|---|")
    for tenth, rows in sorted(tenths.items()):
        after, plain, right = (mean(column) for column in zip(*rows, strict=True))
        span = f"{10 * tenth} to {10 * tenth + 10}%"
        print(f"| {span} | {len(rows):,} | {after:.1%} | {plain:.1%} | {right:.1%} |")


if __name__ == "__main__":
    main()
