"""A rolling restart: one process after the other goes and comes, and the tables play on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from games.contract import catalogue
from tests.faults import checks
from tests.faults.crowd import Crowd
from tests.faults.storm import Storm, open_deployment, restart_one_after_the_other
from tests.support.fixtures import unavailable
from tests.support.services import programs

pytestmark = [pytest.mark.real_server, pytest.mark.slow]


async def roll(folder: Path, prepared: Path, *, games: int) -> Crowd:
    async with open_deployment(folder, prepared, grown_up=True, jumping=False) as deployment:
        crowd = Crowd(
            deployment.addresses,
            seed=1,
            thinks=lambda rng: rng.uniform(2, 6),
            pace=90,  # so that no turn runs out on a machine that is busy
            games=[game.key for game in catalogue.every()],
        )
        storm = Storm(deployment, crowd, 1)
        try:
            await crowd.fill(games)
            crowd.journal.pauses.clear()
            await storm.hit(restart_one_after_the_other)
            assert storm.bad_ends == []
            await asyncio.sleep(6)  # in which everybody moves at least once
            await crowd.pause()
            records = checks.Records(deployment.database, crowd.codes)
            checks.check_no_visible_errors(crowd)
            moves = checks.check_acknowledged_moves_stored_once(records, crowd.journal.attempts)
            checks.check_logs_replay(records)
            checks.check_no_move_without_request(records, crowd.journal.attempts)
            await checks.check_screens_match_fresh_pages(crowd)
            checks.check_server_log(deployment.log)
            assert moves > games
        finally:
            await crowd.close_sockets()
        return crowd


@pytest.mark.parametrize("games", [12, pytest.param(50, marks=pytest.mark.long)])
def test_games_play_on_while_both_processes_are_restarted(
    prepared_folder: Path, tmp_path: Path, games: int
) -> None:
    """No acknowledged move is lost, no answer is a failure, every socket is asked to come back."""
    try:
        programs("initdb", "pg_ctl", "redis-server")
    except LookupError as missing:
        unavailable(f"This machine has not all that two processes stand on: {missing}")
    journal = asyncio.run(roll(tmp_path, prepared_folder, games=games)).journal
    pauses = sorted(journal.pauses)
    print(
        f"{len(journal.acknowledged)} moves; {sum(journal.lost.values())} sockets lost, "
        f"{dict(journal.lost)}; without a current screen: median {pauses[len(pauses) // 2]:.2f} s, "
        f"longest {pauses[-1]:.2f} s; longest answer {max(journal.waits):.2f} s; "
        f"{journal.cut_off} requests made again at the other process"
    )
    # Asked to come back, or tried at a process that was not there; never cut off.
    assert {code for code in journal.lost if isinstance(code, int)} == {1012}
    assert journal.words["503"] == 0
