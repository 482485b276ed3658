"""The contract of a game: facts, moves, outcomes, and rules that are pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Protocol, TypeVar

T = TypeVar("T")

# The rules as they are now, which every running game follows. It grows when a game judges moves
# differently; records of games that ended before are replayed by the version they were judged by.
VERSION: Final = 2

Audience = tuple[int, ...] | None
"""Who may know a fact: None is everybody, otherwise the seats listed; `()` is nobody."""


class IllegalMove(ValueError):
    """A move the rules refuse. `code` is stable and public; pages put it in words."""

    def __init__(self, code: str, **details: int | str) -> None:
        super().__init__(code)
        self.code = code
        self.details = details


def form_number(text: Any, *, digits: int) -> int:
    """The number in a form field, at most `digits` ASCII digits; IllegalMove("malformed") else."""
    if not (isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= digits):
        raise IllegalMove("malformed")
    return int(text)


class Sealed(LookupError):
    """Raised on access to something that this viewer may not know."""


class Fact:
    """One thing that happened, in the past tense. Subclasses are frozen dataclasses.

    `kind` is the stored name, `audience` says who may know the fact. A class that does not declare
    both cannot be defined, so nothing is public by accident.
    """

    __slots__ = ()
    kind: ClassVar[str]
    aside: ClassVar[bool] = False  # does not change whose move it is
    # Begins a round, whose `number` it has; sealed facts before it no longer matter.
    new_deal: ClassVar[bool] = False

    if TYPE_CHECKING:

        @property
        def audience(self) -> Audience: ...

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "audience" not in cls.__dict__:
            raise TypeError(f"{cls.__name__} does not say who may know it: declare `audience`")
        if "kind" not in cls.__dict__:
            raise TypeError(f"{cls.__name__} has no `kind` to be stored under")


def may_know(fact: Fact, seat: int | None) -> bool:
    """Whether a viewer may know the fact; None is a spectator."""
    audience = fact.audience
    return audience is None or seat in audience


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    `ranking` lists the places from first to last, each with the seats that share it; `unranked`
    the seats that have no place because they left. `scores` are points by seat where the game
    counts any. `reason` is a code of the game's own, put in words by its pages.
    """

    ranking: tuple[tuple[int, ...], ...]
    reason: str
    unranked: tuple[int, ...] = ()
    scores: tuple[int, ...] | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        return self.ranking[0]

    def places(self) -> list[tuple[int, int]]:
        """(place, seat) from first to last; after a shared place its other numbers are skipped."""
        placed: list[tuple[int, int]] = []
        for seats in self.ranking:
            placed += [(len(placed) + 1, seat) for seat in seats]
        return placed


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a running game waits for.

    `turn`: the seat `on_turn` moves, and others may interrupt it. `window`: seats may interrupt for
    a short time; the seat `on_turn`, if there is one, may still move. `reveal`: a finished round is
    shown until the seats in `to_acknowledge` have seen it.
    """

    kind: Literal["turn", "window", "reveal"]
    on_turn: int | None = None
    may_interrupt: tuple[int, ...] = ()
    to_acknowledge: tuple[int, ...] = ()

    @property
    def seats(self) -> tuple[int, ...]:
        """Every seat that may act, the one on turn first."""
        first = () if self.on_turn is None else (self.on_turn,)
        return first + self.may_interrupt + self.to_acknowledge


class Chance(Protocol):
    """A source of randomness; always an argument."""

    def dice(self, count: int) -> tuple[int, ...]:
        """So many numbers from 1 to 6."""

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1."""

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in random order."""

    def pick(self, items: Sequence[T]) -> T:
        """One of the items; there is at least one."""


class Rules(Protocol):
    """The rules of a game: a module with exactly these names.

    A state has a `phase`: `turn`, `claims` (a window in which seats may interrupt), `reveal` (a
    finished round is shown and seats acknowledge it) or `over`.
    """

    KEY: str
    SEATS: range
    FACTS: Mapping[str, type[Fact]]

    def read_options(self, data: Any) -> Any:
        """The options of a table from their JSON form; ValueError names what does not fit."""

    def start(
        self, seats: int, options: Any, chance: Chance, *, starter: int | None = None
    ) -> list[Fact]:
        """The facts of a new game up to the first turn; `starter` is the winner of a rematch."""

    def decide(
        self, state: Any, seat: int, move: Any, chance: Chance, *, version: int = VERSION
    ) -> list[Fact]:
        """What follows from a move; raises IllegalMove. The only function that needs sealed facts
        of other seats. Only replaying an older record names an earlier `version` of the rules.
        """

    def evolve(self, state: Any | None, fact: Fact) -> Any:
        """The state after a fact; total, without randomness, the same for every audience."""

    def to_act(self, state: Any) -> tuple[int, ...]:
        """The seats that may move now; in a turn the first is the one on turn."""

    def waiting(self, state: Any) -> Waiting | None:
        """What the game waits for; None when it is over."""

    def in_play(self, state: Any) -> tuple[int, ...]:
        """The seats that are still in the game."""

    def standing(self, state: Any) -> tuple[int, ...]:
        """The same seats, the one that is closest to winning first."""

    def legal_moves(self, state: Any, seat: int) -> list[Any]:
        """Every move of play for this seat; asked with the state as that seat knows it."""

    def timeout_move(self, state: Any, seat: int) -> Any:
        """The move for a seat whose time ran out; asked with the state as that seat knows it."""

    def due_moves(self, state: Any) -> list[tuple[int, Any]]:
        """The moves to play when the time of the present phase is up."""

    def cuts_off(self, state: Any, seat: int, move: Any) -> bool:
        """Whether this move would end a moment in which other seats may still interrupt."""

    def finished_round(self, state: Any) -> Any | None:
        """The round that has just ended, while it is shown; None otherwise."""

    def outcome(self, state: Any) -> Outcome | None:
        """How the game ended; None while it runs."""

    def parse(self, data: Mapping[str, Any]) -> Any:
        """A move from the strings of a form or an API; raises IllegalMove("malformed")."""

    def restart(self, facts: Sequence[Fact], chance: Chance) -> list[Fact]:
        """The facts of the beginning of a recorded game, from its seats, options and starter."""

    def recorded_chance(self, facts: Iterable[Fact]) -> Iterator[Any]:
        """The recorded outcomes of chance, in the order in which the rules ask for them."""

    def cause(self, state: Any, facts: Sequence[Fact], at: int) -> tuple[int, Any]:
        """Which seat made which move that the fact at this place is the first consequence of;
        ValueError when no move begins with it.
        """

    def judged_by(self, facts: Sequence[Fact]) -> int:
        """The version of the rules that a finished game, all its facts given, was judged by: the
        latest by which it would have ended in the same way.
        """


class Evolving(Protocol):
    def evolve(self, state: Any | None, fact: Any) -> Any: ...


def fold(rules: Evolving, facts: Iterable[Any], state: Any | None = None) -> Any:
    """The state after all these facts, in their order, from `state` or from nothing."""
    evolve = rules.evolve
    for fact in facts:
        state = evolve(state, fact)
    return state
