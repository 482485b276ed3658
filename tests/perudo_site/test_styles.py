"""Style sheets choose a page by what it is."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHEETS = sorted(
    sheet
    for app in ("accounts", "games", "perudo_site")
    for sheet in (ROOT / app).rglob("*.css")
    if "static" in sheet.parts
)
# What only one kind of page has: a table in play, a lesson, a replay, a big screen, a spectator's.
_LACKS_A_KIND = re.compile(r':not\([^()]*(?:\.(?:live|lesson|replay|big-screen)\b|\[data-me=""\])')


def test_no_selector_goes_by_what_a_page_lacks() -> None:
    """`.shell:not(.lesson)` also means every kind of page that there will be; `.shell.live` not."""
    assert len(SHEETS) > 40
    assert [sheet for sheet in SHEETS if _LACKS_A_KIND.search(sheet.read_text())] == []
