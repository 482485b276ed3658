"""The bar under a replay: its buttons, its slider, and its script's data on every moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.urls import reverse

from games.contract.catalogue import GameKind, Moment
from games.models import Game
from games.study.replay.replay_viewing import Viewing

# Moments per request: a reader who holds a button down sees five in a second.
BATCH: Final = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Bar:
    """The values of `_replay_bar.html`: those that are the same at every moment, then the others.

    `opening` are the numbers of the moments that reveal hands. `steps` are for the script: for each
    moment its round, whether it reveals hands, the seat that moved (-1: none) and its move in
    words, which is "" if the reader sees only what a seat knew.
    """

    count: int
    scale: int
    opening: Sequence[int]
    url_here: str
    query: str
    batch_query: str
    batch: int
    round_marks: str
    open_marks: str
    steps: Sequence[tuple[int, bool, int, str]]

    at_start: bool = False
    at_end: bool = False
    url_prev: str = ""
    url_next: str = ""
    url_prev_open: str = ""
    url_next_open: str = ""
    url_batch: str = ""


def of_game(
    game: Game,
    kind: GameKind,
    moments: Sequence[Moment],
    names: Sequence[str],
    viewing: Viewing,
    tag: str,
) -> Bar:
    """The bar without the values of a moment.

    `tag` is a hash of the players' names and avatars: browsers cache a batch by its address, so a
    new name needs a new address.
    """
    count = len(moments)
    opening = [number for number, each in enumerate(moments, start=1) if each.opens]
    starts = [
        number
        for number, each in enumerate(moments, start=1)
        if number == 1 or each.round != moments[number - 2].round
    ]
    return Bar(
        count=count,
        scale=max(1, count - 1),
        opening=opening,
        url_here=reverse("games:moment", args=[game.code, 0]),
        query=viewing.query(),
        batch_query=f"{viewing.query()}&of={tag}&" if viewing.query() else f"?of={tag}&",
        batch=BATCH,
        round_marks="".join(f"M{number - 1} 6v10" for number in starts),
        open_marks="".join(f"M{number - 1} 0v10" for number in opening),
        steps=list(_steps(kind, moments, names, sealed=viewing.sealed is not None)),
    )


def of_moment(game: Game, bar: Bar, shown: int, address: Callable[[int], str]) -> Bar:
    """The bar at the moment `shown`, from 1; `bar` is the result of `of_game`."""
    count = bar.count
    before = [number for number in bar.opening if number < shown]
    after = [number for number in bar.opening if number > shown]
    return replace(
        bar,
        at_start=shown == 1,
        at_end=shown == count,
        url_prev=address(max(1, shown - 1)),
        url_next=address(min(count, shown + 1)),
        url_prev_open=address(before[-1] if before else 1),
        url_next_open=address(after[0] if after else count),
        url_batch=reverse("games:moments", args=[game.code, game.seq, 0]),
    )


def _steps(
    kind: GameKind, moments: Sequence[Moment], names: Sequence[str], *, sealed: bool
) -> Iterator[tuple[int, bool, int, str]]:
    for each in moments:
        if each.move is None:
            yield each.round, each.opens, -1, ""
        else:
            told = "" if sealed else f"{names[each.move.seat]} {kind.words.move(each.move)}"
            yield each.round, each.opens, each.move.seat, told
