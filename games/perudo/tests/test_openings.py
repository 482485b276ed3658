"""The first bid of a round tells little of a bot's dice, and at a mixed table bids climb."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import factorial, log2, prod

import pytest

from accounts.models import User
from games.core.chance import SeededChance
from games.models import Game
from games.perudo.bots import BOTS, MIXED, Bot
from games.perudo.bots.answer import is_leap
from games.perudo.bots.characters import CHARACTERS
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Move
from games.perudo.tests.random_games import steps
from games.perudo.tests.tables import table
from tests.games.contract.random_games import seeded
from tests.support.game_driver import deal_game

DRAWS = 100


class AtShare:
    """Chance that takes what lies at this share of its range."""

    def __init__(self, share: float) -> None:
        self._share = share

    def dice(self, count: int, at: object = None) -> tuple[int, ...]:
        raise AssertionError("a bot does not roll dice")

    def below(self, bound: int, at: object = None) -> int:
        return int(self._share * bound)


def hands(dice: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Every hand of so many dice in any order, and its probability."""
    for hand in combinations_with_replacement(range(1, 7), dice):
        ways = factorial(dice) / prod(factorial(count) for count in Counter(hand).values())
        yield hand, ways / 6**dice


def bits(bot: Bot, *, seats: int, dice: int) -> float:
    """What the first bid of a round tells of the dice behind it, in bits."""
    together: dict[tuple[int, ...], dict[Move, float]] = {}
    alone: dict[Move, float] = defaultdict(float)
    for hand, probability in hands(dice):
        state = table([hand, *[[2] * dice] * (seats - 1)])
        shares: dict[Move, float] = defaultdict(float)
        for draw in range(DRAWS):
            move = bot(state, 0, AtShare((draw + 0.5) / DRAWS))
            assert isinstance(move, Bid)
            shares[move] += probability / DRAWS
            alone[move] += probability / DRAWS
        together[hand] = shares
    return sum(
        share * log2(share / alone[move] / probability)
        for hand, probability in hands(dice)
        for move, share in together[hand].items()
    )


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_the_first_bid_tells_little_of_the_dice(seats: int) -> None:
    assert bits(BOTS["sharp"], seats=seats, dice=3) < 0.6
    assert bits(CHARACTERS["sulmo"].bot, seats=seats, dice=3) < 0.6


def test_a_bot_that_opens_on_its_dice_tells_them() -> None:
    """The measure itself: always the face held most, lowest first, as many as are held."""

    def open_hand(state: object, seat: int, chance: object) -> Move:
        [(face, count)] = Counter(state.hand(seat)).most_common(1)  # type: ignore[attr-defined]
        return Bid(count, face)

    assert bits(open_hand, seats=2, dice=3) > 2


def test_a_bot_beside_weaker_ones_never_leaps(subtests: pytest.Subtests) -> None:
    for kind in ["beginner", "steady", "sharp", "expert"]:
        with subtests.test(kind=kind):
            bids = 0
            for seed in range(12):
                for step in steps(seeded(seed), seats=5):
                    state = step.after
                    if state.phase != "turn" or state.turn is None:
                        continue
                    move = MIXED[kind](state, state.turn, SeededChance(f"{seed}"))
                    assert not is_leap(state, move)
                    bids += isinstance(move, Bid)
            assert bids > 100


def test_a_beginner_climbs_by_two_at_most_where_that_looks_likely() -> None:
    """After 3 pacos seven threes are likely, but four pacos are likely too."""
    state = table([[1, 1, 1, 3, 3], [2] * 5, [2] * 5], bid="3xP", bidder=2, turn=0)
    chances = [SeededChance(f"{seed}") for seed in range(60)]
    bids = [bid for each in chances if isinstance(bid := BOTS["beginner"](state, 0, each), Bid)]
    assert bids and all(bid.quantity <= 5 for bid in bids)


def first_numbers(host: User, *bots: str) -> list[int]:
    """How many dice the first of these bots bids when it opens, at so many new tables."""
    found = []
    for _ in range(16):
        driver = deal_game(host, *bots, hands=[[2, 3, 4, 5, 6]] * (len(bots) + 1), opener=1)
        driver.run_due(rolls=None)
        found.append(driver.state.last_bid.quantity)
        Game.objects.all().delete()
    return found


@pytest.mark.slow
def test_sharp_climbs_at_a_mixed_table_alone(alice: User) -> None:
    assert max(first_numbers(alice, "sharp", "sharp", "sharp")) > 2
    assert max(first_numbers(alice, "sharp", "sulmo", "sharp")) > 2
    assert max(first_numbers(alice, "sharp", "beginner", "steady")) <= 2
    assert max(first_numbers(alice, "sharp", "crela", "sharp")) <= 2
