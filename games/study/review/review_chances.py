"""The chart of a review in the reader's language: its names, its marks, and the same as a table."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from games.study.review import review_chart, reviewed_decision
from games.study.review.content import Content
from games.study.review.figures import in_percent
from games.words import percent


def of_game(
    content: Content,
    *,
    rounds: Sequence[int],
    names: Sequence[str],
    address: Callable[[int], str],
    reader: int | None,
    errors: Mapping[int, str],
    at: int,
) -> dict[str, Any] | None:
    """The values of `games/_review_chart.html`; None if the judge has computed no chances.

    `rounds` has the round of each moment, `errors` the moves that were errors by moment; `at` is
    the shown moment.
    """
    count = len(rounds)
    starts = [
        number
        for number, each in enumerate(rounds, start=1)
        if number == 1 or each != rounds[number - 2]
    ]
    chart = review_chart.chart(content, count=count, rounds=starts, reader=reader)
    if chart is None:
        return None
    known = [(number, row) for number, row in content["chances"] if None not in row]
    marks = [
        {
            "url": address(mark.number),
            "number": mark.number,
            "round": rounds[mark.number - 1],
            "kind": mark.kind,
            "is_mine": reader in (None, mark.seat),
            "x": mark.x,
            "y": mark.y,
            "words": _mark(mark, rounds[mark.number - 1], names, errors),
        }
        for mark in chart.marks
    ]
    shown = [(number, list(map(percent, row))) for number, row in known]
    first, last, now = shown[0][1], shown[-1][1], review_chart.at(shown, at)
    return {
        "drawn": chart,
        "bands": review_chart.BANDS,
        "count": count,
        "now": review_chart.place(at, count),
        "marks": marks,
        "kinds": _kinds(chart),
        "seats": [
            {"number": seat, "name": name, "chance": now[seat]} for seat, name in enumerate(names)
        ],
        # The chances by moment, for the legend.
        "chances_json": json.dumps(shown),
        "told": [
            {"name": name, "first": first[seat], "last": last[seat]}
            for seat, name in enumerate(names)
        ],
        "rows": [
            {
                "round": rounds[end - 1],
                "url": address(end),
                "chances": review_chart.at(shown, end),
                "marks": [each for each in marks if each["round"] == rounds[end - 1]],
            }
            for end in [*(start - 1 for start in starts[1:]), count]
        ],
    }


def _mark(
    mark: review_chart.Mark,
    in_round: int,
    names: Sequence[str],
    errors: Mapping[int, str],
) -> str:
    values: dict[str, Any] = {"round": in_round, "name": names[mark.seat]}
    if mark.kind == review_chart.LUCKY:
        values |= {"percent": in_percent(round(100 * mark.change))}
        return gettext("Round %(round)s, %(name)s: luck, %(percent)s") % values
    values |= {"move": errors[mark.number]}
    values |= {"error": reviewed_decision.capitalised(mark.kind)}
    return gettext("%(error)s – round %(round)s, %(name)s: %(move)s") % values


def _kinds(chart: review_chart.Chart) -> list[dict[str, str]]:
    """The kinds of marks in the chart, for its legend."""
    present = {mark.kind for mark in chart.marks}
    names = {kind: reviewed_decision.capitalised(kind) for kind in review_chart.ERRORS}
    names[review_chart.LUCKY] = gettext("Lucky or unlucky")
    return [{"kind": kind, "name": name} for kind, name in names.items() if kind in present]
