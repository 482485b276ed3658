"""*Play with people* at the same instant, in several processes, and across a kill -9."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import aiohttp
import pytest

from tests.support.deployments import QUICK, Deployment, error_entries, run_deployment
from tests.support.fixtures import new_database
from tests.support.live_site import LiveSite
from tests.support.players import HttpPlayer, wait_for
from tests.support.site_database import SiteDatabase
from tests.wire.test_races import at_once, everywhere, guests

pytestmark = pytest.mark.real_server
NewPlayer = Callable[..., HttpPlayer]
OPEN_SEATS = (
    "SELECT u.username, g.code, g.status FROM games_seat s JOIN games_game g ON g.id = s.game_id "
    "JOIN accounts_user u ON u.id = s.user_id "
    "WHERE g.origin = 'quick' AND g.status IN ('open', 'playing')"
)


def press(person: HttpPlayer, **fields: str) -> str:
    """The page to which the button leads."""
    return person.post("/play", **fields).headers.get("HX-Redirect", "")


def answer(person: HttpPlayer, do: str) -> str:
    return person.post("/play/answer", do=do).headers.get("HX-Redirect", "")


def seats(database: SiteDatabase, people: list[HttpPlayer]) -> dict[str, list[tuple[str, str]]]:
    """The quick tables that are not over at which each of these people sits: (code, status)."""
    names = {person.name for person in people}
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in names}
    for name, code, status in database.rows(OPEN_SEATS):
        if name in names:
            found[name].append((code, status))
    return found


def state(database: SiteDatabase, person: HttpPlayer) -> str:
    [found] = database.rows(
        "SELECT s.state FROM games_search s JOIN accounts_user u ON u.id = s.user_id "
        "WHERE u.username = ?",
        person.name,
    )
    return str(found[0])


@pytest.fixture
def come(
    any_deployment: Deployment, new_player: NewPlayer
) -> Iterator[Callable[[int], list[HttpPlayer]]]:
    """So many guests at the processes of a site, who leave the line in the end."""
    came: list[HttpPlayer] = []

    def arrive(number: int) -> list[HttpPlayer]:
        came.extend(people := guests(new_player, any_deployment, number))
        return people

    yield arrive
    for person in came:
        person.post("/play/answer", do="stop")
        for code, _ in seats(any_deployment.database, [person])[person.name]:
            person.action(code, "move", do="leave", seen=0)


def test_all_who_press_at_once_meet_and_nobody_sits_twice(
    any_deployment: Deployment, come: Callable[[int], list[HttpPlayer]]
) -> None:
    people = come(5)
    at_once(*(partial(press, person, game="perudo") for person in people))
    sitting = seats(any_deployment.database, people)
    assert [len(places) for places in sitting.values()] == [1] * 5
    assert len({code for [(code, _)] in sitting.values()}) == 1, "all at one table"
    at_once(*(partial(answer, person, "start") for person in people))
    sitting = seats(any_deployment.database, people)
    assert {status for [(_, status)] in sitting.values()} == {"playing"}
    assert {state(any_deployment.database, person) for person in people} == {"seated"}


def test_one_person_on_many_devices_has_one_place(
    any_deployment: Deployment, come: Callable[[int], list[HttpPlayer]]
) -> None:
    [person] = come(1)
    at_once(*(partial(press, each) for each in everywhere(person, any_deployment)))
    assert len(seats(any_deployment.database, [person])[person.name]) == 1
    [warm_ups] = any_deployment.database.rows(
        "SELECT count(*) FROM games_game g JOIN games_seat s ON s.game_id = g.id JOIN "
        "accounts_user u ON u.id = s.user_id WHERE g.origin = 'warm_up' AND u.username = ?",
        person.name,
    )
    assert warm_ups == (1,)


def test_who_answers_while_the_other_leaves_is_lost_by_nobody(
    any_deployment: Deployment, come: Callable[[int], list[HttpPlayer]]
) -> None:
    first, second = come(2)
    for _ in range(3):
        press(first)
        press(second)
        at_once(partial(answer, first, "start"), partial(answer, second, "not_now"))
        sitting = seats(any_deployment.database, [first, second])
        if sitting[second.name]:  # the answer was faster: they play
            assert [status for _, status in sitting[first.name]] == ["playing"]
            break
        assert [status for _, status in sitting[first.name]] == ["open"]
        assert state(any_deployment.database, first) == "waiting"


def test_silence_seats_no_ghost(
    any_deployment: Deployment, come: Callable[[int], list[HttpPlayer]]
) -> None:
    ghost, newcomer = come(2)
    press(ghost)
    code = re.sub("/games/", "", press(newcomer))
    database = any_deployment.database
    # The countdown is nearly over.
    wait_for(lambda: state(database, ghost) == "missed", "the end of the countdown", patience=20)
    assert state(database, newcomer) == "waiting"
    assert seats(database, [ghost, newcomer]) == {
        ghost.name: [], newcomer.name: [(code, "open")],
    }  # fmt: skip


@pytest.fixture(params=["sqlite", "postgres"])
def mortal(
    request: pytest.FixtureRequest, new_site: Callable[..., LiveSite]
) -> Iterator[Deployment]:
    """A site of one process that may be killed, on each database."""
    if request.param == "sqlite":
        site = new_site(**QUICK)
        with run_deployment([site]) as deployment:
            yield deployment
        return
    with new_database(like=request.getfixturevalue("migrated_postgres")) as address:
        site = new_site(**QUICK, DATABASE_URL=address)
        with run_deployment([site], address) as deployment:
            yield deployment


def test_killed_in_the_middle_nobody_is_lost_and_the_countdown_is_asked_again(
    mortal: Deployment, new_player: NewPlayer
) -> None:
    people = guests(new_player, mortal, 4)

    def press_or_die(person: HttpPlayer) -> None:
        try:
            press(person, game="perudo")
        except (aiohttp.ClientError, OSError):
            return  # cut off: nobody knows whether it was done

    def die() -> None:
        time.sleep(0.05)
        mortal.site.kill()

    at_once(*(partial(press_or_die, person) for person in people), die)
    mortal.site.start()
    for person in people:  # whoever was cut off presses again
        press(person, game="perudo")
    sitting = seats(mortal.database, people)
    assert [len(places) for places in sitting.values()] == [1] * 4
    for person in people:
        answer(person, "start")
    # Three whose presses were stored begin when the first of them presses again; the fourth waits.
    states = Counter(state(mortal.database, person) for person in people)
    assert states in ({"seated": 4}, {"seated": 3, "waiting": 1})
    [warm_ups] = mortal.database.rows(
        "SELECT count(*) FROM games_game WHERE origin = 'warm_up' AND status = 'playing'"
    )
    assert warm_ups == (states["waiting"],), "every other warm-up has ended"
    assert error_entries(mortal.log) == []


def test_killed_while_it_counts_down_people_are_asked_again(
    mortal: Deployment, new_player: NewPlayer
) -> None:
    first, second = guests(new_player, mortal, 2)
    press(first)
    press(second)
    mortal.site.kill()
    long_ago = "2001-01-01 00:00:00+00:00" if mortal.database.postgres else "2001-01-01 00:00:00"
    mortal.database.write("UPDATE games_game SET starts_at = ? WHERE origin = 'quick'", long_ago)
    mortal.site.start()
    time.sleep(2)  # several looks at countdowns
    assert (state(mortal.database, first), state(mortal.database, second)) == ("asked", "ready")
    answer(first, "start")
    assert (state(mortal.database, first), state(mortal.database, second)) == ("seated", "seated")
