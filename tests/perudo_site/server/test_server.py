"""The site as it really runs: daphne in a process of its own, and what may happen to it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.support.fixtures import PASSWORD
from tests.support.live_site import STAMP, LiveSite, manage

pytestmark = pytest.mark.real_server

NewSite = Callable[..., LiveSite]


def whose(client: httpx.Client) -> str:
    """The name on the settings page with these cookies; empty if signed out."""
    page = client.get("/account/").text
    return page.split('name="username" value="')[1].split('"')[0] if "id_theme" in page else ""


def test_files_travel_compressed_and_are_kept_for_good(shared_site: LiveSite) -> None:
    with shared_site.client() as client:
        page = client.get("/account/login/").text
        sheet = page.split('rel="stylesheet" href="')[1].split('"')[0]
        answer = client.get(sheet, headers={"Accept-Encoding": "br"})
    assert answer.status_code == HTTPStatus.OK
    assert answer.headers["Content-Encoding"] == "br"
    assert "immutable" in answer.headers["Cache-Control"]


def test_a_guest_of_the_real_server_stays_the_same(shared_site: LiveSite) -> None:
    with shared_site.guest() as guest:
        name = whose(guest)
        assert name
        assert whose(guest) == name


def test_many_people_at_once_are_all_served(shared_site: LiveSite) -> None:
    def arrive(_number: int) -> tuple[str, str]:
        with shared_site.guest() as guest:
            return whose(guest), guest.cookies["sessionid"]

    with ThreadPoolExecutor(8) as people:
        names, sessions = zip(*people.map(arrive, range(24)), strict=True)
    assert "" not in names
    assert len(set(sessions)) == 24
    assert "database is locked" not in shared_site.log


def test_many_people_sign_up_at_once(shared_site: LiveSite) -> None:
    def sign_up(number: int) -> str:
        form = {"username": f"dora{number}", "password1": PASSWORD}
        with shared_site.client() as client:
            client.post("/account/signup/", data=form | {"next": "/account/"})
            return whose(client)

    with ThreadPoolExecutor(4) as people:
        names = list(people.map(sign_up, range(8)))
    assert names == [f"dora{number}" for number in range(8)]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs Linux to count open files")
def test_no_page_leaves_a_connection_behind(live_site: LiveSite) -> None:
    assert live_site.process
    open_files = Path(f"/proc/{live_site.process.pid}/fd")
    with live_site.guest() as guest:
        for _visit in range(30):
            whose(guest)
            guest.get("/")
    held = []
    for file in list(open_files.iterdir()):
        with suppress(FileNotFoundError):  # the visitor's own line closes meanwhile
            held += [file] if "db.sqlite3" in str(file.readlink()) else []
    threads = 3  # of moves, of accounts, and of pages that are only read
    assert 0 < len(held) <= threads * len(["the file", "its log", "its shared memory"])


def test_a_session_survives_a_power_cut(live_site: LiveSite) -> None:
    with live_site.guest() as guest:
        name = whose(guest)
        live_site.kill()
        with pytest.raises(httpx.ConnectError):
            guest.get("/healthz")
        live_site.start()
        assert whose(guest) == name


def test_a_socket_opens_from_our_pages_only(shared_site: LiveSite) -> None:
    address = f"{shared_site.ws_url}/ws/lobby"
    with connect(address, origin=shared_site.url):
        pass
    with pytest.raises(InvalidStatus) as refused, connect(address, origin="https://evil.example"):
        pass
    assert refused.value.response.status_code == HTTPStatus.FORBIDDEN


def test_what_one_person_does_is_seen_by_the_others_at_once(shared_site: LiveSite) -> None:
    """Through the view's own thread and the channel layer: nothing else wakes this socket."""
    form = {"preset": "asmodee_fr", "seats": "4", "pace": "45", "visibility": "public"}
    with (
        connect(f"{shared_site.ws_url}/ws/lobby", origin=shared_site.url) as socket,
        shared_site.guest() as guest,
    ):
        name = whose(guest)
        seen, true = socket.recv(timeout=5), socket.recv(timeout=5)
        assert name not in str(seen) and STAMP.fullmatch(str(true))
        guest.post("/games/new", data=form).raise_for_status()
        assert name in str(socket.recv(timeout=5))


def test_a_strange_host_name_is_refused_in_a_sentence(shared_site: LiveSite) -> None:
    answer = httpx.get(f"{shared_site.url}/account/login/", headers={"Host": "evil.example"})
    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert "Bad request" in answer.text


def test_a_second_server_that_could_not_be_heard_does_not_start(
    live_site: LiveSite, new_site: NewSite
) -> None:
    second = new_site(beside=live_site)
    with pytest.raises(AssertionError, match="Another server already runs on the data"):
        second.start()
    assert "Traceback" not in second.log


def test_with_redis_two_servers_share_their_people(new_site: NewSite, needs_redis: str) -> None:
    first = new_site(REDIS_URL=needs_redis)
    second = new_site(beside=first, REDIS_URL=needs_redis)
    first.start()
    second.start()
    with first.guest() as guest, second.client() as elsewhere:
        elsewhere.cookies["sessionid"] = guest.cookies["sessionid"]
        assert whose(elsewhere) == whose(guest) != ""


def test_the_site_of_several_processes_runs_on_postgresql_and_redis(
    new_site: NewSite, needs_postgres: str, needs_redis: str
) -> None:
    site = new_site(DATABASE_URL=needs_postgres, REDIS_URL=needs_redis)
    site.manage("migrate", "--verbosity", "0")
    site.start()
    with site.guest() as guest:
        assert whose(guest)
    with connect(f"{site.ws_url}/ws/lobby", origin=site.url):
        pass


def test_the_limits_hold_over_several_processes(new_site: NewSite, needs_redis: str) -> None:
    """Redis counts for all; a second process must not double what one may try.

    The Redis may be somebody's own, so it is not emptied: an address of this run's own, as a
    proxy would tell it, starts a count of its own.
    """
    strict = {"REDIS_URL": needs_redis, "GUESTS_PER_HOUR": "1", "BEHIND_PROXIES": "1"}
    address = {"X-Forwarded-For": f"2001:db8:{secrets.token_hex(2)}:{secrets.token_hex(2)}::1"}
    first = new_site(**strict)
    second = new_site(beside=first, **strict)
    first.start()
    second.start()
    with first.guest(**address):
        pass
    with pytest.raises(httpx.HTTPStatusError, match="429"), second.guest(**address):
        pass


def test_logs_can_be_read_by_machines(new_site: NewSite) -> None:
    site = new_site(LOG_FORMAT="json")
    site.start()
    httpx.get(f"{site.url}/nothing-here")
    line = next(line for line in site.log.splitlines() if "unmatched" in line)
    assert line.startswith('{"')
    assert '"levelname": "WARNING"' in line


def test_a_command_works_on_the_data_of_the_site(live_site: LiveSite) -> None:
    with live_site.guest():
        pass
    count = "from accounts.models import User; print(User.objects.filter(is_guest=True).count())"
    assert live_site.manage("shell", "-v", "0", "-c", count).strip() == "1"


def test_migrations_are_complete(prepared_folder: object) -> None:
    done = manage("makemigrations", "--check", "--dry-run", DATA_DIR=str(prepared_folder))
    assert done.returncode == 0, done.stdout
