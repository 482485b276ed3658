"""Nobody learns another's cards: what a seat is told, offered or refused never depends on them."""

from __future__ import annotations

import random
from itertools import chain

from games.core.chance import SeededChance
from games.core.contract import Fact, IllegalMove, fold, may_know
from games.core.values import changed
from games.peco_peco import rules
from games.peco_peco.rules.cards import Card
from games.peco_peco.rules.moves import Declare
from games.peco_peco.rules.state import State
from tests.games.peco_peco.random_games import seeded, steps, universe
from tests.games.peco_peco.tables import table


def with_other_hands(state: State, seat: int, generator: random.Random) -> State:
    """The same position, but for all cards that this seat has not been told."""
    assert state.pile is not None
    others = [other for other in range(state.seats) if other != seat and state.hands[other]]
    cards: list[Card] = [*state.pile]
    for other in others:
        cards += state.hands[other] or ()
    generator.shuffle(cards)
    hands = list(state.hands)
    for other in others:
        taken = [cards.pop() for _ in range(state.sizes[other])]
        hands[other] = tuple(sorted(taken))
    return changed(state, hands=tuple(hands), pile=tuple(cards))


def answers(state: State, seat: int) -> list[object]:
    """What the game says to every move that this seat might try, as far as everybody is told."""
    told: list[object] = []
    for move in universe(state):
        try:
            facts = rules.decide(state, seat, move, SeededChance(seeded(0)))
        except IllegalMove as illegal:
            told.append((illegal.code, illegal.details))
        else:
            told.append(facts[0].kind if move.kind != "accuse" else "judged")
    return told


def test_swapping_the_hidden_cards_changes_no_offer_and_no_refusal() -> None:
    for seed in range(20):
        generator = seeded(seed)
        for step in steps(generator):
            if rules.phase(step.after) not in ("turn", "claims") or generator.random() > 0.01:
                continue
            state = step.after
            if state.choices:
                continue
            seat = generator.randrange(state.seats)
            other = with_other_hands(state, seat, generator)
            assert rules.legal_moves(other, seat) == rules.legal_moves(state, seat)
            assert answers(other, seat) == answers(state, seat)


def test_hidden_facts_are_not_shown_when_printed() -> None:
    """A log line or an error that quotes a fact or a state quotes no hidden card."""
    hidden = ("hand_received", "cards_buried", "card_passed", "pile_shuffled", "food_shuffled")
    met = set()
    for step in chain.from_iterable(steps(seeded(seed)) for seed in range(4)):
        for fact in step.facts:
            if fact.kind in hidden:
                met.add(fact.kind)
                assert "cards=" not in repr(fact) and "card=" not in repr(fact)
                assert "stakes=" not in repr(fact)
        assert "hands=" not in repr(step.after) and " pile=" not in repr(step.after)
    assert met == set(hidden)


def test_a_true_and_a_false_declaration_are_the_same_fact() -> None:
    """Q13, C4.6: the server does not look at the hand."""
    for held in ("E,M", "C,M"):
        text = f"hands A[{held}] B[C,C]; top C; draw empty; turn A; clockwise; rule none"
        state = table(text)
        blind = changed(state, hands=(None, None), pile=None)
        assert rules.decide(blind, 0, Declare(), SeededChance(seeded(1))) == rules.decide(
            state, 0, Declare(), SeededChance(seeded(1))
        )


def test_a_stolen_card_is_known_to_the_two_it_passed_between() -> None:
    """B10, 9: the thief of an accusation and the former owner; a steal icon tells its victim."""
    facts: list[Fact] = [fact for step in steps(seeded(4)) for fact in step.facts]
    passed = [fact for fact in facts if fact.kind == "card_passed"]
    buried = [fact for fact in facts if fact.kind == "cards_buried"]
    assert passed and buried
    for fact in passed:
        assert sum(may_know(fact, seat) for seat in range(8)) == 2 and not may_know(fact, None)
    for fact in buried:
        assert sum(may_know(fact, seat) for seat in range(8)) == 1 and not may_know(fact, None)


def test_every_viewer_folds_the_facts_in_the_order_of_the_log() -> None:
    """A hidden fact folded after the public ones that follow it would leave cards in hands."""
    for seed in range(5):
        facts = [fact for step in steps(seeded(seed)) for fact in step.facts]
        for viewer in (None, 0, 1):
            told = [fact for fact in facts if may_know(fact, viewer)]
            state = fold(rules, told)
            for seat, hand in enumerate(state.hands):
                assert hand is None or not hand or len(hand) == state.sizes[seat]
