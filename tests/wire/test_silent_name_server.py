"""A name server that does not answer: what is sent to hosts whose names it knows waits, alone.

The server runs where another file is mounted as /etc/resolv.conf; it names a socket on this machine
that takes questions and never says a word.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

import pytest

from tests.support.deployments import QUICK
from tests.support.fixtures import PASSWORD, unavailable
from tests.support.live_site import QUICK_SIGN_UP, ROOT, LiveSite, clean_environment
from tests.support.mail_server import MailServer, mail_server
from tests.support.players import HttpPlayer, wait_for
from tests.support.push_service import Browser, PushService, push_service

pytestmark = pytest.mark.real_server
NewPlayer = Callable[..., HttpPlayer]
# By itself glibc asks twice, and again for a name with each domain it searches.
ADDRESS = "127.53.53.53"
ANSWERS_NEVER = f"nameserver {ADDRESS}\noptions timeout:15 attempts:3\n"
AWAY = "fcm.googleapis.com"


@dataclass
class NameServer:
    """What it was asked, and when, by time.monotonic."""

    asked: list[float] = field(default_factory=list)


@pytest.fixture
def name_server() -> Iterator[NameServer]:
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        unavailable("Only root can mount another resolv.conf, with unshare")
    server = NameServer()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind((ADDRESS, 53))
        taken.settimeout(0.2)
        ended = False

        def take() -> None:
            while not ended:
                try:
                    taken.recv(512)
                except TimeoutError:
                    continue
                server.asked.append(time.monotonic())

        thread = Thread(target=take)
        thread.start()
        yield server
        ended = True
        thread.join()


class SiteBehind(LiveSite):
    """A site that asks that name server alone."""

    def begin(self) -> None:
        file = self.folder / "resolv.conf"
        file.write_text(ANSWERS_NEVER)
        serve = [sys.executable, "manage.py", "serve", "--port", str(self.port)]
        mounted = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'
        command = ["unshare", "--mount", "sh", "-c", mounted, str(file), *serve]
        environment = clean_environment(**self.environment)
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=log, stderr=log
            )


@pytest.fixture
def mail() -> Iterator[MailServer]:
    with mail_server() as running:
        yield running


@pytest.fixture
def service(tmp_path: Path) -> Iterator[PushService]:
    with push_service(tmp_path) as found:
        yield found


@pytest.fixture
def site(
    name_server: NameServer,
    prepared_folder: Path,
    tmp_path: Path,
    service: PushService,
    mail: MailServer,
) -> Iterator[LiveSite]:
    environment = {
        "PUSH_SERVICES": f"{service.host} {AWAY} *.push.example",
        "SSL_CERT_FILE": str(service.certificate),
        "EMAIL_URL": mail.url,
        "LETTERS_PER_DAY": "100",
    }
    found = SiteBehind.of(prepared_folder, tmp_path / "site", **QUICK | QUICK_SIGN_UP | environment)
    found.start()
    yield found
    found.discard()


def turned_on(person: HttpPlayer, browser: Browser) -> Browser:
    answer = person.post("/notifications/browser", htmx=False, do="on", **browser.given)
    assert answer.status_code == 200, answer.text
    return browser


def asks(person: HttpPlayer, whom: HttpPlayer) -> None:
    answer = person.post("/friends/act", htmx=False, do="ask", whom=whom.name)
    assert answer.status_code == 200


def test_it_holds_up_no_letter_no_other_job_no_other_push_and_no_end(
    site: LiveSite,
    name_server: NameServer,
    service: PushService,
    mail: MailServer,
    new_player: NewPlayer,
) -> None:
    with site.client() as client:
        form = {"username": "Dora", "password1": PASSWORD}
        client.post("/account/signup/", data=form | {"email": "dora@example.org"})
    mail.wait(1)
    fay, gus, hal = (new_player(site, name) for name in ("Fay", "Gus", "Hal"))
    for number in range(5):
        turned_on(gus, Browser(f"https://{AWAY}/send/{number}"))
        turned_on(gus, Browser(f"https://host{number}.push.example/{number}"))
    browser = turned_on(hal, service.browser())
    asks(fay, gus)
    wait_for(lambda: name_server.asked, "a look-up")
    began = time.monotonic()

    # While it hangs: each letter, each push to another service, and the jobs that write.
    took = []
    for number in range(1, 4):
        asked = time.monotonic()
        with site.client() as client:
            client.post("/account/password/reset/", data={"email": "dora@example.org"})
        mail.wait(1 + number)
        took.append(time.monotonic() - asked)
    asks(fay, hal)
    wait_for(lambda: service.told(browser), "the push to the service that answers")
    told = time.monotonic() - began
    assert max(took) < 6, took
    assert told < 8 + 3 * 6, told
    # Nobody waits for the fourth part of a minute that the look-up takes.
    wait_for(lambda: site.log.count("push postponed") >= 10, "the ends of the pushes that hang")
    assert time.monotonic() - began < 15
    assert f"push postponed kind=friend status=0 service={AWAY}" in site.log
    assert "job failed" not in site.log

    ending = time.monotonic()
    site.stop()
    assert time.monotonic() - ending < 10
