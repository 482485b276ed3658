"""Where the hard bot of Peco Peco errs: its decisions in seeded games, every option played out.

    nice python -m lab.misjudged --games 200 --file /tmp/misjudged.jsonl

The value of an option is the chance of the seat's side to win the game, as `game_model` reads it
off from the winner of the round, or 1, 0 or a share where the round ends the game. From the
decision on the bots of the table play the round to its end. There are two kinds of worlds, and
every option is played in each with the same seed:

- *drawn*: what the seat has not seen is dealt again, seat by seat; while a hand could have been
  played by who declared on the present top card, it is dealt once more four times in five;
- *true*: the hands that really were, which are a fair sample of what the seat could expect, with
  the draw pile in another order.

The regret of a decision is the value in true worlds of the option that was best in the drawn ones,
less that of the one the bot chose. Choice and value rest on other playouts, so luck does not make
it larger than it is: the best option is worth at least so much more. Beside it stands what the bot
foresaw of each option less what came of it, and what it would have gained by the option of another
kind that it likes best. Games that were played are kept in the file, and a second run goes on from
there, until rules or bots change.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any, Final

import numpy as np
from tqdm import tqdm

from games.core.chance import SeededChance
from games.core.contract import Fact, fold
from games.core.values import changed
from games.peco_peco.bots import BOTS
from games.peco_peco.rules.state import State
from lab.endings import sources
from lab.playouts import RULES, Case, declarers, drawn_world, options, row
from tests.support.bot_games import Knowledge, options_of

TABLES: Final = {"hard": ("hard",), "mixed": ("hard", "medium", "easy", "medium")}
SEATS: Final = (4, 5, 6, 8)

Row = dict[str, Any]
Job = tuple[str, int, int]  # table, seats, number


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured: one decision in `every`, its options in so many worlds of each kind."""

    seed: int
    every: int
    drawn: int
    true: int


# --- a game ---------------------------------------------------------------------------------------


def measure(job: Job, plan: Plan) -> tuple[Job, list[Row]]:
    """The decisions that are sampled from a game."""
    table, seats, number = job
    kinds = [TABLES[table][(seat + number) % len(TABLES[table])] for seat in range(seats)]
    name = f"{plan.seed}/{table}/{seats}/{number}"
    chance, sampling = SeededChance(name), SeededChance(f"{name}/sampling")
    facts: list[Fact] = RULES.start(seats, options_of("peco_peco"), chance)
    state: State = fold(RULES, facts)
    knowledge = Knowledge(RULES, seats)
    public: State | None = None
    declared: frozenset[int] = frozenset()
    rows: list[Row] = []
    while True:
        knowledge.learn(facts)
        public = fold(RULES, (fact for fact in facts if fact.audience is None), public)
        declared = declarers(facts, declared)
        if state.phase == "over":
            return job, rows
        moves = RULES.due_moves(state)
        waiting = RULES.waiting(state)
        asked = () if state.phase == "reveal" else (*waiting.may_interrupt, waiting.on_turn)
        for seat in filter(lambda one: one is not None, asked):
            known = knowledge.of(seat)
            move = BOTS[kinds[seat]](known, seat, chance)
            choices = {}
            if kinds[seat] == "hard" and not sampling.below(plan.every):
                choices = options(known, seat)
            if choices:
                drawn = [
                    drawn_world(state, known, seat, declared, sampling) for _ in range(plan.drawn)
                ]
                true = [
                    changed(state, pile=sampling.shuffled(state.pile or ()))
                    for _ in range(plan.true)
                ]
                case = Case(known, seat, public, kinds, f"{name}/{len(rows)}")
                rows.append(row(case, choices, move, drawn, true) | {"table": table})
            if move is not None:
                moves = [(seat, move)]
                break
        facts = []
        for seat, move in moves:
            new = RULES.decide(state, seat, move, chance)
            state = fold(RULES, new, state)
            facts += new


def kept(path: Path | None, run: Row) -> dict[Job, list[Row]]:
    """The games of this run that the file holds; a line that was cut short is none."""
    games: dict[Job, list[Row]] = {}
    for line in path.read_text().splitlines() if path and path.exists() else []:
        try:
            data = json.loads(line)
        except ValueError:
            continue
        if data["run"] == run:
            games[tuple(data["job"])] = data["rows"]
    return games


def play(jobs: Sequence[Job], plan: Plan, workers: int, path: Path | None) -> list[Row]:
    """The decisions of these games, with progress; each game is written when it is played."""
    run = asdict(plan) | {"sources": sources("peco_peco")}
    games = kept(path, run)
    missing = [job for job in jobs if job not in games]
    with Pool(workers) as pool:
        new = pool.imap_unordered(partial(measure, plan=plan), missing)
        for job, rows in tqdm(new, total=len(jobs), initial=len(jobs) - len(missing), unit="game"):
            games[job] = rows
            if path is not None:
                with path.open("a") as file:
                    file.write(json.dumps({"run": run, "job": job, "rows": rows}) + "\n")
    return [each for job in jobs for each in games[job]]


# --- what is printed ------------------------------------------------------------------------------

CLASSES: Final[dict[str, Callable[[Row], Any]]] = {
    "all": lambda row: "",
    "table": lambda row: row["table"],
    "players": lambda row: row["seats"],
    "cards in hand": lambda row: min(row["cards"], 6),
    "others to answer": lambda row: "opening" if row["opening"] else min(row["pending"], 3),
    "stakes left": lambda row: "0" if not row["left"] else "1 to 5" if row["left"] < 6 else "more",
    "rule": lambda row: row["rule"],
    "choice": lambda row: _chosen(row)["kind"],
}


def _chosen(row: Row) -> Row:
    chosen: Row = row["options"][row["chosen"]]
    return chosen


def regret(row: Row) -> float:
    best = max(row["options"], key=lambda option: option["drawn"])
    loss: float = best["true"] - _chosen(row)["true"]
    return loss


def report(rows: Sequence[Row]) -> Iterator[str]:
    """Means with one standard error, in hundredths of a game; `of all` is the share of the loss."""
    whole = sum(map(regret, rows))
    yield f"{'regret by':16} {'':10} {'decisions':>9} {'points':>15} {'of all':>7}"
    for title, name in CLASSES.items():
        for key in sorted({name(each) for each in rows}, key=str):
            losses = [regret(each) for each in rows if name(each) == key]
            share = f"{sum(losses) / whole:7.0%}" if whole else ""
            yield f"{title:16} {key!s:10} {len(losses):9} {_mean(losses)} {share}"
    kinds = sorted({option["kind"] for row in rows for option in row["options"]})
    yield f"\n{'foreseen less what came, by option':40}"
    for kind in kinds:
        errors = [
            option["foreseen"] - option["true"]
            for row in rows
            for option in row["options"]
            if option["kind"] == kind
        ]
        yield f"{kind:27} {len(errors):9} {_mean(errors)}"
    yield f"\n{'gained if switched, from what to what':40}"
    for chosen in kinds:
        for other in kinds:
            gains = [gain for row in rows if (gain := switched(row, chosen, other)) is not None]
            if gains:
                yield f"{chosen:>10} to {other:10}    {len(gains):9} {_mean(gains)}"


def switched(row: Row, kind: str, other: str) -> float | None:
    """What the option of another kind that the bot likes best is worth more; None where the bot
    chose differently or has no such option.
    """
    chosen = _chosen(row)
    others = [
        option for option in row["options"] if option["kind"] == other and option is not chosen
    ]
    if chosen["kind"] != kind or not others:
        return None
    gain: float = max(others, key=lambda option: option["foreseen"])["true"] - chosen["true"]
    return gain


def _mean(values: Sequence[float]) -> str:
    points = 100 * np.array(values)
    return f"{points.mean():+7.2f} ± {points.std() / len(points) ** 0.5:4.2f}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=40, help="of each table and number of seats")
    parser.add_argument("--seats", type=int, nargs="+", default=SEATS)
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=list(TABLES))
    parser.add_argument("--every", type=int, default=25, help="one decision in so many")
    parser.add_argument("--drawn", type=int, default=12, help="drawn worlds for each decision")
    parser.add_argument("--true", type=int, default=8, help="games with the true hands")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--file", type=Path, help="where games are kept that were played")
    given = parser.parse_args(arguments)
    if not set(given.seats) <= set(RULES.SEATS):
        parser.error(f"--seats are {RULES.SEATS.start} to {RULES.SEATS.stop - 1}")
    plan = Plan(given.seed, given.every, given.drawn, given.true)
    jobs = [
        (table, seats, number)
        for number in range(given.games)
        for table in given.tables
        for seats in given.seats
    ]
    for line in report(play(jobs, plan, given.workers, given.file)):
        print(line)


if __name__ == "__main__":
    main()
