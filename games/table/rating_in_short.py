"""What a finished game changed in the rating of one of its players, for the end of the game."""

from __future__ import annotations

from django.utils.translation import gettext

from accounts.models import User
from games import words
from games.contract import catalogue
from games.contract.game_values import Look
from games.contract.shown import RatingChange
from games.models import RatedSeat, Seat
from games.play.ratings import counting, maths
from games.play.ratings.maths import Strength


def of_seat(look: Look, seat: Seat) -> RatingChange | None:
    """What the rated game changed for the person at this seat.

    None if it is not rated or not counted yet, and for who does not want to see ratings. A guest
    reads what they would have got with an account.
    """
    if not look.rated or seat.user is None:
        return None
    if not User.objects.filter(pk=seat.user.pk, sees_ratings=True).exists():  # cached: may be old
        return None
    if seat.user.is_guest:
        return _of_guest(look, seat)
    part = RatedSeat.objects.filter(pk=seat.pk).select_related("rating").first()
    if part is None:
        return None
    if part.left_out == RatedSeat.LeftOut.HOME:
        why = gettext("Not rated: somebody else here plays from the same address as you.")
        return RatingChange(rating="", change="", why=why)
    if part.left_out or part.mu is None or part.mu_before is None or part.sigma is None:
        return None
    earlier = RatedSeat.objects.filter(rating=part.rating_id, left_out=RatedSeat.LeftOut.NO)
    is_latest = part.rating.number == part.number
    games = part.rating.games if is_latest else earlier.filter(number__lte=part.number).count()
    return RatingChange(
        rating=maths.in_digits(Strength(part.mu, part.sigma), games),
        change=words.signed(round(part.mu) - round(part.mu_before)),
        why=_why(part.place or 0, part.places or 0, part.expected or 0.0),
    )


def _why(place: int, places: int, expected: float) -> str:
    values = {"place": place, "places": places, "expected": round(expected)}
    if place == round(expected):
        return gettext("Place %(place)d of %(places)d, as expected") % values
    return gettext("Place %(place)d of %(places)d, expected %(expected)d") % values


def _of_guest(look: Look, seat: Seat) -> RatingChange | None:
    """What a new account would have got in the place of this guest."""
    kind = catalogue.of(look.game.kind_key)
    assert kind.ratings is not None  # noqa: S101
    parts = RatedSeat.objects.filter(game=look.game, left_out=RatedSeat.LeftOut.NO)
    numbers = {each.pk: each.number for each in look.seats}
    strengths = {
        numbers[part.pk]: Strength(part.mu_before, part.sigma_before)
        for part in parts
        if part.mu_before is not None and part.sigma_before is not None
    }
    if not strengths:
        return None
    new = maths.newcomer(kind.ratings.SCALE)
    counted = counting.reckon(look.game, look.seats, strengths | {seat.number: new}, {})
    change = round(counted[seat.number].after.mu) - round(new.mu)
    return RatingChange(rating="", change=words.signed(change), why="")
