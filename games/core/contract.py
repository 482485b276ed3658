"""The contract of a game: facts, moves, outcomes, and rules as pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple, Protocol, TypeVar

from games.core.numbers import whole_number

T = TypeVar("T")

# The current version of the rules, which every running game follows. It increases when a game
# judges moves differently; older records are replayed with the version that judged them.
VERSION: Final = 2

Audience = tuple[int, ...] | None
"""Who may know a fact: None is everybody, otherwise the seats listed; `()` is nobody."""


class IllegalMove(ValueError):
    """A move that the rules refuse. `code` is stable and public; pages put it in words."""

    def __init__(self, code: str, **details: int | str) -> None:
        super().__init__(code)
        self.code = code
        self.details = details


def form_number(text: object, *, digits: int) -> int:
    """Parse a form field of at most `digits` digits. Raises IllegalMove("malformed")."""
    number = whole_number(text, digits=digits)
    if number is None:
        raise IllegalMove("malformed")
    return number


class Sealed(LookupError):
    """Raised on access to something that this viewer may not know."""


class Fact:
    """One thing that happened, named in the past tense. Subclasses are frozen dataclasses.

    `kind` is the stored name, and `audience` defines who may know the fact. The definition of a
    class without both fails, so that no fact is public by accident.
    """

    __slots__ = ()
    kind: ClassVar[str]
    aside: ClassVar[bool] = False  # does not change whose move it is
    # Begins the round `number`; sealed facts before it no longer matter.
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

    `ranking` lists the places from first to last, each with the seats that share it, and `unranked`
    the seats that have no place because they left. `scores` are points by seat, if the game counts
    any. `reason` is a code defined by the game, which its pages put in words.
    """

    ranking: tuple[tuple[int, ...], ...]
    reason: str
    unranked: tuple[int, ...] = ()
    scores: tuple[int, ...] | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        return self.ranking[0]

    def places(self) -> list[tuple[int, int]]:
        """Return (place, seat) from first to last; a shared place skips the numbers after it."""
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
        """All seats that may act, the one on turn first."""
        first = () if self.on_turn is None else (self.on_turn,)
        return first + self.may_interrupt + self.to_acknowledge


class Draw(NamedTuple):
    """The address of something that the rules leave to chance; in a game, none occurs twice.

    It says what is drawn, never as the how manieth: so a draw can be checked by itself. `round` is
    0 before the first one, `purpose` a word of the game, `seat` whose dice or card it is, if it is
    somebody's, and `number` counts draws that are alike in the rest.
    """

    round: int
    purpose: str
    seat: int | None = None
    number: int = 0


class Chance(Protocol):
    """A source of randomness, always passed as an argument.

    The rules say `at` which address they draw. Bots, which think with it, do not.
    """

    def dice(self, count: int, at: Draw | None = None) -> tuple[int, ...]:
        """Return `count` numbers from 1 to 6."""

    def below(self, bound: int, at: Draw | None = None) -> int:
        """Return a number from 0 to `bound` - 1."""

    def shuffled(self, items: Sequence[T], at: Draw | None = None) -> tuple[T, ...]:
        """Return the items in random order."""

    def pick(self, items: Sequence[T], at: Draw | None = None) -> T:
        """Return one of the items, of which there is at least one."""


class Rules(Protocol):
    """The rules of a game: a module with exactly these names.

    A state has a `phase`: `turn`, `claims` (a window in which seats may interrupt), `reveal` (a
    finished round is shown and seats acknowledge it) or `over`.
    """

    KEY: str
    SEATS: range
    FACTS: Mapping[str, type[Fact]]

    def read_options(self, data: Any) -> Any:
        """Parse the options of a table from JSON. Raises ValueError with what does not match."""

    def start(
        self, seats: int, options: Any, chance: Chance, *, starter: int | None = None
    ) -> list[Fact]:
        """Return the facts of a new game up to the first turn.

        `starter`: in a rematch, a winner of the previous game.
        """

    def decide(
        self, state: Any, seat: int, move: Any, chance: Chance, *, version: int = VERSION
    ) -> list[Fact]:
        """Return the facts that follow from a move. Raises IllegalMove.

        This is the only function that needs sealed facts of other seats. Only the replay of an
        older record passes an earlier `version` of the rules.
        """

    def evolve(self, state: Any | None, fact: Fact) -> Any:
        """Return the state after a fact: a total, deterministic function, same for any audience."""

    def to_act(self, state: Any) -> tuple[int, ...]:
        """Return the seats that may move now; during a turn, the seat on turn comes first."""

    def waiting(self, state: Any) -> Waiting | None:
        """Return what the game waits for, or None when it is over."""

    def in_play(self, state: Any) -> tuple[int, ...]:
        """Return the seats that are still in the game."""

    def ranking(self, state: Any) -> tuple[int, ...]:
        """Return the seats still in the game, the one closest to winning first."""

    def legal_moves(self, state: Any, seat: int) -> list[Any]:
        """Return every possible move of this seat, given the state as that seat knows it."""

    def timeout_move(self, state: Any, seat: int) -> Any:
        """Return the move of a seat whose time ran out, given the state as that seat knows it."""

    def due_moves(self, state: Any) -> list[tuple[int, Any]]:
        """Return the moves to play when the time of the current phase is up."""

    def cuts_off(self, state: Any, seat: int, move: Any) -> bool:
        """Whether this move would end the time in which other seats may still interrupt."""

    def finished_round(self, state: Any) -> Any | None:
        """Return the round that has just ended while it is shown, otherwise None."""

    def outcome(self, state: Any) -> Outcome | None:
        """Return how the game ended, or None while it runs."""

    def parse(self, data: Mapping[str, Any]) -> Any:
        """Parse a move from the strings of a form or API. Raises IllegalMove("malformed")."""

    def restart(self, facts: Sequence[Fact], chance: Chance) -> list[Fact]:
        """Return the first facts of a recorded game, from its seats, options and starter."""

    def recorded_chance(self, facts: Iterable[Fact]) -> Iterator[Any]:
        """Yield the recorded random outcomes, in the order in which the rules ask for them."""

    def cause(self, state: Any, facts: Sequence[Fact], at: int) -> tuple[int, Any]:
        """Return the seat and the move whose first consequence is the fact at this index.

        Raises ValueError if no move starts with it.
        """

    def judged_by(self, facts: Sequence[Fact]) -> int:
        """Return the version of the rules that judged a finished game, given all its facts.

        This is the latest version by which it would have ended in the same way.
        """


class Evolving(Protocol):
    def evolve(self, state: Any | None, fact: Any) -> Any: ...


def fold(rules: Evolving, facts: Iterable[Any], state: Any | None = None) -> Any:
    """Apply these facts in order to `state`, or to no state, and return the result."""
    evolve = rules.evolve
    for fact in facts:
        state = evolve(state, fact)
    return state
