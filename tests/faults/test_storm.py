"""The short storms: some faults, once. `python -m tests.faults` has all of them, for long."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from tests.conftest import unavailable
from tests.faults.crowd import Crowd
from tests.faults.services import clock_faker, programs
from tests.faults.storm import Storm, open_house

pytestmark = [pytest.mark.real_server, pytest.mark.alone]
# Another seed is another storm: PERUDO_STORM=7 runs the one that failed.
SEED = int(os.environ.get("PERUDO_STORM", "1"))


async def weather(
    folder: Path, prepared: Path, *, grown_up: bool, only: list[str]
) -> dict[str, object]:
    async with open_house(folder, prepared, grown_up=grown_up, jumping=grown_up) as house:
        crowd = Crowd(house.addresses, seed=SEED, thinks=lambda luck: luck.uniform(0.1, 0.5))
        storm = Storm(house, crowd, SEED, only=only)
        try:
            await crowd.fill(4)
            for fault in storm.possible:
                await storm.hit(fault)
            return await storm.judge()
        finally:
            await crowd.go_home()


def test_a_grown_up_house_weathers_a_storm(prepared_folder: Path, tmp_path: Path) -> None:
    only = ["kill_a_process", "stop_redis", "restart_postgres", "turn_the_clocks_on"]
    try:
        programs("initdb", "pg_ctl", "redis-server")
        clock_faker()
    except LookupError as missing:
        unavailable(f"This machine has no storms to offer: {missing}")
    found = asyncio.run(weather(tmp_path, prepared_folder, grown_up=True, only=only))
    print(found)
    assert found["games"] >= 4 and found["moves acknowledged"] > 10  # type: ignore[operator]


def test_a_house_of_one_process_is_killed_and_restarted(
    prepared_folder: Path, tmp_path: Path
) -> None:
    only = ["kill_a_process", "restart_one_after_the_other", "cut_everybody_off"]
    found = asyncio.run(weather(tmp_path, prepared_folder, grown_up=False, only=only))
    print(found)
    assert found["games"] >= 4 and found["moves acknowledged"] > 10  # type: ignore[operator]
