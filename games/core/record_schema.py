"""JSON Schema of records, generated from the same types that read them.

It only validates the structure. Whether the game follows the rules is checked by replaying it
(`game_record.from_json`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from games.core import proof
from games.core.contract import Rules
from games.core.game_record import MAX_FACTS, MAX_NAME, VERSIONS

Schema = dict[str, Any]

_PLAIN: Final = {int: "integer", bool: "boolean", str: "string", NoneType: "null"}
_DATE: Final = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"


def of_records(games: Iterable[Rules]) -> Schema:
    """Return the schema (draft 2020-12) of the records of these games, in every version."""
    by_key = {rules.KEY: _record(rules) for rules in games}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The record of a finished game",
        "description": "Every fact of a game, also those that were hidden while it was played. "
        "Seats are numbered clockwise from 0.",
        "oneOf": [{"$ref": f"#/$defs/{key}"} for key in by_key],
        "$defs": by_key,
    }


def _record(rules: Rules) -> Schema:
    started = rules.FACTS["game_started"]
    record = _object(
        {
            "version": {
                "description": "The version of the rules by which the game was judged.",
                "enum": list(VERSIONS),
            },
            "game": {"const": rules.KEY},
            "date": {
                "description": "The day on which it was played, in UTC; null: unknown.",
                "anyOf": [
                    {"type": "string", "format": "date", "pattern": _DATE},
                    {"type": "null"},
                ],
            },
            "options": _of_type(get_type_hints(started)["options"]),
            "players": {
                "description": "The names by seat.",
                "type": "array",
                "items": {"type": "string", "maxLength": MAX_NAME},
                "minItems": rules.SEATS.start,
                "maxItems": rules.SEATS.stop - 1,
            },
            "facts": {
                "description": "What happened, in its order.",
                "type": "array",
                "items": {"oneOf": [_fact(each) for each in rules.FACTS.values()]},
                "minItems": 1,
                "maxItems": MAX_FACTS,
            },
        }
    )
    record["properties"]["proof"] = _proof(rules)
    return record


def _proof(rules: Rules) -> Schema:
    """Return the schema of what `core.proof` reads; a record may be without."""
    hash_: Schema = {"type": "string", "pattern": f"^[0-9a-f]{{{2 * proof.LENGTH}}}$"}
    by_seat: Schema = {
        "type": "array",
        "items": {"anyOf": [hash_, {"type": "null"}]},
        "minItems": rules.SEATS.start,
        "maxItems": rules.SEATS.stop - 1,
    }
    schema = _object(
        {
            "version": {"const": proof.VERSION},
            "code": {"type": "string", "pattern": "^[0-9a-z]+$"},
            "commitment": hash_,
            "secret": hash_,
            "won_before": {"type": "array", "items": {"type": "integer"}},
            "parts": by_seat,
            "salts": by_seat,
            "root": hash_,
            "late": {"type": "array", "items": {"type": "integer"}},
        }
    )
    return {"description": "What all draws of the game follow from.", **schema}


def _fact(kind: Any) -> Schema:
    schema = _of_type(kind)
    properties = {"kind": {"const": kind.kind}, **schema["properties"]}
    return {"description": _sentence(kind), **_object(properties)}


def _of_type(hint: Any) -> Schema:
    """Return the schema of the JSON that `codec.unpack_as` reads as this type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if is_dataclass(hint):
        hints = get_type_hints(hint)
        return _object({field.name: _of_type(hints[field.name]) for field in fields(hint)})
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, UnionType):
        return {"anyOf": [_of_type(each) for each in arguments]}
    if origin is tuple and arguments[-1] is Ellipsis:
        return {"type": "array", "items": _of_type(arguments[0])}
    if origin is tuple:
        items = [_of_type(each) for each in arguments]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
    return {"type": _PLAIN[hint]}


def _object(properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _sentence(kind: Any) -> str:
    """Return the first paragraph of a fact's docstring on one line, as its description."""
    return " ".join((kind.__doc__ or "").split("\n\n")[0].split())
