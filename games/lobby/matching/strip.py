"""The fragment `#search` on every page of a person: the strip about their search for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.template.loader import render_to_string
from django.urls import reverse

from accounts.models import User
from games.contract import catalogue
from games.models import IN_LINE, Game, Search, Seat
from games.social.push import subscriptions
from games.social.push.switches import WHILE_WAITING
from games.store import queries
from games.table.common import milliseconds

State, Status = Search.State, Game.Status

ELSEWHERE = "elsewhere"  # the search was started on another device
# The most characters of names that fit on the strip of a phone; further people are counted.
_LONGEST: Final = 24


def fragment(user_id: int, *, here: str = "", device: str = "") -> str:
    """The strip of a page that shows the table `here` and was made for the session `device`."""
    return render_to_string("games/_search.html", {"s": shown(user_id, here=here, device=device)})


def shown(user_id: int, *, here: str = "", device: str = "") -> dict[str, Any]:
    """The status of a search, as plain values; `state` is "" if there is nothing to show.

    `go` is the address of the game that has begun. The page of that game gets it too, so that other
    pages don't send a person there who has already been there. At the page of another quick table,
    from which they were moved, it is that of the table at which they are ready.
    """
    search = Search.objects.filter(pk=user_id).select_related("table", "user").first()
    empty = {"state": "", "here": here, "share": reverse("games:play")}
    if search is None or search.table is None:
        return empty
    table, state = search.table, search.state
    if state in IN_LINE:
        if table.status != Status.OPEN or (table.code == here and state != State.ASKED):
            return empty
    elif state == State.SEATED:
        if table.status != Status.PLAYING or not _plays(table, user_id):
            return empty
        if table.code == here:
            return empty | {"go": reverse("games:table", args=[here])}
    elif state != State.MISSED:
        return empty
    if search.device and device and search.device != device and state != State.MISSED:
        state = ELSEWHERE
    address = reverse("games:table", args=[table.code])
    pastime = queries.pastime(search.user)
    others = _others(search)
    is_moved = state == State.READY and _is_quick(here)
    return empty | {
        "state": state,
        "is_seated": search.state == State.SEATED,
        "names": [each.shown_name for each in others],
        "who": _in_short([each.shown_name for each in others]),
        "ends_ms": milliseconds(table.starts_at),
        "table": address,
        "go": address if state == State.SEATED or is_moved else "",
        "warm_up": reverse("games:table", args=[pastime.code]) if pastime else "",
        "is_warming_up": pastime is not None and pastime.code == here,
        "game": catalogue.of(table.kind_key).words.name(),
        "game_key": table.kind_key,
        "choice": search.choice,
        "bots": search.bots,
        "told": state == State.WAITING and subscriptions.wants(user_id, WHILE_WAITING),
    }


def _plays(table: Game, user_id: int) -> bool:
    """Whether this person has a seat in the running game and has not left it."""
    return Seat.objects.filter(game=table, user=user_id, live=True, gone=False).exists()


def _is_quick(code: str) -> bool:
    return bool(code) and Game.objects.filter(code=code, origin=Game.Origin.QUICK).exists()


def _in_short(names: Sequence[str]) -> str:
    """As many names as fit, and the number of further ones: "Ben, Cleo +3"."""
    told: list[str] = []
    for name in names:
        if told and len(", ".join([*told, name])) > _LONGEST:
            break
        told.append(name)
    rest = len(names) - len(told)
    return ", ".join(told) + (f" +{rest}" if rest else "")


def _others(search: Search) -> Sequence[User]:
    """The other people at the table; for a missed table, those who were there."""
    if search.state == State.MISSED:
        return list(User.objects.filter(pk__in=search.met, is_active=True).order_by("pk"))
    seated = Seat.objects.filter(game=search.table, user__isnull=False).order_by("number")
    people = seated.exclude(user=search.user_id).select_related("user")
    return [seat.user for seat in people if seat.user is not None]
