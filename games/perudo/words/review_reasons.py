"""Why a better move of Perudo was better, and how a decision turned out: only what can be shown.

A reason rests on the odds by the player's own dice (P16, P17) and on public facts. Where none of
these holds there is none, and nothing is called better.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext

from games.core.contract import Fact
from games.perudo.rules.events import BidMade, DieLost, Revealed
from games.words import percent

NO_CALL: Final = "pass"  # not to call calza out of turn
# Odds that are so far apart are worth saying.
CLEARLY: Final = 0.1
_LESS: Final = 0.05
_LIKELY: Final = 0.5


def kind_of(move: str) -> str:
    return NO_CALL if move == NO_CALL else str(json.loads(move)["kind"])


def odds_of(decision: Mapping[str, Any], move: str) -> float | None:
    """The chance that a move is right, by what its player knew; None where there is none."""
    return next((each["odds"] for each in decision["options"] if each["move"] == move), None)


def after_the_bids(decision: Mapping[str, Any], move: str) -> float | None:
    """The chance that a move is right by the bids too, as the judge believes them.

    None for silence, and for the bids of reviews by older judges.
    """
    return next((each.get("after") for each in decision["options"] if each["move"] == move), None)


def reason(decision: Mapping[str, Any]) -> str:
    """Why the best move was better than the one that was played; "" if nothing simple shows it."""
    best, played = decision["best"], decision["played"]
    better, taken = odds_of(decision, best), odds_of(decision, played)
    if best == played or better is None and kind_of(best) != NO_CALL:
        return ""
    match kind_of(best):
        case "bid":
            told = _of_a_bid(decision, better or 0.0, taken)
        case "dudo" if better == 1:
            told = gettext("The bid before could not be true.")
        case "dudo" | "calza":
            told = _of_a_call(better or 0.0, after_the_bids(decision, best))
        case _:
            told = ""
    return told or heard(decision) or _who_loses(decision)


def _of_a_bid(decision: Mapping[str, Any], better: float, taken: float | None) -> str:
    if better == 1:
        return gettext("That bid could not be false.")
    if kind_of(decision["played"]) != "bid" or taken is None:
        return ""
    after = after_the_bids(decision, decision["best"])
    after_taken = after_the_bids(decision, decision["played"])
    if after is None or after_taken is None:  # by an older judge
        after, after_taken = better, taken
    if min(better - taken, after - after_taken) >= CLEARLY:
        odds = {"better": percent(better), "taken": percent(taken)}
        return gettext("It was likelier to be true: %(better)s instead of %(taken)s.") % odds
    if after - after_taken < CLEARLY:
        return ""
    told = gettext("After those bids it was likelier to be true: %(better)s instead of %(taken)s.")
    return told % {"better": percent(after), "taken": percent(after_taken)}


def _of_a_call(better: float, after: float | None) -> str:
    if after is None or after < _LIKELY:
        return ""
    if after - better < CLEARLY:
        return gettext("It was %(chance)s likely to be right.") % {"chance": percent(after)}
    odds = {"after": percent(after), "dice": percent(better)}
    return (
        gettext(
            "After those bids it was %(after)s likely to be right (%(dice)s by the dice alone)."
        )
        % odds
    )


def heard(decision: Mapping[str, Any]) -> str:
    """What the bids said against the call that was made."""
    played = decision["played"]
    after = after_the_bids(decision, played)
    if kind_of(played) == "bid" or after is None or after >= _LIKELY:
        return ""
    if abs(after - (odds_of(decision, played) or 0.0)) < CLEARLY:
        if odds_of(decision, played) == 0:
            return gettext("The call could only be wrong.")
        return gettext("The call was unlikely to be right.")
    told = gettext("After those bids %(call)s was only %(after)s likely to be right.")
    call = gettext("dudo") if kind_of(played) == "dudo" else gettext("calza")
    return told % {"call": call, "after": percent(after)}


def _who_loses(decision: Mapping[str, Any]) -> str:
    """The seat itself loses a die less often, or the next one more often."""
    loses = decision["game"].get("loses")
    if loses is None:  # by an older judge
        return ""
    (own, next_one), (own_taken, next_taken) = loses["best"], loses["played"]
    answered = kind_of(decision["best"]) == "bid"
    if answered and next_one - next_taken >= max(CLEARLY, own_taken - own):
        told = gettext(
            "It's harder to answer: the next player loses a die in %(better)s of cases instead of "
            "%(taken)s."
        )
        return told % {"better": percent(next_one), "taken": percent(next_taken)}
    if own_taken - own >= _LESS:
        told = gettext("It costs a die less often: in %(better)s of cases instead of %(taken)s.")
        return told % {"better": percent(own), "taken": percent(own_taken)}
    return ""


# --- how it turned out ----------------------------------------------------------------------------


def result(decision: Mapping[str, Any], after: Sequence[Sequence[Fact]]) -> str:
    """How a decision turned out, apart from how good it was; "" where that says nothing.

    `after`: the facts of the moment that shows the decision, and of those after it.
    """
    if decision["played"] == NO_CALL or not after:
        return ""
    odds = after_the_bids(decision, decision["played"])
    if odds is None:  # by an older judge
        odds = odds_of(decision, decision["played"]) or 0.0
    shown = _reveal(after[0])
    if shown is not None:
        lost = shown.caller in _losers(after[0])
        if shown.call == "calza":
            if lost:
                return gettext("It failed: the count was another.")
            return gettext("It worked: the count was exact.")
        return _of_the_doubt(lost=lost, odds=odds, well=not decision["label"])
    follows = _reveal(after[1]) if len(after) > 1 else None
    if follows is None or follows.call != "dudo":
        return ""
    if follows.caller in _losers(after[1]):
        return gettext("It was doubted, and it was true.")
    if odds >= _LIKELY and not decision["label"]:
        return gettext("A good decision and bad luck: it was doubted, and it was false.")
    return gettext("It was doubted, and it was false.")


def _of_the_doubt(*, lost: bool, odds: float, well: bool) -> str:
    if not lost:
        if odds < _LIKELY:
            return gettext("It worked, against the odds: the bid was false.")
        return gettext("It worked: the bid was false.")
    if well and odds >= _LIKELY:
        return gettext("A good decision and bad luck: the bid was true.")
    return gettext("It failed: the bid was true.")


def _reveal(facts: Sequence[Fact]) -> Revealed | None:
    if any(isinstance(each, BidMade) for each in facts):
        return None
    return next((each for each in facts if isinstance(each, Revealed)), None)


def _losers(facts: Sequence[Fact]) -> set[int]:
    return {each.seat for each in facts if isinstance(each, DieLost)}
