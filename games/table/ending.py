"""The ending of all kinds of games: the winners for whom a bot played at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from django.utils.translation import gettext

from games.contract.shown import NamedSeat, Place, ShownSeat
from games.core.contract import Outcome

SeatT = TypeVar("SeatT", bound=ShownSeat)


def ranking(seats: Sequence[ShownSeat], ended: Outcome | None) -> list[Place]:
    """The places of the seats; empty while the game runs."""
    places = ended.places() if ended else ()
    return [Place(place=place, seat=seats[number]) for place, number in places]


def stood_in(seats: Sequence[SeatT], ended: Outcome | None) -> list[SeatT]:
    """The seats that won while a bot played for their person.

    Empty while the game runs, because the person may still come back.
    """
    return [seats[number] for number in (ended.winners if ended else ()) if seats[number].stood_in]


def narration(happened: str, stood_in: Sequence[NamedSeat]) -> str:
    """For screen readers: what happened last, and for which of the winners a bot played."""
    form = gettext("A bot played for %(name)s at the end.")
    return " ".join(filter(None, (happened, *(form % {"name": one.name} for one in stood_in))))
