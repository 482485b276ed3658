"""The pages of questions: decisions of both games, what is answered to choices, and refusals.

Those of the questions of the day as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.contract import catalogue
from games.models import DailyRound, Game
from games.study.questions import choosing, daily, days, decisions, question_links
from tests.support.fast_games import START
from tests.support.tour.visitor import Page, TourVisitor

EVERY = 7  # of a game's decisions is looked at


def pages(
    game: Game, language: str, asks: User, form_of: Callable[[Any], Mapping[str, Any]]
) -> Iterator[Page]:
    """Some decisions of a finished game, with several choices each, with names and without.

    `form_of`: the fields of the form that makes a move.
    """
    visitor, person = TourVisitor(language), TourVisitor(language, asks)
    count = len(catalogue.of(game.kind_key).replay.moments(game))
    found = [decisions.of_game(game, number) for number in range(1, count + 1)]
    there = [each for each in found if each is not None]
    for place, decision in enumerate(there[::EVERY]):
        named = place % 2 == 0
        question = question_links.ask(game, decision.number, asks, named=named, now=START)
        yield visitor.get(f"/q/{question.word}")
        moves = decision.moves
        for move in (moves[0], moves[len(moves) // 2], moves[-1]):
            yield visitor.post(f"/q/{question.word}", **form_of(move))
        yield visitor.post(f"/q/{question.word}", do="nonsense")
    ask = f"/games/{game.code}/ask"
    yield person.get(f"/games/{game.code}/replay/{there[0].number}")
    yield person.post(ask, moment=there[0].number)
    yield person.post(ask, moment=1)
    Game.objects.filter(pk=game.pk).update(listed=False, visibility=Game.Visibility.LINK)
    people = User.objects
    stranger = people.filter(username="grace").first() or people.create_user("grace")
    yield TourVisitor(language, stranger).post(ask, moment=there[0].number)
    yield from _of_days(game.kind_key, language, asks, form_of)


def _of_days(
    kind_key: str, language: str, person: User, form_of: Callable[[Any], Mapping[str, Any]]
) -> Iterator[Page]:
    """Some questions of the day before and after an answer, for a visitor, a guest and a person."""
    kind, today, now = catalogue.of(kind_key), days.day_of(timezone.now()), timezone.now()
    DailyRound.objects.all().delete()
    plays = User.objects.create_user("eve", is_guest=True)
    yield TourVisitor(language).get("/daily/archive")
    for ago in range(4):
        day = today - timedelta(days=ago)
        assert choosing.choose(kind, day, now=now)
        asked = daily.of_day(day, now)
        assert asked is not None
        moves = daily.decision_of(asked).moves
        here = f"/daily/{day.isoformat()}"
        reader, guest = TourVisitor(language, person), TourVisitor(language, plays)
        yield TourVisitor(language).get(here)
        yield TourVisitor(language).post(here, 422, do="nonsense")
        yield guest.post(here, **form_of(moves[-1]))
        yield reader.post(here, **form_of(moves[ago % len(moves)]))
        yield TourVisitor(language).get("/")
    yield guest.get("/")
    yield guest.get("/daily", 302)
    yield reader.get("/daily/archive")
    yield reader.get("/")
    yield reader.post("/daily/agree")
    yield guest.get("/daily/1999-01-01", 404)
    plays.delete()
