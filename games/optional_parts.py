"""The Protocols of what a game need not provide; the others are in `catalogue`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from games.core.characters import Character
from games.core.contract import Chance, Fact
from games.game_values import OddsQuestion, ReplayMove

if TYPE_CHECKING:
    from games.models import Seat


class Trainer(Protocol):
    """Questions about the odds of a game, which not every game has; nothing is stored, and no day
    asks about them (see `questions`).

    What a question shows is `<key>/_odds_question.html`, given its `values` as `q`.
    """

    STYLES: Sequence[str]  # the style sheets of that template, static files

    def odds_question(self, seed: int, number: int) -> OddsQuestion:
        """The question `number`, from 1, of those that belong to `seed`, in the active language.

        The same for the same two numbers, and harder for a higher `number`.
        """


class Questions(Protocol):
    """Decisions of finished games as questions, which not every game asks.

    What the answer shows is `<key>/_question_table.html` and, of what the seat held,
    `_question_own.html`, both with `revealed` as `t`; the question is shown by the templates of a
    table, with `t` and `o` of `position`.
    """

    FIELDS: Sequence[str]  # of the form that makes a move
    SHIPPED: Path  # the set of rounds for questions of the day; tools/daily_rounds.py makes it

    def moments(self, facts: Iterable[Any]) -> Sequence[Any]:
        """What `Replay.moments` makes of a whole log, of these recorded facts; a log that ends with
        a round will do.
        """

    def doubt(self, known: Any, seat: int) -> float | None:
        """How likely that is true which the seat could call wrong now, by what it knows; None where
        it could call nothing.
        """

    def summary(self, known: Any, seat: int) -> tuple[str, str]:
        """The question in a few words, and what the seat held, for headings and previews."""

    def position(self, known: Any, seat: int, seats: Sequence[Seat]) -> dict[str, Any]:
        """`t` and `o`: the table as this seat knew it, and what it held and could do."""

    def judged(self, state: Any, known: Any, seat: int, move: Any) -> ReplayMove:
        """A move the seat could make as the replay would show it; no time was taken for it.

        `state` has nothing hidden, `known` is what the seat knew of it.
        """

    def revealed(
        self, state: Any, seat: int, move: Any, since: Sequence[Any], seats: Sequence[Seat]
    ) -> dict[str, Any]:
        """The table with nothing hidden, once this move is chosen; what is fresh on it moves.

        If the move opens, it is what it would have opened. `since` are the moments that really
        followed, up to an opening or the end of the round.
        """


class SeatsKnew(Protocol):
    """What the other seats knew of a move of a replay, which not every game says.

    It is a table with a row for each of them, in the active language.
    """

    def title(self, move: ReplayMove) -> str:
        """What the table says of this move."""

    def headings(self) -> Sequence[str]:
        """Of its columns besides the player's."""

    def rows(self, before: Any, move: ReplayMove) -> Sequence[tuple[int, Sequence[str]]]:
        """Each other seat that was still in, and its cells; `before` is the state before the move
        with nothing hidden.
        """


class TryAgain(Protocol):
    """Games that begin at a decision of a finished one, which not every game can."""

    BOT: str  # the kind that plays for the people who were at that table

    def beginning(
        self, told: Iterable[Any], seat: int, chance: Chance
    ) -> tuple[Sequence[Fact], Sequence[tuple[int, Any]]] | None:
        """The facts of a new game, and the moves that follow on them up to the decision; None where
        nothing can be tried.

        `told` are the facts that this seat was told before it, in order, and all that the new game
        may be made of: what others held is drawn anew from what the seat knew. The facts say that
        the game starts in the middle, and the rules' `restart` takes them from a record.
        """


class Characters(Protocol):
    """Bots with a name, a face, a pace and a temper, which not every game has."""

    CHARACTERS: Mapping[str, Character]  # by key, which no other bot of the site has


class CharacterWords(Protocol):
    """What characters are like and what they say, in the active language."""

    def line(self, key: str) -> str:
        """What to expect of a character, in one line."""

    def phrase(self, key: str, occasion: str) -> str:
        """What it says: when it was "right" or "wrong" at a reveal or is "out" by it, and when it
        has "won" the game or was "beaten".
        """


class Review(Protocol):
    """The judge of finished games, which not every game has. It runs in the worker, so neither this
    module nor what it imports may need Django.

    A review is JSON. `decisions`, in order: of each the `number` of the moment of the replay that
    shows it, its `seat`, who it was `by` ("person", "bot", "clock"), the move that was `played`,
    the `options` (each with `move`, its `value` in the game's own unit, the `chance` to win after
    it, and `odds`: how likely it is right by what the seat knew), the `best` move, the `regret` (in
    the unit of the values), the `cost` (in chances), a `label` (None, "inaccuracy", "mistake",
    "blunder") and whether it was `forced`. Moves are named by `codec.key_of`. `chances`: the chance
    of each seat to win, as [moment, [chance, …]]; `lucky`: what luck gave each seat, the same way.
    `accounts`: one a seat (see `review.accounts`), in chances: `first` and `last`, and what lies
    between: `own` errors, `gifts` of others, `luck`, and the `residual` that is left; `accuracy`
    from 0 to 1, and the `boldest`: of the person's moves that were false and held, the one that was
    least likely (`moment`, the `chance`, and `code` and `values` for `Words.highlight`, which then
    names nobody for it). `game`: what the game adds; its `highlights` (`moment`, `seat`, `code`,
    `values`) are told by `Words.highlight`. Chances, odds and accuracy go from 0 to 1; whatever
    nobody has computed is None, and a list without entries is empty.
    """

    JUDGE: str  # its name and version: reviews of another are made again

    def analyse(self, record: Any) -> dict[str, Any]:
        """The review of a whole log as `review.log` writes it: JSON in, JSON out, nothing else."""


class Judgement(Protocol):
    """How good each choice of a decision is, in games where somebody can say. It runs in the worker
    too, so neither this module nor what it imports may need Django.

    A judgement is JSON: the `judge`, and the `values` of all moves the seat could make, by
    `codec.key_of`, the best first, in the game's own unit. Only what the seat knew is looked at.
    """

    JUDGE: str  # its name and version
    PRACTICE: Path  # decisions that no day asks about, for the trainer; tools/daily_rounds.py

    def judgement(self, known: Any, seat: int) -> dict[str, Any]:
        """The judgement of a decision, at once."""

    def clear(self, told: Sequence[Any], seat: int) -> dict[str, Any] | None:
        """The same for a seat that was told these facts, in JSON; None where no kind of choice is
        clearly the best, or a second judge, who may take seconds, disagrees.
        """

    def decision(
        self, known: Any, seat: int, judged: Mapping[str, Any], move: Any
    ) -> dict[str, Any]:
        """What a judgement says of somebody who makes this move: one of the `decisions` of a
        review, without a number, chances and costs.
        """


class ReviewWords(Protocol):
    """What a review says of decisions whose moves have values, in the active language.

    Moves are named as in the review; values and regrets are in the game's own unit.
    """

    def unit(self) -> str:
        """The heading of a column of values, with their unit."""

    def move(self, name: str) -> str:
        """A move in a word or two."""

    def value(self, value: float) -> str:
        """A value with its sign, for that column."""

    def cost(self, regret: float) -> str:
        """How much less a move was worth, with the unit."""

    def why(self, decision: Mapping[str, Any], name: str | None) -> str:
        """How likely the move was right by what its player knew, and which was worth more: in the
        third person, or to the player where `name` is None.
        """

    def card(self, luck: str, *, played_well: bool) -> str:
        """What a player may say of a game, one sentence in the first person: `luck` is "unlucky",
        "even" or "lucky".
        """
