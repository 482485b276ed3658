"""Guess first in a game whose moves have no value: chances as questions, asked and then told."""

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
from games.models import Game
from games.peco_peco.tests import fast_games as cards
from games.study.questions import chance_guesses, guess_first
from games.study.questions.chance_guesses import ChanceGuess
from games.study.review import reviews
from tests.games.contract.kinds import LANGUAGES
from tests.games.study.questions.test_guess_first import address, page, without_tokens
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    """A reviewed game of four seats."""
    game = cards.played_game(alice, bob, charlie, "easy")
    reviews.make(game, now=cards.START)
    return game


def guesses(game: Game, reader: int | None = 0) -> list[ChanceGuess]:
    review = reviews.of_game(game)
    assert review is not None
    found = guess_first.of_review(game, review, reader)
    return [each for each in found if isinstance(each, ChanceGuess)]


def told_of(game: Game, guess: ChanceGuess) -> list[str]:
    """The sentences of the replay about a challenge at the moment of a question."""
    kind = catalogue.of(game.kind_key)
    asks, moments = guess.situation, kind.replay.moments(game)
    challenge = chance_guesses.challenge(asks, moments, guess.question)
    names = [seat.name for seat in game.seat_set.order_by("number")]
    return [*kind.words.move_odds(challenge, names)]


def test_three_claims_are_asked_in_the_order_of_the_game(game: Game) -> None:
    for reader in (0, 1, 2, None):
        found = guesses(game, reader)
        numbers = [each.number for each in found]
        assert len(numbers) == 3 and numbers == sorted({*numbers})
        for each in found:
            assert reader in (None, each.seat)
            assert sum(choice.is_right for choice in each.choices) == 1
            assert len({choice.words for choice in each.choices}) == 4


def test_a_bot_is_asked_nothing(game: Game) -> None:
    review = reviews.of_game(game)
    assert review is not None
    assert guesses(game, 3) == [] and not guess_first.is_offered(game, review, 3)


def test_a_question_knows_nothing_of_the_review_and_of_others_cards(
    game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page stays the same whatever the others held, the right answer is and then happened."""
    client, found = signed_in(alice), guesses(game)
    for place in range(3):
        query = f"?said={'0' * place}&next" if place else ""
        before = page(client, game, query)
        for told in ("judgement", "judged-choices", "is-right", "hand", "cost"):
            assert f'class="{told}' not in before
        hidden = [
            replace(
                each,
                situation=replace(each.situation, before=None, since=()),
                question=replace(each.question, right=3 - each.question.right),
                choices=[
                    replace(one, is_right=not one.is_right, cost="99%") for one in each.choices
                ],
            )
            for each in found
        ]
        with monkeypatch.context() as patched:
            patched.setattr(guess_first, "of_review", lambda *_, told=hidden: told)
            assert without_tokens(page(client, game, query)) == without_tokens(before)


def test_it_shows_the_claim_ones_own_cards_and_how_many_are_unseen(game: Game, alice: User) -> None:
    client = signed_in(alice)
    for place, each in enumerate(guesses(game)):
        html = page(client, game, f"?said={'0' * place}&next" if place else "")
        known = each.situation.known
        held = html[html.index('class="my-cards"') :]
        held = held[: held.index("</p>")]
        assert held.count("animal-card") == known.sizes[0]
        seats = game.seat_set.order_by("number")
        claim = "You" if known.declarer == 0 else seats[known.declarer].name
        assert f"{claim}: “I can't play”" in html
        counts = re.findall(r"</span> <b>(\d+)</b></li>", html)
        assert len(counts) == 4
        assert sum(map(int, counts)) == 72 - known.sizes[0] - len(known.under) - 1


def test_after_a_choice_the_replays_sentences_say_the_chance_and_what_was_true(
    game: Game, alice: User
) -> None:
    client = signed_in(alice)
    for place, each in enumerate(guesses(game)):
        for chosen, choice in enumerate(each.choices):
            html = page(client, game, f"?said={'0' * place}{chosen}")
            heading = "Right!" if choice.is_right else "Wrong."
            assert re.search(rf"<h1[^>]*>{re.escape(heading)}</h1>", html)
            told = told_of(game, each)
            assert len(told) == 3
            assert all(f'<p class="why">{sentence}</p>' in html for sentence in told)
            assert html.count('<li class="is-right">') == 1
            assert "What happened" in html and "says they can't play." in html


def test_the_hand_behind_the_claim_of_another_lies_open_afterwards(game: Game, alice: User) -> None:
    client, opened = signed_in(alice), 0
    for place, each in enumerate(guesses(game)):
        html = page(client, game, f"?said={'0' * (place + 1)}")
        hands = re.findall(r'<span class="hand">(.*?)</span>\s*</li>', html, re.DOTALL)
        declarer = each.situation.known.declarer
        if declarer == 0:
            assert hands == []
            continue
        opened += 1
        [hand] = hands
        assert hand.count("animal-card") == each.situation.known.sizes[declarer]
    assert opened


def test_at_the_end_right_answers_are_counted_and_lead_to_the_review(
    game: Game, alice: User
) -> None:
    client, found = signed_in(alice), guesses(game)
    best = "".join(str(each.question.right) for each in found)
    worst = str((found[0].question.right + 1) % 4)
    assert "3 of 3 right" in page(client, game, f"?said={best}&next")
    html = page(client, game, f"?said={worst}{best[1:]}&next")
    assert "2 of 3 right" in html
    review, names = reverse("games:review", args=[game.code]), game.seat_set.order_by("number")
    for each in found:
        assert f'href="{review}?at={each.number}"' in html
        declarer = names[each.situation.known.declarer].name
        assert f"Round {each.situation.before.round}, {declarer}</small>" in html
        assert "Can't play" in html


def test_it_leads_from_the_review_to_the_end_by_its_links_alone(game: Game, alice: User) -> None:
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
    name = game.seat_set.get(number=first.seat).name
    assert f"You are {name}" in page(client, game)
    assert "You are" not in page(signed_in(game.seat_set.get(number=0).user), game)


@pytest.mark.parametrize("said", ["4", "9", "x", "0000"])
def test_what_nobody_can_have_chosen_is_no_page(game: Game, client: Client, said: str) -> None:
    page(client, game, f"?said={said}", status=404)


def test_it_is_told_in_every_language(game: Game, alice: User) -> None:
    client, texts = signed_in(alice), dict[str, Any]()
    for language in LANGUAGES:
        with override(language):
            headers = {"Accept-Language": language}
            asked = [
                client.get(address(game, query), headers=headers).content.decode()
                for query in ("", "?said=0", "?said=0&next", "?said=00&next", "?said=000&next")
            ]
        assert all("%(" not in html and "None" not in html for html in asked)
        texts[language] = re.findall(r"<h1[^>]*>(.*?)</h1>", "".join(asked[0:1] + asked[2:4]))
    assert len({tuple(each) for each in texts.values()}) == len(LANGUAGES)


def test_a_question_costs_few_queries(game: Game, alice: User) -> None:
    client = signed_in(alice)
    for query in ("", "?said=0", "?said=000&next"):
        page(client, game, query)
        with CaptureQueriesContext(connection) as asked:
            page(client, game, query)
        assert len(asked) <= 12, [each["sql"] for each in asked]
