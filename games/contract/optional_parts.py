"""Protocols of the optional parts of a game; those of the required parts are in `catalogue`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from games.contract.game_values import ChanceQuestion, Earned, OddsQuestion, ReplayMove, Said, Side
from games.contract.rating_scale import RatingScale
from games.contract.shown import Player, Position, ShownTable
from games.core.characters import Character
from games.core.contract import Chance, Fact


class Trainer(Protocol):
    """Practice questions about the odds of a game; nothing is stored.

    They are no questions of the day (see `questions`). The template `<key>/_odds_question.html`
    shows a question, with its `values` as `q`.
    """

    STYLES: Sequence[str]  # the style sheets of that template, static files

    def odds_question(self, seed: int, number: int) -> OddsQuestion:
        """Return the question `number`, from 1, of the series `seed`, in the active language.

        The result is determined by the two numbers; questions get harder with a higher `number`.
        """


class Questions(Protocol):
    """Questions about decisions of finished games.

    The question uses the templates of a table, with `t` and `o` from `position`. The answer uses
    `<key>/_question_table.html`, and `_question_own.html` for the seat's hand, both with
    `revealed` as `t`. On the home page, and where a review asks, it is `<key>/_stage.html` before
    and after. There `all_claims` is set if all claims of the round are shown, and after a choice
    `t` may have no result. `unseen` is set for a question about a chance (see `Guesses`).
    """

    FIELDS: Sequence[str]  # of the form that makes a move
    CHALLENGE: Any  # the move that tests the claim; the home page reveals what it would have
    SHIPPED: Path  # the set of rounds for questions of the day; tools/daily_rounds.py makes it

    def moments(self, facts: Iterable[Any]) -> Sequence[Any]:
        """Return the moments of these recorded facts, as `Replay.moments` does for a whole log.

        The facts may end with any round.
        """

    def doubt(self, known: Any, seat: int) -> float | None:
        """Return the chance, given what the seat knows, that the claim it could challenge is true.

        None if it could challenge nothing.
        """

    def undecided(self, state: Any) -> Any:
        """Return a state as it was before anybody claimed to move out of turn."""

    def summary(self, known: Any, seat: int) -> tuple[str, str]:
        """Return the question in a few words and the seat's hand, for headings and previews."""

    def sides(self, known: Any, seat: int) -> tuple[Side, Side]:
        """Return the two answers on the home page: to challenge the claim, or to go on."""

    def told(self, table: Any, *, challenged: bool) -> str:
        """Say in one sentence whether that was right, of the table that a challenge revealed."""

    def signs(self, known: Any, seat: int) -> str:
        """Return the seat's hand in signs, for a text to share."""

    def position(self, known: Any, seat: int, players: Sequence[Player]) -> Position:
        """Return the decision of this seat as it knew it."""

    def judged(self, state: Any, known: Any, seat: int, move: Any) -> ReplayMove:
        """Return a possible move of the seat as the replay would show it, without thinking time.

        `state` contains all hidden facts, `known` what the seat knew of it.
        """

    def revealed(
        self, state: Any, seat: int, move: Any, since: Sequence[Any], players: Sequence[Player]
    ) -> ShownTable:
        """Return the table with nothing hidden after the choice of this move; new parts animate.

        If the move reveals hands, it shows what that would have revealed. `since` are the moments
        that really followed, up to a reveal or the end of the round.
        """


class Guesses(Protocol):
    """Questions about the chances in a review whose moves have no value; needs `Questions`.

    What a challenge by the seat `by` would have been, in `Words.move_odds`, is the answer.
    """

    def of_review(
        self, content: Mapping[str, Any], moments: Sequence[Any], reader: int | None
    ) -> Sequence[ChanceQuestion]:
        """Return all questions to this seat, or to people if it is None, the most telling first.

        `content` is the review (see `Judge`), `moments` those of the replay. There is at most one
        question about each claim.
        """

    def choices(self) -> Sequence[str]:
        """Return the answers in words: ranges of a chance, the lowest first."""

    def ask(self, question: ChanceQuestion, names: Sequence[str]) -> str:
        """Return the question in a sentence, with names by seat."""

    def unseen(self, known: Any, seat: int) -> Any:
        """Return how much of what is hidden a seat had not seen, as `unseen` of the stage."""


class SeatsKnew(Protocol):
    """What the other seats knew about a move of a replay.

    It is shown as a table with a row for each other seat, in the active language.
    """

    def title(self, move: ReplayMove) -> str:
        """Return the title of the table for this move."""

    def headings(self) -> Sequence[str]:
        """Return the headings of the columns after the player's."""

    def rows(self, before: Any, move: ReplayMove) -> Sequence[tuple[int, Sequence[str]]]:
        """Return each other seat that was still in the game, with its cells.

        `before` is the state before the move, with all hidden facts.
        """


class TryAgain(Protocol):
    """New games that start at a decision of a finished one."""

    BOT: str  # the kind that plays for the people who were at that table

    def beginning(
        self, told: Iterable[Any], seat: int, chance: Chance
    ) -> tuple[Sequence[Fact], Sequence[tuple[int, Any]]] | None:
        """Return the facts of a new game and the moves after them up to the decision, or None if
        nothing can be tried.

        `told` are the facts that this seat was told before the decision, in order. The new game may
        depend on nothing else: the hands of others are drawn anew from what the seat knew. The
        facts state that the game starts in the middle; the rules' `restart` reads them in a record.
        """


class Characters(Protocol):
    """Bots with a name, a face, a pace and a temper."""

    CHARACTERS: Mapping[str, Character]  # by key, which no other bot of the site has


class CharacterWords(Protocol):
    """Descriptions and phrases of characters, in the active language."""

    def line(self, key: str) -> str:
        """Describe the play of a character in one line."""

    def phrase(self, key: str, occasion: str) -> str:
        """Return what a character says on an occasion: "right", "wrong" or "out" after a reveal,
        "won" or "beaten" after the game.
        """


class Judge(Protocol):
    """Judge of finished games. It runs in the worker, so this module and its imports must not need
    Django.

    A review is JSON with these keys:

    `decisions`, in order, each with: the `number` of its moment in the replay; its `seat`; `by`
    ("person", "bot" or "clock"); the `played` move; the `options`, each with its `move`, `value`
    (in the game's own unit), `chance` to win after it and `odds` (how likely it is right, given
    what the seat knew); the `best` move; the `regret` (in the unit of the values); the `cost` (in
    chances); a `label` (None, "inaccuracy", "mistake" or "blunder"); and whether it was `forced`.
    Moves are named by `codec.key_of`.

    An option may say `after`: how likely it is right given others' moves too.

    `chances`: each seat's chance to win, as [moment, [chance, …]]. `lucky`: each seat's gain by
    luck, in the same form.

    `accounts`, one per seat (see `study.review.totals`), in chances: `first`, `last` and the
    difference between them by cause: `own` errors, `gifts` of others, `luck` and the remaining
    `residual`; `accuracy`; and `boldest`, the least likely of the person's moves that were false
    and not caught (`moment`, `chance`, and `code` and `values` for `Words.highlight`, which then
    names nobody for it); and `read`, in the same form, the least likely of their doubts that were
    right, or None.

    `game`: additions of the game; `Words.highlight` puts its `highlights` (`moment`, `seat`,
    `code`, `values`) in words.

    Chances, odds and accuracy range from 0 to 1. A value that was not computed is None, and a list
    without entries is empty.
    """

    JUDGE: str  # its name and version; reviews by another judge are replaced

    def analyse(self, record: Any) -> dict[str, Any]:
        """Review a whole log as written by `review.log`; a pure function from JSON to JSON."""


class Fitting(Protocol):
    """How people play, fitted to finished games, for a judge to read their moves by."""

    def players_of(self, record: Any) -> Sequence[Any]:
        """Return what the moves of each person in a finished game tell of how they play.

        `record` is a log as written by `review.log`.
        """

    def fitted(self, players: Sequence[Any]) -> dict[str, Any]:
        """Return the habits of these people as JSON, with the number of `decisions` they rest on.

        The judge finds them as `habits` of its record, see `study.review.reviews`.
        """

    def said(self, record: Any) -> Iterable[Said]:
        """Return what the judge says about hidden hands by the moves of people, and how it was.

        `record` is a judge's, see `study.review.reviews.log_of`.
        """


class Judgement(Protocol):
    """Evaluation of every choice of a decision. It runs in the worker, so this module and its
    imports must not need Django.

    A judgement is JSON: the `judge`, and the `values` of all possible moves, by `codec.key_of`, the
    best first, in the game's own unit. It depends only on what the seat knew.
    """

    JUDGE: str  # its name and version
    PRACTICE: Path  # decisions for the trainer that no day asks about; tools/daily_rounds.py

    def judgement(self, known: Any, seat: int) -> dict[str, Any]:
        """Return the judgement of a decision immediately."""

    def clear(self, told: Sequence[Any], seat: int) -> dict[str, Any] | None:
        """Return the judgement for a seat that was told these facts, given as JSON.

        None if no kind of choice is clearly the best, or if a second judge disagrees, which may
        take seconds.
        """

    def decision(
        self, known: Any, seat: int, judged: Mapping[str, Any], move: Any
    ) -> dict[str, Any]:
        """Return this move as one of the `decisions` of a review, according to a judgement.

        It has no number, chances and costs.
        """


class ReviewWords(Protocol):
    """Texts about reviewed decisions whose moves have values, in the active language.

    Moves are named as in the review. Values and regrets are in the game's own unit.
    """

    def unit(self) -> str:
        """Return the heading of a column of values, with their unit."""

    def after(self) -> str:
        """Return what the `after` of an option counts, beside the odds of its player alone."""

    def move(self, name: str) -> str:
        """Return a move in a word or two."""

    def value(self, value: float) -> str:
        """Return a value with its sign, for that column."""

    def cost(self, regret: float) -> str:
        """Return how much less a move was worth, with the unit."""

    def why(self, decision: Mapping[str, Any], name: str | None) -> str:
        """Explain how likely the move was right, given what its player knew, and which move was
        worth more: in the third person, or as "you" if `name` is None.
        """

    def judged_as(self, game: Mapping[str, Any]) -> str:
        """Return by which habits people were judged, from the `game` of a review; "" for none."""

    def odds(self, decision: Mapping[str, Any], name: str | None) -> str:
        """Return the first part of `why`: how likely the move was right."""

    def reason(self, decision: Mapping[str, Any]) -> str:
        """Return why the best move was better; "" if that can't be shown in a sentence."""

    def result(self, decision: Mapping[str, Any], after: Sequence[Sequence[Fact]]) -> str:
        """Return how the move turned out, apart from how good it was; "" if that says nothing.

        `after`: the facts of the moment that shows it, and of each moment after that.
        """

    def card(self, luck: str | None, *, played_well: bool) -> str:
        """Return a sentence in the first person for a player to share about a game.

        `luck`: "unlucky", "even", "lucky", or None to say nothing about it.
        """


class Ratings(Protocol):
    """What ratings of a game need; games without it are never rated."""

    SCALE: RatingScale
    RULES: Sequence[tuple[str, Mapping[str, Any]]]  # preset and options (JSON) of rated tables

    def sides(self, seats: int, options: Mapping[str, Any]) -> Sequence[Sequence[int]]:
        """Return the seats that win together, of a table with these options (JSON)."""


class Marks(Protocol):
    """Marks of a game: achievements that each person can earn once, in finished games.

    Both functions are pure and may name any seat; `study.marks` leaves out bots and people who did
    not play to the end. What a bot or a timeout did for a person earns nothing.
    """

    VERSION: int  # raise it with every new mark, so that `award_marks` looks through old games
    KEYS: Sequence[str]  # in the order of a profile
    ALONE: Sequence[str]  # three that can be earned against bots; all others need two people
    BY_REVIEW: Sequence[str]  # shown to whom the person shows reviews of their games

    def earned(self, moments: Sequence[Any]) -> Sequence[Earned]:
        """Return what the seats earned in a finished game with these moments of the replay."""

    def earned_by_review(self, account: Mapping[str, Any]) -> Sequence[Earned]:
        """Return what a seat earned by its account in the review of the game (see `Judge`)."""


class MarkWords(Protocol):
    """Names and stories of marks, in the active language. Raises KeyError for an unknown key."""

    def name(self, key: str) -> str:
        """Return the name of a mark in a few words."""

    def story(self, key: str) -> str:
        """Return how to earn it, in one sentence such as "Win with one die."."""
