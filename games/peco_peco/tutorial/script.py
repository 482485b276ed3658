"""How a position comes about: the shuffles and the moves, written down and played by the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from games.core.contract import Chance, Fact
from games.peco_peco.rules import decide, evolve, start, to_act
from games.peco_peco.rules.cards import DECK, Card, Hand
from games.peco_peco.rules.moves import Confirm, Move
from games.peco_peco.rules.options import Options
from games.peco_peco.rules.stakes import STAKES
from games.peco_peco.rules.state import State

LEARNER: Final = 0  # the seat of the learner
SEATS: Final = 4  # the fewest that can play
OPTIONS: Final = Options(first_feast_on_top=False)  # the stakes lie as the script says

MovesMade = tuple[tuple[int, Move], ...]


@dataclass(frozen=True)
class Round:
    """A stake, the hands by seat, the card turned up and the next ones in the pile, the moves in
    their order, and the cards that were picked at random in them.
    """

    stake: str
    hands: tuple[Hand, ...]
    turned: Card
    moves: MovesMade = ()
    pile: Hand = ()
    picked: Hand = ()

    @property
    def deck(self) -> Hand:
        """The shuffled deck in which these cards come first."""
        first = (*(card for hand in self.hands for card in hand), self.turned, *self.pile)
        return (*first, *(Counter(DECK) - Counter(first)).elements())


@dataclass(frozen=True, kw_only=True)
class Script:
    """A game up to a question. Everybody has seen the end of every round but the last."""

    starter: int
    rounds: tuple[Round, ...]

    @property
    def luck(self) -> Iterator[Any]:
        """The outcomes of chance, in the order in which the engine asks for them."""
        first = [each.stake for each in self.rounds]
        yield (*first, *(stake for stake in STAKES if stake not in first))
        for each in self.rounds:
            yield each.deck
            yield from each.picked

    def play(self, chance: Chance) -> list[Fact]:
        """The facts up to the question; `chance` hands out `luck`."""
        facts = start(SEATS, OPTIONS, chance, starter=self.starter)
        for number, each in enumerate(self.rounds):
            if number:
                for seat in to_act(state_after(facts)):
                    facts += decide(state_after(facts), seat, Confirm(), chance)
            facts += follow(facts, each.moves, chance)
        return facts


def follow(facts: Iterable[Fact], moves: MovesMade, chance: Chance) -> list[Fact]:
    """What follows from these moves after those facts."""
    state, following = state_after(facts), []
    for seat, move in moves:
        new = decide(state, seat, move, chance)
        state = state_after(new, state)
        following += new
    return following


def state_after(facts: Iterable[Fact], state: State | None = None) -> State:
    """The state after some facts, from `state` or from nothing."""
    for fact in facts:
        state = evolve(state, fact)
    assert state is not None, "a game begins with a fact"  # noqa: S101
    return state
