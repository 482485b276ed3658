"""The privacy page says what the jobs do, and the footer what the settings say of the host."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client

from accounts import held_names, known_browsers, outbox, retention, sign_in_codes, stored_posts
from accounts.models import User
from games import words
from games.lobby.matching import queue
from games.lobby.standing import ownership as standing
from games.play import next_tables
from games.social.chat import retention as chat
from games.social.inbox import retention as inbox
from perudo_site import jobs, retention_periods

pytestmark = pytest.mark.django_db

PERIODS = [
    (chat, "MESSAGES_FOR"),
    (chat, "REPORTS_FOR"),
    (inbox, "ENTRIES_FOR"),
    (outbox, "KEPT_FOR"),
    (held_names, "HELD_FOR"),
    (known_browsers, "LASTS"),
    (sign_in_codes, "VALID"),
    (retention, "EVERY"),
    (stored_posts, "LASTS"),
    (queue, "REMEMBERED"),
    (next_tables, "WISHED_FOR"),
    (standing, "COUNTED_FOR"),
]


def text_of(address: str, **headers: str) -> str:
    answer = Client().get(address, headers=headers)
    assert answer.status_code == 200
    return " ".join(unescape(answer.content.decode()).split())


def test_the_periods_on_the_page_are_those_of_the_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "777 days" not in text_of("/privacy")
    for module, constant in PERIODS:
        with monkeypatch.context() as job:
            job.setattr(module, constant, timedelta(days=777))
            assert "777 days" in text_of("/privacy"), (module, constant)


def test_the_periods_on_the_page_are_those_of_the_settings(settings: Any) -> None:
    settings.SESSION_COOKIE_AGE = 777 * 86_400
    settings.LOG_DAYS, settings.BACKUP_DAYS = 778, 779
    settings.ACCOUNT_RATE_LIMITS = {"login": "3/m/ip,5/780d/key"}
    page = text_of("/privacy")
    assert [days for days in range(777, 781) if f"{days} days" not in page] == []


def test_the_page_tells_of_every_job_that_deletes_by_time() -> None:
    """A new one belongs on the page, and then here."""
    names = [job.name for job in jobs.IN_THE_BACKGROUND]
    told = [name.removeprefix("retention of ") for name in names if "retention" in name]
    assert told == ["accounts", "the chat", "inboxes", "standing tables"]


def test_every_period_that_is_computed_is_on_the_page(settings: Any) -> None:
    settings.LOG_DAYS, settings.BACKUP_DAYS = 11, 44
    page = text_of("/privacy")
    for name, period in retention_periods.in_words().items():
        assert period and period in page, name


def test_the_page_claims_nothing_that_the_host_has_not_said() -> None:
    told = retention_periods.in_words()
    assert (told["logs"], told["backups"]) == ("", "")
    page = text_of("/privacy")
    assert "may write addresses to its log" in page and "it is deleted after" not in page


def test_the_footer_has_no_dead_link(settings: Any, alice_client: Client) -> None:
    for client in (Client(), alice_client):
        page = client.get("/privacy").content.decode()
        assert 'href="/privacy"' in page
        assert "/imprint" not in page and "mailto:" not in page
    assert Client().get("/imprint").status_code == 404
    settings.IMPRINT, settings.CONTACT_EMAIL = ["Ana <b>", "Gran Vía 1"], "ask@example.org"
    for address in ("/", "/rules", "/account/login/", "/privacy", "/imprint", "/players/alice"):
        page = alice_client.get(address).content.decode()
        assert 'href="/imprint"' in page and 'href="mailto:ask@example.org"' in page, address
    imprint = Client().get("/imprint").content.decode()
    assert "Ana &lt;b&gt;" in imprint and "Gran Vía 1" in imprint


def test_the_rights_on_the_page_lead_where_they_are_used(alice: User, alice_client: Client) -> None:
    page = alice_client.get("/privacy").content.decode()
    for address in ("/account/data", "/account/delete"):
        assert f'href="{address}"' in page
        assert alice_client.get(address).status_code == 200


def test_a_length_has_the_units_people_use() -> None:
    hours = [1 / 60, 45 / 60, 1, 2.5, 24, 90 * 24]
    told = [words.length(timedelta(hours=each)) for each in hours]
    assert told == ["1 min", "45 min", "1 h", "2 h 30 min", "1 day", "90 days"]
