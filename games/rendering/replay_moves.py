"""The moves of a replay as a list, and the odds of the one that is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext

from games.catalogue import GameKind, Moment
from games.game_values import ReplayMove
from games.rendering.replay_viewing import Viewing
from games.words import thinking_time

Address = Callable[[int], str]


def of_page(
    kind: GameKind,
    moments: Sequence[Moment],
    seats: Sequence[dict[str, Any]],
    shown: int,
    viewing: Viewing,
    address: Address,
) -> dict[str, Any]:
    """The values of `_replay_moves.html` and `_replay_odds.html` at the moment `shown`, from 1.

    The list is of the round of that moment, or of all decisions of one seat. Who looks through the
    eyes of a seat reads no later move, no odds but its own, and nothing of what others knew.
    """
    sealed, only = viewing.sealed, viewing.only
    upto = shown if sealed is not None else len(moments)
    here, move = moments[shown - 1].round, moments[shown - 1].move
    rows = [
        _row(kind, made, seats[made.seat], sealed)
        | {"url": address(number), "round": moment.round, "is_shown": number == shown}
        for number, moment in enumerate(moments[:upto], start=1)
        if (made := moment.move) and (moment.round == here if only is None else made.seat == only)
    ]
    return {
        "rows": rows,
        "template": f"{kind.key}/_replay_move.html",
        "of": None if only is None else seats[only]["name"],
        "odds": _odds(kind, move, seats, sealed),
        "others": None if sealed is not None else _others(kind, moments, shown, seats),
        "may_be_judged": move is not None and sealed in (None, move.seat),
    }


def _others(
    kind: GameKind, moments: Sequence[Moment], shown: int, seats: Sequence[dict[str, Any]]
) -> dict[str, Any] | None:
    """What the other seats knew of the move that is shown; None where nothing is said of that."""
    part, move = kind.seats_knew, moments[shown - 1].move
    if part is None or move is None:
        return None
    return {
        "title": part.title(move),
        "headings": part.headings(),
        "rows": [
            {"name": seats[number]["name"], "cells": cells}
            for number, cells in part.rows(moments[shown - 2].state, move)
        ],
    }


def _row(
    kind: GameKind, move: ReplayMove, seat: dict[str, Any], sealed: int | None
) -> dict[str, Any]:
    return {
        "seat": move.seat,
        "name": seat["name"],
        "code": move.code,
        "values": move.values,
        "words": kind.words.move(move),
        "chance": kind.words.move_chance(move) if sealed in (None, move.seat) else "",
        "time": _time(move, seat),
    }


def _time(move: ReplayMove, seat: dict[str, Any]) -> str:
    """How long its player thought; for a move that no person made, what made it."""
    if seat["is_bot"]:
        return gettext("bot")
    return gettext("automatic") if move.automatic else thinking_time(move.seconds)


def _odds(
    kind: GameKind, move: ReplayMove | None, seats: Sequence[dict[str, Any]], sealed: int | None
) -> list[str]:
    """The sentences about the move; without what came of it for who is still to guess."""
    if move is None or sealed not in (None, move.seat):
        return []
    told = list(kind.words.move_odds(move, [seat["name"] for seat in seats]))
    return told if sealed is None else told[:-1]
