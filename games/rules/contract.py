"""What every game of the catalogue promises: facts, moves, and rules that are pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from games.core.contract import Chance


class Fact:
    """One thing that happened, in the past tense. Subclasses are frozen dataclasses.

    `kind` is the stored name. `only` is the audience: None for everybody, or the one seat that
    may know; every fact must say which, and one that forgets cannot even be defined.
    """

    __slots__ = ()
    kind: ClassVar[str]
    aside: ClassVar[bool] = False  # leaves the question on the table as it was
    new_deal: ClassVar[bool] = False  # sealed facts before it no longer matter

    if TYPE_CHECKING:

        @property
        def only(self) -> int | None: ...

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "only" not in cls.__dict__ and "only" not in cls.__dict__.get("__annotations__", {}):
            raise TypeError(f"{cls.__name__} does not say who may know it: declare `only`")
        if "kind" not in cls.__dict__:
            raise TypeError(f"{cls.__name__} has no `kind` to be stored under")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: seats from first to last, and why it was over."""

    ranking: tuple[int, ...]
    reason: Literal["last_with_dice", "others_left"]

    @property
    def winner(self) -> int:
        return self.ranking[0]


class Rules(Protocol):
    """A game: a module with exactly these names.

    Phases: `turn` (the first of `to_act` is on the clock, the others may interrupt), `claims`
    (interruptions are being collected for an instant), `reveal` (everybody looks), `over`.
    """

    KEY: str
    SEATS: range
    FACTS: Mapping[str, type[Fact]]
    MOVES: Mapping[str, type[Any]]
    REASONS: tuple[str, ...]  # every code an IllegalMove of this game may carry
    BOTS: Mapping[str, Any]

    def read_options(self, data: Any) -> Any:
        """The options of a table from their JSON form; ValueError names what does not fit."""

    def start(self, seats: int, options: Any, chance: Chance) -> list[Fact]:
        """The facts of a new game up to the first question."""

    def decide(self, state: Any, seat: int, move: Any, chance: Chance) -> list[Fact]:
        """What follows from a move; raises IllegalMove. Alone may need sealed facts."""

    def evolve(self, state: Any | None, fact: Fact) -> Any:
        """The state after a fact; total: never refuses, never rolls, never looks."""

    def phase(self, state: Any) -> str: ...

    def to_act(self, state: Any) -> tuple[int, ...]:
        """Who may move now; in the phase `turn` the first is the one everybody waits for."""

    def in_play(self, state: Any) -> tuple[int, ...]:
        """The seats that are not out of the game."""

    def standing(self, state: Any) -> tuple[int, ...]:
        """The same seats, the one that is closest to winning first."""

    def legal_moves(self, state: Any, seat: int) -> list[Any]: ...

    def timeout_move(self, state: Any, seat: int) -> Any:
        """What the clock plays for a seat that does not."""

    def due_moves(self, state: Any) -> list[tuple[int, Any]]:
        """What the clock plays when the time of the present phase is up."""

    def cuts_off(self, state: Any, seat: int, move: Any) -> bool:
        """Whether this move would end a moment in which others may still interrupt."""

    def leave_move(self) -> Any: ...

    def finished_round(self, state: Any) -> Any | None:
        """The round that was just counted, while everybody looks at it; None otherwise."""

    def outcome(self, state: Any) -> Outcome | None: ...

    def parse(self, data: Mapping[str, Any]) -> Any:
        """A move from the strings of a form or an API; raises IllegalMove("malformed")."""
