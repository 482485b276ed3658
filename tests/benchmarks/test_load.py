"""The load benchmark: real servers, real clients, for a moment."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.load.targets import GAMES
from tests.support.live_site import ROOT, clean_environment

QUICK = "--tables 1 --set-ups sqlite --seconds 0.5 --warm 0.2 --watchers --no-age --moves 50 --json"


@pytest.mark.long
@pytest.mark.real_server
def test_site_and_floors_play_on_without_a_lost_frame(tmp_path: Path) -> None:
    results = tmp_path / "load.json"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load", *QUICK.split(), str(results)],
        cwd=ROOT,
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    measured = json.loads(results.read_text())
    played = {(row["target"], row["game"]) for row in measured["cells"] if row["moves"]}
    floors = {("stock", ""), ("tuned", ""), ("tuned-socket", "")}
    sites = {(f"site-{way}", game) for way in ("socket", "post") for game in GAMES}
    assert played == sites | floors
    assert {("perudo", "bid"), ("peco_peco", "play")} <= {
        (row["game"], row["do"]) for row in measured["kinds"]
    }
    for row in measured["cells"]:
        assert row["lost"] == row["failed"] == 0, row
        if row["game"] == "" and row["moves"]:  # six screens, one frame for all of them
            assert row["bytes"] == 6 * measured["frame_bytes"]
