"""Meeting hours: what the setting may say, when the next one is, and the reminder."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone, translation
from icalendar import Calendar

from games.lobby import lobby_frame
from games.notify import meeting_words
from games.notify.hours import next_meeting, parse

# Winter time in Paris is UTC+1, summer time UTC+2; the clocks change on 29 March and 25 October.
PARIS = "20:00 Europe/Paris"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def next_at(setting: str, now: str) -> str:
    meeting = next_meeting(parse(setting), at(now))
    assert meeting is not None
    return f"{meeting.at:%a %d %b %H:%M}"


def test_the_next_meeting() -> None:
    cases = [
        (PARIS, "2026-01-10 12:00", "Sat 10 Jan 19:00"),
        (PARIS, "2026-07-10 12:00", "Fri 10 Jul 18:00"),
        (PARIS, "2026-01-10 19:29", "Sat 10 Jan 19:00"),  # it is on
        (PARIS, "2026-01-10 19:30", "Sun 11 Jan 19:00"),
        (PARIS, "2026-03-28 19:30", "Sun 29 Mar 18:00"),  # summer time begins in between
        (PARIS, "2026-10-24 18:30", "Sun 25 Oct 19:00"),
        ("02:30 Europe/Paris", "2026-03-29 00:10", "Sun 29 Mar 01:30"),  # an hour that is skipped
        ("02:30 Europe/Paris", "2026-10-24 23:00", "Sun 25 Oct 00:30"),  # the first of two
        ("00:10 Pacific/Auckland", "2026-01-10 12:00", "Sun 11 Jan 11:10"),
        ("23:50 America/Los_Angeles", "2026-01-10 08:00", "Sat 10 Jan 07:50"),  # of the day before
        ("Mon 20:00 UTC", "2026-01-10 12:00", "Mon 12 Jan 20:00"),
        ("Sat 08:00 UTC", "2026-01-10 12:00", "Sat 17 Jan 08:00"),
        ("mon,WED 20:00 UTC", "2026-01-13 12:00", "Wed 14 Jan 20:00"),
        ("Fri-Sun 20:00 UTC", "2026-01-08 12:00", "Fri 09 Jan 20:00"),
        ("Sat-Mon 20:00 UTC", "2026-01-12 21:00", "Sat 17 Jan 20:00"),  # over the end of the week
        ("Mon 20:00 UTC; Sat 15:00 UTC;", "2026-01-10 12:00", "Sat 10 Jan 15:00"),
    ]
    wrong = [
        (setting, now, begins, found)
        for setting, now, begins in cases
        if (found := next_at(setting, now)) != begins
    ]
    assert wrong == []


def test_there_are_none_by_default(client: Client, db: None) -> None:
    assert parse("") == ()
    assert next_meeting((), at("2026-01-10 12:00")) is None
    assert "data-meets" not in client.get("/").content.decode()
    assert client.get("/meeting.ics").status_code == 404


def test_how_long_until_then() -> None:
    cases = [
        (timedelta(hours=2, minutes=13, seconds=20), "in 2 h 14 min"),
        (timedelta(seconds=20), "in 1 min"),
        (timedelta(minutes=59, seconds=30), "in 1 h 0 min"),
        (timedelta(days=2, hours=3), "in 2 d 3 h"),
    ]
    wrong = [(left, words) for left, words in cases if meeting_words.in_words(left) != words]
    assert wrong == []


@pytest.fixture
def in_two_hours(settings: Any) -> datetime:
    """A site whose people meet in two hours, on the minute."""
    now = timezone.now().astimezone(UTC)
    meets = (now + timedelta(hours=2)).replace(second=0, microsecond=0)
    settings.MEETING_HOURS = parse(f"{meets:%H:%M} UTC")
    return meets


def test_the_lobby_says_when_people_meet_where_nobody_waits(
    client: Client, db: None, in_two_hours: datetime
) -> None:
    html = client.get("/").content.decode()
    part = html.split('class="meeting"')[1].split("</div>")[0]
    assert f">{in_two_hours:%H:%M}</time>" in part and "(UTC)" in part
    assert 'href="/meeting.ics"' in part
    assert f'data-meets="{int(in_two_hours.timestamp() * 1000)}"' in part
    assert "games/meeting" in html.split("</head>")[0]
    with translation.override("fr"):  # also what sockets are sent
        assert "(UTC)" in lobby_frame.lobby()


def test_the_reminder_is_a_calendar(client: Client, in_two_hours: datetime, settings: Any) -> None:
    settings.SITE_NAME = "Dés; dés, et dés " + "é" * 40
    answer = client.get("/meeting.ics")
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="meeting.ics"'
    lines = answer.content.split(b"\r\n")
    assert lines[-1] == b"" and all(len(line) <= 75 for line in lines)
    calendar = Calendar.from_ical(answer.content)
    [event] = calendar.walk("VEVENT")
    assert event.decoded("dtstart") == in_two_hours
    assert event.decoded("dtend") == in_two_hours + timedelta(hours=1)
    assert event["summary"] == f"Play with people: {settings.SITE_NAME}"
    assert event["uid"] == f"{in_two_hours:%Y%m%dT%H%M%SZ}-meeting@testserver"
    assert event["url"] == "http://testserver/"
    assert abs(event.decoded("dtstamp") - timezone.now()) < timedelta(minutes=1)
    [alarm] = calendar.walk("VALARM")
    assert alarm.decoded("trigger") == timedelta(minutes=-10)
