"""JSON forms of facts, moves and options: plain lists and objects, checked strictly when read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


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
