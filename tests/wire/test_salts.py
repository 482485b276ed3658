"""What browsers add to the draws, over a real wire: at the same instant, and with kills between."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from secrets import token_bytes

import pytest

from games.core import proof
from tests.support.deployments import QUICK, Deployment, error_entries
from tests.support.live_site import LiveSite
from tests.support.players import HttpPlayer, take_seats, wait_for
from tests.support.site_database import SiteDatabase
from tests.wire.test_races import at_once, guests

pytestmark = pytest.mark.real_server
NewPlayer = Callable[..., HttpPlayer]
SALTS = (
    "SELECT p.salts FROM games_drawproof p JOIN games_game g ON g.id = p.game_id WHERE g.code = ?"
)


def send_parts(code: str, people: list[HttpPlayer]) -> dict[HttpPlayer, str]:
    """A salt of each of these people; the site has its hash."""
    salts = {person: token_bytes(proof.LENGTH) for person in people}
    for person, salt in salts.items():
        assert person.action(code, "part", part=proof.part(code, salt).hex()) == ""
    return {person: salt.hex() for person, salt in salts.items()}


def root(person: HttpPlayer, code: str) -> str:
    """The root on this person's page; that of a game that has begun is not there any more."""
    view = person.view(code)
    own = view.own
    if view.phase:
        return view.phase
    return own.split('data-root="', 1)[1].split('"', 1)[0] if 'data-root="' in own else ""


def test_the_last_of_salts_that_come_at_once_begins_the_game_once(
    any_deployment: Deployment, new_player: NewPlayer
) -> None:
    in_time = 0
    for _ in range(6):
        people = guests(new_player, any_deployment, 3)
        code = take_seats(people)
        for person in people:
            person.open_page(code)
        salts = send_parts(code, people)
        assert people[0].action(code, "start") == ""
        for person in people:
            wait_for(partial(root, person, code), "the root")
        opens = [partial(person.action, code, "salt", salt=salts[person]) for person in people]
        told = at_once(*opens)
        wait_for(lambda: all(one.view(code).phase for one in people), "the first turn")  # noqa: B023
        any_deployment.database.check(code)
        taken = str(any_deployment.database.rows(SALTS, code))
        if told == ["", "", ""]:  # otherwise two seconds were not enough for this machine
            assert all(salt in taken for salt in salts.values())
            in_time += 1
        if in_time == 2:
            return
    raise AssertionError("salts were late in nearly every game")


def test_salts_and_a_start_at_once_leave_one_table(pair: Deployment, new_player: NewPlayer) -> None:
    """Who adds a part as the root is fixed is in it, or is refused; never in between."""
    in_time = 0
    for _ in range(8):
        people = guests(new_player, pair, 3)
        code = take_seats(people)
        for person in people:
            person.open_page(code)
        salts = send_parts(code, people[:1])
        late = token_bytes(proof.LENGTH)
        part = proof.part(code, late).hex()
        _, refused = at_once(
            partial(people[0].action, code, "start"),
            partial(people[1].action, code, "part", part=part),
        )
        wait_for(partial(root, people[0], code), "the root")
        told = people[0].action(code, "salt", salt=salts[people[0]])
        if not refused:
            told += people[1].action(code, "salt", salt=late.hex())
        wait_for(lambda: all(one.view(code).phase for one in people), "the first turn")  # noqa: B023
        pair.database.check(code)
        taken = str(pair.database.rows(SALTS, code))
        if told == "":
            assert salts[people[0]] in taken and (late.hex() in taken) != bool(refused)
            in_time += 1
        if in_time == 3:
            return
    raise AssertionError("salts were late in nearly every game")


def test_a_kill_between_all_steps_loses_no_salt_and_begins_the_game(
    new_site: Callable[..., LiveSite], new_player: NewPlayer
) -> None:
    site = new_site(**QUICK)
    site.start()
    database = SiteDatabase(site.folder)

    def again() -> None:
        site.kill()
        site.start()
        for person in people:
            person.open_page(code)

    for killed in range(4):
        people = [new_player(site) for _ in range(3)]
        code = take_seats(people)
        for person in people:
            person.open_page(code)
        salts = send_parts(code, people)
        if killed == 0:
            again()
        assert people[0].action(code, "start") == ""
        if killed == 1:
            again()
        told = ""
        for number, person in enumerate(people):
            # Within the two seconds, or it has begun without them.
            told += person.action(code, "salt", salt=salts[person])
            if killed == 2 and number == 1:
                again()
        if killed == 3:
            again()
        wait_for(lambda: all(one.view(code).phase for one in people), "the first turn")  # noqa: B023
        database.check(code)
        if killed in (0, 3) and told == "":
            assert all(salt in str(database.rows(SALTS, code)) for salt in salts.values())
    assert error_entries(site.log) == []
