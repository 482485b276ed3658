"""The chat of a table as HTML: shared by all readers of a language who have muted nobody."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from math import inf
from time import monotonic
from zlib import crc32

from django.template.loader import render_to_string
from django.utils import translation

from accounts.requests import AnyUser
from games.models import ChatMessage, Game, Mute, Seat
from games.social.chat import phrases
from games.store import row_cache
from games.store.versioned_lru import VersionedLRU

_MESSAGES_SHOWN = 50

# A user's id, None for an anonymous visitor, and the language of their page.
Reader = tuple[int | None, str]

# The chat for readers who have muted nobody, by table and language. The version is the time at
# which the rendering began, by time.monotonic.
_shared: VersionedLRU[str] = VersionedLRU(most=2_000, name="chats")


def panel(game: Game, seat: Seat | None, *, user: AnyUser) -> dict[str, object]:
    """The context of the chat on the page of a table, for the viewer who has this seat."""
    html = messages(game, user=user)
    is_open = game.status != Game.Status.CLOSED
    return {
        "html": html,
        "etag": etag(html),
        "phrases": phrases.phrases(),
        "reactions": phrases.reactions(),
        "may_speak": is_open and seat is not None and not seat.gone,
        "running": game.status == Game.Status.PLAYING,
    }


def messages(game: Game, *, user: AnyUser) -> str:
    """The fragment `#talk` for this viewer in the active language. `game` must be freshly read."""
    muted = {} if user.pk is None else _muted_by({user.pk})
    return _render(game, muted.get(user.pk, set()))


def reactions(game: Game) -> str:
    """The fragment `#reactions` of a big screen; it has no text, so it fits all languages."""
    found = [each for each in _said(game, ()) if each["reaction"] and each["seat"] is not None]
    return render_to_string("games/_reactions.html", {"reactions": found})


def messages_until(game: Game, until: datetime | None, *, user: AnyUser) -> str:
    """The chat of a finished game before the time `until`, for this reader; None: all of it.

    Returns "" if there was no message.
    """
    muted = {} if user.pk is None else _muted_by({user.pk})
    context = _said(game, muted.get(user.pk, set()), until=until)
    return _html(game, context) if context else ""


def was_used(game: Game) -> bool:
    """Whether the chat of this table has a message that isn't hidden."""
    return ChatMessage.objects.filter(game=game, hidden=False).exists()


def render_for(code: str, readers: Sequence[Reader], *, since: float) -> list[str]:
    """The fragment `#talk` of a table for each reader, in their language.

    A shared rendering that began after `since`, in seconds of `time.monotonic`, is taken from the
    cache. Raises Game.DoesNotExist.
    """
    muted = _muted_by({person for person, _ in readers if person is not None})
    began, game = monotonic(), None
    found = []
    for person, language in readers:
        html = None if person in muted else cached(code, since=since, language=language)
        if html is None:
            # Read after `began`, because the host may just have switched the chat off.
            game = game or Game.objects.get(code=code)
            with translation.override(language):
                html = _render(game, muted.get(person, set()))
            if person not in muted:
                _shared.keep((code, language), began, html)
                since = min(since, began)  # new enough for the other readers
        found.append(html)
    return found


def cached_for(code: str, readers: Sequence[Reader], *, since: float) -> list[str] | None:
    """As `render_for`, without a query: None unless all readers are visitors and cached."""
    found = [
        None if person else cached(code, since=since, language=language)
        for person, language in readers
    ]
    return None if None in found else [html for html in found if html is not None]


def reactions_of(code: str, *, since: float) -> str:
    """The fragment `#reactions` of a table, rendered after `since`. Raises Game.DoesNotExist."""
    html = cached(code, since=since, language="")
    if html is None:
        began = monotonic()
        html = reactions(Game.objects.get(code=code))
        _shared.keep((code, ""), began, html)
    return html


def cached(code: str, *, since: float, language: str) -> str | None:
    """The shared rendering, if it began after `since`; else None."""
    began, html = _shared.get((code, language)) or (-inf, "")
    return html if began >= since else None


def etag(html: str) -> str:
    """A short checksum by which a page and its socket agree on what the page shows."""
    return f"{crc32(html.encode()):08x}"


def _muted_by(people: Collection[int]) -> dict[int | None, set[int]]:
    """By user id, the ids of the users they have muted; without those who muted nobody."""
    muted: dict[int | None, set[int]] = {}
    if people:
        for person, whom in Mute.objects.filter(by__in=people).values_list("by", "whom"):
            muted.setdefault(person, set()).add(whom)
    return muted


def _render(game: Game, muted: Collection[int]) -> str:
    return _html(game, _said(game, muted))


def _html(game: Game, said: Sequence[dict[str, object]]) -> str:
    return render_to_string("games/_chat_messages.html", {"chat_messages": said, "game": game})


def _said(
    game: Game, muted: Collection[int], *, until: datetime | None = None
) -> list[dict[str, object]]:
    visible = ChatMessage.objects.filter(game=game, hidden=False).exclude(by__in=muted)
    if until is not None:
        visible = visible.filter(at__lt=until)
    newest = visible.select_related("by").order_by("-pk")[:_MESSAGES_SHOWN]
    seats = {seat.user_id: seat.number for seat in row_cache.seats(game)}
    return [
        {
            "number": each.pk,
            "name": each.by.shown_name,
            "seat": seats.get(each.by_id),
            "gone": not each.by.is_active,
            "reaction": each.phrase if each.phrase in phrases.REACTIONS else None,
            "words": phrases.in_words(phrase=each.phrase, text=each.text),
        }
        for each in newest
    ]
