"""What was remarkable in a finished game of Perudo, by the odds each player had at that moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from games.contract.game_values import Highlight
from games.perudo.moments import Moment
from games.perudo.rules.bids import Bid
from games.perudo.rules.events import BidMade, Revealed
from games.perudo.rules.odds import Odds, odds
from games.perudo.rules.outcome import outcome
from games.perudo.rules.state import State

BOLD = 0.5  # a bid less likely than this, for the player who made it, is worth telling
DARING = 0.05  # a right dudo against a bid at least as likely as this, for the caller


def highlights(steps: Sequence[Moment]) -> list[Highlight]:
    """The boldest bid that held, the best dudo, the closest calza and, once the game is over, its
    turn, as far as there were any.

    `steps` are all moments of the game. A bid held if another was made on it, or if it was true.
    Once the game is over one of them is its key moment (see `_worth`); of equals the last.
    """
    numbered = list(enumerate(pairwise(steps), start=1))
    bids = [each for place, pair in numbered for each in _bold(place, *pair)]
    calls = [each for place, pair in numbered for each in _calls(place, *pair)]
    dudos = [each for each in calls if each.code == "dudo"]
    exact = [each for each in calls if each.code == "calza"]
    near = [each for each in calls if each.code == "near_calza"]
    found = [
        *_first(sorted(bids, key=_chance)),
        *_first(sorted(dudos, key=_chance, reverse=True)),
        *_first([*sorted(exact, key=_chance), *sorted(near, key=lambda each: each.values["off"])]),
    ]
    ended = outcome(steps[-1].state)
    if ended is None:
        return found
    [winner] = ended.winners
    turn = _turn(steps, winner)
    if not found:
        return [replace(each, is_key=True) for each in turn]
    key = max(found, key=lambda each: (_worth(each, steps, winner), each.moment))
    return [replace(each, is_key=each is key) for each in (*found, *turn)]


def _turn(steps: Sequence[Moment], winner: int) -> list[Highlight]:
    """The reveal after which the winner had more dice than anybody else, until the end.

    None if they had after every reveal.
    """
    reveals = [place for place, step in enumerate(steps) if _is_reveal(step)]
    behind = [place for place in reveals if not _leads(steps[place].state, winner)]
    ahead = [place for place in reveals if behind and place > behind[-1]]
    return [
        Highlight(place + 1, winner, "turn", {"round": steps[place].round}) for place in ahead[:1]
    ]


def _is_reveal(step: Moment) -> bool:
    return bool(step.facts) and isinstance(step.facts[0], Revealed)


def _leads(state: State, seat: int) -> bool:
    return all(state.dice[seat] > dice for other, dice in enumerate(state.dice) if other != seat)


def _worth(found: Highlight, steps: Sequence[Moment], winner: int) -> float:
    """What a highlight was worth to the player who won the game, from -1 to 1.

    That is their share of all dice as it came, less what it would have been had it come out the
    other way: a bid that held, doubted and false; a right dudo, wrong (P20); an exact
    calza, off, and one that was off, exact (P34).
    """
    bid = steps[found.moment - (1 if found.code == "bid" else 2)].state
    assert bid.bidder is not None  # noqa: S101
    lost, won = {found.seat: -1}, {found.seat: 1}
    came, instead = {
        "bid": (dict[int, int](), lost),
        "dudo": ({bid.bidder: -1}, lost),
        "calza": (won, lost),
        "near_calza": (lost, won),
    }[found.code]
    return _share(bid.dice, came, winner) - _share(bid.dice, instead, winner)


def _share(dice: Sequence[int], change: dict[int, int], seat: int) -> float:
    """The share of all dice that a seat has after a change by seat; nobody has more than five."""
    after = [min(5, held + change.get(number, 0)) for number, held in enumerate(dice)]
    return after[seat] / sum(after)


def _bold(place: int, bid: Moment, then: Moment) -> Iterator[Highlight]:
    """The bid of a step, the `place`-th, if it was unlikely and held."""
    state, [happened, *_rest] = bid.state, then.facts or (None,)
    if state.last_bid is None or state.bidder is None:
        return
    match happened:
        case BidMade():
            held = True
        case Revealed():
            held = happened.count >= state.last_bid.quantity
        case _:
            return
    likely = _seen_by(state.bidder, state, state.last_bid).true
    if held and likely < BOLD:
        yield _highlight("bid", place, state.bidder, state.last_bid, likely)


def _calls(place: int, bid: Moment, then: Moment) -> Iterator[Highlight]:
    """The call that follows on a bid, if it was right or a calza that was one die off."""
    state, [happened, *_rest] = bid.state, then.facts or (None,)
    if not isinstance(happened, Revealed) or state.last_bid is None:
        return
    last, caller = state.last_bid, happened.caller
    seen, off = _seen_by(caller, state, last), abs(happened.count - last.quantity)
    if happened.call == "dudo" and happened.count < last.quantity and seen.true >= DARING:
        yield _highlight("dudo", place + 1, caller, last, seen.true)
    elif happened.call == "calza" and off == 0:
        yield _highlight("calza", place + 1, caller, last, seen.exact)
    elif happened.call == "calza" and off == 1:
        yield _highlight("near_calza", place + 1, caller, last, seen.exact, off=off)


def _seen_by(seat: int, state: State, bid: Bid) -> Odds:
    """The odds of a bid for the player at `seat`, by their own dice."""
    palifico = state.palifico is not None
    return odds(bid, dice=sum(state.dice), hand=state.hand(seat), palifico=palifico)


def _highlight(code: str, place: int, seat: int, bid: Bid, chance: float, **more: int) -> Highlight:
    values = {"quantity": bid.quantity, "face": bid.face, "chance": chance, **more}
    return Highlight(moment=place, seat=seat, code=code, values=values)


def _chance(highlight: Highlight) -> float:
    chance: float = highlight.values["chance"]
    return chance


def _first(found: Sequence[Highlight]) -> Sequence[Highlight]:
    return found[:1]
