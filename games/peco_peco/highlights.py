"""What was remarkable in a finished game of Peco Peco."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from games.contract.game_values import Highlight
from games.peco_peco.moments import Moment
from games.peco_peco.rules.events import BluffAdmitted, CardPlayed, Declared, RoundEnded
from games.peco_peco.rules.outcome import outcome, points
from games.peco_peco.rules.turns import is_playable


def highlights(steps: Sequence[Moment]) -> list[Highlight]:
    """The longest bluff that held, the best accusation, the richest stake and, once the game is
    over, its turn, if there were any.

    `steps` are all moments of the game. Once it is over one of them is its key moment (see
    `_matters`); of equals the last.
    """
    kinds = (_bluffs(steps), _accusations(steps), _stakes(steps))
    found = [best for kind in kinds if (best := max(kind, key=_worth, default=None))]
    if outcome(steps[-1].state) is None:
        return found
    turn = _turn(steps)
    if not found:
        return [replace(each, is_key=True) for each in turn]
    key = max(found, key=lambda each: (*_matters(each, steps), each.moment))
    twice = {each.moment for each in turn if each.code == "set"}  # the stake that completed it
    if key.code == "stake" and key.moment in twice:
        key = turn[0]
    once = (each for each in found if each.code != "stake" or each.moment not in twice)
    return [replace(each, is_key=each is key) for each in (*once, *turn)]


def _turn(steps: Sequence[Moment]) -> list[Highlight]:
    """The stake that completed the set (Q37); without one, the stake after which the winners had
    more points than anybody else, until the end (Q38).

    None if they had after every stake, or if the others left.
    """
    ended = outcome(steps[-1].state)
    assert ended is not None  # noqa: S101
    won = [(place, step) for place, step in enumerate(steps, 1) if _winner_of(step) is not None]
    if ended.reason == "set":
        place, step = won[-1]
        winner = _winner_of(step)
        assert winner is not None  # noqa: S101
        return [Highlight(place, winner, "set", {"stake": step.state.stake_id})]
    behind = [place for place, step in won if not _lead(step, ended.winners)]
    ahead = [(place, step) for place, step in won if behind and place > behind[-1]]
    if ended.reason != "pile" or not ahead:
        return []
    place, step = ahead[0]
    return [Highlight(place, ended.winners[0], "turn", {"round": step.round})]


def _winner_of(step: Moment) -> int | None:
    """Who won the stake in this step; None if nobody did."""
    match step.facts[0]:
        case RoundEnded(int(winner)):
            return winner
    return None


def _lead(step: Moment, winners: Sequence[int]) -> bool:
    """Whether the winners of the game have more points than anybody else."""
    worth = [points(step.state, seat) for seat in range(step.state.seats)]
    others = [worth[seat] for seat in range(step.state.seats) if seat not in winners]
    return min(worth[seat] for seat in winners) > max(others, default=-1)


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
