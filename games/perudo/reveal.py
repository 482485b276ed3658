"""What a table shows of a round when its cups are up, with the step at which each part shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from games.core.contract import Fact
from games.perudo import pace, words
from games.perudo.pace import Animation
from games.perudo.rules.bids import matching
from games.perudo.rules.events import DieLost, DieRegained, Eliminated, PalificoAnnounced
from games.perudo.rules.outcome import outcome
from games.perudo.rules.state import RoundResult, State
from games.perudo.shown import OpenDie, Result, SeatView, ShownBid, Told


def result_of(state: State, seats: Sequence[SeatView]) -> Result | None:
    """What the table shows of a result; None while the cups are down."""
    result = state.result
    if result is None:
        return None
    shown = pace.animation(result)
    return Result(
        call=result.call,
        caller=seats[result.caller],
        bidder=seats[result.bidder],
        bid=ShownBid(quantity=result.bid.quantity, face=result.bid.face),
        count=result.count,
        lasts_ms=shown.lasts_ms,
        call_ms=shown.call_ms,
        step_ms=shown.step_ms,
        order=order(shown.verdict),
        right=_right(result),
        loser=None if result.loser is None else seats[result.loser],
        gainer=None if result.gainer is None else seats[result.gainer],
        eliminated=[seats[number] for number in result.eliminated],
        palifico=None if state.announced is None else seats[state.announced],
    )


def told(state: State, names: Sequence[str], number: int | None) -> Told | None:
    """The result as told to the player at the seat `number`, or to a spectator (None).

    None before a reveal.
    """
    result = _revealed(state)
    if result is None:
        return None
    bidder = None if number == result.bidder else names[result.bidder]
    return Told(
        order=order(pace.animation(result).verdict),
        verdict=words.verdict(call=result.call, bidder=bidder, right=_right(result)),
        consequence=" ".join(_consequences(result, state.announced, names, number)),
    )


def opened(state: State, number: int) -> list[OpenDie] | None:
    """The dice of a seat while the cups are up; None before a reveal."""
    result = _revealed(state)
    return None if result is None else open_hand(state, number, pace.animation(result))


def _revealed(state: State) -> RoundResult | None:
    return None if state.phase in ("turn", "claims") else state.result


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


def moods(state: State) -> dict[int, str]:
    """By seat, `sure` or `caught`, from what everybody saw; all others are calm.

    While the cups are down nobody's face tells anything; who is out of the game stays caught.
    """
    found = dict.fromkeys(state.out, "caught")
    result, ended = _revealed(state), outcome(state)
    if result is not None and (_right(result) or result.call != "calza"):
        found[result.caller if _right(result) else result.bidder] = "sure"
    if result is not None and result.loser is not None:
        found[result.loser] = "caught"
    return found | dict.fromkeys(ended.winners if ended else (), "sure")


def mood_order(state: State, number: int) -> str | None:
    """The step at which a mood shows, that of the verdict; None: at once, as it is older."""
    result = _revealed(state)
    if result is None or (number in state.out and number not in result.eliminated):
        return None
    return order(pace.animation(result).verdict)


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


def open_hand(state: State, number: int, shown: Animation) -> list[OpenDie]:
    """The dice of a seat on the open table, each with its step of the reveal."""
    face = None if state.last_bid is None else state.last_bid.face
    dice = judged(state.hands[number] or (), face, palifico=state.palifico is not None)
    return [
        replace(die, order=order(step), meets=step == shown.met)
        for die, step in zip(dice, shown.dice[number], strict=True)
    ]


def judged(hand: Sequence[int], face: int | None, *, palifico: bool) -> list[OpenDie]:
    """The dice of a hand, judged by a bid on `face`; None is no bid."""

    def matches(die: int) -> bool:
        return face is not None and matching((die,), face, palifico=palifico) == 1

    return [OpenDie(face=die, matches=matches(die)) for die in hand]


def changes(state: State) -> dict[int | None, str]:
    """What the reveal did to the dice of which seat: "loss" or "gain"; empty before it."""
    result = state.result
    return {} if result is None else {result.loser: "loss", result.gainer: "gain"}


def order(step: int | None) -> str | None:
    """A step of the reveal as reveal.css reads it: two digits."""
    return None if step is None else f"{step:02}"
