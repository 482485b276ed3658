"""The review of a finished game in all its states, and what reviews add up to for a person."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any
from unittest.mock import Mock, patch
from urllib.parse import urlencode

from allauth.core.internal import ratelimit
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.contract import catalogue
from games.models import Game, GameReview, ReviewedPlay
from games.peco_peco.tests.fast_games import START, played_game
from games.play import worker
from games.study.questions import mistakes
from games.study.questions.mistakes import Mistake
from games.study.review import beliefs, cards, reviews
from tests.games.contract.kinds import played_on
from tests.support import fast_games
from tests.support.tour.visitor import Page, TourVisitor


def pages(language: str, alice: User, bob: User, charlie: User) -> Iterator[Page]:
    """Asked for, waited for, refused; with facts alone, and with figures of every kind."""
    game = played_game(alice, bob, charlie, "easy")
    visitor, here = TourVisitor(language), f"/games/{game.code}/replay/review"
    yield from _waiting(visitor, game, here)
    content = reviews.judge_of(game.kind_key).analyse(reviews.log_of(game))
    judge = content["judge"]
    reviews.write(game.pk, judge, content, now=START)
    yield visitor.get(here)
    yield visitor.fetch(here)
    reviews.write(game.pk, judge, judged(content), now=START)
    yield visitor.get(here)
    yield visitor.fetch(here)
    for person in (alice, None):
        yield TourVisitor(language, person).get("/players/alice")
    ReviewedPlay.objects.filter(user=alice).update(luck=-0.02)
    yield visitor.get("/players/alice")
    yield from _with_values(language, alice, bob)
    GameReview.objects.all().delete()


def _with_values(language: str, alice: User, bob: User) -> Iterator[Page]:
    """A game whose moves have values, as one who played it and as others read it."""
    game = fast_games.finished_game(alice, bob, "steady", calza="on", seed=2)
    reviews.make(game, now=START)
    for person in (alice, None):
        visitor, here = TourVisitor(language, person), f"/games/{game.code}/replay/review"
        yield visitor.fetch(here)
        yield visitor.get(here)
        yield visitor.get(f"{here}?at=1")
        yield from _guessed(visitor, game)
        yield from _cards(visitor, game, 200 if person else 404)
        yield visitor.get(f"/games/{game.code}/replay/2")
    yield from _mistakes(TourVisitor(language, alice), alice)
    yield from _believed(language, game, alice, bob)
    yield from _tried(TourVisitor(language, bob), game)
    yield TourVisitor(language).get("/games/best")  # of a week without games
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now())
    yield TourVisitor(language).get("/games/best")
    Game.objects.filter(pk=game.pk).update(listed=False, visibility=Game.Visibility.LINK)
    yield TourVisitor(language).post(f"/games/{game.code}/replay/2/try")


def _guessed(visitor: TourVisitor, game: Game) -> Iterator[Page]:
    """The moments as questions: asked, answered right and wrong, and counted."""
    here = f"/games/{game.code}/replay/guess"
    for query in ("", "?said=0", "?said=1", "?said=1&next", "?said=101", "?said=101&next"):
        yield visitor.get(f"{here}{query}")


def _mistakes(visitor: TourVisitor, person: User) -> Iterator[Page]:
    """The reader's own mistakes: asked, answered right and wrong, counted, and none."""
    here = reverse("games:mistakes")
    for said in ("", "1", "10"):
        yield visitor.get(f"{here}?said={said}")
        asked = mistakes.first(_waiting_mistakes(person))
        assert asked is not None
        form = {"of": asked.game.code, "at": str(asked.mistake.number), "said": said}
        for choice in ("0", "1"):
            yield visitor.get(f"{here}?{urlencode(form | {'said': said + '1', 'choice': choice})}")
        yield visitor.post(here, **form, choice="0")
    yield visitor.get(f"{here}?said=101")
    yield visitor.get(here)


def _believed(language: str, game: Game, *people: User) -> Iterator[Page]:
    """Bold claims of the game, each believed by the other player, and taken back."""
    for claim in beliefs.of_game(game, AnonymousUser()):
        for person in people:
            found = beliefs.find(game, claim.number, person)
            if found is not None and found.press_url:
                visitor = TourVisitor(language, person)
                for do in ("believe", "not", "believe"):
                    yield visitor.post(found.press_url, do=do)
                yield visitor.get(f"/games/{game.code}/replay/review")


def _waiting_mistakes(person: User) -> list[Mistake]:
    return mistakes.waiting(person, mistakes.of_person(person), now=timezone.now())


def _cards(visitor: TourVisitor, game: Game, private: int) -> Iterator[Page]:
    """The card of the first seat, with luck and errors of every kind, public and private."""
    here = reverse("games:card", args=[game.code, 0, cards.signature(game, 0)])
    yield visitor.get(here)
    for luck, own in ((-0.2, -0.3), (-0.2, -0.1), (0.2, -0.3), (0.2, 0.0), (0.0, -0.3), (0.0, 0.0)):
        account = {"seat": 0, "decisions": 5, "own": own, "luck": luck, "residual": 0.0}
        with patch.object(reviews, "kept", return_value=Mock(content={"accounts": [account]})):
            yield visitor.get(here)
    Game.objects.filter(pk=game.pk).update(listed=False, visibility=Game.Visibility.LINK)
    yield visitor.get(here, private)
    Game.objects.filter(pk=game.pk).update(listed=True, visibility=Game.Visibility.PUBLIC)


def _tried(visitor: TourVisitor, game: Game) -> Iterator[Page]:
    """A moment that is tried again, from its beginning to its end, and what cannot be tried."""
    moments = catalogue.of(game.kind_key).replay.moments(game)
    there = [number for number, each in enumerate(moments, start=1) if each.move]
    yield visitor.post(f"/games/{game.code}/replay/1/try")
    for number in (there[0], there[-1]):
        yield visitor.post(f"/games/{game.code}/replay/{number}/try")
        again = Game.objects.latest("pk")
        for _ in played_on(again, seed=number):
            yield visitor.get(f"/games/{again.code}")
        for page in ("replay", "replay/2"):
            yield visitor.get(f"/games/{again.code}/{page}")


def _waiting(visitor: TourVisitor, game: Game, here: str) -> Iterator[Page]:
    with patch.object(worker, "ask", lambda *task, seconds: Future()):
        yield visitor.fetch(here)
        yield visitor.get(f"{here}?waited=7")
    yield visitor.fetch(f"{here}?waited=30")
    reviews._note_failure(game.pk, _failed())
    yield visitor.get(here)
    reviews._failed.clear()
    with patch.object(worker, "ask", side_effect=worker.Busy):
        yield visitor.fetch(here)
    with patch.object(ratelimit, "consume", return_value=None):
        yield visitor.get(here, 429)


def _failed() -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(worker.Failed("error"))
    return future


def judged(content: dict[str, Any]) -> dict[str, Any]:
    """The review as a judge would make it that computes what moves are worth: each label once or
    twice, and luck both ways.
    """
    labels = ("inaccuracy", "mistake", "blunder", None)
    for number, each in enumerate(content["decisions"]):
        each |= {"cost": 0.5 / (number + 2), "label": labels[number % 4]}
    for seat, account in enumerate(content["accounts"]):
        account |= {"first": 0.25, "own": -0.1, "gifts": 0.05, "luck": 0.1 - 0.1 * seat}
        account |= {"residual": 0.0, "last": 0.3 - 0.1 * seat, "accuracy": 0.9}
        account |= {"inaccuracies": seat, "mistakes": seat, "blunders": seat}
    return content
