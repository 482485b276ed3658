"""What every game of the catalogue promises: facts, moves, and rules that are pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    Protocol,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

T = TypeVar("T")


class IllegalMove(ValueError):
    """A move the rules refuse. `code` is stable and public; the words shown live with the pages."""

    def __init__(self, code: str, **details: int | str) -> None:
        super().__init__(code)
        self.code = code
        self.details = details


class Sealed(LookupError):
    """Asked for something this viewer has not been told."""


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


class Chance(Protocol):
    """Where luck comes from; always an argument."""

    def dice(self, count: int) -> tuple[int, ...]: ...
    def below(self, bound: int) -> int: ...


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


def fold(rules: Rules, facts: Iterable[Fact], state: Any | None = None) -> Any:
    """The state after all these facts, from `state` or from nothing."""
    evolve = rules.evolve
    for fact in facts:
        state = evolve(state, fact)
    return state


# --- JSON forms: plain lists and dicts, checked strictly on the way back -------------------------


def pack(value: Any) -> Any:
    """The JSON form of a fact, a move, options or a plain value; facts and moves say their kind."""
    packed = _plain(value)
    kind = getattr(value, "kind", None)
    return {"kind": kind, **packed} if kind else packed


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def unpack(kinds: Mapping[str, type[T]], data: Any) -> T:
    """The fact or move of a JSON form; ValueError says what does not fit."""
    if not isinstance(data, Mapping):
        raise ValueError(f"not an object: {data!r}")
    cls = kinds.get(str(data.get("kind")))
    if cls is None:
        raise ValueError(f"unknown kind: {data.get('kind')!r}")
    unpacked: T = unpack_as(cls, {name: value for name, value in data.items() if name != "kind"})
    return unpacked


def unpack_as(hint: Any, data: Any) -> Any:
    """`data` as a value of type `hint`: int, bool, str, Literal, unions, tuples, dataclasses."""
    origin, arguments = get_origin(hint), get_args(hint)
    if is_dataclass(hint):
        return _unpack_dataclass(hint, data)
    if origin is Literal and any(type(data) is type(a) and data == a for a in arguments):
        return data
    if origin in (Union, UnionType):
        chosen = NoneType if data is None else next(a for a in arguments if a is not NoneType)
        return unpack_as(chosen, data)
    if origin is tuple and isinstance(data, Sequence) and not isinstance(data, str):
        if arguments[-1] is Ellipsis:
            return tuple(unpack_as(arguments[0], item) for item in data)
        if len(arguments) == len(data):
            return tuple(unpack_as(a, item) for a, item in zip(arguments, data, strict=True))
    elif hint in (int, bool, str, NoneType) and type(data) is hint:
        return data
    raise ValueError(f"{data!r} is not {hint}")


def _unpack_dataclass(cls: Any, data: Any) -> Any:
    hints = _hints(cls)
    if not isinstance(data, Mapping) or set(data) != set(hints):
        raise ValueError(f"{cls.__name__} has the fields {', '.join(hints)}, not {data!r}")
    return cls(**{name: unpack_as(hint, data[name]) for name, hint in hints.items()})


@cache
def _hints(cls: Any) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {f.name: hints[f.name] for f in fields(cls)}
