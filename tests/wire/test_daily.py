"""The question of the day over the wire: one for all processes, one answer a person, none lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import dj_database_url
import pytest
from django.db import connection, transaction

from accounts.models import User
from games.contract import catalogue
from games.models import DailyRound
from games.study.questions import choosing, daily, days
from perudo_site import databases
from tests.support.databases import using_database
from tests.support.deployments import QUICK, Deployment
from tests.support.fast_games import finished_game
from tests.support.fixtures import new_database
from tests.support.live_site import LiveSite
from tests.support.players import HttpPlayer, wait_for
from tests.wire.test_races import at_once, everywhere, guests

pytestmark = pytest.mark.real_server
NewPlayer = Callable[..., HttpPlayer]

# What a visitor of any question of Perudo can choose, and at most questions of Peco Peco.
CHOICES = ("dudo", "declare", "accuse")


def question_of(person: HttpPlayer) -> str:
    """The address of the question of today; a site chooses it within its first seconds."""
    wait_for(lambda: person.get("/daily").status_code == 200, "the question of the day")
    return person.get("/daily").url.path


def choose(person: HttpPlayer, here: str) -> str:
    """Answer it; the page that comes of it."""
    answers = [person.post(here, htmx=False, do=do) for do in CHOICES]
    return next(answer.text for answer in answers if answer.status_code == 200)


def test_two_processes_choose_one_question(pair: Deployment, new_player: NewPlayer) -> None:
    """Both look for one when they start."""
    first, second = guests(new_player, pair, 2)
    assert question_of(first) == question_of(second)
    rows = pair.database.rows("SELECT day, facts FROM games_dailyround WHERE withdrawn_at IS NULL")
    assert len(rows) == 1
    titles = {
        re.findall(r"<h1[^>]*>([^<]*)</h1>", person.get(question_of(person)).text)[0]
        for person in (first, second)
    }
    assert len(titles) == 1


def test_an_answer_six_times_at_once_is_stored_once(
    any_deployment: Deployment, new_player: NewPlayer
) -> None:
    [person] = guests(new_player, any_deployment, 1)
    here = question_of(person)
    before = len(any_deployment.database.rows("SELECT id FROM games_dailyanswer"))
    pages = at_once(*(partial(choose, twin, here) for twin in everywhere(person, any_deployment)))
    assert all("is-mine" in page for page in pages)
    assert len(any_deployment.database.rows("SELECT id FROM games_dailyanswer")) == before + 1


def test_an_answer_survives_a_kill(
    prepared_folder: Path, tmp_path: Path, new_player: NewPlayer
) -> None:
    site = LiveSite.of(prepared_folder, tmp_path / "site", **QUICK)
    site.start()
    try:
        person = new_player(site)
        here = question_of(person)
        assert "is-mine" in choose(person, here)
        site.kill()
        site.start()
        assert "is-mine" in person.get(here).text
        assert question_of(person) == here
    finally:
        site.discard()


def test_whose_account_is_deleted_meanwhile_is_not_asked_about(
    migrated_postgres: str, django_db_blocker: Any
) -> None:
    """The job waits for the deletion, and then finds that not everybody agrees any more."""
    now = datetime.now(UTC)
    kind = catalogue.of("perudo")
    made: list[bool] = []
    with new_database(like=migrated_postgres) as address:
        settings = databases.postgresql(dj_database_url.parse(address))
        with django_db_blocker.unblock(), using_database(settings):
            person, other = (
                User.objects.create_user(name, lends_decisions=True) for name in ("ana", "ben")
            )
            game = finished_game(person, other, now=now)
            decision = next(choosing.undecided(kind.key, kind.replay.moments(game)))
            deletes = Event()

            def choose_meanwhile() -> None:
                deletes.wait()
                made.append(choosing._made(game, decision, days.day_of(now), now=now))
                connection.close()

            job = Thread(target=choose_meanwhile)
            job.start()
            with transaction.atomic():
                daily.forget(person, now=now)
                deletes.set()
                job.join(timeout=1.0)
                assert job.is_alive(), "it did not wait"
                User.objects.filter(pk=person.pk).update(lends_decisions=False)
            job.join()
            assert made == [False]
            assert not DailyRound.objects.exists()
