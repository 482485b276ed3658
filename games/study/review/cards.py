"""Cards: one player's luck and errors according to a review, to share by a link.

The address is signed and given only to its player, so nobody can publish another player's card.
Nothing is stored; a card disappears with its game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from django.core.signing import BadSignature, Signer

from games.models import Game, Seat
from games.study.review import reviews
from games.study.review.content import Content
from games.study.review.figures import in_points

Luck = Literal["unlucky", "even", "lucky"]

# In percentage points of the chance to win.
EVEN: Final = 5  # less luck than this counts as none
FEW_ERRORS: Final = 10  # errors that cost less than this are few

_REMAINDER: Final = 3  # luck is not shown if it is less than this many times the remainder

_signer: Final = Signer(salt="games.card")


@dataclass(frozen=True, slots=True)
class Card:
    """The account of a seat (see `optional_parts.Judge`) in a finished game, with its player."""

    game: Game
    seat: Seat
    account: Content

    @property
    def points(self) -> Mapping[str, int]:
        """The figures of the account in whole percentage points, as they are shown.

        The remainder, mostly who opened the first round, is part of the `first` chance.
        """
        found = in_points(self.account)
        remainder = found.pop("residual", 0)
        return found | {"first": found["first"] + remainder} if "first" in found else found

    @property
    def luck(self) -> Luck | None:
        """The player's luck; None if the remainder of the account is too big to tell."""
        if _REMAINDER * abs(self.account["residual"] or 0.0) > abs(self.account["luck"]):
            return None
        points = self.points["luck"]
        if abs(points) < EVEN:
            return "even"
        return "lucky" if points > 0 else "unlucky"

    @property
    def played_well(self) -> bool:
        """Whether the player's errors cost little, or less than the bad luck on the card."""
        bad_luck = 0 if self.luck is None else -self.points["luck"]
        return -self.points["own"] < max(FEW_ERRORS, bad_luck)


def has_card(account: Content) -> bool:
    """Whether an account has a card: the judge has computed chances, and there were decisions.

    Games without a judge of moves have no cards.
    """
    return bool(account["decisions"]) and None not in (account["own"], account["luck"])


def signature(game: Game, number: int) -> str:
    """The signature at the end of the address of a seat's card."""
    return _signer.signature(_signed(game.code, number))


def find(code: str, number: int, sign: str) -> Card | None:
    """The card at this address; None if the signature is wrong, or there is no such card any more.

    A card disappears with its player's account, too.
    """
    try:
        _signer.unsign(f"{_signed(code, number)}{_signer.sep}{sign}")
    except BadSignature:
        return None
    seats = Seat.objects.select_related("game", "user").filter(game__code=code, number=number)
    seat = seats.first()
    if seat is None or seat.user is None or not seat.user.is_active:
        return None
    review = reviews.kept(seat.game)
    accounts = [] if review is None else review.content["accounts"]
    account = next((each for each in accounts if each["seat"] == number), None)
    if account is None or not has_card(account):
        return None
    return Card(seat.game, seat, account)


def _signed(code: str, number: int) -> str:
    return f"{code}:{number}"
