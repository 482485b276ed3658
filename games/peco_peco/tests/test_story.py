"""The rounds already played, as the table tells them, are those of the log."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Game
from games.peco_peco import presenter, words
from games.peco_peco.rules.events import RoundEnded, RoundStarted
from games.peco_peco.tests.fast_games import play_until, played_game, running_game
from games.store import event_log

pytestmark = pytest.mark.django_db


def rounds_of_the_log(game: Game, *, upto: int) -> list[tuple[int, str, str | None]]:
    """Number, dishes and winner of each round that has ended, newest first."""
    names = [seat.name for seat in game.seat_set.select_related("user")]
    rounds: list[Any] = []
    for event in event_log.public_facts(game, after=0, upto=game.seq):
        match event.fact:
            case RoundStarted(number, stake):
                begun = (number, words.stake(stake))
            case RoundEnded(winner):
                rounds.append((*begun, None if winner is None else names[winner]))
    return [each for each in reversed(rounds) if each[0] <= upto]


def told(game: Game) -> list[tuple[int, str, str | None]]:
    return [
        (row.number, row.stake.dishes, row.winner and row.winner.name)
        for row in presenter.earlier_rounds(game)
    ]


@pytest.mark.parametrize("phase", ["turn", "reveal"])
def test_a_running_game_tells_the_rounds_before_the_one_on_the_table(
    alice: User, bob: User, charlie: User, phase: str
) -> None:
    game = running_game(alice, bob, charlie, "easy", seed=3)
    assert told(game) == [] and presenter.last_earlier_round(game) == 0
    game = play_until(game, lambda state: state.number == 4 and state.phase == phase, seed=3)
    assert told(game) == rounds_of_the_log(game, upto=3)
    assert presenter.last_earlier_round(game) == 3


def test_a_finished_game_tells_all_its_rounds_with_one_query(
    alice: User, bob: User, charlie: User
) -> None:
    game = played_game(alice, bob, charlie, "easy", seed=3)
    presenter.earlier_rounds(game)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        rounds = told(game)
    assert len(queries) == 1
    assert rounds == rounds_of_the_log(game, upto=99) and len(rounds) > 3
