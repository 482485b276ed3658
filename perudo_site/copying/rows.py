"""Copy of a table's rows into the target, in batches of one transaction each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from django.db import DatabaseError, DataError, IntegrityError, connections, transaction
from django.db.models import Model

from perudo_site.copying import Failed
from perudo_site.copying.progress import Progress, Reached
from perudo_site.copying.tables import Row, Table

BATCH: Final = 1_000  # rows

Keys = Mapping[type[Model], Mapping[Any, Any]]  # by model: the target's key by the source's key


def match(source: str, target: str, table: Table, keys: Keys) -> dict[Any, Any]:
    """Match rows by natural keys; return the target's key for each key of the source.

    Rows that the target lacks, such as the permissions of a removed model, are added.
    """
    there = {row.natural_key(): row.pk for row in table.rows_of_models(target)}  # type: ignore[attr-defined]
    found = {}
    for row in translate(table, table.read(source), keys):
        key = row[table.key_index]
        natural = table.rows_of_models(source).get(pk=key).natural_key()  # type: ignore[attr-defined]
        if natural not in there:
            there[natural] = _make(target, table, row)
        found[key] = there[natural]
    return found


def copy(
    source: str,
    target: str,
    table: Table,
    keys: Keys,
    progress: Progress,
    tell: Callable[[int], object],
) -> None:
    """Copy the missing rows; `tell` gets the number of rows of every batch."""
    reached = progress.reached(table)
    while rows := list(table.read_after(source, reached.key)[:BATCH]):
        reached = Reached(reached.rows + len(rows), rows[-1][table.key_index])
        translated = list(translate(table, rows, keys))
        try:
            with transaction.atomic(using=target):
                _write(target, table, translated)
                progress.note(table, reached)
        except (DataError, IntegrityError) as error:
            raise _refusal(target, table, translated, error) from None
        tell(len(rows))


def translate(table: Table, rows: Iterable[Row], keys: Keys) -> Iterator[Row]:
    """Replace references to rows that `migrate` has made, which have other keys in the target."""
    columns = [(index, keys[model]) for index, model in table.references.items() if model in keys]
    if not columns:
        yield from rows
        return
    for row in rows:
        values = list(row)
        for index, known in columns:
            values[index] = None if row[index] is None else known[row[index]]
        yield tuple(values)


def _write(target: str, table: Table, rows: Iterable[Row]) -> None:
    connection = connections[target]
    statement = f"COPY {_columns(target, table, table.fields)} FROM STDIN"
    with (
        connection.wrap_database_errors,
        connection.cursor() as cursor,
        cursor.copy(statement) as copied,
    ):
        for row in rows:
            copied.write_row(_prepared(target, table, row))


def _make(target: str, table: Table, row: Row) -> Any:
    """Insert a row with a new key from the target; return the key."""
    others = [field for field in table.fields if field is not table.key]
    values = _prepared(target, table, row)
    del values[table.key_index]
    key = connections[target].ops.quote_name(str(table.key.column))
    places = ", ".join(["%s"] * len(values))
    into = _columns(target, table, others)
    with connections[target].cursor() as cursor:
        cursor.execute(f"INSERT INTO {into} VALUES ({places}) RETURNING {key}", values)  # noqa: S608
        return cursor.fetchone()[0]


def _columns(target: str, table: Table, fields: Sequence[Any]) -> str:
    quoted = connections[target].ops.quote_name
    columns = ", ".join(quoted(field.column) for field in fields)
    return f"{quoted(table.name)} ({columns})"


def _prepared(target: str, table: Table, row: Row) -> list[Any]:
    """Convert values for the driver; JSON is text already."""
    connection = connections[target]
    return [
        value if index in table.json_at else field.get_db_prep_save(value, connection)
        for index, (field, value) in enumerate(zip(table.fields, row, strict=True))
    ]


def _refusal(target: str, table: Table, rows: Sequence[Row], error: DatabaseError) -> Failed:
    """Return an error that names the first refused row, without its values, which may be secret."""
    which = f"of {table} ({table.name})"
    with transaction.atomic(using=target):
        for row in rows:
            try:
                with transaction.atomic(using=target):
                    _write(target, table, [row])
            except (DataError, IntegrityError) as own:
                which += f" with the key {row[table.key_index]}"
                error = own
                break
        transaction.set_rollback(True, using=target)
    return Failed(f"PostgreSQL does not take the row {which}: {_first_line(error)}.")


def _first_line(error: DatabaseError) -> str:
    return str(error).partition("\n")[0]
