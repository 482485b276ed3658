"""The talk at a table as its viewers read it: one list a language, less what a viewer has muted."""

from __future__ import annotations

from collections import OrderedDict
from math import inf
from threading import Lock
from time import monotonic
from typing import Any
from zlib import crc32

from django.template.loader import render_to_string
from django.utils.translation import get_language

from games import words
from games.models import Game, Mute, Saying, Seat

_SHOWN = 50

# The talk as everybody reads it who has muted nobody, by table and language: when its rendering
# began, and what came of it. The code in the key cannot be guessed.
_shared: OrderedDict[tuple[str, str], tuple[float, str]] = OrderedDict()
_shared_lock = Lock()
_SHARED_TALKS = 2_000


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


def sayings(code: str, *, user: Any, since: float = inf) -> str:
    """The fragment `#talk` for this viewer, in the language of the moment.

    What was rendered for everybody after `since`, in seconds of `time.monotonic`, will do; by
    default nothing.
    """
    unheard = _unheard_by(user)
    if unheard:
        return _render(code, unheard)
    language = get_language() or ""
    html = at_hand(code, since=since, language=language)
    if html is None:
        began = monotonic()
        html = _render(code, frozenset())
        _keep((code, language), began, html)
    return html


def at_hand(code: str, *, since: float, language: str) -> str | None:
    """The talk for who has muted nobody, if this process rendered it after `since`."""
    began, html = _shared.get((code, language), (-inf, ""))
    return html if began >= since else None


def mark(html: str) -> str:
    """A short name for what a viewer has read, by which a page and a socket agree."""
    return f"{crc32(html.encode()):08x}"


def _keep(key: tuple[str, str], began: float, html: str) -> None:
    with _shared_lock:
        if _shared.get(key, (-inf, ""))[0] <= began:
            _shared[key] = (began, html)
            _shared.move_to_end(key)
        while len(_shared) > _SHARED_TALKS:
            _shared.popitem(last=False)


def _unheard_by(user: Any) -> frozenset[int]:
    """The ids of the people this viewer has muted."""
    if not user.is_authenticated:
        return frozenset()
    return frozenset(Mute.objects.filter(by=user).values_list("whom", flat=True))


def _render(code: str, unheard: frozenset[int]) -> str:
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
