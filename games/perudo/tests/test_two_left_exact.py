"""How near the tables for two players left are to an equilibrium, against exact answers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from games.perudo.bots.two_left import round_value
from games.perudo.rules.bids import FACES, Bid, legal_bids, matching
from games.perudo.rules.options import Options
from games.perudo.tests.best_reply import BestReply, exploitability
from games.perudo.tests.sequence_form import SmallRound, value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("opener", "other", "most"), [(1, 1, 0.01), (2, 1, 0.03), (1, 2, 0.03), (2, 2, 0.10)]
)
def test_a_best_reply_gains_little(opener: int, other: int, most: float) -> None:
    assert 0 <= exploitability(opener, other) <= most


@pytest.mark.long
@pytest.mark.parametrize(("opener", "other"), [(3, 1), (1, 3), (3, 2), (2, 3)])
def test_a_best_reply_gains_little_with_more_dice(opener: int, other: int) -> None:
    assert 0 <= exploitability(opener, other) <= 0.10


@pytest.mark.parametrize("other", [1, 2, 3])
def test_a_best_reply_gains_next_to_nothing_in_palifico(other: int) -> None:
    assert -1e-9 <= exploitability(1, other, palifico=True) <= 0.005


# --- one die each, by a linear program ------------------------------------------------------------


def one_die(order: Sequence[Bid], *, wild: int | None, faces: int = 6) -> SmallRound:
    """A round in which claims only go up in this order; some face may be wild."""
    hands = dict.fromkeys(range(1, faces + 1), 1 / faces)

    def over(last: Bid | None) -> Sequence[Bid]:
        return order if last is None else order[order.index(last) + 1 :]

    def true(bid: Bid, first: int, second: int) -> bool:
        return sum(die in (bid.face, wild) for die in (first, second)) >= bid.quantity

    return SmallRound((hands, hands), over, true)


def claims(faces: Sequence[int]) -> list[Bid]:
    return [Bid(quantity, face) for quantity in (1, 2) for face in faces]


def printed(*, palifico: bool) -> SmallRound:
    """Our own round of one die each."""
    hands = dict.fromkeys(FACES, 1 / 6)

    def over(last: Bid | None) -> Sequence[Bid]:
        return legal_bids(last, options=Options(), palifico=palifico, most=2)

    def true(bid: Bid, first: int, second: int) -> bool:
        return matching((first, second), bid.face, palifico=palifico) >= bid.quantity

    return SmallRound((hands, hands), over, true)


PUBLISHED = [
    pytest.param(claims((1, 2, 3, 4)), None, 4, -1 / 8, id="4 faces"),
    pytest.param(claims((1, 2, 3, 4, 5)), None, 5, -3 / 25, id="5 faces"),
    pytest.param(claims((2, 3, 4, 5, 6, 1)), 1, 6, -7 / 258, id="ones wild and highest"),
    pytest.param(
        claims((1, 2, 3, 4, 5, 6)),
        1,
        6,
        -7 / 327,
        id="ones wild and lowest",
        marks=pytest.mark.long,
    ),
    pytest.param(claims((1, 2, 3, 4, 5, 6)), None, 6, -1 / 9, id="6 faces", marks=pytest.mark.long),
]


@pytest.mark.slow
@pytest.mark.parametrize(("order", "wild", "faces", "worth"), PUBLISHED)
def test_the_linear_program_finds_published_values(
    order: list[Bid], wild: int | None, faces: int, worth: float
) -> None:
    assert value(one_die(order, wild=wild, faces=faces)) == pytest.approx(worth, abs=1e-6)


@pytest.mark.parametrize(("palifico", "worth"), [(False, -1 / 18), (True, 2 / 3)])
def test_the_table_of_one_die_each_is_worth_what_it_should(palifico: bool, worth: float) -> None:
    exact = value(printed(palifico=palifico))
    assert exact == pytest.approx(worth, abs=1e-6)
    assert 2 * round_value(1, 1, palifico) - 1 == pytest.approx(exact, abs=0.005)
    openers, others = (BestReply((1, 1), palifico, me).gain() for me in (0, 1))
    assert -others - 1e-9 <= exact <= openers + 1e-9
