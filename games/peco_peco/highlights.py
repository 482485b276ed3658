"""What was remarkable in a finished game of Peco Peco."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from games.game_values import Highlight
from games.peco_peco.moments import Moment
from games.peco_peco.rules.events import BluffAdmitted, CardPlayed, Declared, RoundEnded
from games.peco_peco.rules.outcome import outcome, points
from games.peco_peco.rules.turns import is_playable


def highlights(steps: Sequence[Moment]) -> list[Highlight]:
    """The longest bluff that held, the best accusation and the richest stake, if there were any.

    `steps` are all moments of the game. Once it is over one of them is its key moment (see
    `_matters`); of equals the last.
    """
    kinds = (_bluffs(steps), _accusations(steps), _stakes(steps))
    found = [best for kind in kinds if (best := max(kind, key=_worth, default=None))]
    if not found or outcome(steps[-1].state) is None:
        return found
    key = max(found, key=lambda each: (*_matters(each, steps), each.moment))
    return [replace(each, is_key=each is key) for each in found]


def _matters(found: Highlight, steps: Sequence[Moment]) -> tuple[bool, bool, int]:
    """How much a highlight mattered to who won the game.

    First come those of a winner; of them one in the round that completed the set (Q37), then by
    the points that the stake of the round brought the winners (Q38).
    """
    ended = outcome(steps[-1].state)
    assert ended is not None  # noqa: S101
    number = steps[found.moment - 1].round
    brought = sum(
        each.values["points"]
        for each in _stakes(steps)
        if each.seat in ended.winners and steps[each.moment - 1].round == number
    )
    completed = ended.reason == "set" and number == steps[-1].round
    return found.seat in ended.winners, completed, brought


def _bluffs(steps: Sequence[Moment]) -> Iterator[Highlight]:
    """Every bluff that was not admitted, with how many in a row this player got away with.

    A row is within a round; it ends when the player plays a card, tells the truth or is caught.
    """
    row: dict[int, int] = {}
    number = 0
    for place, (step, then) in enumerate(pairwise(steps), start=1):
        if step.state.number != number:
            row, number = {}, step.state.number
        match step.facts[0]:
            case CardPlayed(seat):
                row.pop(seat, None)
            case Declared(seat):
                caught = isinstance(then.facts[0], BluffAdmitted)
                if caught or not step.bluff:
                    row.pop(seat, None)
                    continue
                row[seat] = row.get(seat, 0) + 1
                cards = sum(is_playable(step.state, one) for one in step.state.hand(seat))
                yield Highlight(place, seat, "bluff", {"count": row[seat], "cards": cards})


def _accusations(steps: Sequence[Moment]) -> Iterator[Highlight]:
    """Every bluff that was caught, with how few cards the bluffer could have played."""
    for place, (before, step) in enumerate(pairwise(steps), start=2):
        match step.facts[0]:
            case BluffAdmitted(accuser, accused):
                hand = before.state.hand(accused)
                cards = sum(is_playable(before.state, one) for one in hand)
                values = {"other": accused, "cards": cards, "hand": len(hand)}
                yield Highlight(place, accuser, "accusation", values)


def _stakes(steps: Sequence[Moment]) -> Iterator[Highlight]:
    """Every stake that was won, with the points it added to its winner's buffet."""
    for place, (before, step) in enumerate(pairwise(steps), start=2):
        match step.facts[0]:
            case RoundEnded(int(winner)):
                gain = points(step.state, winner) - points(before.state, winner)
                if gain > 0:
                    values = {"stake": step.state.stake_id, "points": gain}
                    yield Highlight(place, winner, "stake", values)


def _worth(found: Highlight) -> tuple[float, ...]:
    """By what the best of a kind is chosen; of equals the first."""
    values = found.values
    match found.code:
        case "bluff":
            return (values["count"], values["cards"])
        case "accusation":
            return (-values["cards"] / values["hand"], values["hand"])
    return (values["points"],)
