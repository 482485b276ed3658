"""The crowd: what it stores is what the site itself leaves of a game."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.core.contract import fold
from games.models import FactRow, Game, PackedLog, Result, SiteTally, Tally
from games.perudo.models import Round
from games.play import finish
from games.store import event_log
from tests.support import crowd

GAMES = 120


@pytest.fixture
def stored(db: None) -> datetime:
    """A crowd in the test's own database; the time before which all its games ended."""
    now = datetime(2026, 6, 1, tzinfo=UTC)
    pool = [crowd.play(number) for number in range(30)]
    crowd.fill(pool, games=GAMES, people=8, now=now, say=lambda line: None)
    return now


def test_the_stored_games_are_those_the_site_leaves(stored: datetime) -> None:
    """Logs replay to their seats' places; results and tallies are what the site would write."""
    games = Game.objects.filter(status=Game.Status.FINISHED, finished_at__lt=stored)
    assert games.count() == GAMES == PackedLog.unsealed.count()
    assert not FactRow.unsealed.exists()
    for game in games.order_by("pk")[:30]:
        state = fold(crowd.rules, [told.fact for told in event_log.unsealed_facts(game)])
        outcome, seats = crowd.rules.outcome(state), list(game.seat_set.all())
        assert outcome is not None
        assert [(seats[number].place, number) for _, number in outcome.places()] == outcome.places()
        assert len(outcome.places()) == len(seats)
        assert Round.objects.filter(game=game).count() == state.number
    of_results = "seat user finished_at place left preset kind_key variant public".split()
    tables = {
        Result: of_results,
        Tally: ["user", "kind_key", "counter", "value"],
        SiteTally: ["kind_key", "counter", "part", "value"],
    }

    def rows() -> list[list[Any]]:
        return [
            list(each.objects.order_by(*names).values(*names)) for each, names in tables.items()
        ]

    before = rows()
    for model in tables:
        model.objects.all().delete()
    for game in games.order_by("pk"):
        seats = list(game.seat_set.all())
        finish.write_results(game, seats)
        finish.add_to_tallies(game, seats)
    after = rows()
    assert before == after


def test_a_replay_and_a_profile_of_the_crowd_are_shown(stored: datetime, client: Client) -> None:
    game = Game.objects.filter(listed=True).latest("finished_at")
    assert client.get(f"/games/{game.code}/replay").status_code == 200
    busiest = Tally.objects.filter(counter="place_1").latest("value")
    name = User.objects.get(pk=busiest.user_id).username
    assert client.get(f"/players/{name}").status_code == 200
