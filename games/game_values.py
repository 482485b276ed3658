"""The plain values that general code and a game tell each other."""

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
    """A fact with its number in the log and the time it became true."""

    seq: int
    at: datetime
    fact: Fact
    automatic: bool = False  # the first fact of a move that a bot or a timeout made for a person


@dataclass(frozen=True, slots=True)
class NextTable:
    """The next table of the players of a game that is over."""

    code: str
    begins_ms: int | None  # when it begins by itself, in ms since 1970
    has_begun: bool


@dataclass(frozen=True, slots=True)
class Look:
    """What is read once of a game that has begun for all who look at it, in one language."""

    game: Game
    seats: Sequence[Seat]  # by number, with their people
    names: Sequence[str]  # of the seats
    known: Any  # what everybody knows at the game's `seq` (see `event_log.PublicView`)
    next_table: NextTable | None  # of these players, if there is one


@dataclass(frozen=True, slots=True)
class Highlight:
    """Something remarkable in a finished game; `Words.highlight` tells it.

    `is_key`: of all highlights of the game this one mattered most to who won.
    """

    moment: int  # the number of the moment that shows it, from 1
    seat: int  # of the player it is about
    code: str
    values: Mapping[str, Any]  # plain values for the sentence
    is_key: bool = False


@dataclass(frozen=True, slots=True)
class OddsQuestion:
    """A question with two answers, for who knows what it shows: whether something is more likely
    true than not, or which of two choices is better.
    """

    is_likely: bool  # whether the first answer is right
    values: Mapping[str, Any]  # plain values for the template of the game's questions
    ask: str
    short: str  # what is asked about, in a word or two
    reason: str  # why the answer is right, one sentence
    answers: tuple[str, str] | None = None  # None: "more likely true" and "more likely false"
    verdict: str = ""  # which of two choices is better, a sentence


@dataclass(frozen=True, slots=True)
class ReplayMove:
    """What a seat did in a finished game, and what it could know of it then.

    `chance` is the probability that it was right by what this seat alone knew; None where the
    game computes none. `Words.move`, `move_chance` and `move_odds` tell it.
    """

    seat: int
    code: str
    values: Mapping[str, Any]  # plain values for the sentences and for `_replay_move.html`
    seconds: float  # since the seat could make it
    automatic: bool  # a stand-in or the clock made it for a person
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class TableRules:
    """The rules of a table in words, in one language."""

    preset: str  # its key
    name: str  # of the preset
    differences: tuple[str, ...]  # from the preset, one sentence each
    all: tuple[tuple[str, str], ...]  # every setting: what it is called, what it means here
    badges: tuple[str, ...]  # short marks for a card in the lobby


@dataclass(frozen=True, slots=True)
class Assets:
    """The static files of the game, as names for the tag `static`.

    They come after those that every game's table has, in this order. The two modules are loaded
    when somebody first uses the keyboard or the sound; see `keys.js` and `sound.js` of `games`
    for what they export. `sound_files` are loaded with the sound, at most 60 KB together, and made
    by `tools/sounds.py`; `sounds` names them without folder and ending. `board_styles` are for a
    table on a big screen (games/board.css); `cover_style` hides what a seat holds while the root's
    `data-cover` is "on" (games/cover.js). `list_styles` are for `_hero.html` and `_icon.html` on
    the pages that list games or tables, beside the sheets of other games. `preview` is the ground
    of link previews, a PNG made by `tools/preview_art.py`.
    """

    table_styles: tuple[str, ...]
    replay_styles: tuple[str, ...]
    board_styles: tuple[str, ...]
    cover_style: str
    table_script: str
    keys: str
    sounds: str
    sound_files: tuple[str, ...]
    preview: str
    list_styles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultFilter:
    """A choice by which a person's list shows only some games of one game: by their variant."""

    name: str  # of the form field
    label: Any
    choices: Mapping[str, tuple[Any, str]]  # by key: its label and the variant of the results
