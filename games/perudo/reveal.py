"""What a table shows of a round when its cups are up, with the step at which each part shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from games.core.contract import Fact
from games.perudo import pace, words
from games.perudo.pace import Animation
from games.perudo.rules.bids import matching
from games.perudo.rules.events import DieLost, DieRegained, Eliminated, PalificoAnnounced
from games.perudo.rules.outcome import outcome
from games.perudo.rules.state import RoundResult, State


def result_of(
    state: State, views: Sequence[dict[str, Any]], shown: Animation | None
) -> dict[str, Any] | None:
    """The call, the count and what became of the dice; None while the cups are down.

    `views` are the seats as the table shows them, `shown` is the animation of the result.
    """
    result = state.result
    if result is None or shown is None:
        return None
    return {
        "call": result.call,
        "caller": views[result.caller],
        "bidder": views[result.bidder],
        "bid": {"quantity": result.bid.quantity, "face": result.bid.face},
        "count": result.count,
        "lasts_ms": shown.lasts_ms,
        "call_ms": shown.call_ms,
        "step_ms": shown.step_ms,
        "order": order(shown.verdict),
        "right": _right(result),
        "loser": None if result.loser is None else views[result.loser],
        "gainer": None if result.gainer is None else views[result.gainer],
        "eliminated": [views[number] for number in result.eliminated],
        "palifico": None if state.announced is None else views[state.announced],
    }


def panel(state: State, names: Sequence[str], number: int | None) -> dict[str, Any]:
    """What one's own panel shows of a reveal; `number` is the seat, None is a spectator.

    `open`: the seat's own dice as `open_hand` has them; `result`: who was right (`verdict`), what
    became of the dice (`consequence`), both told to that seat, and the step (`order`) at which it
    shows. None before a reveal.
    """
    result = state.result
    if result is None or state.phase in ("turn", "claims"):
        return {"result": None, "open": None}
    shown = pace.animation(result)
    bidder = None if number == result.bidder else names[result.bidder]
    return {
        "result": {
            "order": order(shown.verdict),
            "verdict": words.verdict(call=result.call, bidder=bidder, right=_right(result)),
            "consequence": " ".join(_consequences(result, state.announced, names, number)),
        },
        "open": None if number is None else open_hand(state, number, shown),
    }


def occasions(state: State) -> dict[int, str]:
    """By seat, what the result that is shown means for it (see `CharacterWords.phrase`): for those
    between whom the call was, at the end of the game for all. {} while the cups are down.
    """
    ended, result = outcome(state), state.result
    if ended is not None:
        won = ended.winners
        return {seat: "won" if seat in won else "beaten" for seat in range(state.seats)}
    if state.phase != "reveal" or result is None:
        return {}
    found = {}
    if _right(result) or result.call != "calza":
        found[result.caller if _right(result) else result.bidder] = "right"
    if result.loser is not None:
        found[result.loser] = "out" if result.loser in result.eliminated else "wrong"
    return found


def _right(result: RoundResult) -> bool:
    """Whether the caller was right (P20, P33)."""
    if result.call == "calza":
        return result.count == result.bid.quantity
    return result.count < result.bid.quantity


def _consequences(
    result: RoundResult, announced: int | None, names: Sequence[str], number: int | None
) -> Iterator[str]:
    facts: list[Fact] = [Eliminated(seat) for seat in result.eliminated]
    if result.gainer is not None:
        facts.insert(0, DieRegained(result.gainer))
    if result.loser is not None:
        facts.insert(0, DieLost(result.loser))
    if announced is not None:
        facts.append(PalificoAnnounced(announced))
    for fact in facts:
        told = None if number is None else words.narrate_to_you(fact, number)
        yield told or words.narrate(fact, names)


def open_hand(state: State, number: int, shown: Animation) -> list[dict[str, Any]]:
    """Dice on the open table, each with its step and whether it counts for the bid (P12, P25).

    `meets` marks the die that brings the count to the bid.
    """
    face = None if state.last_bid is None else state.last_bid.face
    dice = judged(state.hands[number] or (), face, state.palifico)
    return [
        die | {"order": order(step), "meets": step == shown.met}
        for die, step in zip(dice, shown.dice[number], strict=True)
    ]


def judged(hand: Sequence[int], face: int | None, palifico: Any) -> list[dict[str, Any]]:
    """Each die of a hand with whether it counts for a bid on `face`; None is no bid."""
    special = palifico is not None
    return [
        {
            "face": die,
            "matches": face is not None and matching((die,), face, palifico=special) == 1,
        }
        for die in hand
    ]


def changes(state: State) -> dict[int | None, str]:
    """What the reveal did to the dice of which seat: "loss" or "gain"; empty before it."""
    result = state.result
    return {} if result is None else {result.loser: "loss", result.gainer: "gain"}


def order(step: int | None) -> str | None:
    """A step of the reveal as reveal.css reads it: two digits."""
    return None if step is None else f"{step:02}"
