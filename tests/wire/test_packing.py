"""A log that a real server has packed reads the same, also directly from the database."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.wire import scenes
from tests.wire.deployments import Deployment
from tests.wire.people import Person, wait_until

pytestmark = pytest.mark.real_server


def test_a_packed_log_says_what_its_rows_said(
    one_process: Deployment, come: Callable[..., Person]
) -> None:
    scene = scenes.three(one_process, come).bids(1, 4)
    code, ledger = scene.code, one_process.ledger
    for who in ("speaker", "next"):
        assert scene.cast[who].move(code, "leave") == ""
    wait_until(lambda: ledger.game(code, "status") == ("finished",), "the end of the game")
    before = ledger.log(code)
    ledger.write("UPDATE games_game SET pack_at = finished_at WHERE code = ?", code)
    wait_until(lambda: ledger.game(code, "pack_at") == (None,), "the log to be packed")
    rows = "SELECT count(*) FROM games_event e JOIN games_game g ON g.id = e.game_id WHERE code = ?"
    assert ledger.rows(rows, code) == [(0,)]
    after = ledger.log(code)
    assert [(entry.seq, entry.fact) for entry in after] == [(e.seq, e.fact) for e in before]
    assert [entry.at for entry in after] == pytest.approx([entry.at for entry in before], abs=1e-3)
    ledger.check(code)
