"""The lobby tells when people meet in its reader's own time, and a calendar reminds of it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar
from playwright.sync_api import Page, expect

from tests.e2e.player import wider_than_screen
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.e2e

ZONE = "Asia/Kolkata"  # half an hour off all others


@pytest.fixture
def meets() -> datetime:
    """In five hours, so that no day is named."""
    return (datetime.now(UTC) + timedelta(hours=5)).replace(second=0, microsecond=0)


@pytest.fixture
def site(new_site: Callable[..., LiveSite], meets: datetime) -> LiveSite:
    site = new_site(MEETING_HOURS=f"{meets:%H:%M} UTC")
    site.start()
    return site


@pytest.mark.parametrize(
    ("locale", "sentence", "remind"),
    [
        ("en-GB", "People meet here: {time}, in ", "Remind me"),
        ("fr-FR", "On se retrouve ici : {time}, dans ", "Me le rappeler"),
    ],
)
def test_a_reader_sees_the_hour_in_their_own_zone_and_takes_a_reminder(
    site: LiveSite,
    meets: datetime,
    visitor: Callable[..., Page],
    locale: str,
    sentence: str,
    remind: str,
) -> None:
    phone = {"width": 320, "height": 568}
    page = visitor(locale=locale, timezone_id=ZONE, viewport=phone)
    page.goto(site.url)
    local = meets.astimezone(ZoneInfo(ZONE))
    meeting = page.locator(".meeting-next")
    hour = f"0?{local.hour}:{local:%M}"  # browsers differ on whether a zero leads
    said = re.compile(sentence.format(time=hour).replace(" ", r"\s"))
    expect(meeting).to_contain_text(said, use_inner_text=True)
    expect(meeting.locator("time")).to_have_text(re.compile(f"^{hour}$"))
    expect(page.locator(".meeting-zone")).to_be_hidden()
    expect(page.locator(".meeting-on")).to_be_hidden()
    assert wider_than_screen(page) == []
    link = page.get_by_role("link", name=remind)
    expect(link).to_be_visible()
    # The fragment may be replaced meanwhile, and what has gone has no size.
    least = "(e) => Math.min(e.getBoundingClientRect().width, e.getBoundingClientRect().height)"
    deadline = time.monotonic() + 10
    while (size := link.evaluate(least)) == 0 and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    assert size >= 44
    with page.expect_download() as taken:
        link.click()
    assert taken.value.suggested_filename.endswith(".ics")
    [event] = Calendar.from_ical(Path(taken.value.path()).read_bytes()).walk("VEVENT")
    assert event.decoded("dtstart") == meets


def test_without_scripts_the_zone_is_named(
    site: LiveSite, meets: datetime, visitor: Callable[..., Page]
) -> None:
    page = visitor(locale="en-GB", timezone_id=ZONE, java_script_enabled=False)
    page.goto(site.url)
    expect(page.locator(".meeting-next")).to_contain_text(f"{meets:%H:%M}")
    expect(page.locator(".meeting-zone")).to_contain_text("UTC")
