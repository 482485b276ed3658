"""How well the judge of Perudo believes bids: what it said, and how often it was right.

Seeded games between bots of all strengths at two to six seats, every other one with calza; of each
decision after a bid, the chance that dudo and calza are right by the dice alone, and after the
bids; and of each bid that was made, the chance that it is true. It prints Markdown tables by tenths
of what was said after the bids. `manage.py fit_judge --calibration` does so for people.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from tqdm import tqdm

from games.contract.game_values import Said
from games.perudo import rules
from games.perudo.moments import from_log
from games.perudo.review.calibration import of_ledger
from games.perudo.review.ledger import ledger_of
from games.perudo.rules.options import SITE_OPTIONS
from games.perudo.tests.reviewed_games import KINDS, facts_of, record_of
from games.study.review import log
from games.study.review.calibration import tables

BOTS: Final = tuple(kind for kind in KINDS if kind != "judges")


def game(number: int) -> Iterator[Said]:
    """All doubts that could be called and bids that were made in the game of this number."""
    chosen = random.Random(number)  # noqa: S311  # seeded
    kinds = [chosen.choice(BOTS) for _ in range(chosen.randint(2, 6))]
    options = replace(SITE_OPTIONS, calza=("off", "on")[number % 2])
    record = record_of(facts_of(kinds, f"after the bids {number}", options), len(kinds))
    found = log.read(rules.FACTS, record)
    yield from of_ledger(ledger_of(from_log(found.facts), found.by), range(len(kinds)))


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--decisions", type=int, default=20_000)
    most: int = wanted.parse_args().decisions
    said: list[Said] = []
    number = count = 0
    with tqdm(total=most) as progress:
        while count < most:
            for each in game(number):
                said.append(each)
                count += each.about == "dudo"
                progress.update(each.about == "dudo")
            number += 1
    for line in tables(said):
        print(line)


if __name__ == "__main__":
    main()
