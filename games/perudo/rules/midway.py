"""Games that begin in the middle of another: the same position, with the other hands dealt anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.core.contract import Chance, Fact
from games.core.moves import Leave
from games.perudo.rules.bids import DICE_EACH
from games.perudo.rules.events import (
    BidMade,
    GameStarted,
    Hand,
    Left,
    RoundStarted,
    StartedMidway,
)
from games.perudo.rules.moves import Move
from games.perudo.rules.reachable import why_unreachable
from games.perudo.rules.rounds import SEATS, deal, state_after


def beginning(
    told: Iterable[Fact], seat: int, chance: Chance
) -> tuple[list[Fact], list[tuple[int, Move]]] | None:
    """The facts of a new game up to the deal of the round in which a seat had to decide, and the
    moves of that round up to there.

    `told` are the facts that this seat was told until then, in order: nothing else is known here.
    The seat holds the same dice; all other hands are rolled again, as many dice as each had. A bid
    says nothing about the hand of its bidder, so it restricts no roll. Claims of calza that were
    overruled (P41) have left no trace and are left out. None unless it is the turn of this seat,
    and it has not left.
    """
    told = list(told)
    known = state_after(None, told)
    if known.phase != "turn" or known.turn != seat or seat in known.gone:
        return None
    started = GameStarted(known.seats, known.options)
    been = tuple(sorted(known.have_been_palifico))
    position = StartedMidway(known.number, known.dice, known.out, been)
    opened = RoundStarted(known.number, known.opener, known.palifico)
    facts = _dealt(started, position, opened, chance, kept={seat: known.hand(seat)})
    return facts, _moves(told)


def _moves(told: Sequence[Fact]) -> list[tuple[int, Move]]:
    """What was done in the round that is on, as moves, in order."""
    moves: list[tuple[int, Move]] = []
    for fact in told:
        match fact:
            case RoundStarted():
                moves = []
            case BidMade():
                moves.append((fact.seat, fact.bid))
            case Left():
                moves.append((fact.seat, Leave()))
    return moves


def start(
    started: GameStarted, position: StartedMidway, opened: RoundStarted, chance: Chance
) -> list[Fact]:
    """The facts of such a game up to its first move, all hands rolled.

    ValueError for a position that no game reaches.
    """
    why = _why_impossible(started, position, opened)
    if why is not None:
        raise ValueError(why)
    return _dealt(started, position, opened, chance, kept={})


def _dealt(
    started: GameStarted,
    position: StartedMidway,
    opened: RoundStarted,
    chance: Chance,
    *,
    kept: dict[int, Hand],
) -> list[Fact]:
    facts: list[Fact] = [started, position]
    return facts + deal(
        state_after(None, facts),
        number=position.number,
        opener=opened.opener,
        palifico=opened.palifico,
        chance=chance,
        kept=kept,
    )


def _why_impossible(
    started: GameStarted, position: StartedMidway, opened: RoundStarted
) -> str | None:
    """What is wrong with a position, in English; None when nothing is."""
    seats, dice, palifico = started.seats, position.dice, opened.palifico
    if seats not in SEATS or len(dice) != seats:
        return f"Perudo is for 2 to 6 players, each with a number of dice, not {seats}"
    if not all(0 <= each <= DICE_EACH for each in dice):
        return f"nobody has more than {DICE_EACH} dice"
    inside = [seat for seat, each in enumerate(dice) if each]
    if len(inside) < 2 or sorted([*inside, *position.out]) != list(range(seats)):
        return "two have dice, and who has none is out"
    been = position.have_been_palifico
    if not set(been) <= set(range(seats)) or len(set(been)) < len(been):
        return "only a seat can have been palifico, and only once in the list"
    if position.number < 1 or opened.number != position.number or opened.opener not in inside:
        return "the round is opened by a seat that has dice"
    if palifico is not None and (palifico != opened.opener or dice[palifico] != 1):
        return "who is palifico has one die and opens"
    return why_unreachable(
        started.options,
        dice=dice,
        been=frozenset(been) | ({palifico} if palifico is not None else set()),
        ended=position.number - 1,
        opener=opened.opener,
        palifico=palifico is not None,
    )
