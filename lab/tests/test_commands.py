"""Every program of lab still runs, briefly."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.programs import (
    Brief,
    by_length,
    documented_programs,
    existing_programs,
    run,
)

ONE_GAME = "--games 2 --workers 1"
PROGRAMS = {
    "lab.calls": Brief("--games 2"),
    "lab.copying": Brief("--games 40 --pool 4", postgres=True),
    "lab.check_ratings": Brief(
        "perudo --games 40 --tuned 60 --few 2 --workers 1 --kept {to}",
    ),
    "lab.daily_flood": Brief("--seconds 2 --rounds 1 --answers 60"),
    "lab.endings": Brief(
        f"peco_peco --seats 4 {ONE_GAME} --bots easy medium --file {{to}}/endings.jsonl",
        long=False,
    ),
    "lab.evening": Brief("--hours 1 --seed 7"),
    "lab.engine": Brief("--seconds 0.2", long=False),
    "lab.frame_cost": Brief("--frames 3 --rounds 1", browser=True),
    "lab.frames": Brief("--seats 4"),
    "lab.get_flood": Brief("--seconds 1 --connections 5 --path /"),
    "lab.greedy_address": Brief("--seconds 1 --guests 2 --share 4"),
    "lab.greedy_sockets": Brief("--seconds 1 --sockets 4"),
    "lab.home_page": Brief("--times 2"),
    "lab.idle_page": Brief("--seconds 0.5 --rounds 1", browser=True),
    "lab.idle_people": Brief("--people 5 --seconds 1"),
    "lab.after_the_bids": Brief("--decisions 40"),
    "lab.fit_styles": Brief("--games 2 --file {to}/styles.json"),
    "lab.judge": Brief("--games 2 --kinds expert steady --workers 1", long=False),
    "lab.length": Brief(f"peco_peco --seats 4 {ONE_GAME}", long=False),
    "lab.lighthouse": Brief(
        "--runs 1 --goal 0 --only home --report {to}/report.md --keep {to}", browser=True
    ),
    "lab.long_life": Brief("--games 400 --small 300 --people 8 --pool 20 --times 2", postgres=True),
    "lab.long_tasks": Brief("--rounds 1", browser=True),
    "lab.marks": Brief(f"peco_peco {ONE_GAME}", long=False),
    "lab.misjudged": Brief(
        "--games 1 --seats 4 --tables mixed --every 150 --drawn 1 --true 1", long=False
    ),
    "lab.processes": Brief(
        "--processes 1 2 --tables 3 --seconds 2 --warm 3 --pace 0.5", postgres=True
    ),
    "lab.replay_steps": Brief("--seats 4"),
    "lab.review_queue": Brief("--reviews 4 --rounds 1 --seconds 1"),
    "lab.tournament": Brief(
        "perudo --hero sharp --field steady --seats 3 --games 2 --workers 1 --set calza=on",
        long=False,
    ),
    "lab.solve_two_left": Brief("--help", long=False),  # lab/tests/test_solve_two_left.py
    "lab.tune_ratings": Brief("perudo --games 40 --workers 1 --kept {to} --file {to}/ratings.json"),
    "lab.train_expert": Brief("--help", long=False),  # lab/tests/test_training.py
}
PARTS_OF_OTHERS = {"lab.visits"}  # long_life runs it


def test_every_program_has_a_brief_run() -> None:
    assert documented_programs("lab") | existing_programs("lab") == set(PROGRAMS) | PARTS_OF_OTHERS


@pytest.mark.parametrize("name", by_length(PROGRAMS))
def test_a_program_runs(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    run(name, PROGRAMS[name], tmp_path, request)
