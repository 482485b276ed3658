"""A person's finished games: the list with its filters, and a copy to take away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.utils.translation import gettext_lazy as _

from games import catalogue
from games.models import Result, Seat
from games.store.batches import in_batches

# --- the list ------------------------------------------------------------------------------------


class GamesFilter(forms.Form):
    """Which of a person's games to list; whatever is left empty matches all."""

    game = forms.ChoiceField(
        label=_("Game"),
        required=False,
        choices=lambda: [
            ("", _("All games")),
            *((each.key, each.words.name()) for each in catalogue.every()),
        ],
    )
    outcome = forms.ChoiceField(
        label=_("Result"),
        required=False,
        choices=[("", _("All")), ("won", _("Won")), ("lost", _("Lost")), ("left", _("Abandoned"))],
    )
    preset = forms.ChoiceField(
        label=_("Rules"),
        required=False,
        choices=lambda: [("", _("All")), *_presets()],
    )

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        if not catalogue.has_several():
            del self.fields["game"]
        for _game, own in _own_filters():
            named = [(key, label) for key, (label, _variant) in own.choices.items()]
            self.fields[own.name] = forms.ChoiceField(
                label=own.label, required=False, choices=[("", _("All")), *named]
            )

    def apply(self, results: QuerySet[Result]) -> QuerySet[Result]:
        """The results that match; all of them when the form makes no sense."""
        if not self.is_valid():
            return results
        chosen = self.cleaned_data
        if chosen.get("game"):
            results = results.filter(game_key=chosen["game"])
        match chosen["outcome"]:
            case "won":
                results = results.filter(place=1, left=False)
            case "lost":
                results = results.filter(place__gt=1, left=False)
            case "left":
                results = results.filter(left=True)
        if chosen["preset"]:
            results = results.filter(preset=chosen["preset"])
        for game, own in _own_filters():
            if chosen[own.name]:
                variant = own.choices[chosen[own.name]][1]
                results = results.filter(game_key=game.key, variant=variant)
        return results


def _presets() -> Iterator[tuple[str, Any]]:
    """The presets of all games; in groups by game where there are several."""
    for game in catalogue.every():
        named = [(key, game.words.preset(key)) for key in game.stats.presets]
        if catalogue.has_several():
            yield game.words.name(), named
        else:
            yield from named


def _own_filters() -> Iterator[tuple[catalogue.Game, catalogue.ResultFilter]]:
    for game in catalogue.every():
        yield from ((game, each) for each in game.stats.filters)


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
    asked for."""
    seats = with_company(Seat.objects.filter(user=person).select_related("game"))
    rows = seats.prefetch_related(*(game.stats.export_rows() for game in catalogue.every()))
    return {"games": map(_export_game, in_batches(rows))}


def _export_game(seat: Seat) -> dict[str, Any]:
    game: Any = seat.game
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
        "rounds": catalogue.of(game.rules).stats.export_rounds(seat, game.company),
    }


def _time(at: Any) -> str | None:
    return None if at is None else at.isoformat()
