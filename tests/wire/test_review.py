"""Reviews on real servers and databases: made once by the worker, written once by two processes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from threading import Barrier, Thread
from typing import Any

import dj_database_url
import pytest
from django.db import connection

from accounts.models import User
from games.models import Game, GameReview, ReviewedPlay
from games.peco_peco import review
from games.peco_peco.tests.fast_games import played_game
from games.study.review import jobs, reviews
from perudo_site import databases
from tests.support.databases import using_database
from tests.support.finished_games import filled
from tests.support.fixtures import new_database
from tests.support.live_site import LiveSite
from tests.support.players import HttpPlayer, wait_for

pytestmark = pytest.mark.real_server


def test_a_visitor_asks_waits_and_reads(
    new_site: Callable[..., LiveSite], new_player: Callable[..., HttpPlayer]
) -> None:
    site = new_site()
    [code] = filled(site.folder, "peco_peco", 1)
    site.start()
    person, here = new_player(site), f"/games/{code}/replay/review"
    assert "Preparing the review" in person.get(here).text
    wait_for(lambda: 'class="reviewed"' in person.get(f"{here}?waited=2").text, "the review")
    assert person.get(f"/games/{code}/replay").status_code == 200


def at_once(*tasks: Callable[[], Any]) -> None:
    """Do these at the same time, each on a connection of its own."""
    barrier = Barrier(len(tasks))

    def run(task: Callable[[], Any]) -> None:
        barrier.wait()
        try:
            task()
        finally:
            connection.close()

    threads = [Thread(target=run, args=[task]) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_two_processes_on_postgresql_write_one_review(
    migrated_postgres: str, django_db_blocker: Any
) -> None:
    with new_database(like=migrated_postgres) as address:
        settings = databases.postgresql(dj_database_url.parse(address))
        with django_db_blocker.unblock(), using_database(settings):
            people = [User.objects.create_user(name) for name in ("ana", "ben", "cleo")]
            game = played_game(*people, "easy")
            assert game.finished_at is not None
            now = game.finished_at + timedelta(hours=1)
            assert jobs.next_game(now) == game
            content = review.analyse(reviews.log_of(game))
            for _ in range(5):
                GameReview.objects.all().delete()
                write = partial(reviews.write, game.pk, review.JUDGE, content, now=now)
                at_once(*[write] * 4)
                assert GameReview.objects.count() == 1
                assert ReviewedPlay.objects.count() == 3
            found = reviews.of_game(game)
            assert found is not None and found.content == content
            assert jobs.next_game(now) is None
            Game.objects.filter(pk=game.pk).update(finished_at=now - jobs.RECENT)
            GameReview.objects.all().delete()
            assert jobs.next_game(now) is None
            assert list(reviews.unreviewed()) == [game]
