"""The home page of returning players: what concerns them now, and one next step.

People who have never played and for whom nothing waits see the stage first (`games/home.html`
alone). Each section takes one or two queries, however much there is to show. Only friends are
named: strangers are only counted, and friends who hide their presence are not named at all.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import Final

from django.db.models import Exists, OuterRef, Q, prefetch_related_objects
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext

from accounts import visits
from accounts.models import User
from accounts.requests import AnyUser
from games import regional_formats, words
from games.contract import catalogue
from games.contract.shown import context
from games.lobby import home_folding
from games.lobby.home_values import (
    Asking,
    FriendHere,
    Invitation,
    News,
    NewsRow,
    RunningRow,
    Sections,
    Step,
)
from games.lobby.standing import standing_panel as standing
from games.lobby.standing.standing_panel import StandingRow
from games.lobby.table_list import MyTables, RunningTable
from games.models import Game, InboxEntry, Result, Seat
from games.social.friends import friends_panel as friends
from games.social.inbox import kinds
from games.store import here, public_tables
from games.store.versioned_lru import VersionedLRU
from games.study.replay import replay_address
from games.table import fragment_cache

Status = Game.Status

# The rows of a section; the others are on the page that the section links to.
MOST: Final = 3
# The number of latest finished games that are read: for the news, and for standing tables.
_RECENT: Final = 30

# A placeholder for the CSRF token, which never contains these characters.
_PLACE_OF_IT: Final = "--token--"
# The values of the sections and their HTML, by person and language.
_kept: VersionedLRU[tuple[str, str]] = VersionedLRU(most=1_000, name="sections of home pages")

# Columns of games that the page does not need, most of them times.
_NOT_SAID: Final = (
    *("acting_host", "rematch", "holder", "language", "closed_by_staff", "chat", "show_odds"),
    *("seats_kept_until", "opens_at", "turn_ends_at", "silence_ends_at", "due_at", "watched_at"),
    *("started_at", "finished_at", "pack_at"),
)

# Kinds of inbox entries that other sections of the page show.
_ELSEWHERE: Final = (kinds.TURN, kinds.FRIEND)


@dataclass(frozen=True, kw_only=True, slots=True)
class Played:
    """A finished game of this person."""

    at: datetime
    kind_key: str
    place: int
    left: bool
    code: str
    size: int
    standing: int | None


@dataclass(frozen=True, slots=True)
class Known:
    """A returning player, with the rows that were read for their page.

    `played` are the latest finished games. `games` are those in which they have a seat, those they
    are invited to and those of their standing tables, each with its seats as `taken`. The newest
    come first.
    """

    user: User
    played: list[Played]
    new_since: datetime | None
    around: friends.Around
    entries: list[InboxEntry]
    tables: list[standing.Belonging]
    games: list[Game]

    @property
    def mine(self) -> list[Game]:
        """The games in which this person has a seat and which they have not left."""
        return [
            game
            for game in self.games
            if any(seat.user_id == self.user.pk and not seat.gone for seat in game.taken)
        ]


def known(user: AnyUser, *, now: datetime) -> Known | None:
    """Read what the page needs. None for visitors, and for people who have never played and for
    whom nothing waits.
    """
    if not user.is_authenticated:
        return None
    played = _played(user)
    live = Seat.objects.filter(user=user, live=True, gone=False).order_by()
    seats = list(live.values_list("game", "game__status", "game__standing"))
    around = friends.around(user, now=now)
    entries = _entries(user)
    played_at = {each.standing for each in played} | {each for _, _, each in seats}
    tables = standing.belonging(user, played_at)
    codes = [each.about for each in entries if _invites(each, around)]
    is_playing = Status.PLAYING in {status for _, status, _ in seats}
    if not (played or is_playing or around.here or around.asking or codes or tables):
        return None
    new_since = visits.since(user, now=now)
    games = _games(user, [game for game, _, _ in seats], codes, [table.pk for table in tables])
    return Known(user, played, new_since, around, entries, tables, games)


def _games(
    user: User, mine: Sequence[int], codes: Sequence[str], tables: Sequence[int]
) -> list[Game]:
    """All games that the page shows, with the people there, in two queries."""
    wanted = Q(pk__in=mine) if mine else Q()
    wanted |= Q(code__in=codes, status=Status.OPEN) if codes else Q()
    wanted |= Q(standing__in=tables, status__in=[Status.OPEN, Status.PLAYING]) if tables else Q()
    if not wanted:
        return []
    games = Game.objects.filter(wanted)
    if codes:
        removed = Game.removed.through.objects.filter(game=OuterRef("pk"), user=user)
        games = games.annotate(has_removed_me=Exists(removed))  # type: ignore[no-redef]
    games = games.defer(*_NOT_SAID).order_by("-created_at")
    found = list(public_tables.with_people(games))
    # Only rows of the person's own open tables name the host.
    waiting = [game for game in found if game.status == Status.OPEN and game.pk in mine]
    prefetch_related_objects(waiting, "host")
    return found


def sections(values: Sections, *, person: Known, csrf_token: str) -> SafeString:
    """Render `games/_mine.html` with the result of `shown`; cached while the values are equal."""
    key, plain = (person.user.pk, get_language()), repr(values)
    _, (before, html) = _kept.get(key) or (0, ("", ""))
    if before != plain:
        html = fragment_cache.plain(
            "games/_mine.html", {**context(values), "csrf_token": _PLACE_OF_IT}
        )
        _kept.keep(key, monotonic(), (plain, html))
    return SafeString(html.replace(_PLACE_OF_IT, csrf_token))


def shown(person: Known, mine: MyTables, *, bound: bool, is_asked: bool, now: datetime) -> Sections:
    """The sections of the page, as plain values.

    `mine`: see `table_list.of`. `bound`: a game among people keeps them from joining another.
    `is_asked`: they have not answered the question of the day yet.
    """
    by_code = {game.code: game for game in person.games if game.status == Status.OPEN}
    invitations = [
        row
        for each in person.entries
        if each.about in by_code and _invites(each, person.around)
        if (row := _invitation(person.user, by_code[each.about], each.values["by"], now))
        is not None
    ]
    asking = person.around.asking
    alive = {game.standing_id: game for game in reversed(person.games) if game.standing_id}
    kept = standing.rows(person.user, person.tables, alive, names=person.around.names, now=now)
    step = _step(mine.running, invitations, kept, bound=bound, is_asked=is_asked)
    invitations = [each for each in invitations if each is not step.invitation]
    kept = [each for each in kept if each is not step.standing]
    news = _news(person, by_code)
    rows = {
        "invitations": min(len(invitations) + len(asking), MOST),
        "here": min(len(person.around.here), MOST),
        "standing": min(len(kept), MOST),
        "news": min(len(news), MOST),
    }
    has_own_line = step.kind in ("invitation", "standing")
    return Sections(
        step=step,
        running=[_against(each) for each in mine.running],
        invitations=invitations[:MOST],
        asking=[_asking(each) for each in asking[: max(0, MOST - len(invitations))]],
        more_invitations=len(invitations) + len(asking) > MOST,
        here=_with_tables(person.around.here[:MOST]),
        standing=kept[:MOST],
        more_standing=kept[MOST:],
        news=[_dated(each) for each in news[:MOST]],
        more_news=len(news) > MOST,
        open=home_folding.opened(rows, step=has_own_line, running=len(mine.running)),
    )


def _asking(person: friends.Person) -> Asking:
    sentence = gettext("%(name)s wants to be friends.") % {"name": person.username}
    return Asking(**context(person), sentence=sentence)


def _dated(news: News) -> NewsRow:
    when = regional_formats.element(news.at, "date_time")
    return NewsRow(sentence=news.sentence, url=news.url, when=when)


def _against(table: RunningTable) -> RunningRow:
    against = gettext("Against %(names)s") % {"names": table.others}
    return RunningRow(**context(table), against=against)


def _step(
    running: Sequence[RunningTable],
    invitations: Sequence[Invitation],
    kept: Sequence[StandingRow],
    *,
    bound: bool,
    is_asked: bool,
) -> Step:
    """The next step. A person who is bound to a running game is sent back there, not to "play"."""
    table = Step(kind="table", table=running[0]) if running else None
    if table and running[0].my_turn:
        return table
    if invitations:
        return Step(kind="invitation", invitation=invitations[0])
    for each in kept:
        if each.meets:
            return Step(kind="standing", standing=each)
    if is_asked:
        return Step(kind="question")
    return table if bound and table else Step(kind="play")


# --- finished games ------------------------------------------------------------------------------


def _played(user: User) -> list[Played]:
    """The latest finished games of this person, the newest first; empty if they never played."""
    latest = Result.objects.filter(user=user).order_by("-finished_at", "-seat")[:_RECENT]
    columns = latest.values_list(
        *("finished_at", "kind_key", "place", "left", "seat__game__code", "seat__game__size"),
        "seat__game__standing",
    )
    return [
        Played(
            at=at,
            kind_key=kind_key,
            place=place,
            left=left,
            code=code,
            size=size,
            standing=table,
        )
        for at, kind_key, place, left, code, size, table in columns
    ]


def _result(game: Played) -> News:
    """A finished game in one line without names, because others at that table may be strangers."""
    form = gettext("Finished: %(game)s, %(place)s of %(seats)s")
    if game.left:
        form = gettext("Finished without you: %(game)s")
    sentence = form % {
        "game": catalogue.of(game.kind_key).words.name(),
        "place": words.ordinal(game.place),
        "seats": game.size,
    }
    url = replay_address.of_decision(game.code)
    return News(sentence=sentence, url=url, at=game.at)


# --- inbox entries -------------------------------------------------------------------------------


def _entries(user: User) -> list[InboxEntry]:
    """The invitations and the unread entries of an inbox, the newest first."""
    mine = InboxEntry.objects.filter(Q(kind=kinds.INVITED) | Q(read_at=None), user=user)
    return [each for each in mine.order_by("-seq") if each.kind not in _ELSEWHERE]


def _invites(entry: InboxEntry, around: friends.Around) -> bool:
    return entry.kind == kinds.INVITED and entry.values["by"] in around.friends


def _invitation(user: User, game: Game, by: int, now: datetime) -> Invitation | None:
    """An invitation; None if it has expired, as the friend has left or no seat is free."""
    inviter = next((seat.user for seat in game.taken if seat.user_id == by), None)
    if inviter is None or not inviter.is_active:
        return None
    is_here = any(seat.user_id == user.pk for seat in game.taken)
    if game.has_removed_me or is_here or len(game.taken) >= game.size:
        return None
    people = len(here.people(game, now=now))
    waiting = ngettext("%(people)s person waiting", "%(people)s people waiting", people)
    if not people:
        waiting = gettext("away")
    return Invitation(
        code=game.code,
        name=inviter.shown_name,
        sentence=gettext("%(name)s invites you to a table.") % {"name": inviter.shown_name},
        avatar=inviter.avatar,
        game=words.game_mark(game.kind_key),
        waiting=waiting % {"people": people},
    )


def _news(person: Known, waiting: Collection[str]) -> list[News]:
    """The news that no other section shows, the newest first; none at the first visit."""
    new_since = person.new_since
    if new_since is None:
        return []
    told = [
        each
        for each in person.entries
        if each.read_at is None and each.created_at > new_since and each.about not in waiting
        # An invitation is news once its game has begun.
        if each.kind != kinds.INVITED or _invites(each, person.around)
    ]
    shown = kinds.shown(told) if told else []
    found = [News(sentence=each.sentence, url=each.url, at=each.at) for each in shown]
    found += [_result(game) for game in person.played if game.at > new_since]
    return sorted(found, key=lambda each: each.at, reverse=True)


# --- friends who are here ------------------------------------------------------------------------


def _with_tables(people: Sequence[friends.Person]) -> list[FriendHere]:
    tables = public_tables.where([each.pk for each in people]) if people else {}
    return [FriendHere(person=each, table=tables.get(each.pk, "")) for each in people]
