"""Draws what benchmarks.load measured into docs/performance.md: tables, and plots beside it.

Everything between the two markers is generated; nothing in it is typed by hand.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.load.targets import SET_UPS, TARGETS

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- the load, drawn by benchmarks.load.report -->", "<!-- end of the load -->"
SITE = "site-socket"  # as its pages move
ABOUT = ("set_up", "target", "game", "tables", "loop", "pace", "watchers")  # which row it is
BUSY_CLIENT = 0.9  # cores from which the clients themselves are what is measured

Row = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, nargs="+", help="what --json wrote, of every run")
    parser.add_argument("--paint", type=Path, help="what --json of click_to_paint wrote")
    parser.add_argument("--page", type=Path, default=PAGE)
    chosen = parser.parse_args()
    results = medians([json.loads(each.read_text()) for each in chosen.results])
    if chosen.paint:
        results["paint"] = json.loads(chosen.paint.read_text())
    page = chosen.page.read_text()
    head, _, rest = page.partition(BEGIN)
    _, found, tail = rest.partition(END)
    if not found:
        raise SystemExit(f"{chosen.page} has no place for the load: {BEGIN} … {END}")
    from benchmarks.load import plots

    drawn = plots.draw(results, chosen.page.parent)
    chosen.page.write_text(f"{head}{BEGIN}\n\n{text(results, drawn)}\n{END}{tail}")


def medians(runs: Sequence[Row]) -> Row:
    """One result of several runs on one machine: each number the median of the runs that have it.

    Runs may have measured other cells; what was measured moves by moves is that of the last.
    """
    seconds = min((run["seconds"] for run in runs if run["cells"]), default=0.0)
    found = dict(runs[-1]) | {"seconds": seconds}
    for part in ("cells", "watched"):
        rows: dict[tuple[object, ...], list[Row]] = {}
        for run in runs:
            for row in run[part]:
                rows.setdefault(tuple(row.get(key) for key in ABOUT), []).append(row)
        found[part] = [_median(same) for same in rows.values()]
    return found


def _median(rows: Sequence[Row]) -> Row:
    def of(key: str, value: object) -> object:
        if key in ABOUT or not isinstance(value, int | float):
            return value
        numbers = [row[key] for row in rows if row[key] is not None]
        # What may never happen is told if it happened once.
        return max(numbers) if key in ("lost", "failed") else statistics.median(numbers)

    return {key: of(key, value) for key, value in rows[-1].items()} | {"runs": len(rows)}


def text(results: Row, drawn: Sequence[str]) -> str:
    return "\n".join(
        [
            *_about(results),
            *_goals(results),
            *_games(results),
            *_cells(_of_the_first_game(results)),
            *_watched(results["watched"]),
            *_age(results["age"]),
            *_paint(results.get("paint", {})),
            *(f"![{Path(name).stem}]({name})\n" for name in drawn),
        ]
    )


def _about(results: Row) -> list[str]:
    versions = ", ".join(f"{name} {number}" for name, number in results["versions"].items())
    return [
        f"{results['when']}, {results['model']}, {results['processors']} processors shared by "
        f"servers, services and clients, Python {results['python']}, {versions}; "
        f"{results['seconds']:g} s a cell, medians of {_runs(results)} interleaved runs; "
        f"the floor's frame has {results['frame_bytes']} bytes, "
        "as the median of the site's. Where a cell has several numbers they are "
        f"**{' / '.join(_targets(results['cells']))}**: the site and the floors, with moves by "
        "POST or over the socket.\n"
    ]


def _runs(results: Row) -> str:
    """How many runs each set-up had."""
    found = []
    for set_up in SET_UPS:
        cells = [cell["runs"] for cell in results["cells"] if cell["set_up"] == set_up.key]
        found += [f"{max(cells)} ({set_up.title})"] if cells else []
    return ", ".join(found)


# --- the goals -----------------------------------------------------------------------------------


def _goals(results: Row) -> list[str]:
    """The worst case of each promise, computed from the cells."""
    goals = [
        ("by socket: moves a second, of stock", "1.5, PostgreSQL 1.2", _least(SITE, "stock")),
        ("of tuned", "at least 1", _least(SITE, "tuned")),
        ("of tuned-socket", "at least 0.5", _least(SITE, "tuned-socket")),
        ("by POST: moves a second, of stock", "at least 1", _least("site-post", "stock")),
        ("by socket: CPU of a move, of that by POST", "–", _dearest),
        ("open loop, 100 tables, by socket: p95, of stock", "at most 1", _most),
    ]
    rows = [
        [goal, bound, *(_worst(_of_the_first_game(results), key.key, find) for key in SET_UPS)]
        for goal, bound, find in goals
    ]
    return [*_table(["ratio, worst of the sizes", "goal", *(s.title for s in SET_UPS)], rows), ""]


def _least(site: str, floor: str) -> Callable[[list[Row]], float | None]:
    def find(cells: list[Row]) -> float | None:
        pairs = _beside(cells, "closed", floor, site=site)
        return min((a["per_second"] / b["per_second"] for a, b in pairs), default=None)

    return find


def _dearest(cells: list[Row]) -> float | None:
    """Of all processes. Unlike the speed, it hardly depends on what else the machine does."""
    pairs = _beside(cells, "closed", "site-post")
    return max((_all_cpu(a) / _all_cpu(b) for a, b in pairs), default=None)


def _all_cpu(row: Row) -> float:
    return float(row["cpu_ms"] + row["database_ms"] + row["redis_ms"])


def _most(cells: list[Row]) -> float | None:
    pairs = [(a, b) for a, b in _beside(cells, "open", "stock") if a["tables"] == 100]
    return max((a["p95_ms"] / b["p95_ms"] for a, b in pairs), default=None)


def _beside(
    cells: list[Row], loop: str, other: str, *, site: str = SITE
) -> Iterable[tuple[Row, Row]]:
    for one in cells:
        if one["target"] == site and one["loop"] == loop:
            for its in cells:
                same = all(one[key] == its[key] for key in ("loop", "tables", "set_up"))
                if same and its["target"] == other and one["moves"] and its["moves"]:
                    yield one, its


def _worst(cells: list[Row], set_up: str, find: Callable[[list[Row]], float | None]) -> str:
    found = find([cell for cell in cells if cell["set_up"] == set_up])
    return "–" if found is None else f"{found:.2f}"


# --- the games side by side ----------------------------------------------------------------------


def _of_the_first_game(results: Row) -> list[Row]:
    """The cells of the site's first game, whose frames the floors send, and of the floors."""
    [first, *_] = _names(results)
    return [cell for cell in results["cells"] if cell["game"] in (first, "")]


def _names(results: Row) -> list[str]:
    return list(dict.fromkeys(row["game"] for row in results["kinds"]))


def _games(results: Row) -> list[str]:
    """What a move of each game costs: by its kind at one table, and of all moves in each cell."""
    kinds = [
        [row["game"], row["do"], str(row["moves"])]
        + [f"{row['cpu_ms']:.2f}", f"{row['median_cpu_ms']:.2f}", f"{row['frame_bytes']}"]
        for row in results["kinds"]
    ]
    heads = ["game", "move", "measured", "CPU ms, mean", "median", "bytes a frame"]
    lines = ["**A move by its kind**, one table of six on SQLite\n", *_table(heads, kinds), ""]
    names = _names(results)
    cells = [cell for cell in results["cells"] if cell["target"] == SITE]
    rows = []
    for set_up in SET_UPS:
        for tables in sorted({cell["tables"] for cell in cells}):
            about = {"set_up": set_up.key, "loop": "closed", "tables": tables}
            found = [_of(cells, game=game, **about) for game in names]
            if all(found) and len(found) > 1:
                columns = [
                    " / ".join(form(row) for row in found if row)
                    for form in (
                        lambda row: f"{row['per_second']:.0f}",
                        lambda row: f"{_all_cpu(row):.1f}",
                        lambda row: f"{row['bytes'] / 6000:.1f}",
                    )
                ]
                rows.append([set_up.title, str(tables), *columns])
    if rows:
        heads = ["", "tables", "moves a second", "CPU of a move, ms", "KB a frame"]
        about = f"**{' / '.join(names)}**, all kinds of moves, as fast as it goes\n"
        lines += [about, *_table(heads, rows), ""]
    return lines


# --- the tables ----------------------------------------------------------------------------------


def _cells(cells: list[Row]) -> list[str]:
    lines: list[str] = []
    for set_up in SET_UPS:
        for loop, title in (("closed", "as fast as it goes"), ("open", "at the pace of people")):
            here = [c for c in cells if c["set_up"] == set_up.key and c["loop"] == loop]
            if not here:
                continue
            lines.append(f"**{set_up.title}, {title}**{_pace(here)}\n")
            rows = [_by_size(here, tables) for tables in sorted({c["tables"] for c in here})]
            heads = "tables|moves a second|p50 ms|p95 ms|p99 ms|CPU of a move, ms|lost|refused"
            if set_up.services:
                heads = heads.replace("move, ms", "move, ms (+ PostgreSQL + Redis)")
            lines += [*_table(heads.split("|"), rows), ""]
    if any(cell["client_cores"] > BUSY_CLIENT for cell in cells):
        lines.append(f"\\* The clients used more than {BUSY_CLIENT} of a processor themselves.\n")
    return lines


def _pace(cells: list[Row]) -> str:
    paces = sorted({(cell["pace"], cell["tables"]) for cell in cells if cell["pace"]})
    if not paces:
        return ""
    usual = max(pace for pace, _ in paces)
    others = [f"{pace:g} s at {tables}" for pace, tables in paces if pace != usual]
    return f": a move every {usual:g} s a table" + "".join(f" ({each})" for each in others)


def _by_size(cells: list[Row], tables: int) -> list[str]:
    found = [_of(cells, target=target, tables=tables) for target in _targets(cells)]

    def each(show: Callable[[Row], str]) -> str:
        return " / ".join("–" if row is None else show(row) for row in found)

    def cpu(row: Row) -> str:
        services = f" (+{row['database_ms']:.1f} +{row['redis_ms']:.1f})"
        return f"{row['cpu_ms']:.1f}" + (services if row["database_ms"] else "")

    def speed(row: Row) -> str:
        return f"{row['per_second']:.0f}" + ("\\*" if row["client_cores"] > BUSY_CLIENT else "")

    return [
        str(tables),
        each(speed),
        *(each(lambda row, key=key: _ms(row[key])) for key in ("p50_ms", "p95_ms", "p99_ms")),
        each(cpu),
        each(lambda row: str(row["lost"])),
        each(lambda row: str(row["failed"])),
    ]


def _watched(rows: list[Row]) -> list[str]:
    if not rows:
        return []
    lines = ["**One table with spectators**, SQLite + memory, as fast as it goes\n"]
    heads = "spectators|p50 ms|p95 ms|CPU of a move, ms|µs more a spectator|KB a move|KB a socket"
    table = []
    for count in sorted({row["watchers"] for row in rows}):
        found = [_of(rows, target=target, watchers=count) for target in _targets(rows)]
        alone = [_of(rows, target=target, watchers=0) for target in _targets(rows)]

        def each(show: Callable[[Row], str], found: list[Row | None] = found) -> str:
            return " / ".join("–" if row is None else show(row) for row in found)

        more = " / ".join(
            f"{1000 * (row['cpu_ms'] - zero['cpu_ms']) / count:.0f}"
            for row, zero in zip(found, alone, strict=True)
            if row and zero and count
        )
        table.append(
            [
                str(count),
                each(lambda row: _ms(row["p50_ms"])),
                each(lambda row: _ms(row["p95_ms"])),
                each(lambda row: f"{row['cpu_ms']:.1f}"),
                more or "–",
                each(lambda row: f"{row['bytes'] / 1000:.0f}"),
                each(lambda row: f"{row['kb_a_socket']:.0f}" if row["kb_a_socket"] else "–"),
            ]
        )
    return [*lines, *_table(heads.split("|"), table), ""]


def _age(rows: list[Row]) -> list[str]:
    if not rows:
        return []
    ages = sorted({row["rounds"] for row in rows})
    table = []
    for rounds in ages:
        here = [row for row in rows if row["rounds"] == rounds]
        mean = [statistics.fmean(row[key] for row in here) for key in ("cpu_ms", "bytes")]
        table.append([str(rounds), f"{mean[0]:.2f}", f"{mean[1] / 1000:.1f}"])
    lines = ["**The age of a game**: the same moves with all dice in play, the site alone\n"]
    return [*lines, *_table(["rounds played", "CPU of a move, ms", "KB a move"], table), ""]


def _paint(found: Row) -> list[str]:
    if not found:
        return []
    rows = [
        [what, str(row["moves"]), _ms(row["p50_ms"]), _ms(row["p95_ms"])]
        for what, row in found.items()
    ]
    lines = ["**From a click in Chromium to a paint**, one table of two\n"]
    return [*lines, *_table(["painted by", "moves", "p50 ms", "p95 ms"], rows), ""]


def _targets(rows: list[Row]) -> list[str]:
    """Those that were measured."""
    return [target for target in TARGETS if any(row["target"] == target for row in rows)]


def _of(rows: list[Row], **about: object) -> Row | None:
    return next((r for r in rows if all(r[key] == value for key, value in about.items())), None)


def _ms(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.0f}" if value >= 20 else f"{value:.1f}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [heads, ["---"] * len(heads), *rows]
    return ["| " + " | ".join(cells) + " |" for cells in lines]


if __name__ == "__main__":
    main()
