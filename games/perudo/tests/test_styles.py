"""What bids tell of hidden dice: as Bayes says, from public facts alone, and truly."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from statistics import mean

import numpy as np
import pytest

from games.perudo import rules
from games.perudo.bots.features import counts_of
from games.perudo.moments import from_log
from games.perudo.review import fitting, styles
from games.perudo.review.ledger import ledger_of
from games.perudo.review.styles import STYLES, Style
from games.perudo.rules.bids import FACES, Bid, matching
from games.perudo.rules.moves import Dudo
from games.perudo.rules.state import State
from games.perudo.tests.reviewed_games import facts_of, record_of
from games.perudo.tests.tables import after, table
from games.study.review import log
from tests.games.contract.random_games import seeded


def bids_of_two_others() -> State:
    state = table([(2, 2, 5), (3, 3), (1, 6)])
    return after(state, (0, Bid(2, 5)), (1, Bid(3, 5)), (2, Bid(3, 6)))


@pytest.mark.parametrize("palifico", [None, 2])
def test_what_is_expected_is_what_every_hand_of_the_others_says(palifico: int | None) -> None:
    """Each hand of each other seat, by the chance to roll it and to bid as the seat did."""
    state = replace(bids_of_two_others(), palifico=palifico)
    found = styles.expected(state, 0, {})
    likely = {seat: dict(_by_hand(state, seat)) for seat in (1, 2)}
    every = [
        (weights[0][0] + weights[1][0], weights[0][1] * weights[1][1])
        for weights in product(likely[1].items(), likely[2].items())
    ]
    total = sum(weight for _, weight in every)
    for face, quantity in product(FACES, range(1, 8)):
        own = matching(state.hand(0), face, palifico=palifico is not None)
        counts = [
            (own + matching(hands, face, palifico=palifico is not None), weight / total)
            for hands, weight in every
        ]
        bid = Bid(quantity, face)
        true = sum(weight for count, weight in counts if count >= quantity)
        exact = sum(weight for count, weight in counts if count == quantity)
        assert found[face].true(bid) == pytest.approx(true)
        assert found[face].exact(bid) == pytest.approx(exact)


def _by_hand(state: State, seat: int) -> list[tuple[tuple[int, ...], float]]:
    hands, _ = styles.all_rolls(state.dice[seat])
    mixture = styles.of_bots()
    rows = styles.likelihoods(state, seat, tuple(mixture))
    found = []
    for hand in product(FACES, repeat=state.dice[seat]):
        [place] = np.flatnonzero((hands == counts_of(hand)).all(axis=1))
        mixed = sum(share * row[place] for share, row in zip(mixture.values(), rows, strict=True))
        found.append((hand, float(mixed) / 6 ** len(hand)))
    return found


def test_what_ones_own_dice_settle_is_certain() -> None:
    found = styles.expected(bids_of_two_others(), 0, {})
    assert found[2].true(Bid(2, 2)) == 1.0
    assert found[2].true(Bid(7, 2)) == 0.0
    assert found[2].exact(Bid(1, 2)) == found[2].exact(Bid(7, 2)) == 0.0


def test_nothing_is_believed_of_who_has_not_bid() -> None:
    state = table([(2, 2, 5), (3, 3), (1, 6)])
    assert styles.expected(state, 0, {})[4].true(Bid(1, 4)) == pytest.approx(1 - (2 / 3) ** 4)


def test_the_hands_of_others_are_not_read() -> None:
    state = bids_of_two_others()
    sealed = replace(state, hands=(state.hands[0], None, None))
    told, alone = (styles.expected(each, 0, {})[6] for each in (state, sealed))
    assert told.true(Bid(3, 6)) == alone.true(Bid(3, 6))


def test_styles_choose_every_move_as_often_as_they_say() -> None:
    """Over all moves the chances of a style add up to 1, with each hand."""
    state = table([(2, 2), (3, 3)], bid="1x4", bidder=1, turn=0)
    moves = [Bid(quantity, face) for quantity in range(1, 5) for face in FACES]
    legal = [bid for bid in moves if bid in rules.legal_moves(state, 0)]
    rows = [
        styles.likelihoods(replace(state, bids=(*state.bids, (0, bid)), turn=1), 0, STYLES)
        for bid in legal
    ]
    total = np.sum(rows, axis=0)
    assert (total < 1 + 1e-9).all()  # the rest is dudo
    assert total.mean() > 0.5


@pytest.mark.slow
def test_the_shares_of_styles_are_found_again() -> None:
    """Players of known styles, which bid many times: the fit says how many there are of each."""
    generator = seeded(7)
    true = {Style("worth", 0.02): 0.5, Style("odds", 0.3, 0.25): 0.3, Style("worth", 0.16): 0.2}
    players = []
    for _ in range(40):
        [style] = generator.choices(list(true), list(true.values()))
        players.append(_player(style, generator))
    found = styles.mixture([float(share) for share in fitting.shares(players)])
    assert sum(found.values()) == pytest.approx(1)
    for style, share in true.items():
        alike = sum(
            each for other, each in found.items()
            if (other.by, other.heat > 0.05) == (style.by, style.heat > 0.05)
        )  # fmt: skip
        assert abs(alike - share) < 0.25, (style, found)


def _player(style: Style, generator: object) -> fitting.Player:
    """Sixteen openings and answers by one style."""
    rows, bids = np.zeros(len(STYLES)), 0
    for number in range(16):
        dice = [tuple(sorted(generator.choices(FACES, k=4))) for _ in range(3)]  # type: ignore[attr-defined]
        state = table(dice, bid="2x3", bidder=2, turn=0) if number % 2 else table(dice)
        legal = [each for each in rules.legal_moves(state, 0) if isinstance(each, Bid)]
        made = [replace(state, bids=(*state.bids, (0, bid))) for bid in legal]
        hands, _ = styles.all_rolls(4)
        [place] = np.flatnonzero((hands == counts_of(dice[0])).all(axis=1))
        weights = [styles.likelihoods(each, 0, (style,))[0, place] for each in made]
        [chosen] = generator.choices(made, weights)  # type: ignore[attr-defined]
        rows += np.log(styles.likelihoods(chosen, 0, STYLES)[:, place])
        bids += 1
    return fitting.Player(bids, rows)


def test_people_alone_are_fitted_and_by_bids_they_chose_themselves() -> None:
    facts = facts_of(["steady", "sharp", "expert"], "fit")
    everybody = fitting.players_of(record_of(facts, 3))
    assert len(everybody) == 3
    assert len(fitting.players_of(record_of(facts, 3, bots=[1]))) == 2
    timed_out = range(1, len(facts) + 1)
    assert fitting.players_of(record_of(facts, 3, automatic=timed_out)) == []


def test_the_shipped_styles_are_those_of_their_command() -> None:
    mixture = styles.of_bots()
    assert sum(mixture.values()) == pytest.approx(1, abs=0.01)
    assert set(mixture) <= set(STYLES)


def test_what_is_said_after_the_bids_is_nearer_to_what_happened_than_the_dice_alone() -> None:
    after_bids, alone = [], []
    for number in range(4):
        record = record_of(facts_of(["steady", "sharp", "expert", "beginner"], f"near {number}"), 4)
        found = log.read(rules.FACTS, record)
        for each in ledger_of(from_log(found.facts), found.by).decisions:
            state, judged = each.before, each.judged
            bid = state.last_bid
            if bid is None or Dudo() not in judged.moves:
                continue
            palifico = state.palifico is not None
            hands = [hand for hand in state.hands if hand]
            count = sum(matching(hand, bid.face, palifico=palifico) for hand in hands)
            index = judged.moves.index(Dudo())
            said, plain = judged.after[index], judged.odds[index]
            assert said is not None
            assert plain is not None
            after_bids.append((said - (count < bid.quantity)) ** 2)
            alone.append((plain - (count < bid.quantity)) ** 2)
    assert mean(after_bids) < mean(alone) - 0.02
    assert len(after_bids) > 150
