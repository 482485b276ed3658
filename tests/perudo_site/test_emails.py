"""Letters of a running site: its visitors notice nothing of what a mail server does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from statistics import median

import pytest

from tests.support.fixtures import PASSWORD, new_database
from tests.support.live_site import QUICK_SIGN_UP, LiveSite
from tests.support.mail_server import MailServer, mail_server

pytestmark = pytest.mark.real_server

RESET = "/account/password/reset/"
NewSite = Callable[..., LiveSite]


@pytest.fixture
def server() -> Iterator[MailServer]:
    with mail_server() as running:
        yield running


def sign_up(site: LiveSite, server: MailServer, name: str, email: str) -> None:
    """Sign up, and take the letter that asks to confirm the address."""
    form = {"username": name, "email": email, "password1": PASSWORD}
    with site.client() as client:
        client.post("/account/signup/", data=form).raise_for_status()
    server.wait(1)
    server.taken.clear()
    server.connections = 0


def ask(site: LiveSite, email: str) -> float:
    """Ask for a reset; how many seconds the answer took."""
    with site.client() as client:
        began = time.perf_counter()
        answer = client.post(RESET, data={"email": email}, follow_redirects=False)
        took = time.perf_counter() - began
    assert answer.status_code == 302
    return took


def test_a_letter_arrives_within_seconds(new_site: NewSite, server: MailServer) -> None:
    site = new_site(EMAIL_URL=server.url, **QUICK_SIGN_UP)
    site.start()
    sign_up(site, server, "Dora", "dora@example.org")
    ask(site, "dora@example.org")
    server.wait(1, within=10)
    [letter] = server.to("dora@example.org")
    assert f"{site.url}/account/password/reset/key/" in letter.get_content()


def test_a_silent_mail_server_delays_no_visitor_and_no_end(
    new_site: NewSite, server: MailServer
) -> None:
    url = server.url.replace("timeout=2", "timeout=60")
    site = new_site(EMAIL_URL=url, **QUICK_SIGN_UP)
    site.start()
    sign_up(site, server, "Dora", "dora@example.org")
    server.silent = True
    assert ask(site, "dora@example.org") < 5
    while not server.connections:
        time.sleep(0.02)
    with site.client() as client:
        began = time.perf_counter()
        form = {"login": "Dora", "password": PASSWORD}
        answer = client.post("/account/login/", data=form, follow_redirects=False)
        assert answer.status_code == 302
        assert time.perf_counter() - began < 5
    began = time.perf_counter()
    site.stop()
    assert time.perf_counter() - began < 15
    assert "dora@" not in site.log
    server.silent = False
    # As after a power cut: the claim of the process that ended has to run out first.
    site.manage("shell", "--command", RELEASE)
    site.start()
    server.wait(1)
    assert len(server.to("dora@example.org")) == 1


def test_a_letter_survives_a_killed_process(new_site: NewSite, server: MailServer) -> None:
    site = new_site(EMAIL_URL=server.url, **QUICK_SIGN_UP)
    site.start()
    sign_up(site, server, "Dora", "dora@example.org")
    server.silent = True
    ask(site, "dora@example.org")
    while not server.connections:
        time.sleep(0.02)
    site.kill()
    server.silent = False
    site.manage("shell", "--command", RELEASE)
    site.start()
    server.wait(1)
    assert len(server.to("dora@example.org")) == 1


RELEASE = """
from accounts.letters import Letter
from django.utils import timezone
assert Letter.objects.update(due_at=timezone.now()) == 1
"""


def test_a_refused_letter_is_no_error_for_its_visitor_and_no_address_in_the_log(
    new_site: NewSite, server: MailServer
) -> None:
    site = new_site(EMAIL_URL=server.url, LOG_LEVEL="DEBUG", **QUICK_SIGN_UP)
    site.start()
    sign_up(site, server, "Dora", "dora@example.org")
    server.refused["dora@example.org"] = 550
    ask(site, "dora@example.org")
    deadline = time.monotonic() + 30
    while "letter refused" not in site.log:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert "letter refused kind=reset reason=recipient code=550" in site.log
    assert "dora" not in site.log.lower()
    assert "Traceback" not in site.log


def test_several_processes_send_each_letter_once(
    new_site: NewSite, server: MailServer, migrated_postgres: str, needs_redis: str
) -> None:
    with ExitStack() as stack:
        database = stack.enter_context(new_database(like=migrated_postgres))
        shared = {"DATABASE_URL": database, "REDIS_URL": needs_redis, "EMAIL_URL": server.url}
        first = new_site(**shared, **QUICK_SIGN_UP)
        second = new_site(beside=first, **shared, **QUICK_SIGN_UP)
        first.start()
        second.start()
        first.manage("shell", "--command", MANY)
        # Both look every fifteen seconds; a reset at each wakes them at the same time.
        ask(first, "nobody@example.org")
        ask(second, "none@example.org")
        server.wait(20)
        time.sleep(1)
        assert sorted(address for address, _letter in server.taken) == sorted(
            f"p{number}@example.org" for number in range(20)
        )
        first.kill()
        second.kill()


MANY = """
from accounts.letters import Letter
from accounts.models import User
from django.utils import timezone
now = timezone.now()
for number in range(20):
    user = User.objects.create_user(f"P{number}", f"p{number}@example.org")
    Letter.objects.create(kind="reset", email=user.email, site="http://x", language="en",
                          asked_at=now, due_at=now)
"""


def test_the_time_of_an_answer_tells_nothing(new_site: NewSite, server: MailServer) -> None:
    """The medians of nine each, in turn, while each letter takes the mail server a second."""
    server.seconds = 0.2
    site = new_site(EMAIL_URL=server.url, **QUICK_SIGN_UP)
    site.manage("shell", "--command", MANY)
    site.manage(
        "shell", "--command", "from accounts.models import Letter as L; L.objects.all().delete()"
    )
    site.start()
    known, unknown = [], []
    for number in range(9):
        known.append(ask(site, f"p{number}@example.org"))
        unknown.append(ask(site, f"nobody{number}@example.org"))
    print(f"known {1000 * median(known):.1f} ms, unknown {1000 * median(unknown):.1f} ms")
    assert abs(median(known) - median(unknown)) < 0.25
    server.wait(1)  # it was no silent failure
