"""A rolling restart: one process after the other goes and comes, and the tables play on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from games import catalogue
from tests.conftest import unavailable
from tests.faults import judges
from tests.faults.crowd import Crowd
from tests.faults.services import programs
from tests.faults.storm import Storm, open_house, restart_one_after_the_other

pytestmark = [pytest.mark.real_server, pytest.mark.slow]


async def roll(folder: Path, prepared: Path, *, games: int) -> Crowd:
    async with open_house(folder, prepared, grown_up=True, jumping=False) as house:
        crowd = Crowd(
            house.addresses,
            seed=1,
            thinks=lambda luck: luck.uniform(2, 6),
            games=[game.key for game in catalogue.every()],
        )
        storm = Storm(house, crowd, 1)
        try:
            await crowd.fill(games)
            crowd.diary.pauses.clear()
            await storm.hit(restart_one_after_the_other)
            assert storm.bad_ends == []
            await asyncio.sleep(6)  # in which everybody moves at least once
            await crowd.pause()
            books = judges.Books(house.ledger, crowd.codes)
            judges.nobody_saw_it_break(crowd)
            moves = judges.every_acknowledged_move_is_there_once(books, crowd.diary.attempts)
            judges.every_log_replays_by_the_rules(books)
            judges.nobody_was_played_for(books, crowd.diary.attempts)
            await judges.every_screen_is_a_fresh_page(crowd)
            judges.the_log_is_calm(house.log)
            assert moves > games
        finally:
            await crowd.go_home()
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
    diary = asyncio.run(roll(tmp_path, prepared_folder, games=games)).diary
    pauses = sorted(diary.pauses)
    print(
        f"{len(diary.acknowledged)} moves; {sum(diary.lost.values())} sockets lost, "
        f"{dict(diary.lost)}; without a current screen: median {pauses[len(pauses) // 2]:.2f} s, "
        f"longest {pauses[-1]:.2f} s; longest answer {max(diary.waits):.2f} s; "
        f"{diary.cut_off} requests made again at the other process"
    )
    # Asked to come back, or tried at a process that was not there; never cut off.
    assert {code for code in diary.lost if isinstance(code, int)} == {1012}
    assert diary.words["503"] == 0
