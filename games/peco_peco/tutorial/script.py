"""How a position comes about: the shuffles and the moves, written down and played by the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.core.contract import Chance, Fact
from games.core.scripted_game import play_rounds
from games.peco_peco import rules
from games.peco_peco.rules.cards import DECK, Card, Hand
from games.peco_peco.rules.moves import Move
from games.peco_peco.rules.options import Options
from games.peco_peco.rules.stakes import STAKES

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
    def luck(self) -> Iterator[object]:
        """The outcomes of chance, in the order in which the engine asks for them."""
        first = [each.stake for each in self.rounds]
        yield (*first, *(stake for stake in STAKES if stake not in first))
        for each in self.rounds:
            yield each.deck
            yield from each.picked

    def play(self, chance: Chance) -> list[Fact]:
        """The facts up to the question; `chance` hands out `luck`."""
        begun = rules.start(SEATS, OPTIONS, chance, starter=self.starter)
        rounds = [each.moves for each in self.rounds]
        return play_rounds(rules, begun, rounds, chance)
