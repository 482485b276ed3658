"""Makes the set of rounds for questions of the day: `.venv/bin/python -m tools.daily_rounds`.

Bots play games of every size by the printed rules of each game; of some games one decision is kept,
undecided by plain odds, with the facts up to the end of its round. The same bots make the same set.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from benchmarks.tournament import Knowledge  # noqa: E402
from games import catalogue  # noqa: E402
from games.core.chance import SeededChance  # noqa: E402
from games.core.contract import Fact, fold  # noqa: E402
from games.core.moves import Confirm  # noqa: E402
from games.optional_parts import Questions  # noqa: E402
from games.questions import choosing, daily  # noqa: E402

ROUNDS = {"perudo": 400, "peco_peco": 80}  # a year of weekdays and more than one of Sundays


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, help="a folder for all sets, instead of the games' own")
    parser.add_argument("--rounds", type=int, help="so many of each game, not a year of them")
    chosen = parser.parse_args()
    for kind in catalogue.every():
        if (part := kind.questions) is not None:
            rounds = list(islice(_rounds(kind, part), chosen.rounds or ROUNDS[kind.key]))
            text = "".join(f"{json.dumps(each, separators=(',', ':'))}\n" for each in rounds)
            file = chosen.to / f"{kind.key}-{part.SHIPPED.name}" if chosen.to else part.SHIPPED
            file.write_bytes(gzip.compress(text.encode(), mtime=0))
            print(f"{file}: {len(rounds)} rounds")


def _rounds(kind: catalogue.GameKind, part: Questions) -> Iterator[dict[str, Any]]:
    """One round of every game that has any, from games of three to six, in turn."""
    seed, sizes = 0, [size for size in kind.rules.SEATS if 3 <= size <= 6]
    while True:
        seed += 1
        rng, size = Random(seed), sizes[seed % len(sizes)]  # noqa: S311  # to be repeated
        facts = _played(kind, size, rng)
        moments = part.moments(daily.log_of(facts))
        for found in islice(choosing.undecided(kind.key, moments, rng), 1):
            facts_kept = choosing.facts_of(found, moments)
            yield {"size": size, "moment": found.number, "facts": facts_kept}


def _played(kind: catalogue.GameKind, size: int, rng: Random) -> list[Fact]:
    """The facts of a whole game of bots of any strength, each of which knows what its seat does."""
    rules, chance = kind.rules, SeededChance(rng.randrange(2**32))
    bots = [kind.bots[rng.choice([*kind.bots])] for _ in range(size)]
    facts = rules.start(size, rules.read_options(kind.forms.QUICK_PLAY["options"]), chance)
    knowledge, state = Knowledge(rules, size), fold(rules, facts)
    knowledge.learn(facts)
    while (waiting := rules.waiting(state)) is not None:
        moves = rules.due_moves(state)
        for seat in waiting.seats:
            move: Any = Confirm()
            if waiting.kind != "reveal":
                move = bots[seat](knowledge.of(seat), seat, chance)
            if move is not None:
                moves = [(seat, move)]
                break
        for seat, move in moves:
            new = rules.decide(state, seat, move, chance)
            knowledge.learn(new)
            state = fold(rules, new, state)
            facts += new
    return facts


if __name__ == "__main__":
    main()
