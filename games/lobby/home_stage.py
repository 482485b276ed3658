"""The stage of the home page: the question of the day, or else something else worth a look."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from accounts.models import User
from games.lobby import latest_highlights
from games.store import public_tables
from games.store.versioned_lru import VersionedLRU
from games.study.questions import stage
from games.study.questions.stage import Today

_TEMPLATE: Final = "questions/_stage.html"
# The number of latest finished games among which one is looked for.
_LATEST: Final = 5
# A placeholder for the CSRF token, which never contains these characters.
_PLACE_OF_IT: Final = "--token--"

# A question that was not answered yet looks the same to everybody.
_asked: VersionedLRU[str] = VersionedLRU(most=40, name="the stage")


def asked(today: Today, *, csrf_token: str, red: bool) -> SafeString:
    """The question with its two answers; `red`: one of them is the page's primary button."""
    key = (today.asked.pk, get_language(), red)
    made = today.asked.created_at.timestamp()
    kept = _asked.get(key)
    if kept is None or kept[0] != made:
        values = stage.asked(today.asked) | {"csrf_token": _PLACE_OF_IT, "red": red}
        kept = (made, render_to_string(_TEMPLATE, values))
        _asked.keep(key, *kept)
    return SafeString(kept[1].replace(_PLACE_OF_IT, csrf_token))


def answered(
    today: Today,
    person: User,
    *,
    site: str,
    now: datetime,
    csrf_token: str = "",
    page_identity: str | None = None,
) -> SafeString:
    """The same with everything open. `site` is the address of the home page.

    The answer to a form takes along the token and the identity of a new session.
    """
    address = site.rstrip("/") + reverse("games:day", args=[today.asked.day.isoformat()])
    values = stage.answered(today, person, now=now) | {
        "address": address,
        "fresh": page_identity is not None,
        "csrf_token": csrf_token,
        "page_identity": page_identity,
    }
    return render_to_string(_TEMPLATE, values)


def without_question() -> SafeString:
    """Before there is a question: a moment of a public game."""
    moments = latest_highlights.shown(public_tables.finished_tables("")[:_LATEST])
    return render_to_string("games/_stage_without.html", {"moment": next(iter(moments), None)})
