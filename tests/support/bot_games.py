"""Games between bots, seeded: what each seat knows, and how often one of them wins."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from math import sqrt
from typing import Any

from games.core.chance import SeededChance
from games.core.characters import Bot, Character
from games.core.contract import Chance, Fact, Rules, fold, may_know

STUCK = 20_000  # a game with more moves than this does not end


class DoesNotEnd(RuntimeError):
    """A game has had more than `STUCK` moves."""


@dataclass(frozen=True, slots=True)
class Match:
    """One hero and, in all other seats, bots of the field; `seed` fixes every game of it.

    In teams the hero's whole side are bots of its kind. `options` None means the site's own.
    """

    game: str
    hero: str
    field: str
    seats: int
    games: int
    seed: int = 1
    options: Any = None


@dataclass(frozen=True, slots=True)
class Score:
    """Games, wins of the hero's side, its decisions and the CPU seconds they took.

    A shared win counts as its share; `fair` and `squares` are the sums of what an equal side would
    win and of the squares of the wins, `longest` is the number of moves of the longest game.
    """

    games: int = 0
    won: float = 0.0
    decisions: int = 0
    seconds: float = 0.0
    fair: float = 0.0
    squares: float = 0.0
    longest: int = 0

    @property
    def rate(self) -> float:
        return self.won / self.games

    @property
    def fair_rate(self) -> float:
        return self.fair / self.games

    @property
    def error(self) -> float:
        """The standard error of the rate."""
        return sqrt(max(self.squares / self.games - self.rate**2, 0.0) / self.games)

    def __add__(self, other: Score) -> Score:
        return Score(
            self.games + other.games,
            self.won + other.won,
            self.decisions + other.decisions,
            self.seconds + other.seconds,
            self.fair + other.fair,
            self.squares + other.squares,
            max(self.longest, other.longest),
        )


class Knowledge:
    """The state of a game as each of its seats knows it, folded when it is asked for.

    `known` are the states of the seats at the beginning, if that is not the start of the game.
    """

    def __init__(self, rules: Rules, seats: int, known: Sequence[Any] = ()) -> None:
        self._rules = rules
        self._facts: list[Fact] = []
        self._known: list[tuple[int, Any]] = [(0, state) for state in known or (None,) * seats]

    def learn(self, facts: Iterable[Fact]) -> None:
        self._facts += facts

    def of(self, seat: int) -> Any:
        """What this seat knows: the facts it may know, in their order."""
        read, state = self._known[seat]
        state = fold(
            self._rules, (fact for fact in self._facts[read:] if may_know(fact, seat)), state
        )
        self._known[seat] = (len(self._facts), state)
        return state


def rules_of(game: str) -> Any:
    return import_module(f"games.{game}.rules")


def bots_of(game: str) -> Any:
    return import_module(f"games.{game}.bots").BOTS


def measured(game: str) -> Any:
    """The bots of a game, its characters, and variants that play in tournaments only."""
    variants = getattr(import_module(f"games.{game}.bots"), "MEASURED", {})
    named = {key: character.bot for key, character in characters_of(game).items()}
    return {**bots_of(game), **named, **variants}


def characters_of(game: str) -> Mapping[str, Character]:
    name = f"games.{game}.bots.characters"
    return import_module(name).CHARACTERS if find_spec(name) else {}


def options_of(game: str, preset: str | None = None, changes: Iterable[str] = ()) -> Any:
    """The options of a preset, or the site's own, with changes of the form `setting=value`.

    SystemExit for an unknown preset; ValueError for a change that the rules refuse.
    """
    module = import_module(f"games.{game}.rules.options")
    if preset is not None and preset not in module.PRESETS:
        raise SystemExit(f"{game} has the presets {', '.join(module.PRESETS)}")
    site = getattr(module, "SITE_OPTIONS", module.PRESETS[module.SITE_PRESET])
    chosen = module.PRESETS[preset] if preset else site
    named = dict(change.split("=", 1) for change in changes)
    return rules_of(game).read_options(chosen.to_json() | named) if named else chosen


def side_of(state: Any, seat: int) -> tuple[int, ...]:
    """The seats that win together with this one; a game without teams has no sides."""
    return state.side_of(seat) if hasattr(state, "side_of") else (seat,)


class Table:
    """A game that bots are about to play: its opening facts are known to whom they may be.

    `decisions` and `seconds` count, by seat, how often a bot was asked and the CPU time it took.
    """

    def __init__(self, game: str, seats: int, options: Any, chance: Chance) -> None:
        self.rules, self._chance = rules_of(game), chance
        opening = self.rules.start(seats, options, chance)
        self.state = fold(self.rules, opening)
        self._knowledge = Knowledge(self.rules, seats)
        self._knowledge.learn(opening)
        self.decisions, self.seconds, self.moves = [0] * seats, [0.0] * seats, 0

    def play(self, bots: Sequence[Bot]) -> None:
        """Play to the end, the bots in the order of their seats.

        DoesNotEnd when it has too many moves.
        """
        while self.state.phase != "over":
            for seat, move in self._next_moves(bots):
                facts = self.rules.decide(self.state, seat, move, self._chance)
                self._knowledge.learn(facts)
                self.state = fold(self.rules, facts, self.state)
                self.moves += 1
            if self.moves > STUCK:
                raise DoesNotEnd(f"more than {STUCK} moves")

    def _next_moves(self, bots: Sequence[Bot]) -> list[tuple[int, Any]]:
        """The move of the first bot that wants one, or those that are due when none does."""
        if self.state.phase != "reveal":
            waiting = self.rules.waiting(self.state)
            on_turn = () if waiting.on_turn is None else (waiting.on_turn,)
            for seat in (*waiting.may_interrupt, *on_turn):  # those out of turn may be faster
                known = self._knowledge.of(seat)
                started = time.process_time()
                move = bots[seat](known, seat, self._chance)
                self.decisions[seat] += 1
                self.seconds[seat] += time.process_time() - started
                if move is not None:
                    return [(seat, move)]
        due: list[tuple[int, Any]] = self.rules.due_moves(self.state)
        return due


def play_game(match: Match, number: int) -> Score:
    """The game of this number, with the hero one seat further to the left each time.

    DoesNotEnd when it has too many moves.
    """
    kinds = measured(match.game)
    hero = number % match.seats
    options = match.options or options_of(match.game)
    table = Table(match.game, match.seats, options, SeededChance(f"{match.seed}/{number}"))
    heroes = side_of(table.state, hero)
    try:
        table.play([kinds[match.hero if s in heroes else match.field] for s in range(match.seats)])
    except DoesNotEnd as error:
        raise DoesNotEnd(f"game {number} of {match}: {error}") from error
    winners = table.rules.outcome(table.state).winners
    won = len(set(winners) & set(heroes)) / len(winners)
    return Score(
        games=1,
        won=won,
        decisions=sum(table.decisions[seat] for seat in heroes),
        seconds=sum(table.seconds[seat] for seat in heroes),
        fair=len(heroes) / match.seats,
        squares=won * won,
        longest=table.moves,
    )


def play_games(match: Match, numbers: Iterable[int]) -> Score:
    return sum((play_game(match, number) for number in numbers), Score())
