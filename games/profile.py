"""What a person's finished games say about the person: numbers, a list, and a copy to take away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.utils.translation import gettext_lazy as _

from games import words
from games.batches import in_batches
from games.models import Game, Result, Round, Seat, Tally
from games.rules.perudo.options import PRESETS, Options

Status = Game.Status


# --- numbers -------------------------------------------------------------------------------------


def statistics(person: Any) -> dict[str, Any]:
    """Games, wins and places, and how often this person was right; running games do not count.

    One row tells it all, however many games there were (see `results`). Rates are whole percents,
    None when there is nothing to count.
    """
    tally = Tally.objects.filter(user=person).first() or Tally(user=person)
    games = sum(tally.places) + tally.left
    won = tally.places[0] if tally.places else 0
    return {
        "games": games,
        "won": won,
        "win_rate": _percent(won, games),
        "left": tally.left,
        "places": [(place, times) for place, times in enumerate(tally.places, start=1) if times],
        "doubts": tally.doubts,
        "doubts_right": tally.doubts_right,
        "calzas": tally.calzas,
        "calzas_exact": tally.calzas_exact,
        "bids_challenged": tally.bids_challenged,
        "bids_true": tally.bids_true,
        "doubts_rate": _percent(tally.doubts_right, tally.doubts),
        "calzas_rate": _percent(tally.calzas_exact, tally.calzas),
        "bids_rate": _percent(tally.bids_true, tally.bids_challenged),
    }


def _percent(part: int, whole: int) -> int | None:
    return round(100 * part / whole) if whole else None


# --- the list ------------------------------------------------------------------------------------


class GamesFilter(forms.Form):
    """Which of a person's games to list; whatever is left empty matches all."""

    outcome = forms.ChoiceField(
        label=_("Result"),
        required=False,
        choices=[("", _("All")), ("won", _("Won")), ("lost", _("Lost")), ("left", _("Left"))],
    )
    preset = forms.ChoiceField(
        label=_("Rules"),
        required=False,
        choices=lambda: [("", _("All")), *((key, words.preset(key)) for key in PRESETS)],
    )
    calza = forms.ChoiceField(
        label=_("Calza"),
        required=False,
        choices=[("", _("All")), ("on", _("With calza")), ("off", _("Without calza"))],
    )

    def apply(self, results: QuerySet[Result]) -> QuerySet[Result]:
        """The results that match; all of them when the form makes no sense."""
        if not self.is_valid():
            return results
        chosen = self.cleaned_data
        match chosen["outcome"]:
            case "won":
                results = results.filter(place=1, left=False)
            case "lost":
                results = results.filter(place__gt=1, left=False)
            case "left":
                results = results.filter(left=True)
        if chosen["preset"]:
            results = results.filter(preset=chosen["preset"])
        if chosen["calza"]:
            results = results.filter(calza=chosen["calza"] == "on")
        return results


def finished_games(person: Any, *, viewer: Any) -> QuerySet[Result]:
    """The person's finished games that `viewer` may see listed.

    A game by link is listed only for those who sat there.
    """
    results = Result.objects.filter(user=person)
    if viewer != person:
        shared = Q(public=True)
        if viewer.is_authenticated:
            # Asked for each private game that would be shown; a join in its place would let
            # PostgreSQL look through every game of the viewer's first.
            its_game = Seat.objects.filter(pk=OuterRef(OuterRef("seat"))).values("game")
            shared |= Q(Exists(Seat.objects.filter(user=viewer, game=Subquery(its_game))))
        results = results.filter(shared)
    return results


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a person's list, by the game before or behind it; its text stands in addresses.

    A page is found by it through the index, where a page by number would count its way there, and
    it still shows the same games when new ones have been finished.
    """

    finished_at: datetime
    seat: int

    def __str__(self) -> str:
        return f"{(self.finished_at - _EPOCH) // timedelta(microseconds=1)}-{self.seat}"

    @classmethod
    def from_text(cls, text: str) -> Place | None:
        """The place of such a text; None when it is none."""
        found = re.fullmatch(r"(\d{1,17})-(\d{1,18})", text, re.ASCII)
        if found is None:
            return None
        return cls(_EPOCH + timedelta(microseconds=int(found[1])), int(found[2]))


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Page:
    """Some seats of a list, the latest first; `newer` and `older` are None where it ends."""

    seats: list[Seat]
    newer: Place | None
    older: Place | None


def page(results: QuerySet[Result], *, newer: Place | None, older: Place | None, size: int) -> Page:
    """What is older than one place, or newer than another, or the latest where neither is named."""
    if newer is not None:
        here = results.filter(finished_at__gte=newer.finished_at)
        here = here.exclude(finished_at=newer.finished_at, seat__lte=newer.seat)
        found = list(here.order_by("finished_at", "seat").values_list(*_PLACE)[: size + 1])
        if len(found) > size:
            shown = found[:size][::-1]
            return _page(shown, before=True, after=True)
        older = None  # the first page, whole
    elif older is not None:
        results = results.filter(finished_at__lte=older.finished_at)
        results = results.exclude(finished_at=older.finished_at, seat__gte=older.seat)
    latest = results.order_by("-finished_at", "-seat").values_list(*_PLACE)
    found = list(latest[: size + 1])
    return _page(found[:size], before=older is not None, after=len(found) > size)


_PLACE = ("finished_at", "seat")


def _page(found: Sequence[tuple[datetime, int]], *, before: bool, after: bool) -> Page:
    numbers = [seat for _, seat in found]
    rows = with_company(Seat.objects.filter(pk__in=numbers).select_related("game"))
    by_number = {seat.pk: seat for seat in rows}
    return Page(
        seats=[by_number[number] for number in numbers],
        newer=Place(*found[0]) if before and found else None,
        older=Place(*found[-1]) if after and found else None,
    )


def with_company(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Seats whose games carry everybody who sat there, with one query for all of them."""
    everybody = Seat.objects.select_related("user").order_by("number")
    return seats.prefetch_related(Prefetch("game__seat_set", queryset=everybody, to_attr="company"))


# --- the copy ------------------------------------------------------------------------------------


def export(person: Any) -> dict[str, Iterator[dict[str, Any]]]:
    """All that is kept of the person's games, as plain values ready for JSON, read as they are
    asked for.

    Of a round only the person's own dice are told, and only once the cups went up. Of a game
    that still runs with lost dice hidden, no round: its log is closed until the end (P45).
    """
    seats = with_company(Seat.objects.filter(user=person).select_related("game"))
    rounds = Prefetch("game__round_set", queryset=Round.objects.order_by("number"))
    return {"games": map(_export_game, in_batches(seats.prefetch_related(rounds)))}


def _export_game(seat: Seat) -> dict[str, Any]:
    game: Any = seat.game
    numbers = {each.pk: each.number for each in game.company}
    return {
        "code": game.code,
        "rules": game.rules,
        "preset": game.preset,
        "options": game.options,
        "public": game.public,
        "odds_shown": game.show_odds,
        "status": game.status,
        "opened": _time(game.created_at),
        "started": _time(game.started_at),
        "finished": _time(game.finished_at),
        "host": game.host_id == seat.user_id,
        "players": [each.name for each in game.company],
        "seat": seat.number,
        "place": seat.place,
        "left": seat.left,
        "rounds": [
            _export_round(row, row.hands[seat.number], numbers=numbers)
            for row in _open_rounds(game)
            if row.hands[seat.number]
        ],
    }


def _open_rounds(game: Game) -> list[Round]:
    running_closed = not Options.from_json(game.options).lost_dice_visible
    if game.status != Status.FINISHED and running_closed:
        return []
    return list(game.round_set.all())


def _export_round(row: Any, hand: list[int], *, numbers: Mapping[int, int]) -> dict[str, Any]:
    return {
        "number": row.number,
        "my_dice": hand,
        "bid": {"seat": numbers[row.bidder_id], "quantity": row.quantity, "face": row.face},
        "call": {"seat": numbers[row.caller_id], "what": row.call},
        "count": row.count,
        "lost_a_die": row.loser_id and numbers[row.loser_id],
        "regained_a_die": row.gainer_id and numbers[row.gainer_id],
    }


def _time(at: Any) -> str | None:
    return None if at is None else at.isoformat()
