"""What happened at the table, one sentence a fact, and how a round was decided."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext

from games.rules.contract import Fact
from games.rules.perudo.events import (
    BidMade,
    CalzaClaimed,
    DieLost,
    DieRegained,
    Eliminated,
    GameStarted,
    Left,
    PalificoAnnounced,
    Revealed,
    RevealSeen,
    Rolled,
    RoundStarted,
    StarterRolled,
)
from games.words.dice import bid, dice


def told(fact: Fact, names: Sequence[str]) -> str:
    """One sentence for a fact, with names by seat; "" for a hidden roll, which is not told."""
    match fact:
        case GameStarted():
            return gettext("The game begins.")
        case StarterRolled(rolls):
            shown = ", ".join(_roll(names[seat], rolled) for seat, rolled in rolls)
            return gettext("They roll for the first opening: %(rolls)s.") % {"rolls": shown}
        case RoundStarted(number, opener, None):
            form = gettext("Round %(number)d begins. %(name)s opens.")
            return form % {"number": number, "name": names[opener]}
        case RoundStarted(number, opener, _):
            form = gettext(
                "Round %(number)d is the palifico round of %(name)s: pacos are not jokers and "
                "nobody may change the value. %(name)s opens."
            )
            return form % {"number": number, "name": names[opener]}
        case BidMade(seat, said):
            return gettext("%(name)s bids %(bid)s.") % {"name": names[seat], "bid": bid(said)}
        case CalzaClaimed(seat):
            return gettext("%(name)s calls calza!") % {"name": names[seat]}
        case Revealed(call, caller, _, count):
            if call == "dudo":
                form = gettext("%(name)s says dudo! The cups go up and the count is %(count)d.")
            else:
                form = gettext("%(name)s calls calza! The cups go up and the count is %(count)d.")
            return form % {"name": names[caller], "count": count}
        case DieLost(seat):
            return gettext("%(name)s loses a die.") % {"name": names[seat]}
        case DieRegained(seat):
            return gettext("%(name)s takes a die back.") % {"name": names[seat]}
        case PalificoAnnounced(seat):
            form = gettext("%(name)s is down to one die: the next round is palifico.")
            return form % {"name": names[seat]}
        case Eliminated(seat):
            return gettext("%(name)s is out of the game.") % {"name": names[seat]}
        case RevealSeen(seat):
            return gettext("%(name)s has seen the dice.") % {"name": names[seat]}
        case Left(seat):
            return gettext("%(name)s left the game.") % {"name": names[seat]}
        case Rolled():
            return ""
    raise TypeError(f"no words for {type(fact).__name__}")


def _roll(name: str, rolled: Sequence[int]) -> str:
    # A roll for the opening is told in numbers: here a paco counts one (P4).
    return gettext("%(name)s %(dice)s") % {"name": name, "dice": " + ".join(map(str, rolled))}


def counted(*, quantity: int, face: int, count: int) -> str:
    """What was bid and what lay under the cups (P20, P33)."""
    form = gettext("The bid was %(bid)s; under the cups there were %(count)s.")
    return form % {"bid": dice(quantity, face), "count": dice(count, face)}


def verdict(*, call: str, caller: str, bidder: str, right: bool) -> str:
    """Who was right after a dudo or a calza; `right` says it of the caller."""
    match call, right:
        case "dudo", True:
            form = gettext("%(caller)s was right to doubt %(bidder)s.")
        case "dudo", False:
            form = gettext("%(bidder)s told the truth; %(caller)s was wrong to doubt.")
        case _, True:
            form = gettext("%(caller)s was right: the bid of %(bidder)s was exact.")
        case _:
            form = gettext("%(caller)s was wrong: the bid of %(bidder)s was not exact.")
    return form % {"caller": caller, "bidder": bidder}
