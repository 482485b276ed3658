"""Who is ahead, and who begins: Q8 and Q37 to Q39 between rounds."""

from __future__ import annotations

from games.core.chance import SeededChance
from games.core.contract import fold
from games.core.values import changed
from games.peco_peco import rules
from games.peco_peco.rules.options import Options
from games.peco_peco.tests.tables import before_the_last_stake, buffet, table
from tests.games.contract.random_games import seeded

TEXT = "hands A[E] B[C] C[M] D[C]; top C; draw empty; turn A; clockwise; rule none"


def test_more_points_are_closer_to_winning_and_then_more_cards() -> None:
    """Q38, Q39: B and D are worth three each, D with two cards; C has two points."""
    buffets = (buffet(), buffet("F05"), buffet("F03"), buffet("F03", "F08_"))
    assert rules.ranking(table(TEXT, buffets=buffets)) == (3, 1, 2, 0)


def test_a_seat_that_was_removed_does_not_stand() -> None:
    state = changed(table(TEXT), removed=frozenset({1}), gone=frozenset({1}))
    assert rules.ranking(state) == (0, 2, 3)


def test_partners_stand_together() -> None:
    """Q41: 1 plays with 3, 2 with 4, and 0 alone."""
    state = before_the_last_stake((), (), ("F03",), ("F05",), ())
    assert rules.ranking(state) == (1, 3, 2, 4, 0)


def test_the_winner_of_the_game_before_begins() -> None:
    """Q8."""
    games = [rules.start(4, Options(), SeededChance(seeded(1)), starter=seat) for seat in range(4)]
    assert [rules.to_act(fold(rules, facts))[0] for facts in games] == [0, 1, 2, 3]
