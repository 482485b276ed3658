"""SQL statements that every move runs, built without the ORM.

The ORM takes longer to build them than the database to run them (docs/performance.md). Columns and
values still come from the models' fields, which define the column names and the conversion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Model


def insert(rows: Sequence[Model]) -> None:
    """Insert new rows of one model, without reading back their keys; `rows` may be empty.

    There is no savepoint, so an IntegrityError makes the caller's transaction unusable.
    """
    if not rows:
        return
    text, fields = _insertion(type(rows[0]))
    values = [[_written(field, field.pre_save(row, add=True)) for field in fields] for row in rows]
    with connection.cursor() as cursor:
        if len(values) == 1:
            cursor.execute(text, values[0])
        else:
            cursor.executemany(text, values)


def update(model: type[Model], values: Mapping[str, Any], *, where: Mapping[str, Any]) -> bool:
    """Set `values` in the row that matches `where`; return whether there is such a row."""
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
) -> tuple[str, list[object]]:
    fields: list[Any] = [model._meta.get_field(name) for name in (*changed, *where)]
    terms = [f"{_quoted(each.column)} = %s" for each in fields]
    values, row = ", ".join(terms[: len(changed)]), " AND ".join(terms[len(changed) :])
    text = f"UPDATE {_quoted(model._meta.db_table)} SET {values} WHERE {row}"  # noqa: S608
    return text, fields


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
