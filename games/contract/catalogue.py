"""Catalogue of games by key, with the Protocols of the parts that each game must provide.

A game is a Django app listed in `settings.GAMES`. Other code calls `of(key)` and imports no game.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from games.contract import optional_parts as optional
from games.contract.game_values import Assets, Highlight, Look, ReplayMove, ResultFilter, TableRules
from games.contract.pages import Forms, RulesPage, Tutorial
from games.contract.shown import Own, ShownRound, ShownTable
from games.contract.throws import Throws
from games.core.characters import Bot, Character
from games.core.contract import Fact, Rules

if TYPE_CHECKING:
    from django.db.models import Prefetch

    from games.core.game_record import Record
    from games.models import Game, Seat


class Bots(Protocol):
    """The bots of a game."""

    BOTS: Mapping[str, Bot]  # by kind
    MIXED: Mapping[str, Bot]  # the same kinds, as they play at a table with bots of several kinds
    STAND_IN: str  # the kind that plays for absent people


class Presenter(Protocol):
    """What the templates show of a running or finished game, as plain values.

    Plain are strings, numbers, None, frozen dataclasses, and lists and dicts of them.
    The fragments are `<key>/_table.html`, `_own.html` and `_story.html`. Table and replay pages
    include `<key>/_hints.html`, `_keys.html`, `_leave.html` and `_replay_table.html`. Lists of
    games and tables include `<key>/_hero.html` (a picture) and `_icon.html` (a small picture).
    """

    def table(self, look: Look) -> ShownTable:
        """Return what everybody sees, built from public facts only."""

    def own(self, look: Look, number: int | None, *, known: Any = None) -> Own:
        """Return what the seat `number` holds and may do; None is a spectator. `known` is the state
        as this seat knows it, if the caller already has it."""

    def earlier_rounds(self, game: Game) -> Sequence[ShownRound]:
        """Return the finished rounds, newest first, for everybody."""

    def last_earlier_round(self, game: Game) -> int:
        """Return the number of the newest round in `earlier_rounds`, or 0."""


class Pace(Protocol):
    """Durations of a game's own pauses, in milliseconds, for a public state.

    `turn_seconds` and `bot_seconds` depend on the number of seats, so that a game that is long with
    many players can have shorter turns there.
    """

    def turn_seconds(self, seats: int) -> int | None:
        """Return the longest default turn in seconds; None: the site's default."""

    def bot_seconds(self, seats: int) -> float | None:
        """Return the longest turn of a bot in seconds; None: the site's default."""

    def bots_wait_ms(self, since: Sequence[Any], people: Container[int], *, now: datetime) -> int:
        """Return the least wait of bots, at any tempo, while the page shows the latest events.

        No time runs before that. 0: a bot's usual time is enough. `since` are the public facts
        since the last deal (`game_values.RecordedFact`), `people` the seats played by people.
        """

    def hold_ms(self, state: Any) -> int:
        """Return how long the seat on turn may not cut off seats that may interrupt."""

    def window_ms(self, state: Any) -> int:
        """Return how long a window stays open (see `contract.Waiting`)."""

    def ask_bots_ms(self, state: Any) -> float | None:
        """Return the delay until bots that may interrupt are asked; None: they are not asked.

        A window in which bots are asked ends early if no person is left who may interrupt.
        """

    def reveal_ms(self, state: Any) -> int:
        """Return how long the page animates the result shown by `state`."""


class Moment(Protocol):
    """A step of a finished game as shown by its replay; each game adds attributes of its own."""

    @property
    def at(self) -> datetime: ...

    @property
    def facts(self) -> Sequence[Fact]: ...  # the facts of this step, of any audience

    @property
    def state(self) -> Any: ...  # after this step, with all hidden facts

    @property
    def round(self) -> int: ...  # the number of the round

    @property
    def move(self) -> ReplayMove | None:
        """The move that led to this moment; None for a deal and an end."""

    @property
    def opens(self) -> bool: ...  # whether it shows hidden facts: a reveal, an accusation


class Replay(Protocol):
    """A finished game by moments, with all hidden facts. Raises ValueError for a running game."""

    def moments(self, game: Game) -> Sequence[Moment]:
        """Return all moments in order; the log is folded once and cached (`store.moments`)."""

    def scene(self, game: Game, moment: Any, *, seat: int | None = None) -> ShownTable:
        """Return the table after one of `moments` for `_replay_table.html`, in the active language;
        with a `seat`, only what this seat knew at that moment."""

    def rounds(self, game: Game, seats: Sequence[Any]) -> Sequence[ShownRound]:
        """Return the rounds in order; `seats` are those of `scene`."""

    def highlights(self, game: Game) -> Sequence[Highlight]:
        """Return the highlights of a finished game, at most one of each kind. If there are any, one
        is the key moment, which mattered most to the winner."""

    def bold_claims(self, game: Game) -> Sequence[int]:
        """Return the moments, from 1, of claims unlikely to their players, the boldest first."""


class Notation(Protocol):
    """Text format of a finished game for people; `core.game_record` is the one for programs."""

    def to_text(self, record: Record) -> str: ...


class Words(Protocol):
    """Texts of the game in the active language. Raises KeyError for an unknown key."""

    def name(self) -> str:
        """Return the name of the game."""

    def tagline(self) -> str:
        """Describe the game in one line."""

    def summary(self) -> str:
        """Describe how the game is played, in two or three short sentences."""

    def narrate(self, fact: Fact, names: Sequence[str]) -> str:
        """Return a sentence for a fact, with names by seat; "" if it is not announced."""

    def reason(self, code: str, details: Mapping[str, Any] | None = None) -> str:
        """Return why a move was refused, for a reason code of the rules or `too_soon`."""

    def highlight(self, found: Highlight, names: Sequence[str]) -> str:
        """Return a sentence for a highlight of the replay, with names by seat."""

    def key_moment(self, found: Highlight, names: Sequence[str], reader: int | None) -> str:
        """Return a few words to follow a title, with "you" for the player at `reader`."""

    def highlight_title(self, code: str) -> str: ...

    def move(self, made: ReplayMove) -> str:
        """Return a move of the replay in a word or two, without its player: "9 sixes", "dudo"."""

    def move_chance(self, made: ReplayMove) -> str:
        """Return the note beside a move in a list: its chance, or what was unseen, or ""."""

    def move_odds(self, made: ReplayMove, names: Sequence[str]) -> Sequence[str]:
        """Return three short sentences, or none: what the player held, how likely the move was
        right, and how it turned out."""

    def bot(self, kind: str) -> str: ...

    def preset(self, key: str) -> str: ...

    def options(self, game: Game) -> TableRules:
        """Return the rules of this table."""


class Statistics(Protocol):
    """Stored statistics of finished rounds and games, and their display for a person."""

    @property
    def presets(self) -> Sequence[str]:
        """The keys of the presets that results may have, in the order in which they are shown."""

    @property
    def filters(self) -> Sequence[ResultFilter]: ...

    def variant(self, game: Game) -> str:
        """Return the variant of this game's results, by which the filters select, or ""."""

    def write_round(self, game: Game, seats: Sequence[Seat], finished: Any, *, seq: int) -> None:
        """Store a round in the transaction that ended it.

        `finished` is the result of `rules.finished_round`, `seq` the first fact of its last step.
        """

    def count_game(self, game: Game, seats: Sequence[Seat]) -> Mapping[int, Mapping[str, int]]:
        """Return the game's own counters of a finished game, by seat number, for people's seats.

        The names `left`, `place_<n>` and `thrown_<key>` are reserved.
        """

    def figures(self, counters: Mapping[str, int]) -> Sequence[tuple[str, str]]:
        """Return labels and values for a person's page, in the active language."""

    def export_rows(self) -> Prefetch[str]:
        """Return the prefetch of the rows that `export_rounds` reads, for many seats at once."""

    def export_rounds(self, seat: Seat, company: Sequence[Seat]) -> list[dict[str, Any]]:
        """Return a person's own rounds of a game as far as they may know; `company`: all seats."""


@dataclass(frozen=True, slots=True)
class GameKind:
    """A game of the catalogue."""

    key: str
    rules: Rules
    notation: Notation
    bots: Mapping[str, Bot]
    mixed_bots: Mapping[str, Bot]
    stand_in: str
    pace: Pace
    presenter: Presenter
    replay: Replay
    assets: Assets
    words: Words
    stats: Statistics
    forms: Forms
    rules_page: RulesPage
    tutorial: Tutorial
    trainer: optional.Trainer | None = None
    questions: optional.Questions | None = None
    try_again: optional.TryAgain | None = None
    review: optional.Judge | None = None
    fitting: optional.Fitting | None = None
    review_words: optional.ReviewWords | None = None
    guesses: optional.Guesses | None = None
    seats_knew: optional.SeatsKnew | None = None
    characters: Mapping[str, Character] = field(default_factory=dict)
    character_words: optional.CharacterWords | None = None
    judgement: optional.Judgement | None = None
    ratings: optional.Ratings | None = None
    throws: Throws | None = None
    marks: optional.Marks | None = None
    mark_words: optional.MarkWords | None = None


_kinds: dict[str, GameKind] = {}


def install(kinds: Iterable[GameKind]) -> None:
    """Set the games of the site, in this order. Raises ValueError for a duplicate key."""
    kinds = list(kinds)
    keys = [kind.key for kind in kinds]
    if key := next((each for each in keys if keys.count(each) > 1), ""):
        raise ValueError(f"two games have the key {key!r}")
    _kinds.clear()
    for kind in kinds:
        _kinds[kind.key] = kind


def of(key: str) -> GameKind:
    """Return the game with this key. Raises KeyError."""
    return _kinds[key]


def default() -> GameKind:
    """Return the game of pages that name none: the first of the catalogue."""
    return next(every())


def every() -> Iterator[GameKind]:
    """Iterate over all games, in the order of `settings.GAMES`."""
    return iter(_kinds.values())


def has_several() -> bool:
    """Whether this site offers a choice of games."""
    return len(_kinds) > 1
