"""What a judge said about hidden hands, and how often it was right, as a table by tenths."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from statistics import mean

from games.contract.game_values import Said


def tables(said: Iterable[Said]) -> Iterator[str]:
    """A Markdown table for each kind of chance, line by line."""
    kinds: dict[str, dict[int, list[Said]]] = defaultdict(lambda: defaultdict(list))
    for each in said:
        kinds[each.about][min(9, int(10 * each.chance))].append(each)
    for about, tenths in sorted(kinds.items()):
        yield ""
        yield about
        yield ""
        yield "| said | n | said, mean | by what the seat saw alone, mean | was right |"
        yield "|---|---|---|---|---|"
        for tenth, rows in sorted(tenths.items()):
            said_mean, alone = mean(row.chance for row in rows), mean(row.alone for row in rows)
            right = mean(row.happened for row in rows)
            span = f"{10 * tenth} to {10 * tenth + 10}%"
            yield f"| {span} | {len(rows):,} | {said_mean:.1%} | {alone:.1%} | {right:.1%} |"
