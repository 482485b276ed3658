"""The catalogue of games: what each game gives the site, by key.

A game is a Django app whose `AppConfig.ready()` calls `register`. Everything else asks `of(key)`
and never imports a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from games.core.contract import Chance, Fact, Rules

if TYPE_CHECKING:
    from django.db.models import Prefetch

    from games.forms import NewTableForm
    from games.models import Game as GameRow
    from games.models import Seat

# A bot chooses from the state as its seat knows it. None: it does not want to interrupt.
Bot = Callable[[Any, int, Chance], Any | None]


class Presenter(Protocol):
    """What viewers see of a running or finished game, as plain values for its templates.

    The fragments are `<key>/_table.html`, `_own.html` and `_story.html`. The pages of a table and
    of a replay include `<key>/_hints.html`, `_keys.html`, `_leave.html` and `_replay_table.html`,
    those that list games or tables `<key>/_hero.html` (a picture) and `_icon.html` (a small one).
    """

    def table(self, game: GameRow) -> dict[str, Any]:
        """What everybody sees; built from public facts alone."""

    def own(self, game: GameRow, number: int | None, *, known: Any = None) -> dict[str, Any]:
        """What the seat `number` holds and may do; None is a spectator.

        `known` is the state as this seat knows it, if the caller has it already.
        """

    def earlier_rounds(self, game: GameRow) -> list[dict[str, Any]]:
        """The rounds that are over, newest first, for everybody."""

    def last_earlier_round(self, game: GameRow) -> int:
        """The number of the newest round in `earlier_rounds`; 0 when there is none."""


class Pace(Protocol):
    """How long a game's own pauses last, in milliseconds; asked with the public state.

    `turn_seconds` and `bot_seconds` are asked with a number of seats: a game that gets long with
    many players keeps its turns shorter there.
    """

    def turn_seconds(self, seats: int) -> int | None:
        """The most a turn should last where nobody chose a time; None: as long as on this site."""

    def bot_seconds(self, seats: int) -> float | None:
        """The most a bot should take for its turn; None: as long as on this site."""

    def bots_wait_ms(self, state: Any) -> int:
        """How long a bot on turn waits at least, at any tempo: while the page shows what has just
        happened; 0 when a bot's usual time is enough.
        """

    def hold_ms(self, state: Any) -> int:
        """How long the seat on turn may not cut off those that may interrupt."""

    def window_ms(self, state: Any) -> int:
        """How long a window stays open (see `contract.Waiting`)."""

    def ask_bots_ms(self, state: Any) -> float | None:
        """When bots that may interrupt are asked, from the beginning; None: they are not.

        A window of which bots are asked ends early when no person is left who may interrupt.
        """

    def reveal_ms(self, state: Any) -> int:
        """How long the page animates the result that `state` shows."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """Something remarkable in a finished game; `Words.highlight` tells it."""

    moment: int  # the step of the replay that shows it, from 1
    seat: int  # of the player it is about
    code: str
    values: Mapping[str, Any]  # plain values for the sentence


class Replay(Protocol):
    """A finished game, step by step."""

    def highlights(self, game: GameRow) -> Sequence[Highlight]:
        """What was remarkable in a finished game, one highlight of a kind, from the whole log."""

    def page(self, game: GameRow, number: int) -> dict[str, Any] | None:
        """The page of the step `number`, from 1; None when the game has no such step."""


@dataclass(frozen=True, slots=True)
class TableRules:
    """The rules of a table in words, in one language."""

    preset: str  # its key
    name: str  # of the preset
    differences: tuple[str, ...]  # from the preset, one sentence each
    all: tuple[tuple[str, str], ...]  # every setting: what it is called, what it means here
    badges: tuple[str, ...]  # short marks for a card in the lobby


@dataclass(frozen=True, slots=True)
class RecordFormats:
    """How the game writes a finished game: for people, and for programs."""

    to_text: Callable[[Any], str]
    to_json: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Assets:
    """The static files of the game, as names for the tag `static`.

    They come after those that every game's table has, in this order. The two modules are loaded
    when somebody first uses the keyboard or the sound; see `keys.js` and `sound.js` of `games`
    for what they export. `list_styles` are for `_hero.html` and `_icon.html` on the pages
    that list games or tables, beside the sheets of other games. `preview` is the ground of link
    previews, a PNG made by `docs/preview_art.py`.
    """

    table_styles: tuple[str, ...]
    replay_styles: tuple[str, ...]
    table_script: str
    keys: str
    sounds: str
    preview: str
    list_styles: tuple[str, ...] = ()


class Words(Protocol):
    """What the game says, in the active language. KeyError for an unknown key."""

    def name(self) -> str:
        """What the game is called."""

    def tagline(self) -> str:
        """The game in one line."""

    def summary(self) -> str:
        """What you do in it, in two or three short sentences."""

    def told(self, fact: Fact, names: Sequence[str]) -> str:
        """One sentence for a fact, with names by seat; "" for what is not announced."""

    def reason(self, code: str, details: Mapping[str, Any] | None = None) -> str:
        """Why a move was refused: a code of the rules, or `too_soon`."""

    def highlight(self, found: Highlight, names: Sequence[str]) -> str:
        """One sentence for a highlight of the replay, with names by seat."""

    def bot(self, kind: str) -> str: ...

    def preset(self, key: str) -> str: ...

    def options(self, game: GameRow) -> TableRules:
        """The rules of this table."""


class Forms(Protocol):
    """What people choose before a game."""

    NEW_TABLE: type[NewTableForm]  # the general one with the fields of this game
    QUICK_PLAY: Mapping[str, Any]  # `preset` and `options` of a table that starts at once


class RulesPage(Protocol):
    """The page that explains the rules, of the template `<key>/rules.html`.

    It has an element with the id `rule-sets`, to which the form of a new table leads.
    """

    def context(self) -> dict[str, Any]:
        """What the template needs besides `key`, `name` and `turn_seconds`, in the active
        language; `key` is for the addresses of the game's other pages.
        """


class Tutorial(Protocol):
    """Small steps, each a position and a question; nothing is stored.

    The templates are `<key>/learn.html` (its start), `learned.html` (its end), and within a step
    `_table.html` and `_lesson_own.html`. All get `key`, for the addresses of the game's pages.
    """

    FIELDS: Sequence[str]  # of the form that makes a move

    def titles(self) -> Sequence[str]:
        """What each step is called, in the active language."""

    def step(self, number: int, move: Mapping[str, str] | None, *, user: Any) -> dict[str, Any]:
        """The context of the step `number`, from 1: its question, or the answer to `move`.

        `title`, `lead` and `ask` are the words of the question, `show` the fields of a right move,
        `me` the name of the learner (`user`, or a guest), `told` what happened last. `verdict` is
        "right", "other" or "refused" and `reply` the words for it; None without a move.
        The rest is for the templates of the game.
        """


@dataclass(frozen=True, slots=True)
class ResultFilter:
    """A choice by which a person's list shows only some games of one game: by their variant."""

    name: str  # of the form field
    label: Any
    choices: Mapping[str, tuple[Any, str]]  # by key: its label and the variant of the results


class Statistics(Protocol):
    """What the game keeps of its finished rounds and games, and shows of a person."""

    @property
    def presets(self) -> Sequence[str]:
        """The keys of the presets that results may have, in the order in which they are shown."""

    @property
    def filters(self) -> Sequence[ResultFilter]: ...

    def variant(self, game: GameRow) -> str:
        """The variant of this game's results: what the filters tell apart, or ""."""

    def write_round(self, game: GameRow, seats: Sequence[Seat], finished: Any, *, seq: int) -> None:
        """Store a round in the transaction that ended it.

        `finished` is what `rules.finished_round` says of it, `seq` the first fact of its last step.
        """

    def count_game(self, game: GameRow, seats: Sequence[Seat]) -> Mapping[int, Mapping[str, int]]:
        """The game's own counters of a finished game, by seat number, for the seats of people.

        `left` and `place_<n>` are counted for every game; no other counter may have these names.
        """

    def figures(self, counters: Mapping[str, int]) -> Sequence[tuple[str, str]]:
        """Labels and values for a person's page, in the active language, from all counters."""

    def export_rows(self) -> Prefetch[str]:
        """What `export_rounds` reads, to be fetched with many seats at once."""

    def export_rounds(self, seat: Seat, company: Sequence[Seat]) -> list[dict[str, Any]]:
        """A person's own rounds as plain values, without what the person may not know.

        `company` are all seats of the game.
        """


@dataclass(frozen=True, slots=True)
class Game:
    """A game of the catalogue."""

    key: str
    rules: Rules
    bots: Mapping[str, Bot]
    stand_in: str  # the kind of bot that plays for absent people
    pace: Pace
    presenter: Presenter
    replay: Replay
    record: RecordFormats
    assets: Assets
    words: Words
    stats: Statistics
    forms: Forms
    rules_page: RulesPage
    tutorial: Tutorial


_games: dict[str, Game] = {}


def register(game: Game) -> None:
    """Add a game; ValueError when its key is taken or its parts do not fit together."""
    if game.key in _games or game.key != game.rules.KEY:
        raise ValueError(f"the key {game.key} is taken or not that of its rules")
    if game.stand_in not in game.bots:
        raise ValueError(f"{game.key} has no bot named {game.stand_in}")
    _games[game.key] = game


def of(key: str) -> Game:
    """The game of this key; KeyError when there is none."""
    return _games[key]


def default() -> Game:
    """The game of a page that names none: the first of the catalogue."""
    return next(every())


def every() -> Iterator[Game]:
    """All games, in the order in which their apps are installed."""
    return iter(_games.values())


def has_several() -> bool:
    """Whether people choose among games on this site."""
    return len(_games) > 1
