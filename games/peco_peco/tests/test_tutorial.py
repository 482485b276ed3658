"""The tutorial: the engine accepts what a step asks, gives its reasons, and keeps its cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import comb
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from games.core.chance import ScriptedChance, SeededChance
from games.core.contract import IllegalMove, fold
from games.core.moves import Confirm, Leave
from games.core.scripted_game import visible_facts
from games.peco_peco import last_step, rules, words
from games.peco_peco.rules import decide, legal_moves
from games.peco_peco.rules.cards import CARDS, DECK, Card, animal, beats, icon
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CardPassed,
    CardPlayed,
    CardsDrawn,
    CardStolen,
    GameEnded,
    HonestyShown,
    RoundEnded,
)
from games.peco_peco.rules.moves import Accuse, Declare, JoinTeam, Move, Play, Waive
from games.peco_peco.rules.stakes import FOODS, STAKES
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import is_bluff
from games.peco_peco.tutorial import pages
from games.peco_peco.tutorial.lesson import Answer, Lesson, form_of
from games.peco_peco.tutorial.lessons import LESSONS
from games.peco_peco.tutorial.script import LEARNER, SEATS

LANGUAGES = ["en", "fr", "it", "es"]
STEPS = range(1, len(LESSONS) + 1)


def lesson_of(step: int) -> Lesson:
    return LESSONS[step - 1]


def question(step: int) -> State:
    """The state at the question, with every hidden card."""
    state: State = fold(rules, lesson_of(step).position())
    return state


def fields(move: Move) -> dict[str, str]:
    return {name: str(value) for name, value in form_of(move).items()}


def answer(step: int, move: Move) -> Answer:
    return lesson_of(step).answer(fields(move))


def legal(step: int) -> list[Move]:
    return [*legal_moves(question(step), LEARNER), Leave()]


def right_moves(step: int) -> list[Move]:
    return [
        move for move in legal(step) if any(move in right.moves for right in lesson_of(step).right)
    ]


def universe() -> Iterator[Move]:
    """Every move that a form of these steps can make, legal or not."""
    for card in CARDS:
        yield from (Play(card, target) for target in (None, *range(SEATS), 9))
    yield from (Declare(), Accuse(), Waive(), Confirm(), Leave())


# --- the engine is the judge ---------------------------------------------------------------------


def test_there_are_ten_steps() -> None:
    assert len(LESSONS) == 10


def test_what_a_step_shows_is_what_it_asks_for() -> None:
    shown = [(step, lesson_of(step).show) for step in STEPS]
    assert [(step, move) for step, move in shown if move not in legal(step)] == []
    assert [each for each in shown if answer(*each).verdict != "right"] == []


def test_every_legal_move_is_answered_and_a_right_one_goes_on(subtests: pytest.Subtests) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            state = question(step)
            for move in legal(step):
                given = answer(step, move)
                assert given.said
                if move in right_moves(step):
                    assert given.verdict == "right"
                    assert fold(rules, given.following, state) != state
                    assert given.following[-len(given.news) :] == given.news != []
                else:
                    assert given.verdict == "other"
                    assert given.following == given.news == []


def test_every_explanation_is_about_some_legal_move(subtests: pytest.Subtests) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            said = {answer(step, move).said for move in legal(step)}
            lesson = lesson_of(step)
            explained = [explanation for _, explanation in lesson.others]
            for explanation in [*explained, *(right.because for right in lesson.right)]:
                assert explanation in said, "another explanation always comes first"


def test_an_illegal_move_is_refused_with_the_engines_reason(subtests: pytest.Subtests) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            state = question(step)
            illegal = [move for move in universe() if move not in legal(step)]
            assert illegal
            for move in illegal:
                with pytest.raises(IllegalMove) as refused:
                    decide(state, LEARNER, move, SeededChance(0))
                given = answer(step, move)
                assert given.verdict == "refused"
                assert given.said == words.reason(refused.value.code, refused.value.details)
                assert given.following == []


def test_the_written_luck_is_used_up_exactly(subtests: pytest.Subtests) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            script = lesson_of(step).script
            chance = ScriptedChance(script.luck)
            script.play(chance)
            with pytest.raises(LookupError, match="no more numbers"):
                chance.below(1)


def test_what_is_no_move_is_answered_with_a_sentence() -> None:
    cards = [{"do": "play"}, {"do": "play", "card": "Z"}]
    given = [LESSONS[0].answer(data) for data in ({}, {"do": "fly"}, *cards, {"do": "join_team"})]
    refused = ("refused", words.reason("malformed"))
    assert [(each.verdict, each.said) for each in given] == [refused] * len(given)


def test_nobody_joins_a_team_in_a_step() -> None:
    given = LESSONS[0].answer({"do": "join_team", "partner": "1"})
    assert given.verdict == "refused"
    assert JoinTeam(1) not in legal(1)


# --- the words say what lies on the table --------------------------------------------------------


def after(step: int, move: Move | None = None) -> list[Any]:
    """The facts that follow a right move, by default the one that the step shows."""
    return list(answer(step, move or lesson_of(step).show).following)


def happened(step: int, kind: type[Any], move: Move | None = None) -> Any:
    """The one fact of this kind that follows the right move."""
    [fact] = [fact for fact in after(step, move) if isinstance(fact, kind)]
    return fact


def played(step: int) -> list[tuple[int, str]]:
    return [(fact.seat, animal(fact.card)) for fact in after(step) if isinstance(fact, CardPlayed)]


def none_fits(step: int) -> float:
    """How likely the accused has no card that fits, for one who knows their own hand alone."""
    state = question(step)
    assert state.declarer is not None
    assert state.top is not None
    seen = [*state.hand(LEARNER), state.top, *state.under]
    unseen = list(DECK)
    for card in seen:
        unseen.remove(card)
    others = [card for card in unseen if not beats(card, state.top, inverse=state.inverse)]
    size = state.sizes[state.declarer]
    return comb(len(others), size) / comb(len(unseen), size)


def test_step_1_beats_the_cat_with_an_elephant_and_a_mouse_follows() -> None:
    assert question(1).top == "C"
    assert played(1) == [(LEARNER, "E"), (1, "M")]


def test_step_2_goes_counterclockwise_around_the_circle() -> None:
    state = question(2)
    assert (state.direction, state.owner) == (-1, 1)
    assert animal(state.top or "C") == "E"
    assert played(2) == [(LEARNER, "M"), (3, "C")]


def test_step_3_has_nothing_that_fits_and_no_choice() -> None:
    state = question(3)
    assert not is_bluff(state, LEARNER)
    assert (state.top, state.owner) == ("E", 1)
    assert played(3) == [(3, "M")]
    assert fold(rules, after(3), state).sizes[LEARNER] == 3


def test_step_4_bluffs_to_keep_the_only_cat_and_nobody_accuses() -> None:
    state = question(4)
    assert is_bluff(state, LEARNER)
    assert [animal(card) for card in state.hand(LEARNER)].count("C") == 1
    assert played(4) == [(1, "C")]


def test_step_5_accuses_one_who_hardly_can_have_nothing() -> None:
    state = question(5)
    assert (state.declarer, state.sizes[1], state.top) == (1, 5, "M")
    assert none_fits(5) < 0.1
    assert not is_bluff(state, LEARNER)
    assert happened(5, BluffAdmitted) == BluffAdmitted(LEARNER, 1)
    assert happened(5, CardPassed) == CardPassed(LEARNER, 1, "C")
    following = fold(rules, after(5), state)
    assert following.turn == LEARNER
    assert Play("C") in legal_moves(following, LEARNER)


def test_step_6_accuses_an_honest_player_with_one_card() -> None:
    state = question(6)
    assert (state.declarer, state.sizes[1], state.top) == (1, 1, "C")
    assert none_fits(6) > 0.5
    assert happened(6, HonestyShown).hand == ("M",)
    assert happened(6, CardsDrawn) == CardsDrawn(1, 1)
    assert happened(6, CardPassed) == CardPassed(1, LEARNER, "C")
    following = fold(rules, after(6), state)
    assert following.turn == LEARNER
    assert following.sizes[LEARNER] == 1


def test_step_7_has_a_cat_with_every_icon_but_the_bomb() -> None:
    state = question(7)
    assert {icon(card) for card in state.hand(LEARNER) if animal(card) == "C"} == {"r", "d", "s"}
    assert state.turn == LEARNER
    assert state.direction == 1
    assert fold(rules, after(7, Play("Cr")), state).turn == 3
    assert fold(rules, after(7, Play("Cd")), state).sizes[LEARNER] == 4
    assert "M" in fold(rules, after(7, Play("Cd")), state).hand(LEARNER)
    for victim in (1, 2, 3):
        assert happened(7, CardStolen, Play("Cs", victim)) == CardStolen(LEARNER, victim)


def test_step_8_wins_two_dishes_of_sushi_with_the_bomb() -> None:
    state = question(8)
    assert [move for move in legal(8) if isinstance(move, Play)] == [Play("Eb")]
    assert (state.stake.food, state.stake.dishes, state.stake.extra) == ("sushi", 2, 1)
    assert state.stake.rule == "no_accuse"
    assert happened(8, RoundEnded) == RoundEnded(LEARNER)


def test_step_9_accuses_out_of_turn_and_the_turn_goes_on_after_the_accused() -> None:
    state = question(9)
    assert state.stake.rule == "slap"
    assert (state.declarer, state.sizes[2]) == (2, 5)
    assert animal(state.top or "E") == "C"
    assert none_fits(9) < 0.1
    assert set(legal(9)) == {Accuse(), Waive(), Leave()}
    assert happened(9, BluffAdmitted) == BluffAdmitted(LEARNER, 2)
    assert fold(rules, after(9), state).turn == 3


def test_step_10_completes_the_set() -> None:
    state = question(10)
    laid = [STAKES[one.stake].food for one in state.buffets[LEARNER]]
    assert {*laid, state.stake.food} == set(FOODS)
    assert (animal(state.top or "E"), state.owner) == ("C", 2)
    assert happened(10, GameEnded) == GameEnded("set")


def test_the_bots_say_that_they_cannot_play_only_where_the_words_fit(
    subtests: pytest.Subtests,
) -> None:
    """Who declares after the learner's move tells the truth: the words call nobody a liar."""
    for step in STEPS:
        with subtests.test(step=step):
            state = question(step)
            states = [state]
            for fact in after(step):
                states.append(fold(rules, [fact], states[-1]))
            for before, now in pairwise(states):
                if now.declarer not in (None, before.declarer, LEARNER):
                    assert not is_bluff(before, now.declarer)


# --- what a page gets ----------------------------------------------------------------------------


def page(step: int, move: Move | None = None) -> dict[str, Any]:
    return pages.step(step, fields(move) if move else None, user=AnonymousUser())


def tries(step: int) -> list[Move | None]:
    """No move, and one for every different answer of the step."""
    every = [*legal(step), *universe()]
    return [None, *{str(answer(step, move).said): move for move in every}.values()]


def test_the_sentences_of_a_page_are_whole(subtests: pytest.Subtests) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            for move in tries(step):
                given = page(step, move)
                for name in ("title", "lead", "ask", "reply", "narration"):
                    assert "%(" not in str(given[name])
                assert given["narration"]


def test_a_page_shows_what_the_learner_holds_and_may_do(subtests: pytest.Subtests) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            state = question(step)
            given = page(step)
            assert [one.card for one in given["o"].hand] == list(state.hand(LEARNER))
            assert given["o"].controls.can_accuse == (Accuse() in legal(step))
            assert given["o"].controls.can_waive == (Waive() in legal(step))
            assert given["o"].controls.can_play == (Declare() in legal(step))
            assert given["verdict"] is None


def test_the_news_of_a_page_are_those_of_the_last_move(subtests: pytest.Subtests) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            given = page(step, lesson_of(step).show)
            names = [seat.name for seat in given["t"].seats]
            news = answer(step, lesson_of(step).show).news
            public = [fact for fact in news if fact.audience is None]
            assert given["t"].last.happened == last_step.sentences(public, names) != []


def with_other_cards(lesson: Lesson) -> Lesson:
    """The same lesson where everything that the learner cannot know is different: the others' hands
    in the round of the question, apart from what they play, and the pile.
    """
    *before, last = lesson.script.rounds
    used: dict[int, list[Card]] = {seat: [] for seat in range(SEATS)}
    for seat, move in last.moves:
        if isinstance(move, Play):
            used[seat].append(move.card)
    free = list(reversed(DECK))
    for card in (
        *last.hands[LEARNER],
        last.turned,
        *(one for each in used.values() for one in each),
    ):
        free.remove(card)
    hands = [last.hands[LEARNER]]
    for seat in range(1, SEATS):
        kept = used[seat]
        fresh = [free.pop(0) for _ in range(len(last.hands[seat]) - len(kept))]
        hands.append((*kept, *fresh))
    changed = replace(last, hands=tuple(hands), pile=())
    return replace(lesson, script=replace(lesson.script, rounds=(*before, changed)))


def test_a_page_tells_nothing_of_hidden_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a right move the page is the same, whatever the others hold."""
    quiet = [
        (step, move, page(step, move))
        for step in STEPS
        for move in tries(step)
        if move not in right_moves(step)
    ]
    changed = tuple(map(with_other_cards, LESSONS))
    assert not any(one == other for one, other in zip(changed, LESSONS, strict=True))
    monkeypatch.setattr(pages, "LESSONS", changed)
    assert [(step, move) for step, move, seen in quiet if page(step, move) != seen] == []


def test_what_is_shown_is_folded_from_what_the_learner_was_told(subtests: pytest.Subtests) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            state = fold(rules, visible_facts(lesson_of(step).position(), LEARNER))
            assert [hand is not None for hand in state.hands] == [True, False, False, False]
            assert state.pile is None


def test_a_guest_learns_under_a_name_and_against_bots() -> None:
    given = page(1)
    assert given["me"]
    assert [seat.is_bot for seat in given["t"].seats] == [False, True, True, True]
