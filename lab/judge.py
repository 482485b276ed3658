"""How fair and how good the judge of Perudo is: reviews of many seeded games between bots.

It prints, of each kind of bot, its wins beside its accuracy and luck; of each seat its mean luck;
whether the parts of luck and the remainder depend on each other; and what a review costs. With
`--loaded` the first seat plays with better dice, and it prints what they are worth beside the luck
that the review says. Games that are counted are kept in a file, so it can be interrupted.
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
from games.perudo.tests.reviewed_games import better_dice, facts_of, record_of

SIX: Final = ("strongest", "expert", "sharp", "steady", "beginner", "beginner")
FIGURES: Final = ("own", "gifts", "rolls", "bids", "reveals", "luck", "residual", "accuracy")


def played(number: int, kinds: Sequence[str], loaded: bool) -> dict[str, Any]:
    """The game of this number: by seat its kind, whether it won, and its accounts."""
    turned = [kinds[(seat + number) % len(kinds)] for seat in range(len(kinds))]
    dice = {"loaded": better_dice} if loaded else {}
    record = record_of(facts_of(turned, f"judge {number}", **dice), len(turned))
    started = time.process_time()
    found = analyse(record)
    seconds = time.process_time() - started
    return {
        "judge": JUDGE,
        "number": number,
        "kinds": turned,
        "loaded": loaded,
        "won": [each["last"] for each in found["accounts"]],
        "seconds": seconds,
        "decisions": len(found["decisions"]),
        **{name: [each[name] for each in found["accounts"]] for name in FIGURES},
    }


def kept(path: Path | None, kinds: Sequence[str], loaded: bool) -> list[dict[str, Any]]:
    """The games that an earlier run has counted, of the same judge, bots and dice."""
    if path is None or not path.exists():
        return []
    games = map(json.loads, path.read_text().splitlines())
    return [
        game
        for game in games
        if (game["judge"], sorted(game["kinds"]), game.get("loaded", False))
        == (JUDGE, sorted(kinds), loaded)
    ]


def count(given: argparse.Namespace) -> list[Any]:
    """The games up to the number that was asked for, with progress."""
    kinds, games, path, loaded = given.kinds, given.games, given.file, given.loaded
    found = kept(path, kinds, loaded)
    missing = sorted(set(range(games)) - {game["number"] for game in found})
    with Pool(given.workers) as pool:
        play = partial(played, kinds=kinds, loaded=loaded)
        new = pool.imap_unordered(play, missing, chunksize=4)
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
    if games[0]["loaded"]:
        luck, gain = (
            np.array([each[0] for each in rows]) for rows in (figures["luck"], _gain(games))
        )
        yield f"better dice: luck {_mean(luck)}, worth {_mean(gain)}, between {_mean(luck - gain)}"
    seconds = np.array([game["seconds"] for game in games])
    decisions = np.array([game["decisions"] for game in games])
    yield (
        f"a review: {1000 * np.median(seconds):.0f} ms of CPU (median), "
        f"{decisions.mean():.0f} decisions, {1000 * seconds.sum() / decisions.sum():.2f} ms each"
    )


def _gain(games: Sequence[dict[str, Any]]) -> list[list[float]]:
    """What each seat won above an equal share."""
    return [[won - 1 / len(game["won"]) for won in game["won"]] for game in games]


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
    parser.add_argument("--loaded", action="store_true", help="the first seat has better dice")
    for line in report(count(parser.parse_args())):
        print(line)


if __name__ == "__main__":
    main()
