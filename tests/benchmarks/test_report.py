"""The report of the load: every number in it comes from what was measured."""

from __future__ import annotations

from typing import Any

from benchmarks.load import report


def cell(target: str, per_second: float, **more: Any) -> dict[str, Any]:
    return {
        "set_up": "sqlite",
        "target": target,
        "game": "perudo" if target.startswith("site") else "",
        "tables": 10,
        "loop": "closed",
        "pace": None,
        "moves": 100,
        "per_second": per_second,
        "p50_ms": 4.25,
        "p95_ms": 30.5,
        "p99_ms": 41.0,
        "cpu_ms": 1000 / per_second,
        "database_ms": 0.0,
        "redis_ms": 0.0,
        "client_cores": 0.1,
        "lost": 0,
        "failed": 0,
        "bytes": 60_000,
        "runs": 1,
    } | more


def measured(*cells: dict[str, Any]) -> dict[str, Any]:
    return {
        "when": "2026-11-21",
        "model": "a processor",
        "processors": 2,
        "python": "3.11",
        "versions": {"Django": "5.2"},
        "seconds": 8.0,
        "frame_bytes": 9_000,
        "kinds": [
            {
                "game": game,
                "do": do,
                "moves": 100,
                "cpu_ms": cpu,
                "median_cpu_ms": cpu - 0.5,
                "frame_bytes": 9_000,
            }
            for game, do, cpu in (("perudo", "bid", 4.0), ("peco_peco", "play", 5.0))
        ],
        "cells": list(cells),
        "watched": [],
        "age": [],
    }


def test_targets_stand_side_by_side() -> None:
    text = report.text(
        measured(cell("site-socket", 120), cell("stock", 100), cell("tuned", 200)), []
    )
    assert "| 10 | 120 / 100 / 200 | 4.2 / 4.2 / 4.2 | 30 / 30 / 30 |" in text


def test_the_games_stand_side_by_side() -> None:
    other = cell("site-socket", 90, game="peco_peco", bytes=90_000)
    text = report.text(measured(cell("site-socket", 120), other, cell("stock", 100)), [])
    assert "| peco_peco | play | 100 | 5.00 | 4.50 | 9000 |" in text
    assert "| SQLite + memory | 10 | 120 / 90 | 8.3 / 11.1 | 10.0 / 15.0 |" in text
    assert "| 10 | 120 / 100 |" in text, "the floors are compared with the first game"


def test_the_worst_size_is_held_against_each_floor() -> None:
    cells = [cell("site-socket", 120), cell("stock", 100), cell("tuned", 200)]
    cells += [cell(each["target"], each["per_second"] / 2, tables=50) for each in cells[1:]]
    cells += [cell("site-socket", 45, tables=50)]
    goals = {line.split(" | ")[0]: line for line in report.text(measured(*cells), []).split("\n")}
    assert "| 1.5, PostgreSQL 1.2 | 0.90 |" in goals["| by socket: moves a second, of stock"]
    assert "| at least 1 | 0.45 |" in goals["| of tuned"]
    assert "| at least 0.5 | – |" in goals["| of tuned-socket"]


def test_a_cell_is_marked_where_the_clients_were_the_bottleneck() -> None:
    text = report.text(
        measured(cell("site-socket", 300, client_cores=0.97), cell("stock", 100)), []
    )
    assert "| 10 | 300\\* / 100 |" in text
    assert "The clients used more than 0.9 of a processor themselves." in text


def test_of_several_runs_each_cell_is_the_median() -> None:
    speeds = {"site-socket": (90, 150, 100), "stock": (80, 100, 300)}
    runs = [
        measured(*(cell(target, found[run], lost=run) for target, found in speeds.items()))
        for run in range(3)
    ]
    runs[2]["cells"].append(cell("tuned", 500, p50_ms=None))
    result = report.medians(runs)
    found = {
        row["target"]: (row["per_second"], row["runs"], row["lost"]) for row in result["cells"]
    }
    assert found == {"site-socket": (100, 3, 2), "stock": (100, 3, 2), "tuned": (500, 1, 0)}
    assert "medians of 3 (SQLite + memory) interleaved runs" in report.text(result, [])
