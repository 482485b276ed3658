"""What the replay pages of all games have in common: the way through the moments, and the seats."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from datetime import datetime
from typing import Any

from django.urls import reverse

from games.models import Game, Seat
from games.rendering import highlights
from games.rendering.common import rules_in_words


def page(
    game: Game,
    number: int,
    *,
    count: int,
    at: datetime,
    told: str,
    table: dict[str, Any],
    rounds: Iterable[dict[str, Any]],
) -> dict[str, Any]:
    """The context of `games/replay.html`: the moment `number`, from 1, of `count`.

    `at` is when it was, `told` what happened. `table` and `rounds` are for `_replay_table.html`;
    the number of the round is `round` in `table`.
    """
    return {
        "game": game,
        "rules": rules_in_words(game),
        "t": table | {"game": game, "seq": game.seq},
        "moment": {
            "index": number,
            "count": count,
            "round": table["round"],
            "at": at,
            "told": told,
            "url_first": address(game, 1) if number > 1 else None,
            "url_prev": address(game, number - 1) if number > 1 else None,
            "url_next": address(game, number + 1) if number < count else None,
            "url_last": address(game, count) if number < count else None,
        },
        "rounds": rounds,
        "highlights": highlights.shown(game) if number == count else [],
        "downloads": {
            "text_url": reverse("games:record-text", args=[game.code]),
            "json_url": reverse("games:record-json", args=[game.code]),
        },
    }


def address(game: Game, number: int) -> str:
    """The address of a moment, from 1."""
    return reverse("games:moment", args=[game.code, number])


def show_as_then(
    views: Iterable[dict[str, Any]], seats: Sequence[Seat], *, gone: Container[int]
) -> None:
    """Change what a presenter shows of these seats: the rows tell how the game ended for them.

    `gone` are the seats that had left by then. Nobody is linked who has no page any more.
    """
    for view, seat in zip(views, seats, strict=True):
        view["gone"], view["asleep"] = seat.number in gone, False
        if seat.user is not None and not seat.user.is_active:
            view["username"] = None
