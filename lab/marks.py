"""How often each mark of a game is earned, in seeded games between bots as if all were people.

    python -m lab.marks perudo --games 200

Each number of seats and each kind of bot in turn; in games with calza, every other one has it.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib import import_module
from itertools import cycle, islice
from multiprocessing import Pool
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
os.environ.setdefault("SECRET_KEY", "only-for-measuring-" * 3)
django.setup()

from games.contract import catalogue  # noqa: E402
from games.contract.game_values import RecordedFact  # noqa: E402
from games.core.chance import SeededChance  # noqa: E402
from games.core.contract import Fact, fold  # noqa: E402
from games.study.review import log  # noqa: E402
from tests.support.bot_games import Knowledge, options_of  # noqa: E402

BEGAN = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


def options(key: str, number: int) -> Any:
    """The site's own options, with calza in every other game that may have it."""
    if not hasattr(options_of(key), "calza"):
        return options_of(key)
    return options_of(key, changes=[f"calza={'on' if number % 2 else 'off'}"])


def play(kind: catalogue.GameKind, seats: int, number: int) -> list[Fact]:
    """Every fact of the game of this number."""
    rules, chance = kind.rules, SeededChance(f"marks/{number}")
    bots = [*islice(cycle(kind.bots.values()), number, number + seats)]
    facts = list(rules.start(seats, options(kind.key, number), chance))
    state, knowledge = fold(rules, facts), Knowledge(rules, seats)
    knowledge.learn(facts)
    while (waiting := rules.waiting(state)) is not None:
        moves = rules.due_moves(state)
        on_turn = () if waiting.on_turn is None else (waiting.on_turn,)
        asked = (*waiting.may_interrupt, *on_turn) if waiting.kind != "reveal" else ()
        for seat in asked:
            if (move := bots[seat](knowledge.of(seat), seat, chance)) is not None:
                moves = [(seat, move)]
                break
        for seat, move in moves:
            new = rules.decide(state, seat, move, chance)
            knowledge.learn(new)
            state, facts = fold(rules, new, state), [*facts, *new]
    return facts


def earned(key: str, number: int) -> tuple[int, list[str]]:
    """The seats of a game, and the marks that they earned in it."""
    kind = catalogue.of(key)
    assert kind.marks is not None  # noqa: S101
    seats = list(kind.rules.SEATS)[number % len(kind.rules.SEATS)]
    facts = play(kind, seats, number)
    told = [
        RecordedFact(seq, BEGAN + timedelta(seconds=seq), fact) for seq, fact in enumerate(facts, 1)
    ]
    found = [*kind.marks.earned(import_module(f"games.{key}.moments").from_log(told))]
    if kind.review is not None:
        record = json.loads(json.dumps(log.written(told, seats=seats, bots=())))
        for account in kind.review.analyse(record)["accounts"]:
            found += kind.marks.earned_by_review(account)
    return seats, [each.key for each in found]


def report(key: str, games: Iterable[tuple[int, list[str]]]) -> None:
    marks = catalogue.of(key).marks
    assert marks is not None  # noqa: S101
    count, seats = 0, 0
    in_games, by_seats = Counter[str](), Counter[str]()
    for taken, keys in games:
        count, seats = count + 1, seats + taken
        in_games.update(set(keys))
        by_seats.update(keys)
    print(f"{key}, {count} games, {seats} seats")
    for each in marks.KEYS:
        shares = f"{in_games[each] / count:6.1%} of games {by_seats[each] / seats:6.1%} of seats"
        print(f"{each:18} {shares}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=[kind.key for kind in catalogue.every() if kind.marks])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    args = parser.parse_args()
    with Pool(args.workers) as pool:
        report(args.game, pool.imap(partial(earned, args.game), range(args.games)))


if __name__ == "__main__":
    main()
