"""How good each choice of a decision of Perudo is: see `optional_parts.Judgement`.

A decision asks for dudo, calza or a bid. It is clear where the best of one kind is worth LEAST dice
more than the best of the others for the judge of reviews, and also better where rounds are played
out; the two know nothing of each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import hypot
from pathlib import Path
from typing import Any, Final

from games.core.codec import key_of, unpack
from games.core.contract import fold
from games.perudo import rules
from games.perudo.bots.network import worth
from games.perudo.review import rollouts
from games.perudo.review.judge import needed, outcomes, plain_odds
from games.perudo.review.ledger import label
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Move
from games.perudo.rules.state import State

__all__ = ["JUDGE", "PRACTICE", "clear", "decision", "judgement"]

# The bot whose network judges, and the network's version. No round that ships has a call that own
# dice settle, nor anything of the accounts of reviews, whose judge has a version of its own.
JUDGE: Final = "expert 2"
PRACTICE: Final = Path(__file__).parent / "practice_rounds.jsonl.gz"
LEAST: Final = 0.15  # dice
ERRORS: Final = 3.0  # standard errors that the playouts must be apart
# The best bids that are played out where dudo or calza is best; else the best alone.
_BIDS: Final = 2
_SHOWN: Final = 6  # of a decision, with what was chosen and every call


def judgement(known: State, seat: int) -> dict[str, Any]:
    return _written(_values(known, seat))


def clear(told: Sequence[Any], seat: int) -> dict[str, Any] | None:
    known = known_of(told)
    values = _values(known, seat)
    kinds = dict(_by_kind(values))
    best, *others = sorted(kinds, key=lambda kind: -values[kinds[kind][0]])
    if not others or values[kinds[best][0]] - values[kinds[others[0]][0]] < LEAST:
        return None
    return _written(values) if _second_agrees(known, seat, kinds, best) else None


def known_of(told: Sequence[Any]) -> State:
    """What a seat knows that was told these facts, as JSON."""
    state: State = fold(rules, (unpack(rules.FACTS, fact) for fact in told))
    return state


def decision(known: State, seat: int, judged: Mapping[str, Any], move: Move) -> dict[str, Any]:
    values, name = judged["values"], key_of(move)
    moves = {key_of(each): each for each in rules.legal_moves(known, seat)}
    best = next(iter(values))
    regret = round(values[best] - values[name], 4)
    about = {"last": known.last_bid, "best": moves[best], "played": move}
    return {
        "seat": seat,
        "by": "person",
        "played": name,
        "options": [
            {"move": each, "value": values[each], "odds": plain_odds(known, seat, moves[each])}
            for each in _shown(values, moves, name)
        ],
        "best": best,
        "regret": regret,
        "label": label(regret),
        "forced": False,
        "game": {
            which: [*needed(known, seat, bid)]
            for which, bid in about.items()
            if isinstance(bid, Bid)
        },
    }


def _written(values: Mapping[Move, float]) -> dict[str, Any]:
    best_first = sorted(values, key=lambda move: -values[move])
    return {"judge": JUDGE, "values": {key_of(move): values[move] for move in best_first}}


def _values(known: State, seat: int) -> dict[Move, float]:
    """What each legal move is worth, in dice."""
    moves = rules.legal_moves(known, seat)
    found = outcomes(known, seat, moves) @ worth(len(known.active))
    return {move: round(float(value), 3) for move, value in zip(moves, found, strict=True)}


def _by_kind(values: Mapping[Move, float]) -> Iterator[tuple[str, list[Move]]]:
    """The moves of each kind, the best first."""
    for kind in dict.fromkeys(move.kind for move in values):
        yield kind, sorted((m for m in values if m.kind == kind), key=lambda m: -values[m])


def _second_agrees(known: State, seat: int, kinds: Mapping[str, Sequence[Move]], best: str) -> bool:
    """Whether the same kind of choice is best where the rest of the round is played out."""
    first = kinds[best][0]
    others = [move for kind, moves in kinds.items() if kind != best for move in moves[:_BIDS]]
    seed = [known.number, seat, *known.dice, *known.hand(seat)]
    ours, *theirs = rollouts.estimates(known, seat, [first, *others], seed)
    return all(ours.value - each.value > ERRORS * hypot(ours.error, each.error) for each in theirs)


def _shown(values: Mapping[str, float], moves: Mapping[str, Move], chosen: str) -> list[str]:
    """The names of the moves that are told, the best first."""
    kept = {chosen} | {name for name, move in moves.items() if not isinstance(move, Bid)}
    for name in values:
        if len(kept) < _SHOWN:
            kept.add(name)
    return [name for name in values if name in kept]
