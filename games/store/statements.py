"""The statements of every move, built without the ORM.

The ORM takes longer to build them than the database to run them (docs/performance.md). Columns and
values are still those of the models: a field says where it is kept and how its values are written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Model


def insert(rows: Sequence[Model]) -> None:
    """Insert new rows of one model, whose keys stay unknown; at least one.

    Without a savepoint: after an IntegrityError the caller's transaction is lost.
    """
    text, fields = _insertion(type(rows[0]))
    values = [[_written(field, field.pre_save(row, add=True)) for field in fields] for row in rows]
    with connection.cursor() as cursor:
        if len(values) == 1:
            cursor.execute(text, values[0])
        else:
            cursor.executemany(text, values)


def update(model: type[Model], values: Mapping[str, Any], *, where: Mapping[str, Any]) -> bool:
    """Give fields these values in the row whose fields have the others; whether there is one."""
    text, fields = _change(model, tuple(values), tuple(where))
    given = [*values.values(), *where.values()]
    with connection.cursor() as cursor:
        cursor.execute(text, [_written(*each) for each in zip(fields, given, strict=True)])
        return bool(cursor.rowcount > 0)


def _written(field: Any, value: Any) -> Any:
    return field.get_db_prep_save(value, connection)


@cache
def _insertion(model: type[Model]) -> tuple[str, list[Any]]:
    fields: list[Any] = [each for each in model._meta.concrete_fields if not each.primary_key]
    columns = ", ".join(_quoted(each.column) for each in fields)
    places = ", ".join(["%s"] * len(fields))
    table = _quoted(model._meta.db_table)
    return f"INSERT INTO {table} ({columns}) VALUES ({places})", fields  # noqa: S608


@cache
def _change(
    model: type[Model], changed: tuple[str, ...], where: tuple[str, ...]
) -> tuple[str, list[Any]]:
    fields: list[Any] = [model._meta.get_field(name) for name in (*changed, *where)]
    terms = [f"{_quoted(each.column)} = %s" for each in fields]
    values, row = ", ".join(terms[: len(changed)]), " AND ".join(terms[len(changed) :])
    text = f"UPDATE {_quoted(model._meta.db_table)} SET {values} WHERE {row}"  # noqa: S608
    return text, fields


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
