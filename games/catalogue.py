"""The catalogue of games: what each game gives the site, by key.

A game is a Django app that `settings.GAMES` names; `game_modules` finds its parts by their names.
Everything else asks `of(key)` and never imports a game.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from games import optional_parts as optional
from games.core.characters import Bot, Character
from games.core.contract import Fact, Rules
from games.game_values import Assets, Highlight, Look, ReplayMove, ResultFilter, TableRules

if TYPE_CHECKING:
    from django.db.models import Prefetch

    from accounts.requests import AnyUser
    from games.core.game_record import Record
    from games.models import Game, Seat, TableSettings


class Bots(Protocol):
    """Who plays without a person."""

    BOTS: Mapping[str, Bot]  # by kind
    STAND_IN: str  # the kind that plays for absent people


class Presenter(Protocol):
    """What viewers see of a running or finished game, as plain values for its templates.

    Plain: texts, whole numbers, truth values, None, lists and dicts of them; no models or times.

    The fragments are `<key>/_table.html`, `_own.html` and `_story.html`. The pages of a table and
    of a replay include `<key>/_hints.html`, `_keys.html`, `_leave.html` and `_replay_table.html`,
    those that list games or tables `<key>/_hero.html` (a picture) and `_icon.html` (a small one).
    """

    def table(self, look: Look) -> dict[str, Any]:
        """What everybody sees; built from public facts alone."""

    def own(self, look: Look, number: int | None, *, known: Any = None) -> dict[str, Any]:
        """What the seat `number` holds and may do; None is a spectator.

        `known` is the state as this seat knows it, if the caller has it already.
        """

    def earlier_rounds(self, game: Game) -> list[dict[str, Any]]:
        """The rounds that are over, newest first, for everybody."""

    def last_earlier_round(self, game: Game) -> int:
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

    def bots_wait_ms(self, since: Sequence[Any], people: Container[int], *, now: datetime) -> int:
        """How long bots wait at least, at any tempo, while the page shows what has just happened.

        Nobody's time runs before that. 0 when a bot's usual time is enough. `since` are the public
        facts since the last deal (`game_values.RecordedFact`), `people` the seats people play.
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


class Moment(Protocol):
    """A step of a finished game, as its replay shows it; a game keeps more in it."""

    @property
    def at(self) -> datetime: ...

    @property
    def facts(self) -> Sequence[Fact]: ...  # what happened in it, for whatever audience

    @property
    def state(self) -> Any: ...  # after it, with nothing hidden

    @property
    def round(self) -> int: ...  # the number of the round

    @property
    def move(self) -> ReplayMove | None:
        """What a seat did to bring this moment about; None for a deal and an end."""

    @property
    def opens(self) -> bool: ...  # whether it shows what was hidden: a reveal, an accusation


class Replay(Protocol):
    """A finished game, moment by moment, nothing hidden. ValueError for a game that still runs."""

    def moments(self, game: Game) -> Sequence[Moment]:
        """Every moment in order, from a log that is folded once and kept (`store.moments`)."""

    def scene(self, game: Game, moment: Any, *, seat: int | None = None) -> dict[str, Any]:
        """The table after one of `moments`, for `_replay_table.html`, in the active language: its
        `seats` by number, the `narration`, and whatever else that template shows.

        With a `seat` nothing is in it that this seat did not know then.
        """

    def rounds(self, game: Game, seats: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
        """The rounds in order, each with its `number`; `seats` as `scene` shows them."""

    def highlights(self, game: Game) -> Sequence[Highlight]:
        """What was remarkable in a finished game, one highlight of a kind, from all moments. If
        there is any, one is the key moment: that which mattered most to who won."""


class Notation(Protocol):
    """How the game writes a finished game for people; `core.game_record` does for programs."""

    def to_text(self, record: Record) -> str: ...


class Words(Protocol):
    """What the game says, in the active language. KeyError for an unknown key."""

    def name(self) -> str:
        """What the game is called."""

    def tagline(self) -> str:
        """The game in one line."""

    def summary(self) -> str:
        """What you do in it, in two or three short sentences."""

    def narrate(self, fact: Fact, names: Sequence[str]) -> str:
        """One sentence for a fact, with names by seat; "" for what is not announced."""

    def reason(self, code: str, details: Mapping[str, Any] | None = None) -> str:
        """Why a move was refused: a code of the rules, or `too_soon`."""

    def highlight(self, found: Highlight, names: Sequence[str]) -> str:
        """One sentence for a highlight of the replay, with names by seat."""

    def key_moment(self, found: Highlight, names: Sequence[str], reader: int | None) -> str:
        """The same in a few words, after "Key moment:"; "you" for the player at seat `reader`."""

    def move(self, made: ReplayMove) -> str:
        """A move of the replay in a word or two, without who made it: "9 sixes", "dudo"."""

    def move_chance(self, made: ReplayMove) -> str:
        """What stands beside the move in a list: how likely it was, or what was unseen; or ""."""

    def move_odds(self, made: ReplayMove, names: Sequence[str]) -> Sequence[str]:
        """What its player held and how likely that was, and at last what came of it: three short
        sentences, or none.
        """

    def bot(self, kind: str) -> str: ...

    def preset(self, key: str) -> str: ...

    def options(self, game: Game) -> TableRules:
        """The rules of this table."""


class TableForm(Protocol):
    """A form for a new table: the general one of the site with the fields of this game."""

    @property
    def errors(self) -> Mapping[str, Any]:
        """What is wrong, by field."""

    def is_valid(self) -> bool: ...

    def add_error(self, field: str | None, error: Any) -> None: ...

    def table_settings(self) -> TableSettings:
        """The valid form as the settings of a table."""

    def show(self, table: TableSettings) -> None:
        """Let a form that nobody has sent show these settings."""


class Forms(Protocol):
    """What people choose before a game."""

    @property
    def NEW_TABLE(self) -> Callable[..., TableForm]:
        """Makes the form from `data` or `initial`."""

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

    def step(self, number: int, move: Mapping[str, str] | None, *, user: AnyUser) -> dict[str, Any]:
        """The context of the step `number`, from 1: its question, or the answer to `move`.

        `title`, `lead` and `ask` are the words of the question, `show` the fields of a right move,
        `me` the name of the learner (`user`, or a guest), `narration` what happened last.
        `verdict` is "right", "other" or "refused", and `reply` the words for it; None without a
        move. The rest is for the templates of the game.
        """


class Statistics(Protocol):
    """What the game keeps of its finished rounds and games, and shows of a person."""

    @property
    def presets(self) -> Sequence[str]:
        """The keys of the presets that results may have, in the order in which they are shown."""

    @property
    def filters(self) -> Sequence[ResultFilter]: ...

    def variant(self, game: Game) -> str:
        """The variant of this game's results: what the filters tell apart, or ""."""

    def write_round(self, game: Game, seats: Sequence[Seat], finished: Any, *, seq: int) -> None:
        """Store a round in the transaction that ended it.

        `finished` is what `rules.finished_round` says of it, `seq` the first fact of its last step.
        """

    def count_game(self, game: Game, seats: Sequence[Seat]) -> Mapping[int, Mapping[str, int]]:
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
class GameKind:
    """A game of the catalogue."""

    key: str
    rules: Rules
    notation: Notation
    bots: Mapping[str, Bot]
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
    review: optional.Review | None = None
    review_words: optional.ReviewWords | None = None
    seats_knew: optional.SeatsKnew | None = None
    characters: Mapping[str, Character] = field(default_factory=dict)
    character_words: optional.CharacterWords | None = None
    judgement: optional.Judgement | None = None


_kinds: dict[str, GameKind] = {}


def install(kinds: Iterable[GameKind]) -> None:
    """Make these the games of the site, in this order; ValueError when two have one key."""
    kinds = list(kinds)
    for key in (keys := [kind.key for kind in kinds]):
        if keys.count(key) > 1:
            raise ValueError(f"two games have the key {key!r}")
    _kinds.clear()
    for kind in kinds:
        _kinds[kind.key] = kind


def of(key: str) -> GameKind:
    """The game of this key; KeyError when there is none."""
    return _kinds[key]


def default() -> GameKind:
    """The game of a page that names none: the first of the catalogue."""
    return next(every())


def every() -> Iterator[GameKind]:
    """All games, in the order of `settings.GAMES`."""
    return iter(_kinds.values())


def has_several() -> bool:
    """Whether people choose among games on this site."""
    return len(_kinds) > 1
