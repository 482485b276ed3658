"""Cards: what a review says of one player's luck and errors, which they may share by a link.

The address is signed, and only its player is given it: nobody makes a card of another. Nothing is
stored; a card goes with its game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.core.signing import BadSignature, Signer

from games.models import Game, Seat
from games.review import services

Luck = Literal["unlucky", "even", "lucky"]

# In percentage points of the chance to win.
EVEN: Final = 5  # less luck than this is none
FEW_ERRORS: Final = 10  # errors that cost less than this are few

_signer: Final = Signer(salt="games.card")


@dataclass(frozen=True, slots=True)
class Card:
    """The account of a seat (see `optional_parts.Review`) in a finished game, with its player."""

    game: Game
    seat: Seat
    account: Mapping[str, Any]

    @property
    def luck(self) -> Luck:
        points = round(100 * self.account["luck"])
        if abs(points) < EVEN:
            return "even"
        return "lucky" if points > 0 else "unlucky"

    @property
    def played_well(self) -> bool:
        """Whether own errors cost little, or less than bad luck did."""
        errors, bad_luck = -self.account["own"], -self.account["luck"]
        return round(100 * errors) < max(FEW_ERRORS, round(100 * bad_luck))


def has_card(account: Mapping[str, Any]) -> bool:
    """Whether there is something to share: the judge has computed chances, and there was a choice.

    Of a game whose moves are not judged there are no cards.
    """
    return bool(account["decisions"]) and None not in (account["own"], account["luck"])


def signature(game: Game, number: int) -> str:
    """What the address of the card of a seat ends with."""
    return _signer.signature(_signed(game.code, number))


def find(code: str, number: int, sign: str) -> Card | None:
    """The card of this address; None where its player never got that, or is gone."""
    try:
        _signer.unsign(f"{_signed(code, number)}{_signer.sep}{sign}")
    except BadSignature:
        return None
    seats = Seat.objects.select_related("game", "user").filter(game__code=code, number=number)
    seat = seats.first()
    if seat is None or seat.user is None or not seat.user.is_active:
        return None
    review = services.kept(seat.game)
    accounts = [] if review is None else review.content["accounts"]
    account = next((each for each in accounts if each["seat"] == number), None)
    if account is None or not has_card(account):
        return None
    return Card(seat.game, seat, account)


def _signed(code: str, number: int) -> str:
    return f"{code}:{number}"
