"""The home page of a person who has played before: what concerns them now, and one next step.

New people see the games first (`games/home.html` alone). Each section is one query or two, however
much there is to show. Nobody appears here but friends: strangers are counted at most, and a friend
who does not show when they are online is named nowhere.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, prefetch_related_objects
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext

from accounts import visits
from accounts.models import User
from accounts.requests import AnyUser
from games import catalogue, regional_formats, words
from games.friends import at_home as friends
from games.inbox import kinds
from games.models import Game, InboxEntry, Result, Seat
from games.rendering import daily_page, fragment_cache
from games.standing import at_home as standing
from games.store import public_tables
from games.store.versioned_lru import VersionedLRU

Status = Game.Status

# Of a section so many are shown; the others are on the page that it links to.
MOST: Final = 3
# So many of the latest finished games are looked at: for the news, and for where one belongs.
_RECENT: Final = 30

# No token of a form has these characters.
_PLACE_OF_IT: Final = "--token--"
# Of a person and language the values of the sections and their HTML.
_kept: VersionedLRU[tuple[str, str]] = VersionedLRU(most=1_000, name="sections of home pages")

# Columns of games that no line says anything of, most of them times.
_NOT_SAID: Final = (
    *("acting_host", "rematch", "holder", "language", "closed_by_staff", "chat", "show_odds"),
    *("seats_kept_until", "opens_at", "turn_ends_at", "silence_ends_at", "due_at", "watched_at"),
    *("started_at", "finished_at", "pack_at"),
)

# What other sections of the page say.
_ELSEWHERE: Final = (kinds.TURN, kinds.FRIEND)


@dataclass(frozen=True, slots=True)
class Known:
    """A person who has played, and what was looked up of them in one go.

    `played`: see `_played`; `games`: where they sit, those they are invited to and those of their
    standing tables, the newest first, each with its seats as `taken`.
    """

    user: User
    played: list[dict[str, Any]]
    new_since: datetime | None
    around: friends.Around
    entries: list[InboxEntry]
    tables: list[standing.Belonging]
    games: list[Any]

    @property
    def mine(self) -> list[Any]:
        """The games at which this person sits and has not left."""
        return [
            game
            for game in self.games
            if any(seat.user_id == self.user.pk and not seat.gone for seat in game.taken)
        ]


def known(user: AnyUser, *, now: datetime) -> Known | None:
    """None for visitors, and for who has never played."""
    if not user.is_authenticated:
        return None
    played = _played(user)
    live = Seat.objects.filter(user=user, live=True, gone=False).order_by()
    seats = list(live.values_list("game", "game__status", "game__standing"))
    if not played and Status.PLAYING not in {status for _, status, _ in seats}:
        return None
    new_since = visits.since(user, now=now)
    around = friends.around(user, now=now)
    entries = _entries(user)
    played_at = {each["standing"] for each in played} | {each for _, _, each in seats}
    tables = standing.belonging(user, played_at)
    codes = [each.about for each in entries if _invites(each, around)]
    games = _games(user, [game for game, _, _ in seats], codes, [table.pk for table in tables])
    return Known(user, played, new_since, around, entries, tables, games)


def _games(
    user: User, mine: Sequence[int], codes: Sequence[str], tables: Sequence[int]
) -> list[Any]:
    """All games of which the page says something, with the people there, in two queries."""
    wanted = Q(pk__in=mine) if mine else Q()
    wanted |= Q(code__in=codes, status=Status.OPEN) if codes else Q()
    wanted |= Q(standing__in=tables, status__in=[Status.OPEN, Status.PLAYING]) if tables else Q()
    if not wanted:
        return []
    games = Game.objects.filter(wanted)
    if codes:
        removed = Game.removed.through.objects.filter(game=OuterRef("pk"), user=user)
        games = games.annotate(has_removed_me=Exists(removed))
    games = games.defer(*_NOT_SAID).order_by("-created_at")
    found = list(public_tables.with_people(games))
    # Only rows of one's own tables that wait name their host.
    waiting = [game for game in found if game.status == Status.OPEN and game.pk in mine]
    prefetch_related_objects(waiting, "host")
    return found


def sections(values: Mapping[str, Any], *, person: Known, csrf_token: str) -> SafeString:
    """`games/_mine.html` with what `shown` found; kept while nothing of it changes."""
    key, plain = (person.user.pk, get_language()), repr(values)
    _, (before, html) = _kept.get(key) or (0, ("", ""))
    if before != plain:
        html = fragment_cache.plain("games/_mine.html", {**values, "csrf_token": _PLACE_OF_IT})
        _kept.keep(key, monotonic(), (plain, html))
    return SafeString(html.replace(_PLACE_OF_IT, csrf_token))


def shown(person: Known, mine: Mapping[str, Any], *, bound: bool, now: datetime) -> dict[str, Any]:
    """The values of `games/_mine.html`, plain ones.

    `mine`: see `table_list.of`; `bound`: a game among people keeps them from another. The keys:
    `running`, `invitations` and `asking`, `here`, `standing`, `daily`, `news`, each without what is
    the `step`. The `step` has its `kind`: "table", "invitation", "standing", "question" or "play",
    and under that name what it is about.
    """
    by_code = {game.code: game for game in person.games if game.status == Status.OPEN}
    invitations = [
        row
        for each in person.entries
        if each.about in by_code and _invites(each, person.around)
        if (row := _invitation(person.user, by_code[each.about], each.values["by"])) is not None
    ]
    asking = person.around.asking
    alive = {game.standing_id: game for game in reversed(person.games)}
    kept = standing.rows(person.user, person.tables, alive, names=person.around.names)
    daily = daily_page.line_of(person.user, now)
    step = _step(mine["running"], invitations, kept, daily, bound=bound)
    invitations = [each for each in invitations if each is not step.get("invitation")]
    kept = [each for each in kept if each is not step.get("standing")]
    news = _news(person, by_code)
    return {
        "step": step,
        "running": [each | {"against": _against(each)} for each in mine["running"]],
        "invitations": invitations[:MOST],
        "asking": [
            each
            | {"sentence": gettext("%(name)s wants to be friends.") % {"name": each["username"]}}
            for each in asking[: max(0, MOST - len(invitations))]
        ],
        "more_invitations": len(invitations) + len(asking) > MOST,
        "here": _with_tables(person.around.here[:MOST]),
        "standing": kept[:MOST],
        "more_standing": kept[MOST:],
        "daily": None if step["kind"] == "question" else daily,
        "news": [_dated(each) for each in news[:MOST]],
        "more_news": len(news) > MOST,
    }


def _dated(news: Mapping[str, Any]) -> dict[str, Any]:
    when = regional_formats.element(news["at"], "date_time")
    return {"sentence": news["sentence"], "url": news["url"], "when": when}


def _against(table: Mapping[str, Any]) -> str:
    return gettext("Against %(names)s") % {"names": table["others"]}


def _step(
    running: Sequence[Mapping[str, Any]],
    invitations: Sequence[Mapping[str, Any]],
    kept: Sequence[Mapping[str, Any]],
    daily: Mapping[str, Any] | None,
    *,
    bound: bool,
) -> dict[str, Any]:
    """What matters most now. Who is bound to a running game goes back there instead of playing."""
    table = {"kind": "table", "table": running[0]} if running else {}
    if table and running[0]["my_turn"]:
        return table
    if invitations:
        return {"kind": "invitation", "invitation": invitations[0]}
    for each in kept:
        if each["meets"]:
            return {"kind": "standing", "standing": each}
    if daily is not None and not daily["answered"]:
        return {"kind": "question", "question": daily}
    return table if bound and table else {"kind": "play"}


# --- finished games ------------------------------------------------------------------------------


def _played(user: User) -> list[dict[str, Any]]:
    """The latest finished games of this person, the newest first; by them a person has played."""
    latest = Result.objects.filter(user=user).order_by("-finished_at", "-seat")[:_RECENT]
    columns = latest.values_list(
        *("finished_at", "kind_key", "place", "left", "seat__game__code", "seat__game__size"),
        "seat__game__standing",
    )
    return [
        {
            "at": at,
            "kind_key": kind_key,
            "place": place,
            "left": left,
            "code": code,
            "size": size,
            "standing": table,
        }
        for at, kind_key, place, left, code, size, table in columns
    ]


def _result(game: Mapping[str, Any]) -> dict[str, Any]:
    """A finished game in a line, which names nobody: others at that table may be strangers."""
    form = gettext("Finished: %(game)s, %(place)s of %(seats)s")
    if game["left"]:
        form = gettext("Finished without you: %(game)s")
    sentence = form % {
        "game": catalogue.of(game["kind_key"]).words.name(),
        "place": words.ordinal(game["place"]),
        "seats": game["size"],
    }
    url = reverse("games:replay", args=[game["code"]])
    return {"sentence": sentence, "url": url, "at": game["at"]}


# --- what one is told ----------------------------------------------------------------------------


def _entries(user: User) -> list[InboxEntry]:
    """The invitations of an inbox, and what is unread in it; the newest first."""
    mine = InboxEntry.objects.filter(Q(kind=kinds.INVITED) | Q(read_at=None), user=user)
    return [each for each in mine.order_by("-seq") if each.kind not in _ELSEWHERE]


def _invites(entry: InboxEntry, around: friends.Around) -> bool:
    return entry.kind == kinds.INVITED and entry.values["by"] in around.friends


def _invitation(user: User, game: Any, by: int) -> dict[str, Any] | None:
    """An invitation that is still good: the friend is there, and a seat is free."""
    inviter = next((seat.user for seat in game.taken if seat.user_id == by), None)
    if inviter is None or not inviter.is_active:
        return None
    is_here = any(seat.user_id == user.pk for seat in game.taken)
    if game.has_removed_me or is_here or len(game.taken) >= game.size:
        return None
    people = sum(not seat.bot for seat in game.taken)
    waiting = ngettext("%(people)s person waiting", "%(people)s people waiting", people)
    return {
        "code": game.code,
        "name": inviter.shown_name,
        "sentence": gettext("%(name)s invites you to a table.") % {"name": inviter.shown_name},
        "avatar": inviter.avatar,
        "game": words.game_mark(game.kind_key),
        "waiting": waiting % {"people": people},
    }


def _news(person: Known, waiting: Collection[str]) -> list[dict[str, Any]]:
    """What no other section says, the newest first; nothing at the first visit."""
    new_since = person.new_since
    if new_since is None:
        return []
    told = [
        each
        for each in person.entries
        if each.read_at is None and each.created_at > new_since and each.about not in waiting
        # Of invitations, that the game has begun.
        if each.kind != kinds.INVITED or _invites(each, person.around)
    ]
    shown = kinds.shown(told) if told else []
    found = [{"sentence": each.sentence, "url": each.url, "at": each.at} for each in shown]
    found += [_result(game) for game in person.played if game["at"] > new_since]
    return sorted(found, key=lambda each: each["at"], reverse=True)


# --- friends who are here ------------------------------------------------------------------------


def _with_tables(people: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each with the code of the public table at which they sit, or ""."""
    tables = public_tables.where([each["pk"] for each in people]) if people else {}
    return [{"person": each, "table": tables.get(each["pk"], "")} for each in people]
