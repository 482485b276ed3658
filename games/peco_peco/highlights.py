"""What was remarkable in a finished game of Peco Peco."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from games.game_values import Highlight
from games.peco_peco.moments import Moment
from games.peco_peco.rules.events import BluffAdmitted, CardPlayed, Declared, RoundEnded
from games.peco_peco.rules.outcome import points
from games.peco_peco.rules.turns import is_playable


def highlights(steps: Sequence[Moment]) -> list[Highlight]:
    """The longest bluff that held, the best accusation and the richest stake, if there were any.

    `steps` are all moments of the game.
    """
    kinds = (_bluffs(steps), _accusations(steps), _stakes(steps))
    return [best for found in kinds if (best := max(found, key=_worth, default=None))]


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
