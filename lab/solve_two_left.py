"""Makes the bots' tables for two players left: `nice lab/.venv/bin/python -m lab.solve_two_left`.

Each round between two is solved by regret minimisation (lab/two_left_kernel.py). It needs numba
(lab/requirements.txt), one core and about ten minutes. What is done is kept in a folder, so it
goes on from there when it is started again. The same seed gives the same tables on one machine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from tqdm import tqdm

from games.perudo.bots import two_left_tables
from games.perudo.bots.two_left_graph import ROUNDS, Floats, Round, graph, hands
from lab import two_left_packing

if TYPE_CHECKING:
    from lab.two_left_rounds import Solved

COMMAND = "python -m lab.solve_two_left"
NANOSECONDS = 1.4  # for a move of a hand against a hand of the other
AT_ONCE = 32  # so many hands of the other in an iteration of the larger rounds


@dataclass(frozen=True, slots=True)
class Plan:
    """How a round is solved: iterations, hands of the other in each, and ways to weigh ways.

    Of several ways each player's table is the one that its best response gains least against.
    """

    iterations: int
    batch: int
    slips: tuple[float | None, ...] = (0.02,)  # None: every way counts alike


def plan(round_: Round) -> Plan:
    """More iterations where one is cheap, and where many hands make it noisy."""
    if round_.palifico:
        return Plan(500, 252)
    if round_.total <= 4:
        return Plan(600, 252, (0.02, 0.1, 0.4, None))
    if round_.total == 5:
        return Plan(300, 252, (0.02, 0.1, 0.4, None))
    most = {6: 1000, 7: 600, 8: 700, 9: 600, 10: 650}
    return Plan(most[round_.total], AT_ONCE)


def cost(round_: Round) -> float:
    """About how many seconds of one core a round takes."""
    planned, drawn = plan(round_), graph(round_.total, round_.palifico)
    moves = np.diff(drawn.first)[np.append(drawn.target, 0)] + 1
    held = [len(hands(dice, round_.palifico)) for dice in round_.dice]
    work = sum(
        int(moves[drawn.reached[player]].sum())
        * held[player]
        * min(planned.batch, held[1 - player])
        for player in (0, 1)
    )
    return NANOSECONDS * 1e-9 * work * planned.iterations * len(planned.slips)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("var/two_left"), help="what is done")
    parser.add_argument("--to", type=Path, default=two_left_tables.FILE)
    parser.add_argument(
        "--only",
        nargs="*",
        choices=[str(each) for each in ROUNDS],
        help="solve these alone, 2v1 or 1v3p, write no tables",
    )
    parser.add_argument("--share", type=float, default=1.0, help="of the iterations, for a trial")
    parser.add_argument(
        "--measure",
        type=int,
        default=6,
        help="exploitability up to so many dice (7: four minutes more)",
    )
    chosen = parser.parse_args()
    wanted = [each for each in ROUNDS if not chosen.only or str(each) in chosen.only]
    folder = chosen.keep / f"seed_{chosen.seed}_share_{chosen.share:g}"
    folder.mkdir(parents=True, exist_ok=True)
    missing = [each for each in wanted if not _file(folder, each).exists()]
    seconds = {each: cost(each) * chosen.share for each in missing}
    print(
        f"{len(missing)} of {len(wanted)} rounds to solve, "
        f"about {sum(seconds.values()) / 60:.1f} minutes of one core; kept in {folder}",
        flush=True,
    )
    _solve(missing, seconds, folder, chosen.seed, chosen.share)
    arrays: dict[str, two_left_packing.Bytes] = {}
    told = {}
    for each in tqdm(wanted, desc="packing", unit="round", file=sys.stdout):
        averages = load(_file(folder, each), each)
        parts = two_left_packing.pack(each, averages)
        arrays |= {f"{each}.{part}": array for part, array in parts.items()}
        told[str(each)] = _measured(each, parts, chosen.measure)
        tqdm.write(f"{each}: {told[str(each)]}", file=sys.stdout)
    if not chosen.only:
        two_left_packing.write(
            chosen.to, arrays, {"command": COMMAND, "seed": chosen.seed, "rounds": told}
        )
        print(f"{chosen.to}: {chosen.to.stat().st_size / 1e6:.2f} MB")


def _solve(
    rounds: Sequence[Round], seconds: dict[Round, float], folder: Path, seed: int, share: float
) -> None:
    from lab.two_left_rounds import solve  # numba takes its time, and only this needs it

    form = "{l_bar}{bar}| {n:.0f}/{total:.0f} s, left {remaining}"
    runs = {each: max(1, round(plan(each).iterations * share)) for each in rounds}
    steps = {each: runs[each] * len(plan(each).slips) for each in rounds}
    each_takes = {each: max(1, round(seconds[each] / steps[each] * 1e6)) for each in rounds}
    total = sum(steps[each] * each_takes[each] for each in rounds)
    with tqdm(total=total, unit_scale=1e-6, bar_format=form, file=sys.stdout) as bar:
        for each in rounds:
            planned, step = plan(each), partial(bar.update, each_takes[each])
            bar.set_description(str(each))
            solved = solve(each, planned.slips, runs[each], planned.batch, seed, step)
            _save(_file(folder, each), solved)


def _file(folder: Path, round_: Round) -> Path:
    return folder / f"{round_}.npz"


def _save(file: Path, solved: Solved) -> None:
    part = file.with_suffix(".part.npz")
    np.savez_compressed(part, *solved)
    part.replace(file)


def load(file: Path, round_: Round) -> list[list[Floats]]:
    """The average strategies of both players, as `two_left_packing.pack` takes them."""
    drawn = graph(round_.total, round_.palifico)
    target = np.append(drawn.target, 0)
    moves = np.diff(drawn.first)[target] + (target > 0)
    found: list[list[Floats]] = []
    with np.load(file) as archive:
        for player in (0, 1):
            flat, at = archive[f"arr_{player}"].astype(float), 0
            held = len(hands(round_.dice[player], round_.palifico))
            states: list[Floats] = []
            for state, count in enumerate(moves):
                size = count * held if drawn.reached[player, state] else 0
                states.append(flat[at : at + size].reshape(-1, held))
                at += size
            found.append(states)
    return found


def _measured(
    round_: Round, parts: dict[str, two_left_packing.Bytes], most: int
) -> dict[str, float]:
    """What a round of the packed tables is worth to its opener, as a probability; up to so many
    dice also half of what best replies gain, a round worth ±1."""
    from lab.two_left_rounds import exploitability, value

    table = two_left_tables.unpack(round_, parts)
    told = {"value": round((1 + value(round_, table)) / 2, 6)}
    if round_.total <= most or round_.palifico:
        told["exploitability"] = round(exploitability(round_, table), 5)
    return told


if __name__ == "__main__":
    main()
