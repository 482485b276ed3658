"""The state of a game as one viewer knows it: `evolve` builds it, questions read it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from games.core.contract import Sealed
from games.peco_peco.rules.cards import Card, Hand
from games.peco_peco.rules.events import EndReason
from games.peco_peco.rules.options import Options, Sides
from games.peco_peco.rules.scoring import Buffet, pooled
from games.peco_peco.rules.stakes import STAKES, Direction, Stake

Phase = Literal["turn", "claims", "reveal", "over"]


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How a round ended: who won which stake; None is a general defeat (Q24, Q25)."""

    number: int
    stake: str
    starter: int
    winner: int | None


@dataclass(frozen=True)
class State:
    """A game as far as one viewer knows it; seats are numbered clockwise from 0.

    Sizes are known to everybody. `hands`, `pile`, `food` and `under` hold only the cards that this
    viewer knows: None is sealed, and `under` may be shorter than `under_size`.
    """

    options: Options
    seats: int
    sides: Sides
    food_left: int
    buffets: tuple[Buffet, ...]
    sizes: tuple[int, ...]
    hands: tuple[Hand | None, ...] = field(repr=False)
    extra: tuple[int, ...]  # cards more or fewer in each seat's next deal (Q35)
    food: tuple[str, ...] | None = field(default=None, repr=False)
    pile: Hand | None = field(default=None, repr=False)
    under: Hand = field(default=(), repr=False)
    pile_size: int = 0
    under_size: int = 0
    top: Card | None = None
    owner: int | None = None  # who played the top card; None: it was turned up
    phase: Phase = "turn"
    number: int = 0
    first_round: int = 1  # later where the game began in the middle of another
    stake_id: str = ""
    direction: Direction = 1
    starter: int = 0
    last_actor: int = 0  # the turn passes on from this seat
    pending: frozenset[int] = frozenset()  # who has still to answer the top card (Q23)
    out: frozenset[int] = frozenset()  # out of the round (Q15)
    draws: int = 0  # in this round, since the deal
    declarer: int | None = None  # whose declaration may still be accused (Q17)
    waived: frozenset[int] = frozenset()
    choices: tuple[int, ...] = ()  # sides between which the single player has to choose (Q42)
    confirmed: frozenset[int] = frozenset()
    result: RoundResult | None = None
    gone: frozenset[int] = frozenset()  # left the game
    removed: frozenset[int] = frozenset()  # left, and the round in which they did is over
    reason: EndReason | None = None

    @property
    def stake(self) -> Stake:
        return STAKES[self.stake_id]

    @property
    def inverse(self) -> bool:
        return self.stake.rule == "inverse"

    @property
    def in_play(self) -> tuple[int, ...]:
        """The seats that are still in the game."""
        return tuple(seat for seat in range(self.seats) if seat not in self.removed)

    @property
    def active(self) -> tuple[int, ...]:
        """The seats that are still in the round."""
        return tuple(seat for seat in self.in_play if seat not in self.out)

    @property
    def turn(self) -> int | None:
        """The seat on turn: the next in the direction of play that has still to answer; None when
        nobody has.
        """
        for step in range(1, self.seats + 1):
            seat = (self.last_actor + step * self.direction) % self.seats
            if seat in self.pending:
                return seat
        return None

    @property
    def solo(self) -> int | None:
        """The seat that plays alone while the others play in teams (Q42); None when none does."""
        return (
            next((side[0] for side in self.sides if len(side) == 1), None) if self.teams else None
        )

    @property
    def teams(self) -> bool:
        return self.options.teams == "on"

    def side_of(self, seat: int) -> tuple[int, ...]:
        """The seats that play with this one, itself included."""
        return next(side for side in self.sides if seat in side)

    def hand(self, seat: int) -> Hand:
        """The cards of a seat; Sealed when this viewer does not know them."""
        hand = self.hands[seat]
        if hand is None:
            raise Sealed(f"the hand of seat {seat} is hidden")
        return hand


# --- questions ------------------------------------------------------------------------------------


def slappers(state: State) -> tuple[int, ...]:
    """The seats that may accuse the last declaration by a slap (Q33); whatever they hold.

    Seats that left do not accuse (C5), nor those that waived.
    """
    declarer = state.declarer
    if declarer is None or state.stake.rule != "slap":
        return ()
    spared = () if state.options.team_accuse_partner else state.side_of(declarer)
    return tuple(
        seat
        for seat in state.active
        if seat != declarer
        and state.sizes[seat]
        and seat not in spared
        and seat not in state.waived
        and seat not in state.gone
    )


def is_untouched(state: State) -> bool:
    """Whether nobody has played or declared yet in this round."""
    return state.owner is None and state.pending == frozenset(state.in_play)


def in_play(state: State) -> tuple[int, ...]:
    return state.in_play


def finished_round(state: State) -> RoundResult | None:
    """The round that has just ended, while it is shown; None otherwise."""
    return state.result


def shared_buffet(state: State, seat: int) -> Buffet:
    """What the side of this seat has won together, without players who left (Q41)."""
    return pooled(state.buffets, staying(state, state.side_of(seat)))


def staying(state: State, side: tuple[int, ...]) -> tuple[int, ...]:
    """The seats of a side that have not been removed."""
    return tuple(seat for seat in side if seat not in state.removed)
