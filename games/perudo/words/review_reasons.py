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
LIKELY: Final = 0.5
# A decision is good if it cost less, in dice and in chances of winning.
_ERROR: Final = 0.1
_COSTLY: Final = 0.01
# A lost die hurts more than at the start if it costs so many times as much of the chance to win.
_MORE: Final = 1.5


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
    if kind_of(best) == "bid" and better == 0 and _is_settled(decision, "best"):
        return ""  # a sure lie: how often it gets by depends on who plays, and convinces nobody
    match kind_of(best):
        case "bid":
            told = _of_a_bid(decision, better or 0.0, taken)
        case "dudo" if better == 1 and _is_settled(decision, "last"):
            told = gettext("The bid before could not be true.")
        case "dudo" | "calza":
            told = _of_a_call(better or 0.0, after_the_bids(decision, best))
        case _:
            told = ""
    return told or _wins_back(decision) or _of_the_call_made(decision) or _who_loses(decision)


def _of_a_bid(decision: Mapping[str, Any], better: float, taken: float | None) -> str:
    is_bid = kind_of(decision["played"]) == "bid"
    settled = better == 1 and _is_settled(decision, "best")
    if settled and not (is_bid and taken == 1):  # else both are certain
        return gettext("That bid could not be false.")
    if not is_bid or taken is None:
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


def _is_settled(decision: Mapping[str, Any], about: str) -> bool:
    """Whether the player's own dice settle the `best`, `played` or `last` bid; odds are rounded."""
    hidden, needed = decision["game"].get(about) or (0, 0)
    return bool(needed == 0 or needed > hidden)


def _of_a_call(better: float, after: float | None) -> str:
    if after is None or after < LIKELY:
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


def _wins_back(decision: Mapping[str, Any]) -> str:
    """That a calza which is right wins a die back (P34), where this gains the seat more dice of
    its own than the move that was played.
    """
    best, about = decision["best"], decision["game"]
    after = after_the_bids(decision, best)
    if kind_of(best) != "calza" or after is None or "regains" not in about:
        return ""
    regains, taken = about["regains"]
    loses, loses_taken = (each[0] for each in (about["loses"]["best"], about["loses"]["played"]))
    if (regains - loses) - (taken - loses_taken) < CLEARLY:
        return ""
    told = gettext("It was %(chance)s likely to be right, and then it wins a die back.")
    return told % {"chance": percent(after)}


def _of_the_call_made(decision: Mapping[str, Any]) -> str:
    """What speaks against the call that was made, by the bids too."""
    played = decision["played"]
    after = after_the_bids(decision, played)
    if kind_of(played) == "bid" or after is None or after >= LIKELY:
        return ""
    if odds_of(decision, played) == 0 and _is_settled(decision, "last"):
        return gettext("The call could only be wrong.")
    # How often another call costs a die says less than why it may be right.
    cheaper = _costs_less(decision) if kind_of(decision["best"]) == "bid" else ""
    return cheaper or gettext("The call was more likely wrong than right.")


def _who_loses(decision: Mapping[str, Any]) -> str:
    """The seat itself loses a die less often, or the next one more often."""
    loses = decision["game"].get("loses")
    if loses is None:  # by an older judge
        return ""
    (own, next_one), (own_taken, next_taken) = loses["best"], loses["played"]
    more = next_one - next_taken
    if kind_of(decision["best"]) != "bid" or more < CLEARLY:
        return _costs_less(decision)
    if kind_of(decision["played"]) != "bid":  # nobody answers a call
        told = gettext("It's hard to answer: the next player loses a die in %(better)s of cases.")
        return _costs_less(decision) or told % {"better": percent(next_one)}
    if more < own_taken - own:
        return _costs_less(decision)
    told = gettext(
        "It's harder to answer: the next player loses a die in %(better)s of cases instead of "
        "%(taken)s."
    )
    return told % {"better": percent(next_one), "taken": percent(next_taken)}


def _costs_less(decision: Mapping[str, Any]) -> str:
    """That the seat loses a die less often; a true bid may still cost one when the turn is back."""
    loses = decision["game"].get("loses")
    if loses is None:  # by an older judge
        return ""
    own, taken = loses["best"][0], loses["played"][0]
    if taken - own < _LESS:
        return ""
    told = gettext(
        "By the end of the round it costs a die less often: in %(better)s of cases instead of "
        "%(taken)s."
    )
    said = told % {"better": percent(own), "taken": percent(taken)}
    return f"{said} {_of_a_die(decision)}".strip()


def _of_a_die(decision: Mapping[str, Any]) -> str:
    """That a lost die hurts more now, where it takes clearly more of the chance to win."""
    now, then = decision["game"].get("die", (0.0, 0.0))  # not by an older judge
    if now < _MORE * then or not now:
        return ""
    told = gettext(
        "Losing a die hurts more now: it costs %(now)s of the game, up from %(then)s at the start."
    )
    return told % {"now": percent(now), "then": percent(then)}


# --- how it turned out ----------------------------------------------------------------------------


def result(decision: Mapping[str, Any], after: Sequence[Sequence[Fact]]) -> str:
    """How a decision turned out, apart from how good it was; "" where that says nothing.

    `after`: the facts of the moment that shows the decision, and of those after it.
    """
    if decision["played"] == NO_CALL or not after:
        return ""
    plain = odds_of(decision, decision["played"]) or 0.0
    odds = after_the_bids(decision, decision["played"])
    if odds is None:  # by an older judge
        odds = plain
    shown = _reveal(after[0])
    if shown is not None:
        lost = shown.caller in _losers(after[0])
        if shown.call == "calza":
            if lost:
                return gettext("It failed: the count wasn't exact.")
            return gettext("It worked: the count was exact.")
        return _of_the_doubt(lost=lost, plain=plain, odds=odds, well=_is_good(decision))
    follows = _reveal(after[1]) if len(after) > 1 else None
    if follows is None or follows.call != "dudo":
        return ""
    if follows.caller in _losers(after[1]):
        return gettext("It was doubted, and it was true.")
    if odds >= LIKELY and _is_good(decision):
        return gettext("A good decision and bad luck: it was doubted, and it was false.")
    return gettext("It was doubted, and it was false.")


def _is_good(decision: Mapping[str, Any]) -> bool:
    """Whether nothing was clearly better, whoever decided: bots' moves have no label."""
    return not decision["label"] and decision["regret"] < _ERROR and decision["cost"] < _COSTLY


def _of_the_doubt(*, lost: bool, plain: float, odds: float, well: bool) -> str:
    if not lost:
        if odds < LIKELY and plain < LIKELY:
            return gettext("It worked, against the odds: the bid was false.")
        return gettext("It worked: the bid was false.")
    if well and odds >= LIKELY:
        return gettext("A good decision and bad luck: the bid was true.")
    return gettext("It failed: the bid was true.")


def _reveal(facts: Sequence[Fact]) -> Revealed | None:
    if any(isinstance(each, BidMade) for each in facts):
        return None
    return next((each for each in facts if isinstance(each, Revealed)), None)


def _losers(facts: Sequence[Fact]) -> set[int]:
    return {each.seat for each in facts if isinstance(each, DieLost)}
