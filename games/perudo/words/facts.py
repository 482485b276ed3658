"""What happened at the table, one sentence a fact, and how a round was decided."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext

from games.core.contract import Fact
from games.perudo.rules.events import (
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
    StartedMidway,
    StarterRolled,
)
from games.perudo.words.dice import bid, dice


def narrate(fact: Fact, names: Sequence[str]) -> str:
    """One sentence for a fact, with names by seat; "" for a hidden roll, which is not told."""
    match fact:
        case GameStarted():
            return gettext("The game starts.")
        case StartedMidway():
            return gettext("It starts in the middle of another game.")
        case StarterRolled(rolls):
            shown = ", ".join(_roll(names[seat], rolled) for seat, rolled in rolls)
            return gettext("Rolls to decide who starts: %(rolls)s.") % {"rolls": shown}
        case RoundStarted(number, opener, None):
            form = gettext("Round %(number)d: %(name)s starts.")
            return form % {"number": number, "name": names[opener]}
        case RoundStarted(number, opener, _):
            form = gettext(
                "Round %(number)d: %(name)s is palifico. Pacos aren't wild and nobody can change "
                "the value. %(name)s starts."
            )
            return form % {"number": number, "name": names[opener]}
        case BidMade(seat, said):
            return gettext("%(name)s bids %(bid)s.") % {"name": names[seat], "bid": bid(said)}
        case CalzaClaimed(seat):
            return gettext("%(name)s calls calza!") % {"name": names[seat]}
        case Revealed(call, caller, _, count):
            if call == "dudo":
                form = gettext("%(name)s calls dudo! The count is %(count)d.")
            else:
                form = gettext("%(name)s calls calza! The count is %(count)d.")
            return form % {"name": names[caller], "count": count}
        case DieLost(seat):
            return gettext("%(name)s loses a die.") % {"name": names[seat]}
        case DieRegained(seat):
            return gettext("%(name)s wins back a die.") % {"name": names[seat]}
        case PalificoAnnounced(seat):
            form = gettext("%(name)s is down to one die: the next round is palifico.")
            return form % {"name": names[seat]}
        case Eliminated(seat):
            return gettext("%(name)s is out.") % {"name": names[seat]}
        case Left(seat):
            return gettext("%(name)s left the game.") % {"name": names[seat]}
        case Rolled() | RevealSeen():  # the second comes from everybody in every round
            return ""
    raise TypeError(f"no words for {type(fact).__name__}")


def narrate_to_you(fact: Fact, seat: int) -> str | None:
    """The same sentence for the player at `seat`; None for a fact that is not about them."""
    match fact:
        case RoundStarted(number, opener, None) if opener == seat:
            return gettext("Round %(number)d: you start.") % {"number": number}
        case RoundStarted(number, opener, _) if opener == seat:
            form = gettext(
                "Round %(number)d: you are palifico. Pacos aren't wild and nobody can change the "
                "value. You start."
            )
            return form % {"number": number}
        case BidMade(bidder, said) if bidder == seat:
            return gettext("You bid %(bid)s.") % {"bid": bid(said)}
        case CalzaClaimed(caller) if caller == seat:
            return gettext("You call calza!")
        case Revealed("dudo", caller, _, count) if caller == seat:
            return gettext("You call dudo! The count is %(count)d.") % {"count": count}
        case Revealed(_, caller, _, count) if caller == seat:
            return gettext("You call calza! The count is %(count)d.") % {"count": count}
        case DieLost(loser) if loser == seat:
            return gettext("You lose a die.")
        case DieRegained(gainer) if gainer == seat:
            return gettext("You win back a die.")
        case PalificoAnnounced(palifico) if palifico == seat:
            return gettext("You are down to one die: the next round is palifico.")
        case Eliminated(out) if out == seat:
            return gettext("You're out.")
    return None


def _roll(name: str, rolled: Sequence[int]) -> str:
    # A roll for the opening is told in numbers: here a paco counts one (P4).
    return gettext("%(name)s %(dice)s") % {"name": name, "dice": " + ".join(map(str, rolled))}


def counted(*, quantity: int, face: int, count: int) -> str:
    """What was bid and what lay under the cups (P20, P33)."""
    form = gettext("The bid was %(bid)s; the count was %(count)s.")
    return form % {"bid": dice(quantity, face), "count": dice(count, face)}


def verdict(*, call: str, bidder: str | None, right: bool) -> str:
    """Who was right after a dudo or a calza.

    `bidder` is a name, None is the reader; `right` says it of the caller.
    """
    match call, right:
        case "dudo", True:
            form = gettext("%(bidder)s bid too high.") if bidder else gettext("You bid too high.")
        case "dudo", False:
            form = (
                gettext("%(bidder)s's bid was true.") if bidder else gettext("Your bid was true.")
            )
        case _, True:
            form = gettext("Exact!")
        case _:
            form = gettext("Not exact.")
    return form % {"bidder": bidder}
