"""Fits the styles of Perudo's bots, as the judge of reviews believes their bids.

Seeded games between bots of all strengths at two to six seats. It writes the shares of
`games.perudo.review.styles.STYLES` to `styles.json` there.
"""

from __future__ import annotations

import argparse
import json
import random

from tqdm import tqdm

from games.perudo.review.fitting import Player, fitted, players_of
from games.perudo.review.styles import FILE
from games.perudo.tests.reviewed_games import facts_of, record_of
from lab.after_the_bids import BOTS


def game(number: int) -> list[Player]:
    chosen = random.Random(number)  # noqa: S311  # seeded
    kinds = [chosen.choice(BOTS) for _ in range(chosen.randint(2, 6))]
    return players_of(record_of(facts_of(kinds, f"styles {number}"), len(kinds)))


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--games", type=int, default=200)
    wanted.add_argument("--file", default=str(FILE))
    asked = wanted.parse_args()
    players = [each for number in tqdm(range(asked.games)) for each in game(number)]
    content = {"command": f"python -m lab.fit_styles --games {asked.games}"} | fitted(players)
    with open(asked.file, "w") as kept:
        kept.write(json.dumps(content) + "\n")
    print(content)


if __name__ == "__main__":
    main()
