"""The talk at a table as its viewers read it: one list a language, less what a viewer has muted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import inf
from time import monotonic
from typing import Any
from zlib import crc32

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import get_language

from games import words
from games.models import Game, Mute, Saying, Seat
from games.newest import Newest

_SHOWN = 50

Reader = tuple[int | None, str]  # the id of a person, None for a stranger, and his language

# The talk as everybody reads it who has muted nobody, by table and language: when its rendering
# began, and what came of it. The code in the key cannot be guessed.
_shared: Newest[str] = Newest(most=2_000)


def panel(game: Game, seat: Seat | None, *, user: Any) -> dict[str, Any]:
    """What the page of a table needs besides: the phrases, and what this viewer may do."""
    html = sayings(game.code, user=user)
    open_to_talk = game.status != Game.Status.CLOSED
    return {
        "html": html,
        "mark": mark(html),
        "phrases": words.phrases(),
        "may_speak": open_to_talk and seat is not None and not seat.gone,
        "running": game.status == Game.Status.PLAYING,
    }


def sayings(code: str, *, user: Any) -> str:
    """The fragment `#talk` for this viewer, in the language of the moment."""
    [html] = read_by(code, [(user.pk, get_language() or "")])
    return html


def read_by(code: str, readers: Sequence[Reader], *, since: float = inf) -> list[str]:
    """The fragment `#talk` of a table for each reader, in his language; one look for all.

    What was rendered for everybody after `since`, in seconds of `time.monotonic`, will do; by
    default nothing.
    """
    unheard = _unheard_by({person for person, _ in readers if person is not None})
    found = []
    for person, language in readers:
        with translation.override(language):
            if person in unheard:
                found.append(_render(code, unheard[person]))
                continue
            html = at_hand(code, since=since, language=language)
            if html is None:
                began = monotonic()
                html = _render(code, set())
                _shared.keep((code, language), began, html)
                since = min(since, began)  # it will do for the readers after this one
            found.append(html)
    return found


def at_hand(code: str, *, since: float, language: str) -> str | None:
    """The talk for who has muted nobody, if this process rendered it after `since`."""
    began, html = _shared.get((code, language)) or (-inf, "")
    return html if began >= since else None


def mark(html: str) -> str:
    """A short name for what a viewer has read, by which a page and a socket agree."""
    return f"{crc32(html.encode()):08x}"


def _unheard_by(people: Collection[int]) -> dict[int, set[int]]:
    """By person, the ids of those whom he has muted; who has muted nobody is not in it."""
    unheard: dict[int, set[int]] = {}
    if people:
        for person, whom in Mute.objects.filter(by__in=people).values_list("by", "whom"):
            unheard.setdefault(person, set()).add(whom)
    return unheard


def _render(code: str, unheard: Collection[int]) -> str:
    game = Game.objects.get(code=code)  # read after `began`: a host may just have closed the chat
    here = Saying.objects.filter(game=game, hidden=False).exclude(by__in=unheard)
    newest = here.select_related("by").order_by("-pk")[:_SHOWN]
    seats = dict(game.seat_set.filter(user__isnull=False).values_list("user", "number"))
    talk = [
        {
            "number": each.pk,
            "name": each.by.shown_name,
            "seat": seats.get(each.by_id),
            "gone": not each.by.is_active,
            "words": words.saying(phrase=each.phrase, text=each.text),
        }
        for each in newest
    ]
    return render_to_string("games/_sayings.html", {"sayings": talk, "game": game})
