"""How fair and how good the judge of Perudo is: reviews of many seeded games between bots.

It prints, of each kind of bot, its wins beside its accuracy and luck; of each seat its mean luck;
whether the parts of luck and the remainder depend on each other; and what a review costs. Games
that are counted are kept in a file, so it can be interrupted.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any, Final

import numpy as np
from tqdm import tqdm

from games.perudo.review import JUDGE, analyse
from games.perudo.tests.reviewed_games import facts_of, record_of

SIX: Final = ("strongest", "expert", "sharp", "steady", "beginner", "beginner")
FIGURES: Final = ("own", "gifts", "rolls", "bids", "reveals", "luck", "residual", "accuracy")


def played(number: int, kinds: Sequence[str]) -> dict[str, Any]:
    """The game of this number: by seat its kind, whether it won, and its accounts."""
    turned = [kinds[(seat + number) % len(kinds)] for seat in range(len(kinds))]
    record = record_of(facts_of(turned, f"judge {number}"), len(turned))
    started = time.process_time()
    found = analyse(record)
    seconds = time.process_time() - started
    return {
        "judge": JUDGE,
        "number": number,
        "kinds": turned,
        "won": [each["last"] for each in found["accounts"]],
        "seconds": seconds,
        "decisions": len(found["decisions"]),
        **{name: [each[name] for each in found["accounts"]] for name in FIGURES},
    }


def kept(path: Path | None, kinds: Sequence[str]) -> list[dict[str, Any]]:
    """The games that an earlier run has counted, of the same judge and bots."""
    if path is None or not path.exists():
        return []
    games = map(json.loads, path.read_text().splitlines())
    return [
        game for game in games if game["judge"] == JUDGE and sorted(game["kinds"]) == sorted(kinds)
    ]


def count(kinds: Sequence[str], games: int, workers: int, path: Path | None) -> list[Any]:
    """The games up to this number, with progress."""
    found = kept(path, kinds)
    missing = sorted(set(range(games)) - {game["number"] for game in found})
    with Pool(workers) as pool:
        new = pool.imap_unordered(partial(played, kinds=kinds), missing, chunksize=4)
        for game in tqdm(new, total=games, initial=games - len(missing), unit="game"):
            found.append(game)
            if path is not None:
                with path.open("a") as file:
                    file.write(json.dumps(game) + "\n")
    return found


def report(games: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What is printed, line by line; means with one standard error."""
    by_kind: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for game in games:
        for kind, *row in zip(
            game["kinds"], game["won"], game["accuracy"], game["luck"], strict=True
        ):
            if None not in row:
                by_kind[kind].append(tuple(row))
    for kind, rows in by_kind.items():
        wins, accuracy, luck = np.array(rows).T
        yield f"{kind:>10}  wins {_mean(wins)}  accuracy {_mean(accuracy)}  luck {_mean(luck)}"
    figures = {name: np.array([game[name] for game in games]) for name in FIGURES[2:-1]}
    for name in ("luck", "residual"):
        seats = "  ".join(_mean(each) for each in figures[name].T)
        yield f"{name} by seat: {seats}; mean absolute {np.abs(figures[name]).mean():.4f}"
    others = figures["bids"] + figures["reveals"]
    yield f"remainder on luck: slope {_slope(figures['luck'], figures['residual']):+.3f}"
    yield f"other luck on that of rolls: slope {_slope(figures['rolls'], others):+.3f}"
    seconds = np.array([game["seconds"] for game in games])
    decisions = np.array([game["decisions"] for game in games])
    yield (
        f"a review: {1000 * np.median(seconds):.0f} ms of CPU (median), "
        f"{decisions.mean():.0f} decisions, {1000 * seconds.sum() / decisions.sum():.2f} ms each"
    )


def _mean(values: Any) -> str:
    return f"{values.mean():+.4f} ± {values.std() / max(len(values), 1) ** 0.5:.4f}"


def _slope(x: Any, y: Any) -> float:
    return float(np.cov(x.ravel(), y.ravel())[0, 1] / x.var(ddof=1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="+", default=SIX, help="a bot for each seat")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--file", type=Path, help="where games are kept that are counted")
    given = parser.parse_args()
    for line in report(count(given.kinds, given.games, given.workers, given.file)):
        print(line)


if __name__ == "__main__":
    main()
