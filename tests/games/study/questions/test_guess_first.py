"""Guess first: the moments of a review as questions, asked without the answer and then told."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override

from accounts.models import User
from games.contract import catalogue
from games.models import Game, GameReview
from games.peco_peco import guesses as game_of_cards
from games.peco_peco.tests import fast_games as cards
from games.play import worker
from games.store import review_content, versioned_lru
from games.study.questions import decisions, guess_first, mistakes
from games.study.questions.guess_first import Guess
from games.study.review import review_page, reviews
from tests.games.contract.kinds import LANGUAGES
from tests.support import fast_games
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db

NOW = fast_games.START


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """A finished game that is reviewed."""
    game = fast_games.finished_game(alice, bob, "steady", calza="on", seed=2)
    reviews.make(game, now=NOW)
    return game


def guesses(game: Game, reader: int | None = 0) -> list[Guess]:
    found = reviews.of_game(game)
    assert found is not None
    return guess_first.of_review(game, found, reader)


def address(game: Game, query: str = "") -> str:
    return reverse("games:guess", args=[game.code]) + query


def page(client: Client, game: Game, query: str = "", status: int = 200) -> str:
    answer = client.get(address(game, query))
    assert answer.status_code == status
    return unescape(answer.content.decode())


def test_three_of_the_readers_own_decisions_are_asked_in_the_order_of_the_game(
    game: Game,
) -> None:
    for reader in (0, 1, None):
        found = guesses(game, reader)
        assert len(found) == 3
        numbers = [each.number for each in found]
        assert numbers == sorted(numbers)
        for each in found:
            assert each.decision.seat == each.found["seat"]
            assert reader in (None, each.decision.seat)
            assert each.found["by"] == "person" and not each.found["forced"]


def test_an_error_is_asked_only_where_a_reason_shows_what_was_better(game: Game) -> None:
    words = catalogue.of(game.kind_key).review_words
    assert words is not None
    for each in (*guesses(game, 0), *guesses(game, 1)):
        if each.found["best"] != each.found["played"]:
            assert words.reason(each.found)


def test_it_asks_about_a_better_move_only_where_the_review_names_it(
    game: Game, alice: User
) -> None:
    """The review names none where another move leaves a better chance of winning."""
    for reader in (0, 1, None):
        for each in guesses(game, reader):
            if each.found["best"] != each.found["played"]:
                assert named(game, each.number)
    review = GameReview.objects.get(game=game)
    asked = next(each for each in guesses(game) if each.found["best"] != each.found["played"])
    assert asked.number in {each.number for each in mistakes.of_person(alice)}
    content = review_content.unpacked(review.content)
    found = next(each for each in content["decisions"] if each["number"] == asked.number)
    known = {found["best"], found["played"]}
    better = next(each for each in found["options"] if each["move"] not in known)
    better["chance"] = 0.99
    review.content = review_content.packed(content)
    review.save()
    versioned_lru.clear_all()
    assert not named(game, asked.number)
    assert asked.number not in {each.number for each in guesses(game)}
    assert asked.number not in {each.number for each in mistakes.of_person(alice)}


def named(game: Game, number: int) -> str:
    """The better move that the review names at a moment."""
    review = reviews.of_game(game)
    assert review is not None
    found = next(each for each in review.content["decisions"] if each["number"] == number)
    told = review_page.judgement_of(game, found, None)
    assert told is not None
    return told.better


def test_the_choices_are_a_handful_with_the_played_and_the_best_move(game: Game) -> None:
    for each in (*guesses(game, 0), *guesses(game, 1)):
        assert 2 <= len(each.choices) <= 5
        assert len({choice.words for choice in each.choices}) == len(each.choices)
        [played] = [choice for choice in each.choices if choice.is_played]
        assert played.is_right == (each.found["best"] == each.found["played"])
        assert any(choice.is_right for choice in each.choices)
        assert not all(choice.is_right for choice in each.choices)
        if each.decision.known.last_bid is not None:
            assert "dudo" in [choice.words for choice in each.choices]


def test_a_question_knows_nothing_of_the_review_and_of_others_dice(
    game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page stays the same whatever the others held and the review says of the moves."""
    client = signed_in(alice)
    before = page(client, game)
    for told in ("judgement", "judged-choices", "is-right", "played", "hand"):
        assert f'class="{told}' not in before and f">{told}<" not in before
    [first, *_] = guesses(game)
    mixed = [
        Guess(
            replace(first.decision, before=None, since=()),  # which have all hands
            {"best": "", "played": "", "seat": 0},
            [
                guess_first.Choice(each.words, "99%", not each.is_right, not each.is_played)
                for each in first.choices
            ],
        )
    ] * 3
    monkeypatch.setattr(guess_first, "of_review", lambda *_: mixed)
    assert without_tokens(page(client, game)) == without_tokens(before)


def without_tokens(html: str) -> str:
    return re.sub(r'\b\w{64}\b|data-now="\d+"', "", html)


def test_after_a_choice_the_review_speaks_and_the_dice_lie_open(game: Game, alice: User) -> None:
    client = signed_in(alice)
    [first, *_] = guesses(game)
    told = review_page.judgement_of(game, first.found, 0)
    assert told is not None
    for place, choice in enumerate(first.choices):
        html = page(client, game, f"?said={place}")
        heading = "Right!" if choice.is_right else "Wrong."
        assert re.search(rf"<h1[^>]*>{re.escape(heading)}</h1>", html)
        assert told.why in html and told.verdict in html
        assert f'href="{address(game)}?said={place}&next"' in html
        costs = re.findall(r'<span class="cost">(.*?)</span>', html)
        assert costs == [each.cost or "right" for each in first.choices]
        assert not told.regret or f"−{told.regret}" in costs
        assert "What happened" in html and 'class="hand"' in html


def test_at_the_end_right_answers_are_counted_and_lead_to_the_review(
    game: Game, alice: User
) -> None:
    client, found = signed_in(alice), guesses(game)
    best = "".join(str([c.is_right for c in each.choices].index(True)) for each in found)
    worst = "".join(str([c.is_right for c in each.choices].index(False)) for each in found)
    assert "3 of 3 right" in page(client, game, f"?said={best}&next")
    html = page(client, game, f"?said={worst[:1]}{best[1:]}&next")
    assert "2 of 3 right" in html
    review = reverse("games:review", args=[game.code])
    for each in found:
        assert f'href="{review}?at={each.number}"' in html
    assert f'href="{review}"' in html and reverse("games:odds", args=["perudo"]) in html


def test_it_leads_from_question_to_question_by_its_links_alone(game: Game, alice: User) -> None:
    client, where = signed_in(alice), reverse("games:review", args=[game.code])
    html = unescape(client.get(where).content.decode())
    [where] = re.findall(r'href="([^"]*/guess)"', html)
    for number in (1, 2, 3):
        html = unescape(client.get(where).content.decode())
        assert f"Question {number} of 3" in html
        [where, *_] = re.findall(r'href="([^"]*/guess\?said=\d+)"', html)
        html = unescape(client.get(where).content.decode())
        [where] = re.findall(r'href="([^"]*/guess\?said=\d+&next)"', html)
    assert "of 3 right" in unescape(client.get(where).content.decode())


def test_who_did_not_play_is_asked_as_the_player_of_the_moment(game: Game, client: Client) -> None:
    [first, *_] = guesses(game, None)
    name = game.seat_set.get(number=first.decision.seat).name
    assert f"You are {name}" in page(client, game)
    assert "You are" not in page(signed_in(game.seat_set.get(number=0).user), game)


@pytest.mark.parametrize("said", ["9", "x", "0000", "-1", "0 ", "٣", "099"])
def test_what_nobody_can_have_chosen_is_no_page(game: Game, client: Client, said: str) -> None:
    page(client, game, f"?said={said}", status=404)


def test_without_a_stored_review_it_leads_to_the_review_and_asks_for_none(
    game: Game, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    GameReview.objects.all().delete()
    monkeypatch.setattr(worker, "ask", None)
    answer = client.get(address(game))
    assert (answer.status_code, answer["Location"]) == (
        302,
        reverse("games:review", args=[game.code]),
    )


def test_a_review_that_asks_nothing_offers_no_questions(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = cards.played_game(alice, bob, charlie, "easy")
    reviews.make(game, now=NOW)
    monkeypatch.setattr(game_of_cards, "of_review", lambda *_: [])
    client = signed_in(alice)
    assert client.get(address(game)).status_code == 302
    review = client.get(reverse("games:review", args=[game.code])).content.decode()
    assert "/guess" not in review


def test_a_game_that_runs_has_none(alice: User, bob: User, client: Client) -> None:
    running = fast_games.running_game(alice, bob)
    page(client, running, status=404)
    assert client.get("/games/nowhere/replay/guess").status_code == 404


@pytest.fixture
def interrupted(alice: User, bob: User) -> Game:
    """A reviewed game in which alice calls calza out of turn, at a cost of a fifth of the game."""
    game = fast_games.finished_game(alice, bob, "steady", calza="on", seed=3)
    reviews.make(game, now=NOW)
    return game


def test_a_call_out_of_turn_is_asked_against_silence(interrupted: Game, alice: User) -> None:
    found = next(each for each in guesses(interrupted) if each.decision.is_out_of_turn)
    assert found.decision.known.turn != found.decision.seat == 0
    assert [each.words for each in found.choices] == ["calza", "pass"]
    assert [each.is_right for each in found.choices] == [False, True]
    assert [each.is_played for each in found.choices] == [True, False]
    client, earlier = signed_in(alice), guesses(interrupted).index(found)
    asked = page(client, interrupted, f"?said={'0' * earlier}" + ("&next" if earlier else ""))
    assert "and it isn't your turn: calza or pass?" in asked
    assert ">Calza</a>" in asked and ">Pass</a>" in asked
    assert "calls calza" not in asked, "what was played"
    for choice, heading in (("0", "Wrong."), ("1", "Right!")):
        told = page(client, interrupted, f"?said={'0' * earlier}{choice}")
        assert re.search(rf"<h1[^>]*>{re.escape(heading)}</h1>", told)
        assert "It failed: the count wasn't exact." in told
    assert decisions.of_game(interrupted, found.number) is None, "no friend is asked about it"


def test_it_is_told_in_every_language(game: Game, client: Client) -> None:
    texts: dict[str, Any] = {}
    for language in LANGUAGES:
        with override(language):
            headers = {"Accept-Language": language}
            asked = [
                client.get(address(game, query), headers=headers).content.decode()
                for query in ("", "?said=0", "?said=000&next")
            ]
        assert all("%(" not in html and "None" not in html for html in asked)
        texts[language] = re.findall(r"<h1[^>]*>(.*?)</h1>", asked[0])
    assert len({tuple(each) for each in texts.values()}) == len(LANGUAGES)


def test_a_question_costs_few_queries(game: Game, alice: User) -> None:
    client = signed_in(alice)
    page(client, game)
    with CaptureQueriesContext(connection) as asked:
        page(client, game)
    assert len(asked) <= 12, [each["sql"] for each in asked]
