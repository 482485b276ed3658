"""Your mistakes: one's own costly decisions as questions, until they are answered rightly."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import lifecycle
from accounts.models import User
from games.models import Game, GameReview, MistakeAnswer, ReviewedPlay
from games.peco_peco.tests import fast_games as cards
from games.play import worker
from games.store import versioned_lru
from games.study.questions import mistakes
from games.study.questions.mistakes import Asked, Mistake
from games.study.review import review_page, reviews
from perudo_site import data_export, deletion
from tests.games.contract.kinds import LANGUAGES
from tests.support import fast_games
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db

NOW = fast_games.START
HERE = "/games/mistakes"


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """A finished game that is reviewed."""
    game = fast_games.finished_game(alice, bob, "steady", calza="on", seed=2)
    reviews.make(game, now=NOW)
    return game


def waiting(person: User, now: datetime | None = None) -> list[Mistake]:
    found = mistakes.of_person(person)
    return mistakes.waiting(person, found, now=now or timezone.now())


def first(person: User) -> Asked:
    asked = mistakes.first(waiting(person))
    assert asked is not None
    return asked


def choice(asked: Asked, *, right: bool) -> int:
    return [each.is_right for each in asked.guess.choices].index(right)


def page(client: Client, address: str = HERE, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status
    return unescape(answer.content.decode())


def answered(client: Client, asked: Asked, *, right: bool, said: str = "") -> str:
    """Answer a question; returns the address of the reply."""
    form = {"of": asked.game.code, "at": str(asked.mistake.number), "said": said}
    answer = client.post(HERE, form | {"choice": str(choice(asked, right=right))})
    assert answer.status_code == 302
    return str(answer["Location"])


# --- which ---------------------------------------------------------------------------------------


def test_the_costliest_of_ones_own_errors_wait_at_most_three_of_a_game(
    game: Game, alice: User, bob: User
) -> None:
    review = reviews.of_game(game)
    assert review is not None
    decisions = {each["number"]: each for each in review.content["decisions"]}
    for number, person in enumerate((alice, bob)):
        found = waiting(person)
        assert 1 <= len(found) <= mistakes.OF_A_GAME
        costs = [each.cost for each in found]
        assert costs == sorted(costs, reverse=True)
        for each in found:
            decision = decisions[each.number]
            assert (decision["seat"], decision["by"]) == (number, "person")
            assert decision["label"] and decision["cost"] == each.cost


def test_they_come_from_the_latest_reviewed_games_of_a_person(
    game: Game, alice: User, bob: User, charlie: User
) -> None:
    assert waiting(charlie) == []
    later = fast_games.finished_game(alice, bob, "steady", calza="on", seed=5)
    assert {each.game for each in waiting(alice)} == {game.pk}, "no review, no mistake"
    reviews.make(later, now=NOW)
    assert {each.game for each in waiting(alice)} == {game.pk, later.pk}
    ReviewedPlay.objects.filter(game=later).update(judge="an older one")
    assert {each.game for each in waiting(alice)} == {game.pk}


def test_a_call_out_of_turn_is_a_mistake_to_answer(alice: User, bob: User) -> None:
    """The costliest of this game; to pass was right."""
    game = fast_games.finished_game(alice, bob, "steady", calza="on", seed=10)
    reviews.make(game, now=NOW)
    asked = next(
        found
        for each in waiting(alice)
        if (found := mistakes.find([each], game.code, each.number)) is not None
        and found.guess.decision.is_out_of_turn
    )
    client = signed_in(alice)
    reply = page(client, answered(client, asked, right=True))
    assert "Right!" in reply
    assert asked.mistake.number not in {each.number for each in waiting(alice)}


def test_only_so_many_games_are_looked_through(
    game: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = fast_games.finished_game(alice, bob, "steady", calza="on", seed=5)
    reviews.make(later, now=NOW)
    Game.objects.filter(pk=later.pk).update(finished_at=NOW + timedelta(days=9))
    ReviewedPlay.objects.filter(game=later).update(finished_at=NOW + timedelta(days=9))
    monkeypatch.setattr(mistakes, "MOST_GAMES", 1)
    assert {each.game for each in waiting(alice)} == {later.pk}


def test_games_whose_moves_have_no_value_and_warm_ups_have_none(
    alice: User, bob: User, charlie: User
) -> None:
    reviews.make(cards.played_game(alice, bob, charlie, "easy"), now=NOW)
    warm_up = fast_games.finished_game(alice, "steady", seed=3)
    Game.objects.filter(pk=warm_up.pk).update(origin=Game.Origin.WARM_UP)
    warm_up.refresh_from_db()
    reviews.make(warm_up, now=NOW)
    assert mistakes.of_person(alice) == []


# --- answering -----------------------------------------------------------------------------------


def test_a_right_answer_ends_it_and_a_wrong_one_comes_back(game: Game, alice: User) -> None:
    client, before = signed_in(alice), waiting(alice)
    answered(client, first(alice), right=True)
    assert waiting(alice) == before[1:]
    answered(client, first(alice), right=False)
    assert waiting(alice) == before[2:]
    soon = timezone.now() + mistakes.AGAIN_AFTER
    assert waiting(alice, soon) == before[1:]
    assert MistakeAnswer.objects.filter(person=alice).count() == 2


def test_only_the_first_answer_counts_until_it_is_asked_again(game: Game, alice: User) -> None:
    client, asked = signed_in(alice), first(alice)
    answered(client, asked, right=False)
    answered(client, asked, right=True)
    [kept] = MistakeAnswer.objects.all()
    assert not kept.right
    MistakeAnswer.objects.update(answered_at=timezone.now() - mistakes.AGAIN_AFTER)
    answered(client, asked, right=True)
    answered(client, asked, right=False)
    [kept] = MistakeAnswer.objects.all()
    assert kept.right


def test_a_person_has_a_limited_number_of_answers(
    game: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mistakes, "MOST_KEPT", 1)
    [one, other, *_] = waiting(alice)
    mistakes.answer(bob, waiting(bob)[0], right=True, now=NOW)
    for number, each in enumerate((one, other)):
        mistakes.answer(alice, each, right=True, now=NOW + timedelta(hours=number))
    [kept] = MistakeAnswer.objects.filter(person=alice)
    assert kept.moment == other.number
    assert MistakeAnswer.objects.filter(person=bob).exists()


def test_answers_are_rate_limited(game: Game, alice: User, settings: object) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"mistake_answer": "1/h/user"}  # type: ignore[attr-defined]
    client, asked = signed_in(alice), first(alice)
    form = {"of": game.code, "at": str(asked.mistake.number), "choice": "0"}
    assert client.post(HERE, form).status_code == 302
    assert client.post(HERE, form).status_code == 429


def test_nobody_answers_for_others_or_what_is_no_mistake(
    game: Game, alice: User, bob: User
) -> None:
    asked = first(alice)
    form = {"of": game.code, "at": str(asked.mistake.number), "choice": "0"}
    bad = [{"at": "1"}, {"at": ""}, {"at": "x"}, {"choice": "9"}, {"choice": ""}, {"of": "nowhere"}]
    bad += [{"said": "2"}, {"said": "111"}, {"said": "0000"}, {"of": "x" * 999}, {"choice": "-1"}]
    for each in bad:
        assert signed_in(alice).post(HERE, form | each).status_code == 404, each
    if asked.mistake.number not in {each.number for each in waiting(bob)}:
        assert signed_in(bob).post(HERE, form).status_code == 404
    assert not MistakeAnswer.objects.exists()
    assert Client().post(HERE, form).status_code == 302
    assert not MistakeAnswer.objects.exists()


# --- the pages -----------------------------------------------------------------------------------


def test_it_leads_through_three_and_counts_the_right_answers(
    game: Game, alice: User, bob: User
) -> None:
    later = fast_games.finished_game(alice, bob, "steady", calza="on", seed=5)
    reviews.make(later, now=NOW)
    client, where, before = signed_in(alice), HERE, len(waiting(alice))
    assert before > 3
    said = ""
    for number, right in enumerate((True, False, True), start=1):
        html = page(client, where)
        assert f"Question {number} of 3" in html
        reply = answered(client, first(alice), right=right, said=said)
        html = page(client, reply)
        heading = "Right!" if right else "Wrong."
        assert f"Question {number} of 3" in html
        assert re.search(rf"<h1[^>]*>{re.escape(heading)}</h1>", html)
        said += str(int(right))
        where = f"{HERE}?said={said}"
        assert f'href="{where}"' in html
    html = page(client, where)
    assert "2 of 3 right" in html and "Look at more" in html
    assert len(waiting(alice)) == before - 3


def test_a_question_says_nothing_of_the_review(game: Game, alice: User) -> None:
    html = page(signed_in(alice))
    for told in ("judgement", "judged-choices", "is-right", "played", "hand", "replay"):
        assert f'class="{told}' not in html and f">{told}<" not in html
    asked = first(alice)
    assert asked.guess.found["best"] not in html
    for each in asked.guess.choices:
        assert f">{each.words[:1].upper()}{each.words[1:]}</button>" in html


def test_the_reply_has_the_reviews_words_and_leads_on(game: Game, alice: User) -> None:
    client, asked = signed_in(alice), first(alice)
    html = page(client, answered(client, asked, right=False))
    told = review_page.judgement_of(game, asked.guess.found, 0)
    assert told is not None and told.why in html and "What happened" in html
    number = asked.mistake.number
    assert reverse("games:moment", args=[game.code, number]) in html
    assert f"{reverse('games:review', args=[game.code])}?at={number}" in html
    assert reverse("games:try-again", args=[game.code, number]) in html
    assert bool(told.trainer_url) == (reverse("games:odds", args=["perudo"]) in html)


def test_a_decision_about_odds_leads_to_the_trainer_in_the_review_too(
    game: Game, alice: User
) -> None:
    review = reverse("games:review", args=[game.code])
    trainer = f'href="{reverse("games:odds", args=["perudo"])}"'
    found = reviews.of_game(game)
    assert found is not None
    for each in found.content["decisions"]:
        told = review_page.judgement_of(game, each, 0)
        html = page(signed_in(alice), f"{review}?at={each['number']}")
        assert (trainer in html) == bool(told and told.trainer_url)


def test_without_any_it_is_one_plain_sentence(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "ask", None)
    assert "Nothing is waiting: your mistakes" in page(signed_in(alice))
    assert "0 of 2 right" in page(signed_in(alice), f"{HERE}?said=00")


@pytest.mark.parametrize("query", ["said=2", "said=0000", "said=٠", "of=x", "of=x&at=1&choice=0"])
def test_what_leads_nowhere_is_no_page(game: Game, alice: User, query: str) -> None:
    page(signed_in(alice), f"{HERE}?{query}", status=404)


def test_a_guest_has_mistakes_and_a_visitor_signs_in_first() -> None:
    guest = lifecycle.guest("Gast")
    game = fast_games.finished_game(guest, "steady", seed=3)
    reviews.make(game, now=NOW)
    client = Client()
    client.force_login(guest)
    assert "Question 1 of " in page(client)
    assert Client().get(HERE).status_code == 302


def test_ones_own_review_and_profile_lead_there_and_others_do_not(
    game: Game, alice: User, bob: User
) -> None:
    link = f'href="{HERE}"'
    review = reverse("games:review", args=[game.code])
    assert link in page(signed_in(alice), review)
    assert link in page(signed_in(alice), "/players/alice")
    assert link not in page(signed_in(alice), "/players/bob")
    assert link not in page(Client(), review)
    assert link not in page(Client(), "/players/alice")


def test_it_is_told_in_every_language(game: Game, alice: User) -> None:
    client = signed_in(alice)
    reply = answered(client, first(alice), right=False)
    texts = set()
    for language in LANGUAGES:
        User.objects.filter(pk=alice.pk).update(language=language)
        headers = {"Accept-Language": language}
        asked = [
            client.get(address, headers=headers).content.decode()
            for address in (HERE, reply, f"{HERE}?said=010", f"{HERE}?said=000")
        ]
        assert all("%(" not in html and "None" not in html for html in asked)
        texts.add(re.findall(r"<title>(.*?)</title>", asked[0])[0])
    assert len(texts) == len(LANGUAGES)


def test_a_page_costs_few_queries_however_many_games(game: Game, alice: User, bob: User) -> None:
    client = signed_in(alice)

    def queries(address: str) -> int:
        with CaptureQueriesContext(connection) as asked:
            page(client, address)
        return len(asked)

    page(client)
    one = queries(HERE)
    assert one <= 12
    for seed in (3, 5):
        reviews.make(fast_games.finished_game(alice, bob, "steady", seed=seed), now=NOW)
    versioned_lru.clear_all()
    page(client)
    assert queries(HERE) == one
    reply = answered(client, first(alice), right=True)
    page(client, reply)
    assert queries(reply) <= 14


# --- personal data -------------------------------------------------------------------------------


def test_answers_are_exported_and_deleted_with_the_account(
    game: Game, alice: User, bob: User
) -> None:
    asked = first(alice)
    mistakes.answer(alice, asked.mistake, right=True, now=NOW)
    mistakes.answer(bob, waiting(bob)[0], right=False, now=NOW)
    exported = data_export.everything_about(alice)
    assert exported["own_mistakes"] == [
        {
            "game": game.code,
            "moment": asked.mistake.number,
            "right": True,
            "answered": NOW.isoformat(),
        }
    ]
    deletion.delete_account(alice, now=NOW)
    assert [each.person for each in MistakeAnswer.objects.all()] == [bob]


def test_a_review_by_another_judge_is_not_read(game: Game, alice: User) -> None:
    GameReview.objects.update(judge="an older one")
    assert mistakes.of_person(alice) == []
