"""The report of the load: every number in it comes from what was measured."""

from __future__ import annotations

from typing import Any

from benchmarks.load import report


def cell(house: str, per_second: float, **more: Any) -> dict[str, Any]:
    return {
        "set_up": "sqlite",
        "house": house,
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
        "cells": list(cells),
        "watched": [],
        "age": [],
    }


def test_houses_stand_side_by_side() -> None:
    text = report.text(measured(cell("site", 120), cell("stock", 100), cell("tuned", 200)), [])
    assert "| 10 | 120 / 100 / 200 | 4.2 / 4.2 / 4.2 | 30 / 30 / 30 |" in text


def test_the_worst_size_is_held_against_each_floor() -> None:
    cells = [cell("site", 120), cell("stock", 100), cell("tuned", 200)]
    cells += [cell(each["house"], each["per_second"] / 2, tables=50) for each in cells[1:]]
    cells += [cell("site", 45, tables=50)]
    goals = {line.split(" | ")[0]: line for line in report.text(measured(*cells), []).split("\n")}
    assert "| at least 1 | 0.90 |" in goals["| closed loop: moves a second, of the stock floor's"]
    assert "| at least 0.5 | 0.45 |" in goals["| closed loop: moves a second, of the tuned floor's"]


def test_a_cell_is_marked_where_the_people_were_the_bottleneck() -> None:
    text = report.text(measured(cell("site", 300, client_cores=0.97), cell("stock", 100)), [])
    assert "| 10 | 300\\* / 100 / – |" in text
    assert "The people used more than 0.9 of a processor themselves." in text
