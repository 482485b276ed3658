"""Draws how each target grows, as SVG files that change only when the numbers do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("svg")
mpl.rcParams.update({"svg.hashsalt": "perudo", "svg.fonttype": "none", "font.size": 9})

from matplotlib import pyplot as plt  # noqa: E402  its backend is chosen at import

from benchmarks.load.targets import SET_UPS, TARGETS  # noqa: E402

COLOURS = {
    "site-socket": "#9a3412",
    "site-post": "#c2410c",
    "stock": "#475569",
    "tuned": "#0f766e",
    "tuned-socket": "#0369a1",
}
STYLES = dict(zip(TARGETS, ("o-", "o:", "s--", "^--", "^:"), strict=True))

Row = dict[str, Any]


def draw(results: Row, folder: Path) -> list[str]:
    """The names of the files drawn in `folder`."""
    drawn = []
    first = next(iter(results["kinds"]))["game"]
    if cells := [cell for cell in results["cells"] if cell["game"] in (first, "")]:
        drawn.append(_cells(cells, folder))
    if results["watched"]:
        drawn.append(_watched(results["watched"], folder))
    return drawn


def _cells(cells: list[Row], folder: Path) -> str:
    shown = [each for each in SET_UPS if any(cell["set_up"] == each.key for cell in cells)]
    figure, axes = plt.subplots(
        2, len(shown), figsize=(3.6 * len(shown), 5.6), squeeze=False, sharex=True, sharey="row"
    )
    panels = [
        ("closed", "per_second", "moves a second"),
        ("open", "p95_ms", "p95 at people's pace, ms"),
    ]
    for column, set_up in enumerate(shown):
        axes[0][column].set_title(set_up.title, fontsize=9)
        for line, (loop, value, title) in enumerate(panels):
            here = [c for c in cells if c["set_up"] == set_up.key and c["loop"] == loop]
            _lines(axes[line][column], here, "tables", value)
            axes[line][0].set_ylabel(title)
        axes[1][column].set_xlabel("tables of six")
    return _save(figure, axes, folder, "load.svg")


def _watched(rows: list[Row], folder: Path) -> str:
    figure, axes = plt.subplots(1, 2, figsize=(7.2, 2.9), squeeze=False)
    for axis, (value, title) in zip(
        axes[0], [("p50_ms", "p50 to the last, ms"), ("cpu_ms", "CPU of a move, ms")], strict=True
    ):
        _lines(axis, rows, "watchers", value)
        axis.set_ylabel(title)
        axis.set_xlabel("spectators")
    return _save(figure, axes, folder, "load-spectators.svg")


def _lines(axis: Any, rows: list[Row], across: str, up: str) -> None:
    for target in TARGETS:
        points = sorted(
            (row[across], row[up])
            for row in rows
            if row["target"] == target and row[up] is not None
        )
        if points:
            axis.plot(
                *zip(*points, strict=True), STYLES[target], color=COLOURS[target], label=target
            )
    axis.set_ylim(bottom=0)
    axis.grid(alpha=0.25)


def _save(figure: Any, axes: Any, folder: Path, name: str) -> str:
    axes[0][0].legend()
    figure.tight_layout()
    figure.savefig(folder / name, metadata={"Date": None})
    plt.close(figure)
    return name
