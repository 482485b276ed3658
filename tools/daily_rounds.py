"""Makes the set of rounds for questions of the day: `.venv/bin/python -m tools.daily_rounds`.

Bots play games of every size by the printed rules of each game; of some games one decision is kept,
undecided by plain odds, with the facts up to the end of its round. In games with a judgement it is
clear, too, with each kind of right answer as often, and there is a second set for the trainer. The
same bots and judges make the same sets; interrupted, it goes on where it stopped.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from collections.abc import Iterator
from hashlib import sha256
from itertools import count, islice
from pathlib import Path
from random import Random
from tempfile import gettempdir
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
os.environ.setdefault("OMP_NUM_THREADS", "1")  # small arrays: threads only get in each other's way
django.setup()

from tqdm import tqdm  # noqa: E402

from games.contract import catalogue  # noqa: E402
from games.contract.optional_parts import Judgement, Questions  # noqa: E402
from games.core.chance import SeededChance  # noqa: E402
from games.core.contract import Fact, fold  # noqa: E402
from games.core.moves import Confirm  # noqa: E402
from games.study.questions import choosing, daily  # noqa: E402
from games.study.questions.decisions import Decision  # noqa: E402
from tests.support.bot_games import Knowledge  # noqa: E402

ROUNDS = {"perudo": 400, "peco_peco": 80}  # a year of weekdays and more than one of Sundays
PRACTICE = 120  # of each game with a judgement


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, help="a folder for all sets, instead of the games' own")
    parser.add_argument("--rounds", type=int, help="so many of each game, not a year of them")
    parser.add_argument("--practice", type=int, default=PRACTICE, help="so many for the trainer")
    parser.add_argument("--game", help="the sets of this game alone")
    chosen = parser.parse_args()
    for kind in catalogue.every():
        if (part := kind.questions) is None or chosen.game not in (None, kind.key):
            continue
        asked = chosen.rounds or ROUNDS[kind.key]
        practice = chosen.practice if kind.judgement else 0
        found = _distinct(kind, _kept(kind, part))
        progress = tqdm(found, total=asked + practice, desc=kind.key)
        rounds = list(islice(progress, asked + practice))
        _write(part.SHIPPED, rounds[:asked], chosen.to, kind.key)
        if kind.judgement is not None:
            told = [_told(kind, each) for each in rounds[asked:]]
            _write(kind.judgement.PRACTICE, told, chosen.to, kind.key)


def _write(file: Path, rounds: list[dict[str, Any]], folder: Path | None, key: str) -> None:
    if folder:
        file = folder / f"{key}-{file.name}"
    text = "".join(f"{json.dumps(each, separators=(',', ':'))}\n" for each in rounds)
    file.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{file}: {len(rounds)} rounds")


def _told(kind: catalogue.GameKind, made: dict[str, Any]) -> dict[str, Any]:
    """A round for the trainer: nothing but what the seat knew."""
    found = daily.read(kind.key, made["facts"], made["moment"])
    assert found is not None  # noqa: S101  # it was found before
    told = daily.written(found.told)
    return {"seat": found.seat, "told": told, "judgement": made["judgement"]}


def _distinct(
    kind: catalogue.GameKind, rounds: Iterator[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Those that ask something else than all before them."""
    asked = set()
    for each in rounds:
        found = daily.read(kind.key, each["facts"], each["moment"])
        assert found is not None  # noqa: S101  # it was found before
        decision = (repr(found.known), found.seat)
        if decision not in asked:
            asked.add(decision)
            yield each


def _kept(kind: catalogue.GameKind, part: Questions) -> Iterator[dict[str, Any]]:
    """The rounds of all seeds that have one, those first that an interrupted run has found."""
    file = Path(gettempdir()) / f"daily-rounds-{kind.key}-{_version(kind)}.jsonl"
    made = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    yield from filter(None, made)
    with file.open("a") as lines:
        for seed in count(len(made) + 1):
            found = _round(kind, part, seed)
            lines.write(f"{json.dumps(found)}\n")
            lines.flush()
            if found is not None:
                yield found


def _version(kind: catalogue.GameKind) -> str:
    """Tells apart what this tool, and the rules, bots and judges of the game were."""
    package = Path(__file__).parents[1] / "games" / kind.key
    found = {
        file
        for parts in ("rules/*.py", "bots/*", "review/*.py", "questions.py", "judgement.py")
        for file in package.glob(parts)
        if file.is_file()
    }
    files = [Path(__file__), *sorted(found)]
    return sha256(b"".join(each.read_bytes() for each in files)).hexdigest()[:12]


def _round(kind: catalogue.GameKind, part: Questions, seed: int) -> dict[str, Any] | None:
    """A round of the game of this seed, of three to six bots; None when it has none."""
    sizes = [size for size in kind.rules.SEATS if 3 <= size <= 6]
    rng, size = Random(seed), sizes[seed % len(sizes)]  # noqa: S311  # to be repeated
    moments = part.moments(daily.log_of(_played(kind, size, rng)))
    called = kind.judgement is not None and rng.random() < 0.5
    for found in choosing.undecided(kind.key, moments, rng):
        kept = {"size": size, "moment": found.number, "facts": choosing.facts_of(found, moments)}
        if kind.judgement is None:
            return kept
        judgement = _judged(kind.judgement, found, called=called)
        if judgement is not None:
            return kept | {"judgement": judgement}
    return None


def _judged(judge: Judgement, found: Decision, *, called: bool) -> dict[str, Any] | None:
    """The judgement of a clear decision whose best move is, or is not, of the first kind of all."""
    quick = judge.judgement(found.known, found.seat)
    if (choosing.best_kind(quick) == found.moves[0].kind) != called:
        return None
    return judge.clear(daily.written(found.told), found.seat)


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
