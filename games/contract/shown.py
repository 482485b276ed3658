"""What the templates of all games show of a table; each game adds its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def context(shown: DataclassInstance) -> dict[str, Any]:
    """The fields of a dataclass, for a template that reads them by name."""
    return {each.name: getattr(shown, each.name) for each in fields(shown)}


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedSeat:
    """A seat with the name of its player."""

    number: int
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownSeat(NamedSeat):
    """A seat with its player; the fields are those of `Player`."""

    username: str | None
    avatar: Mapping[str, str]
    is_bot: bool
    bot: str
    asleep: bool
    away: bool
    gone: bool
    stood_in: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A place of the final ranking, with the seat that has it."""

    place: int
    seat: ShownSeat


class Player(TypedDict):
    """The player at a seat, as a table shows them before the game adds the state of the seat."""

    number: int
    name: str
    username: str | None  # None: they have no page
    avatar: Mapping[str, str]
    is_bot: bool
    bot: str  # the kind of the bot, or ""
    asleep: bool  # a bot plays until they are back
    away: bool  # they missed their last turn
    gone: bool
    stood_in: bool  # see `Seat.stood_in`


def named(player: Player, *, bot: str, is_out: bool) -> Player:
    """The player with `bot`, the kind of a bot in words; a player who is out is not asleep."""
    return {**player, "bot": bot, "asleep": player["asleep"] and not is_out}


class ShownTable(Protocol):
    """A table as its templates show it; each game adds attributes of its own."""

    @property
    def seats(self) -> Sequence[ShownSeat]: ...  # by number

    @property
    def narration(self) -> str: ...  # what happened last


class ShownRound(Protocol):
    """A round of the story; each game adds attributes of its own."""

    @property
    def number(self) -> int: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownHighlight:
    """A highlight as a sentence, with the seat it is about."""

    words: str
    url: str  # of its moment in the replay
    seat: int
    avatar: Mapping[str, str]
    is_key: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Frame(ShownHighlight):
    """One of the three frames in which a finished game is told: a title and a few words."""

    title: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Next:
    """The next table of these players."""

    code: str | None = None  # None: nobody has opened one
    begins_ms: int | None = None
    has_begun: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Again:
    """The addresses for a player who has finished trying a moment again."""

    try_url: str
    review_url: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Stranger:
    """A person whom the player could add as a friend."""

    name: str
    avatar: Mapping[str, str]
    username: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RatingChange:
    """What a rated game changed for its player, in words; see games/table/rating_in_short.py."""

    rating: str  # after the game: "1512", with "?" while it is not known well
    change: str  # "+12"; "" if it did not count
    why: str  # "Place 3 of 5, expected 4"; "" for a guest, to whom it would have happened


@dataclass(frozen=True, kw_only=True, slots=True)
class After:
    """What a viewer is shown after the game (`_after.html`); the defaults are a spectator's."""

    place: int | None = None
    is_duel: bool = False
    stood_in: bool = False  # a bot played for them at the end
    can_rematch: bool = False
    is_guest: bool = False
    strangers: Sequence[Stranger] = ()
    seats: int = 0  # how many played
    frames: Sequence[Frame] = ()
    has_review: bool = False
    review: str = ""  # what the stored review says of them in short
    rating: RatingChange | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Own:
    """What a viewer holds and may do; the defaults are a spectator's.

    `waiting` is how many seats have not confirmed the end of the round yet. `played` are the last
    moves made for a player who is away, the oldest first.
    """

    seat: int | None
    seq: int | str = 0
    over: bool = False
    waiting: int = 0
    next: Next = field(default_factory=Next)
    next_words: str = ""  # the status of the next table, for screen readers
    can_wish: bool = False  # for a seat at the next table

    narration: str = ""  # what happened last, if it is about this player
    my_turn: bool = False
    due_ms: int | None = None  # the end of their turn
    has_room: bool = False  # they only wait, so the page lays the moves over the panel
    must_confirm: bool = False
    confirmed: bool = False
    out: bool = False
    gone: bool = False
    asleep: bool = False
    played: Sequence[str] = ()
    left_by: str = ""
    again: Again | None = None
    after: After = field(default_factory=After)


@dataclass(frozen=True, slots=True)
class Position:
    """A decision for the templates of a table."""

    t: ShownTable  # the table as the seat knew it
    o: Own  # what the seat held and could do
