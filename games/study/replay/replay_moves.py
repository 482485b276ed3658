"""The list of moves in a replay, and the odds of the move that is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from games.contract.catalogue import GameKind, Moment
from games.contract.game_values import ReplayMove
from games.contract.shown import ShownSeat
from games.study.replay.replay_viewing import Viewing
from games.words import thinking_time

Address = Callable[[int], str]


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveRow:
    """A move of the list; `name` is its player's."""

    seat: int
    name: str
    code: str
    values: Mapping[str, object]
    words: str
    chance: str
    time: str
    url: str
    round: int
    is_shown: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class OtherSeat:
    """What another seat knew, as cells of a table."""

    name: str
    cells: Sequence[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Others:
    """What the other seats knew about a move."""

    title: str
    headings: Sequence[str]
    rows: Sequence[OtherSeat]


@dataclass(frozen=True, kw_only=True, slots=True)
class Moves:
    """The values of `_replay_moves.html` and `_replay_odds.html`."""

    rows: Sequence[MoveRow]
    template: str  # of the move in a row
    of: str | None  # whose decisions these are; None: the moves of a round
    odds: Sequence[str]
    others: Others | None
    may_be_judged: bool
    claim: int | None = None  # the moment, if it is a bold claim that others could have believed


def of_page(
    kind: GameKind,
    moments: Sequence[Moment],
    seats: Sequence[ShownSeat],
    shown: int,
    viewing: Viewing,
    address: Address,
) -> Moves:
    """The moves at the moment `shown`, from 1.

    The list has the moves of that moment's round, or all decisions of one seat. In the view of one
    seat it has no later moves, only that seat's odds, and nothing about what other seats knew.
    """
    sealed, only = viewing.sealed, viewing.only
    upto = shown if sealed is not None else len(moments)
    here, move = moments[shown - 1].round, moments[shown - 1].move
    rows = [
        MoveRow(
            seat=made.seat,
            name=seats[made.seat].name,
            code=made.code,
            values=made.values,
            words=kind.words.move(made),
            chance=kind.words.move_chance(made) if sealed in (None, made.seat) else "",
            time=_time(made, seats[made.seat]),
            url=address(number),
            round=moment.round,
            is_shown=number == shown,
        )
        for number, moment in enumerate(moments[:upto], start=1)
        if (made := moment.move) and (moment.round == here if only is None else made.seat == only)
    ]
    return Moves(
        rows=rows,
        template=f"{kind.key}/_replay_move.html",
        of=None if only is None else seats[only].name,
        odds=_odds(kind, move, seats, sealed),
        others=None if sealed is not None else _others(kind, moments, shown, seats),
        may_be_judged=move is not None and sealed in (None, move.seat),
    )


def _others(
    kind: GameKind, moments: Sequence[Moment], shown: int, seats: Sequence[ShownSeat]
) -> Others | None:
    """What the other seats knew about the shown move; None if the game has no such part."""
    part, move = kind.seats_knew, moments[shown - 1].move
    if part is None or move is None:
        return None
    return Others(
        title=part.title(move),
        headings=part.headings(),
        rows=[
            OtherSeat(name=seats[number].name, cells=cells)
            for number, cells in part.rows(moments[shown - 2].state, move)
        ],
    )


def _time(move: ReplayMove, seat: ShownSeat) -> str:
    """The player's thinking time; for moves by no person, "bot" or "automatic"."""
    if seat.is_bot:
        return gettext("bot")
    return gettext("automatic") if move.automatic else thinking_time(move.seconds)


def _odds(
    kind: GameKind, move: ReplayMove | None, seats: Sequence[ShownSeat], sealed: int | None
) -> list[str]:
    """The sentences about the move; in the view of one seat, without the one on the outcome."""
    if move is None or sealed not in (None, move.seat):
        return []
    told = list(kind.words.move_odds(move, [seat.name for seat in seats]))
    return told if sealed is None else told[:-1]
