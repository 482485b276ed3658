"""A log that a real server has packed reads the same, also directly from the database."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.deployments import Deployment
from tests.support.players import HttpPlayer, wait_for
from tests.wire import scenes

pytestmark = pytest.mark.real_server


def test_a_packed_log_says_what_its_rows_said(
    one_process: Deployment, new_player: Callable[..., HttpPlayer]
) -> None:
    scene = scenes.table_of_three(one_process, new_player).bids(1, 4)
    code, database = scene.code, one_process.database
    for who in ("speaker", "next"):
        assert scene.cast[who].move(code, "leave") == ""
    wait_for(lambda: database.game(code, "status") == ("finished",), "the end of the game")
    before = database.log(code)
    database.write("UPDATE games_game SET pack_at = finished_at WHERE code = ?", code)
    wait_for(lambda: database.game(code, "pack_at") == (None,), "the log to be packed")
    rows = "SELECT count(*) FROM games_event e JOIN games_game g ON g.id = e.game_id WHERE code = ?"
    assert database.rows(rows, code) == [(0,)]
    after = database.log(code)
    assert [(entry.seq, entry.fact) for entry in after] == [(e.seq, e.fact) for e in before]
    assert [entry.at for entry in after] == pytest.approx([entry.at for entry in before], abs=1e-3)
    database.check(code)
