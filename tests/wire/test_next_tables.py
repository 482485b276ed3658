"""The next table over the wire: from one process to the other, and over a kill -9."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.support.deployments import QUICK, Deployment, error_entries
from tests.support.live_site import LiveSite
from tests.support.players import HttpPlayer, start_table, wait_for
from tests.support.site_database import SiteDatabase, locked
from tests.wire.test_races import at_once, everywhere, guests

pytestmark = pytest.mark.real_server
NewPlayer = Callable[..., HttpPlayer]
# More than the three seconds that a write waits for a locked file.
LOCKED_SECONDS = 4.5


def next_code(database: SiteDatabase, code: str) -> str:
    """The code of the next table; "" while there is none."""
    [number] = database.game(code, "rematch_id")
    found = database.rows("SELECT code FROM games_game WHERE id = ?", number)
    return str(found[0][0]) if found else ""


def people_at(database: SiteDatabase, code: str) -> list[object]:
    return [user for _, user, _ in database.seats(code) if user is not None]


def status(database: SiteDatabase, code: str) -> str:
    return str(database.game(code, "status")[0])


def wished(database: SiteDatabase) -> int:
    """How many who wish a seat at a next table have its page in view."""
    return int(database.rows("SELECT COUNT(*) FROM games_nextseat WHERE seen_at IS NOT NULL")[0][0])


def wish_a_seat(watcher: HttpPlayer, code: str) -> None:
    """With the page open, and its first look over: only then does the site note who closes it."""
    watcher.open_page(code)
    wait_for(lambda: watcher.sockets[0].is_current, "the first look of the page")
    assert watcher.action(code, "next") == ""


def test_who_watches_at_another_process_plays_the_next_one(
    pair: Deployment, new_player: NewPlayer
) -> None:
    """Everybody presses several times at once: nobody sits twice, and nobody is lost."""
    ana, ben, cleo = guests(new_player, pair, 3)
    code = start_table([ana, ben])
    cleo.open_page(code)
    words = at_once(
        *(lambda twin=twin: twin.action(code, "next") for twin in everywhere(cleo, pair))
    )
    assert set(words) == {""}
    assert pair.database.rows("SELECT COUNT(*) FROM games_nextseat") == [(1,)]
    assert ben.move(code, "leave") == ""
    at_once(
        *(lambda twin=twin: twin.post(f"/games/{code}/rematch") for twin in everywhere(ana, pair))
    )
    again = wait_for(lambda: next_code(pair.database, code), "the next table")
    wait_for(lambda: status(pair.database, again) == "playing", "its beginning")
    assert len(people_at(pair.database, again)) == len(set(people_at(pair.database, again))) == 2
    assert pair.database.rows("SELECT COUNT(*) FROM games_nextseat") == [(0,)]


def test_who_closes_the_page_gets_no_seat(pair: Deployment, new_player: NewPlayer) -> None:
    ana, ben, cleo = guests(new_player, pair, 3)
    code = start_table([ana, ben])
    wish_a_seat(cleo, code)
    cleo.sockets[0].close()
    wait_for(lambda: wished(pair.database) == 0, "that Cleo is away")
    assert ben.move(code, "leave") == ""
    ana.post(f"/games/{code}/rematch")
    again = wait_for(lambda: next_code(pair.database, code), "the next table")
    wait_for(
        lambda: pair.database.rows("SELECT COUNT(*) FROM games_nextseat") == [(0,)],
        "the end of the wait",
    )
    assert len(people_at(pair.database, again)) == 1


def test_who_closes_the_page_while_the_file_is_locked_gets_no_seat(
    new_site: Callable[..., LiveSite], new_player: NewPlayer
) -> None:
    """No heartbeat says it again; the site writes it once it can."""
    site = new_site(**QUICK)
    site.start()
    database = SiteDatabase(site.folder)
    ana, ben, cleo = (new_player(site) for _ in range(3))
    code = start_table([ana, ben])
    wish_a_seat(cleo, code)
    with locked(site.folder):
        cleo.sockets[0].close()
        time.sleep(LOCKED_SECONDS)
        assert wished(database) == 1
    wait_for(lambda: wished(database) == 0, "that Cleo is away")
    assert error_entries(site.log) == []


def test_a_seat_that_was_promised_is_there_after_a_kill(
    new_site: Callable[..., LiveSite], new_player: NewPlayer
) -> None:
    site = new_site(**QUICK)
    site.start()
    database = SiteDatabase(site.folder)
    ana, ben, cleo = (new_player(site) for _ in range(3))
    code = start_table([ana, ben])
    assert cleo.action(code, "next") == ""
    site.kill()
    site.start()
    cleo.open_page(code)
    assert ben.move(code, "leave") == ""
    site.kill()
    site.start()
    cleo.open_page(code)
    wait_for(lambda: wished(database) == 1, "that Cleo is back")
    ana.post(f"/games/{code}/rematch")
    again = wait_for(lambda: next_code(database, code), "the next table")
    wait_for(lambda: status(database, again) == "playing", "its beginning")
    assert len(set(people_at(database, again))) == 2
    assert error_entries(site.log) == []


def test_a_countdown_goes_on_after_a_kill(
    new_site: Callable[..., LiveSite], new_player: NewPlayer
) -> None:
    """The one who opened the next table has a bot there, and the other does not come back."""
    site = new_site(**QUICK)
    site.start()
    database = SiteDatabase(site.folder)
    ana, ben = new_player(site), new_player(site)
    code = ana.open_table(size=3)
    assert ben.action(code, "sit") == "" and ana.action(code, "add-bot", kind="steady") == ""
    assert ana.action(code, "start") == ""
    database.write("UPDATE games_game SET status = 'finished', due_at = NULL WHERE code = ?", code)
    ana.post(f"/games/{code}/rematch")
    again = wait_for(lambda: next_code(database, code), "the next table")
    assert status(database, again) == "open"
    site.kill()
    site.start()
    wait_for(lambda: status(database, again) == "playing", "its beginning", patience=90)
    assert len(people_at(database, again)) == 1 and len(database.seats(again)) == 2
