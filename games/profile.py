"""What a person's finished games say about the person: numbers, a list, and a copy to take away."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Count, F, Prefetch, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games import words
from games.models import Game, Round, Seat
from games.rules.perudo.options import PRESETS, Options

Status, Call = Game.Status, Round.Call


# --- numbers -------------------------------------------------------------------------------------


def statistics(person: Any) -> dict[str, Any]:
    """Games, wins and places, and how often this person was right; running games do not count.

    Rates are whole percents, None when there is nothing to count.
    """
    places = dict(
        Seat.objects.filter(user=person, game__status=Status.FINISHED)
        .values_list("place")
        .annotate(times=Count("pk"))
        .order_by("place")
    )
    over = Round.objects.filter(game__status=Status.FINISHED)
    called = over.filter(caller__user=person).aggregate(
        doubts=_count(call=Call.DUDO),
        doubts_right=_count(call=Call.DUDO, count__lt=F("quantity")),
        calzas=_count(call=Call.CALZA),
        calzas_exact=_count(call=Call.CALZA, count=F("quantity")),
    )
    bid = over.filter(bidder__user=person).aggregate(
        bids_challenged=_count(call=Call.DUDO),
        bids_true=_count(call=Call.DUDO, count__gte=F("quantity")),
    )
    games, won = sum(places.values()), places.get(1, 0)
    return {
        "games": games,
        "won": won,
        "win_rate": _percent(won, games),
        "places": list(places.items()),
        **called,
        **bid,
        "doubts_rate": _percent(called["doubts_right"], called["doubts"]),
        "calzas_rate": _percent(called["calzas_exact"], called["calzas"]),
        "bids_rate": _percent(bid["bids_true"], bid["bids_challenged"]),
    }


def _count(**such: Any) -> Count:
    return Count("pk", filter=Q(**such))


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

    def apply(self, seats: QuerySet[Seat]) -> QuerySet[Seat]:
        """The seats that match; all of them when the form makes no sense."""
        if not self.is_valid():
            return seats
        chosen = self.cleaned_data
        match chosen["outcome"]:
            case "won":
                seats = seats.filter(place=1)
            case "lost":
                seats = seats.filter(place__gt=1)
            case "left":
                seats = seats.filter(gone=True)
        if chosen["preset"]:
            seats = seats.filter(game__preset=chosen["preset"])
        if chosen["calza"]:
            seats = seats.filter(game__options__calza=chosen["calza"])
        return seats


def finished_seats(person: Any, *, viewer: Any) -> QuerySet[Seat]:
    """The person's seats in finished games that `viewer` may see listed, the latest first.

    A game by link is listed only for those who sat there.
    """
    seats = Seat.objects.filter(user=person, game__status=Status.FINISHED)
    if viewer != person:
        shared = Q(game__public=True)
        if viewer.is_authenticated:
            shared |= Q(game__in=Seat.objects.filter(user=viewer).values("game"))
        seats = seats.filter(shared)
    return seats.select_related("game").order_by("-game__finished_at", "-pk")


def with_company(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Seats whose games carry everybody who sat there, with one query for all of them."""
    everybody = Seat.objects.select_related("user").order_by("number")
    return seats.prefetch_related(Prefetch("game__seat_set", queryset=everybody, to_attr="company"))


# --- the copy ------------------------------------------------------------------------------------


def export(person: Any) -> dict[str, Any]:
    """All that is kept of the person's games, as plain values ready for JSON.

    Of a round only the person's own dice are told, and only once the cups went up. Of a game
    that still runs with lost dice hidden, no round: its log is closed until the end (P45).
    """
    seats = Seat.objects.filter(user=person).select_related("game").order_by("game__created_at")
    rounds = Round.objects.select_related("bidder", "caller", "loser", "gainer").order_by("number")
    seats = with_company(seats).prefetch_related(Prefetch("game__round_set", queryset=rounds))
    return {"games": [_export_game(seat) for seat in seats]}


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
        "left": seat.gone,
        "rounds": [
            _export_round(row, seat) for row in _open_rounds(game) if row.hands[seat.number]
        ],
    }


def _open_rounds(game: Game) -> list[Round]:
    running_closed = not Options.from_json(game.options).lost_dice_visible
    if game.status != Status.FINISHED and running_closed:
        return []
    return list(game.round_set.all())


def _export_round(row: Round, seat: Seat) -> dict[str, Any]:
    return {
        "number": row.number,
        "my_dice": row.hands[seat.number],
        "bid": {"seat": row.bidder.number, "quantity": row.quantity, "face": row.face},
        "call": {"seat": row.caller.number, "what": row.call},
        "count": row.count,
        "lost_a_die": row.loser and row.loser.number,
        "regained_a_die": row.gainer and row.gainer.number,
    }


def _time(at: Any) -> str | None:
    return None if at is None else at.isoformat()
