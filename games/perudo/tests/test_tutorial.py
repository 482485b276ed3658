"""The tutorial: the engine accepts what a step asks, gives its reasons, and keeps its dice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.core.chance import ScriptedChance
from games.core.contract import IllegalMove, fold
from games.core.moves import Confirm, Leave
from games.perudo import rules, words
from games.perudo.rules import KEY, decide, legal_moves
from games.perudo.rules.bids import FACES, PACO, Bid, matching
from games.perudo.rules.events import DieLost, DieRegained, Eliminated, Revealed
from games.perudo.rules.moves import Calza, Dudo, Move
from games.perudo.rules.state import State
from games.perudo.tutorial.lesson import Answer, Lesson, form_of
from games.perudo.tutorial.lessons import LESSONS
from games.perudo.tutorial.script import LEARNER, Round

STEPS = range(1, len(LESSONS) + 1)
NO_LUCK = ScriptedChance(())

each_half = pytest.mark.parametrize("steps", [STEPS[:5], STEPS[5:]], ids=str)


def lesson_of(step: int) -> Lesson:
    return LESSONS[step - 1]


def question(step: int) -> State:
    state: State = fold(rules, lesson_of(step).position())
    return state


def fields(move: Move) -> dict[str, str]:
    return {name: str(value) for name, value in form_of(move).items()}


def answer(step: int, move: Move) -> Answer:
    return lesson_of(step).answer(fields(move))


def universe(state: State) -> Iterator[Move]:
    """Every move a form can make at this table, legal or not, and some bids beyond."""
    for quantity in range(state.most + 2):
        yield from (Bid(quantity, face) for face in (0, *FACES, 7))
    yield from (Dudo(), Calza(), Confirm())


# --- the engine is the judge ---------------------------------------------------------------------


def test_there_are_ten_steps() -> None:
    assert len(LESSONS) == 10


def test_what_a_step_shows_is_what_it_asks_for() -> None:
    shown = [(step, lesson_of(step).show) for step in STEPS]
    assert [each for each in shown if each[1] not in legal_moves(question(each[0]), LEARNER)] == []
    assert [each for each in shown if answer(*each).verdict != "right"] == []


def test_every_legal_move_is_answered_and_a_right_one_goes_on(subtests: pytest.Subtests) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            state = question(step)
            for move in [*legal_moves(state, LEARNER), Leave()]:
                given = answer(step, move)
                assert given.said
                if move in lesson_of(step).right:
                    assert given.verdict == "right"
                    assert fold(rules, given.following, state) != state
                else:
                    assert given.verdict == "other"
                    assert given.following == []


def test_every_explanation_is_about_some_legal_move(subtests: pytest.Subtests) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            legal = legal_moves(question(step), LEARNER)
            said = [answer(step, move).said for move in legal]
            for moves, explanation in lesson_of(step).others:
                assert any(move in moves for move in legal)
                assert explanation in said, "another explanation always comes first"


def test_an_illegal_move_is_refused_with_the_engines_reason(subtests: pytest.Subtests) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            state = question(step)
            legal = legal_moves(state, LEARNER)
            illegal = [move for move in universe(state) if move not in legal]
            assert illegal
            for move in illegal:
                with pytest.raises(IllegalMove) as refused:
                    decide(state, LEARNER, move, NO_LUCK)
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
                chance.dice(1)


def test_what_is_no_move_is_answered_with_a_sentence() -> None:
    given = [LESSONS[0].answer({"do": "bid"} | more) for more in ({}, {"quantity": "³"})]
    refused = ("refused", words.reason("malformed"))
    assert [(each.verdict, each.said) for each in given] == [refused] * 2


# --- the words say what lies on the table --------------------------------------------------------


def held(step: int, face: int) -> int:
    """How many dice of the learner count for this face in an ordinary round."""
    return matching(question(step).hand(LEARNER), face, palifico=False)


def test_step_1_asks_for_what_the_learner_sees() -> None:
    state = question(1)
    seen = [Bid(n, face) for face in FACES for n in range(1, state.hand(LEARNER).count(face) + 1)]
    assert list(LESSONS[0].right) == seen  # type: ignore[call-overload]
    assert PACO not in state.hand(LEARNER)


def test_step_2_opens_on_the_two_fours_of_the_learner() -> None:
    assert held(2, 4) == 2
    assert not question(2).bids


def test_step_3_raises_on_fives_or_sixes_that_the_learner_holds() -> None:
    assert held(3, 5) == held(3, 6) == 2
    assert question(3).last_bid == Bid(3, 5)


def test_step_4_asks_for_the_threes_with_the_pacos() -> None:
    assert question(4).hand(LEARNER).count(3) == question(4).hand(LEARNER).count(PACO) == 2
    assert counted(4) == 4


def test_step_5_doubts_a_bid_that_cannot_be_true() -> None:
    state = question(5)
    assert state.last_bid == Bid(6, 6)
    assert held(5, 6) + state.dice[1] < 6
    assert DieLost(1) in after(5)


def test_step_6_doubts_a_bid_that_is_just_true() -> None:
    assert question(6).last_bid == Bid(4, 5)
    assert held(6, 5) == 0
    assert counted(6) == 4
    assert DieLost(LEARNER) in after(6)


def test_step_7_halves_five_to_three_pacos() -> None:
    assert question(7).last_bid is not None
    assert question(7).last_bid.quantity == 5
    assert question(7).hand(LEARNER).count(PACO) == 2
    assert counted(7) == 3
    assert DieLost(1) in after(7)


def test_step_8_comes_back_from_three_pacos_with_seven_fives() -> None:
    assert question(8).last_bid == Bid(3, PACO)
    assert held(8, 5) == 5
    assert counted(8) == 7
    assert DieLost(1) in after(8)


def test_step_9_is_the_palifico_round_of_the_other_and_ends_the_game() -> None:
    state = question(9)
    assert state.palifico == 1
    assert state.dice[1] == 1
    assert state.hand(LEARNER).count(4) == 1
    assert PACO in state.hand(LEARNER)
    assert counted(9) == 2
    assert Eliminated(1) in after(9)


def test_the_step_on_calza_says_once_that_it_was_called(client: Client) -> None:
    step = address(10)
    html = client.get(f"{step}?do=calza").content.decode()
    assert html.count("calls calza!") == len(re.findall(r"calls calza! The count is", html)) > 0


def test_step_10_calls_calza_out_of_turn_with_a_die_lost() -> None:
    state = question(10)
    assert state.turn == 2
    assert state.bidder == 1
    assert state.dice[LEARNER] == 4
    assert counted(10) == 5
    assert DieRegained(LEARNER) in after(10)


def after(step: int) -> list[Any]:
    """The facts that follow the move the step asks for."""
    return list(answer(step, lesson_of(step).show).following)


def counted(step: int) -> int:
    [count] = [fact.count for fact in after(step) if isinstance(fact, Revealed)]
    return count


# --- the pages -----------------------------------------------------------------------------------


def address(step: int) -> str:
    return reverse("games:learn-step", args=[KEY, step])


def read(client: Client, step: int, move: Move | None = None) -> str:
    """The page of a step, or of the answer to a move, without its tokens and the time."""
    response = client.get(address(step), fields(move) if move else None)
    assert response.status_code == 200
    return re.sub(r'"\w{64}"|data-now="\d+"', "", response.content.decode())


def tries(step: int) -> list[Move | None]:
    """No move, and one for every different answer of the step."""
    state = question(step)
    every = [*legal_moves(state, LEARNER), *universe(state), Leave()]
    return [None, *{str(answer(step, move).said): move for move in every}.values()]


def test_a_wrong_try_is_answered_beside_the_same_table(
    client: Client, db: None, subtests: pytest.Subtests
) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            page = read(client, step, Bid(99, 2))
            assert "is-refused" in page
            assert 'name="do"' in page
            shown = re.search(r'<a href="([^"]+)">Show me</a>', page)
            assert shown
            assert "is-right" in client.get(unescape(shown[1])).content.decode()


@each_half
def test_the_sentences_of_a_page_are_whole(
    client: Client, db: None, steps: range, subtests: pytest.Subtests
) -> None:
    for step in steps:
        for move in tries(step):
            page = read(client, step, move)
            with subtests.test(step=step, move=move):
                assert "%(" not in page
                assert page.count("<h1") == 1


def with_other_dice(lesson: Lesson) -> Lesson:
    """The same lesson where the others rolled something else in the round of the question."""
    *before, last = lesson.script.rounds
    turned = str.maketrans("P23456", "23456P")
    hands = (last.hands[LEARNER], *(hand.translate(turned) for hand in last.hands[1:]))
    script = replace(lesson.script, rounds=(*before, Round(hands, last.moves)))
    return replace(lesson, script=script)


@pytest.mark.slow
@each_half
def test_a_page_before_the_reveal_tells_nothing_of_hidden_dice(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch, steps: range
) -> None:
    hidden = {
        (step, move): read(client, step, move)
        for step in steps
        for move in tries(step)
        if not (move and reveals(step, move))
    }
    shown = [(step, lesson_of(step).show) for step in steps]
    told = {each: read(client, *each) for each in shown if reveals(*each)}
    monkeypatch.setattr("games.perudo.tutorial.pages.LESSONS", tuple(map(with_other_dice, LESSONS)))
    assert [each for each, page in hidden.items() if read(client, *each) != page] == []
    # The other dice do show, once the cups are up.
    assert [each for each, page in told.items() if read(client, *each) == page] == []


def reveals(step: int, move: Move) -> bool:
    return any(isinstance(fact, Revealed) for fact in answer(step, move).following)


def test_what_is_answered_does_not_hang_on_hidden_dice(subtests: pytest.Subtests) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            other = with_other_dice(lesson_of(step))
            for move in universe(question(step)):
                given, elsewhere = answer(step, move), other.answer(fields(move))
                assert (given.verdict, given.said) == (elsewhere.verdict, elsewhere.said)


def test_a_reveal_shows_every_die(client: Client, db: None, subtests: pytest.Subtests) -> None:
    for step in STEPS:
        with subtests.test(step=step):
            page = read(client, step, lesson_of(step).show)
            hands = re.findall(r'<p class="hand">(.*?)</p>', page, re.DOTALL)
            up = (
                fold(rules, after(step), question(step)).hands
                if reveals(step, lesson_of(step).show)
                else ()
            )
            assert [hand.count("<use") for hand in hands] == [len(hand or ()) for hand in up]


def test_a_wild_number_is_answered_with_a_sentence(
    client: Client, db: None, subtests: pytest.Subtests
) -> None:
    for text in ["", "9" * 5000, "<b>", "\x00", "½", "4\n"]:
        with subtests.test(text=text):
            posted = {"do": "bid", "quantity": text, "face": "5"}
            page = client.post(address(1), posted, follow=True).content.decode()
            assert words.reason("malformed") in page


def test_the_tutorial_is_found_from_home_and_from_the_rules(client: Client, db: None) -> None:
    door = f'href="{reverse("games:learn-of", args=[KEY])}"'
    all_tutorials = reverse("games:learn")
    assert f'href="{all_tutorials}"' in client.get(reverse("games:home")).content.decode()
    assert door in client.get(reverse("games:bots")).content.decode()
    assert door in client.get(reverse("games:rules-of", args=[KEY])).content.decode()
    assert door in client.get(all_tutorials).content.decode()
    start = client.get(reverse("games:learn-of", args=[KEY])).content.decode()
    assert all(f'href="{address(step)}"' in start for step in STEPS)


def test_the_end_of_the_tutorial_leads_to_a_real_table(client: Client, db: None) -> None:
    page = client.get(reverse("games:learn-finished", args=[KEY])).content.decode()
    fields = dict(re.findall(r'<input type="hidden" name="(bots|strength)" value="(\w+)">', page))
    assert fields == {"bots": "2", "strength": "beginner"}
    table = client.post(reverse("games:play-now"), fields, follow=True)
    assert table.redirect_chain[-1][0].startswith("/games/")
    assert table.status_code == 200
    assert "bot" in table.content.decode()
