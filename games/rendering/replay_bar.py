"""The bar under a replay: its buttons, its slider, and what its script knows of every moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from django.urls import reverse

from games.catalogue import GameKind, Moment
from games.models import Game
from games.rendering.replay_viewing import Viewing

# So many moments are sent at once: a reader who holds a button down sees five in a second.
BATCH: Final = 5


def of_game(
    game: Game,
    kind: GameKind,
    moments: Sequence[Moment],
    names: Sequence[str],
    viewing: Viewing,
    tag: str,
) -> dict[str, Any]:
    """What `_replay_bar.html` shows at every moment; `opening`: those that show what was hidden.

    `tag` stands for what people are called and look like. A browser keeps a batch by its address,
    so that under another name there has to be another one.

    `steps` are for the script: of each moment its round, whether it shows what was hidden, the seat
    that moved (-1: none) and what it did. Who looks through the eyes of a seat is not told that.
    """
    count = len(moments)
    opening = [number for number, each in enumerate(moments, start=1) if each.opens]
    starts = [
        number
        for number, each in enumerate(moments, start=1)
        if number == 1 or each.round != moments[number - 2].round
    ]
    return {
        "count": count,
        "scale": max(1, count - 1),
        "opening": opening,
        "url_here": reverse("games:moment", args=[game.code, 0]),
        "query": viewing.query(),
        "batch_query": f"{viewing.query()}&of={tag}&" if viewing.query() else f"?of={tag}&",
        "batch": BATCH,
        "round_marks": "".join(f"M{number - 1} 6v10" for number in starts),
        "open_marks": "".join(f"M{number - 1} 0v10" for number in opening),
        "steps": list(_steps(kind, moments, names, sealed=viewing.sealed is not None)),
    }


def of_moment(
    game: Game, bar: dict[str, Any], shown: int, address: Callable[[int], str]
) -> dict[str, Any]:
    """What it shows at the moment `shown`, from 1, beside what `of_game` has found as `bar`."""
    count: int = bar["count"]
    before = [number for number in bar["opening"] if number < shown]
    after = [number for number in bar["opening"] if number > shown]
    return {
        "at_start": shown == 1,
        "at_end": shown == count,
        "url_prev": address(max(1, shown - 1)),
        "url_next": address(min(count, shown + 1)),
        "url_prev_open": address(before[-1] if before else 1),
        "url_next_open": address(after[0] if after else count),
        "url_batch": reverse("games:moments", args=[game.code, game.seq, 0]),
    }


def _steps(
    kind: GameKind, moments: Sequence[Moment], names: Sequence[str], *, sealed: bool
) -> Iterator[tuple[int, bool, int, str]]:
    for each in moments:
        if each.move is None:
            yield each.round, each.opens, -1, ""
        else:
            told = "" if sealed else f"{names[each.move.seat]} {kind.words.move(each.move)}"
            yield each.round, each.opens, each.move.seat, told
