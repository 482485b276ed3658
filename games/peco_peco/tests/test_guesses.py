"""Declarations of a review as questions: which are asked, and what the right answer is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from games.contract.game_values import ChanceQuestion
from games.core.contract import Fact
from games.peco_peco import guesses, rules, words
from games.peco_peco.moments import Moment, from_log
from games.peco_peco.rules.cards import DECK
from games.peco_peco.rules.events import Declared
from games.peco_peco.rules.turns import is_bluff, why_no_accusation
from games.peco_peco.tests.random_games import steps
from games.peco_peco.tests.test_review import (
    kept,
    known_to,
    prefixes,
    recorded,
    reviewed,
    with_other_cards,
)
from games.study.questions import chance_guesses
from tests.games.contract.random_games import facts_of, seeded

NAMES = ["Anna", "Bert", "Cleo", "Dora", "Emil", "Fred", "Gina", "Hugo"]
Asked = tuple[list[Fact], list[Moment], dict[str, Any]]


@pytest.fixture(scope="module")
def games() -> list[Asked]:
    """Games of four, five and eight seats."""
    logs = [kept("peco_base"), kept("five_in_teams"), kept("eight_custom")]
    return [(facts, from_log(recorded(facts)), reviewed(facts)) for facts in logs]


def every_question(
    games: Sequence[Asked],
) -> Iterator[tuple[Asked, int | None, ChanceQuestion]]:
    """The first questions to each seat and to all people."""
    for game in games:
        _facts, moments, made = game
        for reader in (None, *range(moments[0].state.seats)):
            for question in guesses.of_review(made, moments, reader)[:8]:
                yield game, reader, question


def test_the_right_answer_is_the_range_of_the_chance_that_the_replay_names(
    games: list[Asked],
) -> None:
    """Counted anew from the facts that the seat was told, and compared with what is then read."""
    answers = Counter[int]()
    for (_facts, moments, made), _reader, question in every_question(games):
        asks = chance_guesses.situation(rules.KEY, moments, question)
        told = chance_guesses.challenge(asks, moments, question)
        assert told.chance is not None and told.seat == question.by
        low = (0.0, *guesses.STEPS)[question.right]
        high = (*guesses.STEPS, 1.0)[question.right]
        assert low <= told.chance <= high
        assert all(abs(told.chance - step) >= guesses.CLEAR for step in guesses.STEPS)
        [claim] = [
            each for each in made["game"]["declarations"] if each["number"] == question.number
        ]
        assert told.chance == pytest.approx(1 - claim["true"][question.by])
        assert told.values["declarer"] == claim["seat"]
        assert bool(told.values["fits"]) == claim["bluff"]
        answers[question.right] += 1
    assert set(answers) == {0, 1, 2, 3}


def test_whoever_is_asked_could_accuse_or_bluffed(games: list[Asked]) -> None:
    kinds = Counter[str]()
    for (_facts, moments, _made), reader, question in every_question(games):
        before, shown = moments[question.number - 2], moments[question.number - 1]
        assert shown.move is not None and shown.move.code == "pass"
        assert reader in (None, question.seat)
        assert why_no_accusation(shown.state, question.by) is None
        if question.seat == question.by:
            then = moments[question.number].move
            assert then is not None and then.seat == question.seat
            kinds["could accuse"] += 1
        else:
            assert shown.move.seat == question.seat and is_bluff(before.state, question.seat)
            kinds["bluffed"] += 1
    assert kinds["could accuse"] > 30 < kinds["bluffed"]


def test_a_claim_is_asked_once_and_different_answers_take_turns(games: list[Asked]) -> None:
    for _facts, moments, made in games:
        for reader in (None, *range(moments[0].state.seats)):
            found = guesses.of_review(made, moments, reader)
            numbers = [each.number for each in found]
            assert len(numbers) == len({*numbers}) >= 3
            answers = [each.right for each in found]
            different = len({*answers})
            assert len({*answers[:different]}) == different


def test_what_went_badly_is_asked_first(games: list[Asked]) -> None:
    """Of each answer, the first question is one where the truth was accused, a bluff believed or
    caught, if there is one.
    """
    for _facts, moments, made in games:
        for reader in range(moments[0].state.seats):
            found = guesses.of_review(made, moments, reader)
            for answer in range(4):
                badly = [_went_badly(moments, each) for each in found if each.right == answer]
                assert badly == sorted(badly, reverse=True)


def _went_badly(moments: Sequence[Moment], question: ChanceQuestion) -> bool:
    then = moments[question.number].move
    accused = then is not None and then.code == "accuse"
    if question.seat != question.by:
        return accused
    return accused != moments[question.number - 1].bluff


def test_bots_and_the_clock_are_asked_nothing() -> None:
    facts = kept("peco_base")
    moments = from_log(recorded(facts))
    made = reviewed(facts, bots=[1, 2, 3])
    assert {each.seat for each in guesses.of_review(made, moments, None)} == {0}
    assert guesses.of_review(made, moments, 2) == []
    clock = frozenset(range(1, len(facts) + 1))
    slow = reviewed(facts, automatic=clock)
    assert guesses.of_review(slow, moments, None) == []


def test_a_round_without_accusations_asks_nothing(games: list[Asked]) -> None:
    forbidden = 0
    for _facts, moments, made in games:
        asked = {each.number for each in guesses.of_review(made, moments, None)}
        for number, each in enumerate(moments, start=1):
            if each.state.stake.rule == "no_accuse":
                forbidden += each.move is not None and each.move.code == "pass"
                assert number not in asked
    assert forbidden


def declared(seed: int) -> Iterator[tuple[list[Fact], int]]:
    """Logs that end with a declaration, each with its player and with who moves next."""
    for facts, seat in prefixes(seed):
        if isinstance(facts[-1], Declared):
            yield facts, seat
        if from_log(recorded(facts[:-1]))[-1].state.declarer is not None:
            yield facts[:-1], seat


@pytest.mark.slow
def test_other_cards_in_other_hands_change_nothing_in_a_question() -> None:
    """All that the page of a question is made of: the state as the seat knew it, the sentence and
    the cards that it had not seen.
    """
    compared = Counter[bool]()
    for seed in range(6):
        for facts, seat in declared(seed):
            other = with_other_cards(facts, seat, seeded(seed))
            if other is None:
                continue
            shown = [from_log(recorded(each)) for each in (facts, other)]
            question = ChanceQuestion(len(shown[0]), seat, seat, 0)
            one, two = (chance_guesses.situation(rules.KEY, moments, question) for moments in shown)
            assert one.before.state.hands != two.before.state.hands, "there are other cards"
            assert one.known == two.known
            assert guesses.unseen(one.known, seat) == guesses.unseen(two.known, seat)
            compared[one.known.declarer == seat] += 1
    assert min(compared[True], compared[False]) > 5, compared


def test_the_unseen_cards_are_all_that_the_seat_was_never_shown() -> None:
    facts = facts_of(steps(seeded(2), leaving=0.0))
    places = [place for place, fact in enumerate(facts) if isinstance(fact, Declared)]
    for place in places[:20]:
        for seat in range(rules.SEATS.start):
            known = known_to(facts[: place + 1], seat)
            if known.hands[seat] is None:
                continue
            counted = sum(each.count for each in guesses.unseen(known, seat))
            shown = len(known.hand(seat)) + len(known.under) + 1
            assert counted == len(DECK) - shown


def test_the_answers_and_the_questions_in_words() -> None:
    assert guesses.choices() == ["under 50%", "50–75%", "75–90%", "over 90%"]
    asked = guesses.ask(ChanceQuestion(3, 1, 1, 0), NAMES)
    assert asked == "By the cards you've seen, how likely is a bluff?"
    own = guesses.ask(ChanceQuestion(3, 1, 2, 0), NAMES)
    assert own == "You're bluffing. How likely is a bluff by the cards Cleo has seen?"
    sign = guesses.unseen(known_to(kept("peco_base")[:8], 0), 0)
    assert [each.name for each in sign][:3] == [words.animal(each) for each in "ECM"]
