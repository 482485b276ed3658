"""The parts of replay pages that all games share: navigation between moments, and the seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import reverse

from games.contract import catalogue
from games.contract.catalogue import Moment
from games.contract.game_values import TableRules
from games.contract.shown import ShownHighlight, ShownRound, ShownSeat, ShownTable
from games.models import Game
from games.study.replay import bold_claims, replay_bar, replay_moves
from games.study.replay.replay_bar import Bar
from games.study.replay.replay_moves import Moves
from games.study.replay.replay_viewing import Viewing
from games.table import highlights
from games.table.common import rules_in_words, seats_of

ALL_HANDS = Viewing()


@dataclass(frozen=True, kw_only=True, slots=True)
class Downloads:
    """The addresses of the record of a game."""

    text_url: str
    json_url: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundRow:
    """A round in the list of rounds, with the address of its first moment."""

    number: int
    url: str
    told: ShownRound | None  # None: the view of a seat does not tell how it ended


@dataclass(frozen=True, kw_only=True, slots=True)
class Whole:
    """The values that all moments of a replay share."""

    rules: TableRules
    bar: Bar
    rounds: Sequence[RoundRow]
    downloads: Downloads
    claims: Sequence[int]  # the moments of bold claims that others could have believed


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownMoment:
    """The moment of a page: its number, from 1, of how many, when it was and what happened."""

    index: int
    url: str
    count: int
    round: int
    at: datetime
    until: datetime | None  # when the next one was
    narration: str


@dataclass(frozen=True, kw_only=True, slots=True)
class WhoseSeat:
    """A seat with the addresses of its view, and of the list of its decisions."""

    number: int
    name: str
    is_seen: bool
    is_only: bool
    url_seat: str
    url_only: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Whose:
    """Whose view a page is, with the addresses of the same moment in all other views."""

    name: str | None
    is_sealed: bool
    url_all: str
    url_round: str
    url_open: str
    seats: Sequence[WhoseSeat]


@dataclass(frozen=True, kw_only=True, slots=True)
class ReplayPage(Whole):
    """The context of `games/replay.html`.

    `t`, `rounds` and `moves` are for `_replay_table.html`, which is `table_html` once rendered.
    """

    game: Game
    t: ShownTable
    moment: ShownMoment
    moves: Moves
    whose: Whose
    highlights: Sequence[ShownHighlight]
    table_html: str = ""


def whole(game: Game, viewing: Viewing = ALL_HANDS, tag: str = "") -> Whole:
    """The values that all moments of a replay share; cached. `tag`: see `replay_bar`."""
    kind = catalogue.of(game.kind_key)
    replay = kind.replay
    moments = replay.moments(game)
    seats = replay.scene(game, moments[0], seat=viewing.sealed).seats
    names = [seat.name for seat in seats]

    def at(place: int) -> str:
        return address(game, place, viewing)

    return Whole(
        rules=rules_in_words(game),
        bar=replay_bar.of_game(game, kind, moments, names, viewing, tag),
        rounds=_with_addresses(moments, replay.rounds(game, seats), at),
        downloads=Downloads(
            text_url=reverse("games:record-text", args=[game.code]),
            json_url=reverse("games:record-json", args=[game.code]),
        ),
        claims=bold_claims.numbers(game, seats_of(game)) if kind.review else (),
    )


def page(
    game: Game,
    number: int,
    viewing: Viewing = ALL_HANDS,
    alike: Whole | None = None,
) -> ReplayPage | None:
    """The page of the moment `number`, from 1; None if there is none.

    `alike` is the result of `whole`, if the caller has it.
    """
    kind = catalogue.of(game.kind_key)
    moments = kind.replay.moments(game)
    if not 1 <= number <= len(moments):
        return None
    if alike is None:
        alike = whole(game, viewing)
    moment, count = moments[number - 1], len(moments)
    table = kind.replay.scene(game, moment, seat=viewing.sealed)

    def at(place: int) -> str:
        return address(game, place, viewing)

    return ReplayPage(
        rules=alike.rules,
        bar=replay_bar.of_moment(game, alike.bar, number, at),
        rounds=_told(alike.rounds, _rounds_over(moments, number), viewing),
        downloads=alike.downloads,
        claims=alike.claims,
        game=game,
        t=table,
        moment=ShownMoment(
            index=number,
            url=at(number),
            count=count,
            round=moment.round,
            at=moment.at,
            until=moments[number].at if number < count else None,
            narration=table.narration,
        ),
        moves=replace(
            replay_moves.of_page(kind, moments, table.seats, number, viewing, at),
            claim=number if viewing.sealed is None and number in alike.claims else None,
        ),
        whose=_whose(game, number, table.seats, viewing),
        highlights=highlights.shown(game) if number == count and viewing.sealed is None else [],
    )


def _with_addresses(
    moments: Sequence[Moment], rounds: Iterable[ShownRound], at: Callable[[int], str]
) -> list[RoundRow]:
    """The rounds, each with the address of its first moment."""
    deals: dict[int, int] = {}
    for place, moment in enumerate(moments, start=1):
        deals.setdefault(moment.round, place)
    return [RoundRow(number=row.number, url=at(deals[row.number]), told=row) for row in rounds]


def _rounds_over(moments: Sequence[Moment], number: int) -> int:
    """How many rounds are over at this moment; its own is over at the round's last moment."""
    here = moments[number - 1].round
    is_last = number == len(moments) or moments[number].round != here
    return here if is_last else here - 1


def _told(rounds: Sequence[RoundRow], last: int, viewing: Viewing) -> Sequence[RoundRow]:
    """The rounds; in the view of one seat, those after the `last` without their results."""
    if viewing.sealed is None:
        return rounds
    return [row if row.number <= last else replace(row, told=None) for row in rounds]


def _whose(game: Game, number: int, seats: Sequence[ShownSeat], viewing: Viewing) -> Whose:
    seat, only = viewing.seat, viewing.only
    return Whose(
        name=None if seat is None else seats[seat].name,
        is_sealed=viewing.sealed is not None,
        url_all=address(game, number, replace(viewing, seat=None, opened=False)),
        url_round=address(game, number, replace(viewing, only=None)),
        url_open=f"{address(game, number)}{viewing.opening()}",
        seats=[
            WhoseSeat(
                number=place,
                name=each.name,
                is_seen=place == seat,
                is_only=place == only,
                url_seat=address(game, number, Viewing(place, False, only)),
                url_only=address(game, number, Viewing(seat, viewing.opened, place)),
            )
            for place, each in enumerate(seats)
        ],
    )


def address(game: Game, number: int, viewing: Viewing = ALL_HANDS) -> str:
    """The address of a moment, from 1, in this view."""
    return reverse("games:moment", args=[game.code, number]) + viewing.query()


def has_moment(game: Game, number: int) -> bool:
    return 1 <= number <= len(catalogue.of(game.kind_key).replay.moments(game))


def decision(game: Game, seat: int | None = None) -> int:
    """The number of the decisive moment: the beginning of the last round.

    For a seat it is the last reveal that this seat caused, or that tested its move. A seat that
    left before any reveal gets its last move; a seat without a move gets the first moment.
    """
    moments = catalogue.of(game.kind_key).replay.moments(game)
    rounds = [moment.round for moment in moments]
    if seat is None:
        return rounds.index(rounds[-1]) + 1
    moved = [place for place, each in enumerate(moments) if each.move and each.move.seat == seat]
    reveals = [
        place
        for place, each in enumerate(moments)
        if each.opens and not {place - 1, place}.isdisjoint(moved)
    ]
    return [0, *(reveals or moved)][-1] + 1
