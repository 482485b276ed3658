"""The page of an open quick table: its seats, its start, and what its viewer can answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from accounts.requests import AnyUser
from games import words
from games.contract.game_values import TableRules
from games.models import IN_LINE, Game, Search, Seat
from games.models.ponchos import dressed
from games.play.ratings import verdict
from games.store import here, queries
from games.table.common import milliseconds, rules_in_words

State = Search.State


@dataclass(frozen=True, kw_only=True, slots=True)
class QuickSeat:
    """A place at a quick table; without a `name` it is free."""

    number: int
    name: str | None = None
    avatar: Mapping[str, str] | None = None
    user: str | None = None
    ready: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class QuickRoom:
    """An open quick table, the same for all viewers."""

    seq: int
    seats: Sequence[QuickSeat]
    line: str
    game_mark: str
    rules: TableRules
    rated: bool
    pace: str
    ends_ms: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnQuickRoom:
    """What a viewer can answer; `state` is "" if they are not in line at this table."""

    seq: int
    viewer: int | None
    state: str
    bots: bool
    waits_for: str
    warm_up: str
    is_left_out: bool  # of ratings, by their address


def table(game: Game, *, now: datetime) -> QuickRoom:
    """An open quick table."""
    seats = {seat.number: seat for seat in dressed(game.seat_set.select_related("user"))}
    states = dict(_searches(game))
    people = here.in_line(now=now).filter(table=game).count()
    line = ngettext("%(count)d person is here.", "%(count)d people are here.", people)
    return QuickRoom(
        seq=game.seq,
        seats=[_place(number, seats.get(number), states) for number in range(game.size)],
        line=line % {"count": people} if people > 1 else gettext("Waiting for people."),
        game_mark=words.game_mark(game.kind_key),
        rules=rules_in_words(game),
        rated=verdict.may_be_rated_at(game),
        pace=words.pace(game.turn_seconds),
        ends_ms=milliseconds(game.starts_at),
    )


def own(game: Game, number: int | None, *, user: AnyUser) -> OwnQuickRoom:
    """What this viewer can answer."""
    states = dict(_searches(game))
    seats = game.seat_set.exclude(user=None).select_related("user")
    asked = [seat.name for seat in seats if states.get(seat.user_id or 0) == State.ASKED]
    mine = None
    if user.is_authenticated:
        mine = Search.objects.filter(pk=user.pk, table=game, state__in=IN_LINE).first()
    return OwnQuickRoom(
        seq=game.seq,
        viewer=number,
        state=mine.state if mine and number is not None else "",
        bots=mine is None or mine.bots,
        waits_for=", ".join(asked),
        warm_up=_warm_up(user) if mine else "",
        is_left_out=verdict.is_left_out(game, number),
    )


def _searches(game: Game) -> Iterable[tuple[int, str]]:
    return Search.objects.filter(table=game, state__in=IN_LINE).values_list("pk", "state")


def _warm_up(user: AnyUser) -> str:
    """The address of the game against bots that the person plays while waiting; "" if none."""
    game = queries.pastime(user)
    return reverse("games:table", args=[game.code]) if game else ""


def _place(number: int, seat: Seat | None, states: Mapping[int, str]) -> QuickSeat:
    if seat is None or seat.user is None:
        return QuickSeat(number=number)
    return QuickSeat(
        number=number,
        name=seat.name,
        avatar=seat.avatar,
        user=seat.user.get_username(),
        ready=states.get(seat.user_id or 0) == State.READY,
    )
