"""The lists of the lobby: open tables, running games, the latest results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from accounts.models import User
from accounts.requests import AnyUser
from games import words
from games.contract import catalogue
from games.contract.game_values import TableRules
from games.contract.shown import ShownHighlight
from games.core.contract import Waiting
from games.lobby import latest_highlights
from games.models import Game, Seat
from games.models.ponchos import dressed
from games.play.deadlines import turn_seconds
from games.play.quick_tables import TURN_SECONDS as QUICK_TURN_SECONDS
from games.play.tempo import NORMAL
from games.store import event_log, here, public_tables, quick_tables
from games.table.common import rules_in_words

_SHOWN_OPEN, _SHOWN_PLAYING, _SHOWN_FINISHED = 30, 30, 5
# The running games that are shown at first; the others are shown on demand.
_AT_FIRST: Final = 1
# With so many open tables of several games, a reader may choose a game.
_LONG: Final = 6
_FACES: Final = 3

Status = Game.Status


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatedPerson:
    """A person at a table of a list."""

    name: str
    avatar: Mapping[str, str]
    is_away: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class TableRow:
    """A table in a list. Bots are not shown as people, and take up room."""

    game: Game
    code: str
    host: str
    seated: Sequence[SeatedPerson]
    faces: Sequence[SeatedPerson]
    names: str
    people: int  # how many are here
    is_away: bool  # the host of an open table is not here
    room: int
    is_full: bool
    bots: int
    game_mark: str
    rules: TableRules
    pace: str
    unusual: Sequence[str]
    round: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultRow:
    """A finished game in a list."""

    code: str
    host: str
    game_mark: str
    winner: Seat | None  # a person


@dataclass(frozen=True, kw_only=True, slots=True)
class Tables:
    """The lists of public tables, for `games/_tables.html`."""

    open_tables: Sequence[TableRow]
    is_long: bool
    people_waiting: int
    in_line: int
    playing: Sequence[TableRow]
    more_playing: Sequence[TableRow]
    people_playing: int
    moments: Sequence[ShownHighlight]
    finished: Sequence[ResultRow]


@dataclass(frozen=True, kw_only=True, slots=True)
class RunningTable:
    """A running game of a person."""

    code: str
    my_turn: bool
    others: str  # the names of the other players


@dataclass(frozen=True, kw_only=True, slots=True)
class MyTables:
    """A person's own tables: the running ones, those on their turn first, and the waiting ones."""

    running: Sequence[RunningTable] = ()
    waiting: Sequence[TableRow] = ()


def tables(kind_key: str = "", *, now: datetime) -> Tables:
    """The lists of public tables for all viewers: open ones, and games of two people or more.

    `kind_key` limits them to one game; "" means all. If nobody waits, there are `moments` to watch.
    """
    opened = [
        row(game, now=now) for game in public_tables.open_tables(kind_key, now=now)[:_SHOWN_OPEN]
    ]
    running = event_log.with_round(public_tables.running_tables(kind_key))
    playing = [row(game, now=now) for game in running[:_SHOWN_PLAYING]]
    in_line = quick_tables.people_in_line(now=now)
    finished = list(public_tables.finished_tables(kind_key)[:_SHOWN_FINISHED])
    people_waiting = sum(each.people for each in opened)
    is_anybody_here = people_waiting > 0 or any(in_line.values())
    return Tables(
        open_tables=opened,
        is_long=len(opened) >= _LONG and len({each.game_mark for each in opened}) > 1,
        people_waiting=people_waiting,
        # People who take any game count for each, so this is the maximum over the games.
        in_line=in_line.get(kind_key, max(in_line.values())),
        playing=playing[:_AT_FIRST],
        more_playing=playing[_AT_FIRST:],
        people_playing=sum(each.people for each in playing),
        moments=[] if is_anybody_here else latest_highlights.shown(finished),
        finished=[result(game) for game in finished],
    )


def my_games(user: AnyUser, *, now: datetime) -> MyTables:
    """The person's own tables."""
    if not user.is_authenticated:
        return MyTables()
    live = Game.objects.filter(seat__user=user, seat__live=True, seat__gone=False)
    mine = public_tables.with_seats(live).select_related("host").order_by("-created_at")
    return of(user, list(mine), now=now)


def of(user: User, mine: Sequence[Game], *, now: datetime) -> MyTables:
    """As `my_games`, from tables that were read already: the person's own, the newest first."""
    running = [
        RunningTable(code=game.code, my_turn=_waits_for(game, user), others=_others(game, user))
        for game in mine
        if game.status == Status.PLAYING
    ]
    return MyTables(
        running=sorted(running, key=lambda each: not each.my_turn),
        waiting=[
            row(game, now=now, reader=user.pk)
            for game in mine
            # The strip about their search shows a quick table.
            if game.status == Status.OPEN and game.origin != Game.Origin.QUICK
        ],
    )


def _waits_for(game: Game, user: User) -> bool:
    """Whether a running game waits for this person, to move or to confirm a reveal."""
    rules, state = catalogue.of(game.kind_key).rules, event_log.public_state(game)
    number = next(seat.number for seat in game.taken if seat.user_id == user.pk)
    match rules.waiting(state):
        case Waiting(kind="turn", on_turn=on_turn):
            return on_turn == number
        case Waiting(kind="reveal", to_acknowledge=seats):
            return number in seats
    return False


def _others(game: Game, user: User) -> str:
    """The names of the other players at the table."""
    return ", ".join(seat.name for seat in game.taken if seat.user_id != user.pk)


def row(game: Game, *, now: datetime, reader: int | None = None) -> TableRow:
    """A table in a list; `reader` is the key of the person whose own table this is."""
    present = here.people(game, now=now, reader=reader)
    people = [
        SeatedPerson(name=seat.name, avatar=seat.avatar, is_away=seat not in present)
        for seat in dressed(game.taken)
        if not seat.bot
    ]
    bots = len(game.taken) - len(people)
    is_open, is_mine = game.status == Status.OPEN, reader == game.host_id
    rules = rules_in_words(game)
    return TableRow(
        game=game,
        code=game.code,
        host=game.host.shown_name,
        seated=people,
        faces=people[:_FACES],
        names=", ".join(seat.name for seat in game.taken if not seat.bot),
        people=len(present),
        is_away=is_open and not is_mine and not here.host_is_here(game, now=now),
        room=game.size - bots,
        is_full=len(game.taken) >= game.size,
        bots=bots,
        game_mark=words.game_mark(game.kind_key),
        rules=rules,
        pace=words.pace(game.turn_seconds),
        unusual=unusual(game),
        round=event_log.round_of(game),
    )


def result(game: Game) -> ResultRow:
    """A finished game in a list."""
    winners = [seat for seat in game.taken if seat.place == 1 and not seat.bot]
    return ResultRow(
        code=game.code,
        host=game.host.shown_name,
        game_mark=words.game_mark(game.kind_key),
        winner=winners[0] if winners else None,
    )


def unusual(game: Game) -> list[str]:
    """The differences of a table from the default settings, in a few words each."""
    rules, usual = rules_in_words(game), _usual(game.kind_key)
    marks = [badge for badge in rules.badges if badge not in usual.badges]
    if rules.preset != usual.preset and not marks:
        marks = [rules.name]
    if game.tempo not in ("", NORMAL):
        marks.append(words.tempo(game.tempo))
    elif game.turn_seconds not in {turn_seconds(game.kind_key, game.size), QUICK_TURN_SECONDS}:
        marks.append(words.pace(game.turn_seconds))
    return marks


def _usual(kind_key: str) -> TableRules:
    """The rules of a table with the default settings, in words."""
    return rules_in_words(Game(kind_key=kind_key, **catalogue.of(kind_key).forms.QUICK_PLAY))
