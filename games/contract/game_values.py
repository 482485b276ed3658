"""Plain values exchanged between general code and a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from games.core.contract import Fact

if TYPE_CHECKING:
    from games.models import Game, Seat


@dataclass(frozen=True, slots=True)
class RecordedFact:
    """A fact with its number in the log and its time."""

    seq: int
    at: datetime
    fact: Fact
    automatic: bool = False  # the first fact of a move that a bot or a timeout made for a person


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """One of the two answers to a question on the home page; `fields` are those of its form."""

    word: str
    meaning: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NextTable:
    """The next table of the players of a finished game."""

    code: str
    begins_ms: int | None  # when it starts by itself, in ms since 1970
    has_begun: bool


@dataclass(frozen=True, slots=True)
class Look:
    """Data of a game that has begun, read once for all its viewers of one language."""

    game: Game
    seats: Sequence[Seat]  # by number, with their people
    names: Sequence[str]  # of the seats
    known: Any  # what everybody knows at the game's `seq` (see `event_log.PublicView`)
    next_table: NextTable | None  # of these players, if there is one
    rated: bool = False  # whether it counts for ratings


@dataclass(frozen=True, slots=True)
class Highlight:
    """Something remarkable in a finished game; `Words.highlight` puts it in words.

    `is_key`: this highlight of the game mattered most to the winner.
    """

    moment: int  # the number of the moment that shows it, from 1
    seat: int  # of the player it is about
    code: str
    values: Mapping[str, Any]  # plain values for the sentence
    is_key: bool = False


@dataclass(frozen=True, slots=True)
class Earned:
    """A mark that a seat earned in a finished game (see `optional_parts.Marks`)."""

    seat: int
    key: str
    moment: int  # the number of the moment that shows it, from 1; 0: the whole game


@dataclass(frozen=True, slots=True)
class OddsQuestion:
    """A question with two answers, to be decided from what it shows.

    It asks whether something is more likely true than not, or which of two choices is better.
    """

    is_likely: bool  # whether the first answer is right
    values: Mapping[str, Any]  # plain values for the template of the game's questions
    ask: str
    short: str  # what is asked about, in a word or two
    reason: str  # why the answer is right, one sentence
    answers: tuple[str, str] | None = None  # None: "more likely true" and "more likely false"
    verdict: str = ""  # which of two choices is better, a sentence


@dataclass(frozen=True, slots=True)
class ChanceQuestion:
    """A question about a claim of a finished game: how likely it was false, by what a seat knew.

    The answers are ranges of that chance.
    """

    number: int  # of the moment that shows the claim, from 1
    seat: int  # the seat that is asked, as it knew the game at that moment
    by: int  # the seat whose knowledge counts; the claim could be challenged by it
    right: int  # the place of the right answer


@dataclass(frozen=True, slots=True)
class ReplayMove:
    """A move of a seat in a finished game, with what the seat could know at that time.

    `chance` is the probability, given only what this seat knew, that the move was right; None if
    the game computes none. `Words.move`, `move_chance` and `move_odds` put the move in words.
    """

    seat: int
    code: str
    values: Mapping[str, Any]  # plain values for the sentences and for `_replay_move.html`
    seconds: float  # from the time at which the seat could move
    automatic: bool  # a stand-in or a timeout made it for a person
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class TableRules:
    """The rules of a table as texts in one language."""

    preset: str  # its key
    name: str  # of the preset
    differences: tuple[str, ...]  # from the preset, one sentence each
    all: tuple[tuple[str, str], ...]  # every setting: what it is called, what it means here
    badges: tuple[str, ...]  # short marks for a card in the lobby


@dataclass(frozen=True, slots=True)
class Assets:
    """The static files of the game, as names for the tag `static`.

    `table_style` and `lesson_style` import all sheets of a table and of a lesson's, those of every
    game too (games/before-game.css and games/after-game.css); the last one of a table hides a
    seat's hand while the root's `data-cover` is "on" (games/cover.js). `replay_styles` and
    `board_styles`, for a table on a big screen (games/board.css), are loaded after the files common
    to the tables of all games, in this order. The modules `keys` and `sounds` are loaded when a
    person first uses the keyboard or the sound; see `keys.js` and `sound.js` of `games` for their
    exports. `sound_files`, made by `tools/sounds.py`, are loaded with the sound and have at most 60
    KB together; `sounds` names them without folder and extension. `list_styles` are for
    `_hero.html` and `_icon.html` on pages that list games or tables, next to the style sheets of
    other games. `preview` is the background of link previews, a PNG made by
    `tools/preview_art.py`, and `ending` that of a finished game, a WebP.
    """

    table_style: str
    lesson_style: str
    replay_styles: tuple[str, ...]
    board_styles: tuple[str, ...]
    table_script: str
    keys: str
    sounds: str
    sound_files: tuple[str, ...]
    preview: str
    ending: str
    list_styles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultFilter:
    """A filter of a person's list of finished games of one kind, by the variant of the results."""

    name: str  # of the form field
    label: Any
    choices: Mapping[str, tuple[Any, str]]  # by key: its label and the variant of the results


@dataclass(frozen=True, slots=True)
class Said:
    """A chance that a judge gave: by others' moves too, and by what the seat saw `alone`."""

    about: str
    chance: float
    alone: float
    happened: bool
