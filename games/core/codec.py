"""JSON forms of facts, moves and options: plain lists and objects, checked strictly when read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
Reader = Callable[[Any], Any]


def pack(value: Any) -> Any:
    """Return the JSON form of a fact, move, options or plain value; facts and moves add `kind`."""
    packed = _plain(value)
    kind = getattr(value, "kind", None)
    return {"kind": kind, **packed} if kind else packed


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    return value


def key_of(move: Any) -> str:
    """Return a move as one string, its JSON form with sorted names, the same for equal moves."""
    return json.dumps(pack(move), sort_keys=True, separators=(",", ":"))


def unpack(kinds: Mapping[str, type[T]], data: Any) -> T:
    """Parse the JSON form of a fact or move. Raises ValueError with what does not match."""
    if not isinstance(data, Mapping):
        raise ValueError(f"not an object: {data!r}")
    return unpack_kind(
        kinds, data.get("kind"), {name: value for name, value in data.items() if name != "kind"}
    )


def unpack_kind(kinds: Mapping[str, type[T]], kind: Any, data: Any) -> T:
    """Parse the fields `data` of a fact or move of this kind. Raises ValueError as `unpack`."""
    cls = kinds.get(str(kind))
    if cls is None:
        raise ValueError(f"unknown kind: {kind!r}")
    unpacked: T = unpack_as(cls, data)
    return unpacked


def unpack_as(hint: Any, data: Any) -> Any:
    """Parse `data` as type `hint`: int, bool, str, Literal, optional, tuple or dataclass."""
    return _reader(hint)(data)


# --- one cached reader per type -------------------------------------------------------------------


@cache
def _reader(hint: Any) -> Reader:
    origin, arguments = get_origin(hint), get_args(hint)
    if is_dataclass(hint):
        return _of_dataclass(hint)
    if origin is Literal:
        return _of_literal(hint, arguments)
    if origin in (Union, UnionType):
        return _of_optional(next(each for each in arguments if each is not NoneType))
    if origin is tuple and arguments[-1] is Ellipsis:
        return _of_row(hint, arguments[0])
    if origin is tuple:
        return _of_tuple(hint, arguments)
    return _of_plain(hint)


def _refuse(hint: Any, data: Any) -> NoReturn:
    raise ValueError(f"{data!r} is not {hint}")


def _of_plain(hint: Any) -> Reader:
    known = hint in (int, bool, str, NoneType)

    def read(data: Any) -> Any:
        if known and type(data) is hint:
            return data
        _refuse(hint, data)

    return read


def _of_literal(hint: Any, values: tuple[Any, ...]) -> Reader:
    types = {type(value) for value in values}
    typed = {(type(value), value) for value in values}  # True does not match 1

    def read(data: Any) -> Any:
        if type(data) in types and (type(data), data) in typed:
            return data
        _refuse(hint, data)

    return read


def _of_optional(hint: Any) -> Reader:
    read_value = _reader(hint)
    return lambda data: None if data is None else read_value(data)


def _of_row(hint: Any, item: Any) -> Reader:
    read_item = _reader(item)

    def read(data: Any) -> Any:
        if isinstance(data, str) or not isinstance(data, Sequence):
            _refuse(hint, data)
        return tuple([read_item(each) for each in data])

    return read


def _of_tuple(hint: Any, items: tuple[Any, ...]) -> Reader:
    readers = [_reader(item) for item in items]

    def read(data: Any) -> Any:
        if isinstance(data, str) or not isinstance(data, Sequence) or len(data) != len(readers):
            _refuse(hint, data)
        return tuple([read_item(each) for read_item, each in zip(readers, data, strict=True)])

    return read


def _of_dataclass(cls: Any) -> Reader:
    hints = get_type_hints(cls)
    readers = {field.name: _reader(hints[field.name]) for field in fields(cls)}

    def read(data: Any) -> Any:
        if not isinstance(data, Mapping) or data.keys() != readers.keys():
            raise ValueError(f"{cls.__name__} has the fields {', '.join(readers)}, not {data!r}")
        return cls(**{name: read_field(data[name]) for name, read_field in readers.items()})

    return read
