"""What the templates of a returning player's home page show: `games/_mine.html`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.lobby.standing.standing_panel import StandingRow
from games.lobby.table_list import RunningTable
from games.social.friends.friends_panel import Person


@dataclass(frozen=True, kw_only=True, slots=True)
class RunningRow(RunningTable):
    """A running game, with its opponents in words."""

    against: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Invitation:
    """An invitation to a table."""

    code: str
    name: str  # of the friend
    sentence: str
    avatar: Mapping[str, str]
    game: str
    waiting: str  # how many people, in words


@dataclass(frozen=True, kw_only=True, slots=True)
class Asking(Person):
    """A person whose friend request waits for an answer."""

    sentence: str


@dataclass(frozen=True, kw_only=True, slots=True)
class FriendHere:
    """A friend, with the code of the public table at which they have a seat, or ""."""

    person: Person
    table: str


@dataclass(frozen=True, kw_only=True, slots=True)
class News:
    """What happened since the last visit."""

    sentence: str
    url: str
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class NewsRow:
    """The same with its time in words."""

    sentence: str
    url: str
    when: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """The next step: its `kind` and the subject under the name of that kind, if it has one."""

    kind: str  # "table", "invitation", "standing", "question" or "play"
    table: RunningTable | None = None
    invitation: Invitation | None = None
    standing: StandingRow | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Sections:
    """The sections of the page, each without the thing that is the `step`."""

    step: Step
    running: Sequence[RunningRow]
    invitations: Sequence[Invitation]
    asking: Sequence[Asking]
    more_invitations: bool
    here: Sequence[FriendHere]
    standing: Sequence[StandingRow]
    more_standing: Sequence[StandingRow]
    news: Sequence[NewsRow]
    more_news: bool
    open: Sequence[str]  # the names of the sections that are not folded
