"""The pages of questions: decisions of both games, what is answered to choices, and refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from accounts.models import User
from games import catalogue
from games.models import Game
from games.questions import decisions, services
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
    found = [decisions.find(game, number) for number in range(1, count + 1)]
    there = [each for each in found if each is not None]
    for place, decision in enumerate(there[::EVERY]):
        named = place % 2 == 0
        question = services.ask(game, decision.number, asks, named=named, now=START)
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
