"""Web push over the wire: what was acknowledged is told, once, over a kill -9 and two processes."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from time import sleep

import pytest

from tests.support.deployments import QUICK, Deployment, run_deployment
from tests.support.fixtures import new_database
from tests.support.live_site import LiveSite
from tests.support.players import HttpPlayer, wait_for
from tests.support.push_service import PushService, push_service
from tests.wire.test_races import at_once, everywhere

pytestmark = pytest.mark.real_server
NewPlayer = Callable[..., HttpPlayer]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[PushService]:
    with push_service(tmp_path) as found:
        yield found


@pytest.fixture
def site(prepared_folder: Path, tmp_path: Path, service: PushService) -> Iterator[LiveSite]:
    pushes = {"PUSH_SERVICES": service.host, "SSL_CERT_FILE": str(service.certificate)}
    found = LiveSite.of(prepared_folder, tmp_path / "site", **QUICK | pushes)
    found.start()
    yield found
    found.discard()


@pytest.fixture(params=["sqlite", "postgres"])
def two(
    request: pytest.FixtureRequest,
    needs_redis: str,
    prepared_folder: Path,
    tmp_path: Path,
    service: PushService,
) -> Iterator[Deployment]:
    """Two processes that send, with a data folder each, on each database."""
    environment = QUICK | {
        "REDIS_URL": needs_redis,
        "SECRET_KEY": "the same for all processes of a site " * 2,
        "PUSH_SERVICES": service.host,
        "SSL_CERT_FILE": str(service.certificate),
    }
    with ExitStack() as stack:
        address = ""
        if request.param == "postgres":
            template = request.getfixturevalue("migrated_postgres")
            address = stack.enter_context(new_database(like=template))
            environment["DATABASE_URL"] = address
        else:
            environment["DATABASE_URL"] = f"sqlite:///{tmp_path}/site/db.sqlite3"
        sites = [
            LiveSite.of(prepared_folder, tmp_path / name, **environment)
            for name in ("site", "another")
        ]
        yield stack.enter_context(run_deployment(sites, address))


def test_they_sign_with_one_key(two: Deployment, new_player: NewPlayer) -> None:
    ana = new_player(two.site, "Ana")
    pages = [ana.at(process).get("/").text for process in two.processes]
    keys = {key for page in pages for key in re.findall(r'data-push="([^"]+)"', page)}
    assert len(keys) == 1
    assert "push keys differ" not in two.log


def act(person: HttpPlayer, do: str, whom: HttpPlayer) -> None:
    answer = person.post("/friends/act", htmx=False, do=do, whom=whom.name)
    assert answer.status_code == 200


def turned_on(person: HttpPlayer, service: PushService) -> object:
    browser = service.browser()
    answer = person.post("/notifications/browser", htmx=False, do="on", **browser.given)
    assert answer.status_code == 200, answer.text
    return browser


def test_what_was_acknowledged_is_told_once_over_a_kill(
    site: LiveSite, service: PushService, new_player: NewPlayer
) -> None:
    fay, gus = new_player(site, "Fay"), new_player(site, "Gus")
    browser = turned_on(gus, service)
    act(fay, "ask", gus)
    site.kill()
    assert len(service.taken) <= 1
    site.start()
    wait_for(lambda: service.told(browser), "the push")
    sleep(4)  # the job has looked again
    assert [each["body"] for each in service.told(browser)] == ["Fay wants to be friends."]


def test_what_was_being_sent_when_it_was_killed_is_sent_again_in_place_of_the_first(
    site: LiveSite, service: PushService, new_player: NewPlayer
) -> None:
    fay, gus = new_player(site, "Fay"), new_player(site, "Gus")
    browser = turned_on(gus, service)
    service.waits = 3.0
    act(fay, "ask", gus)
    wait_for(lambda: service.taken, "the push")
    site.kill()  # before the service has answered
    service.waits = 0.0
    with closing(sqlite3.connect(site.folder / "db.sqlite3")) as rows, rows:
        [(attempts,)] = rows.execute("SELECT attempts FROM games_pushmessage")
        assert attempts == 1
        # As if the claim had run out.
        rows.execute("UPDATE games_pushmessage SET due_at = '2020-01-01 00:00:00'")
    site.start()
    wait_for(lambda: len(service.told(browser)) > 1, "the second push")
    first, second = service.taken
    assert first.headers["topic"] == second.headers["topic"]
    assert service.told(browser)[0]["tag"] == service.told(browser)[1]["tag"]


def test_two_processes_tell_each_thing_once(
    two: Deployment, service: PushService, new_player: NewPlayer
) -> None:
    gus = new_player(two.processes[0], "Gus")
    browser = service.browser()

    def turn_on(player: HttpPlayer) -> int:
        where, given = "/notifications/browser", browser.given
        return player.post(where, htmx=False, do="on", **given).status_code

    # The same browser six times at once is one.
    statuses = at_once(*(partial(turn_on, twin) for twin in everywhere(gus, two)))
    assert set(statuses) == {200}
    assert len(two.database.rows("SELECT id FROM games_pushsubscription")) == 1
    names = [f"Fay{number}" for number in range(6)]
    people = [new_player(two.processes[number % 2], name) for number, name in enumerate(names)]
    at_once(*(partial(act, each, "ask", gus) for each in people))
    wait_for(lambda: len(service.taken) >= len(people), "the pushes")
    sleep(4)  # both jobs have looked again
    bodies = sorted(each["body"] for each in service.told(browser))
    assert bodies == [f"{name} wants to be friends." for name in names]
    assert two.database.rows("SELECT id FROM games_pushmessage") == []


def test_nothing_is_said_of_browsers_in_the_log(
    site: LiveSite, service: PushService, new_player: NewPlayer
) -> None:
    fay, gus = new_player(site, "Fay"), new_player(site, "Gus")
    browser = turned_on(gus, service)
    service.status = 403
    act(fay, "ask", gus)
    wait_for(lambda: "push refused" in site.log, "the log")
    assert str(browser.given["endpoint"]).rpartition("/")[2] not in site.log
    assert browser.given["auth"] not in site.log
    assert "service=localhost" in site.log
