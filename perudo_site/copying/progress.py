"""The progress of a copy, stored in the target database.

A batch of rows and the note of it are written in one transaction, so after any interruption a
second run continues behind the last batch. The foreign keys are dropped during the copy, since rows
refer to each other in circles. They are restored at the end, which checks them all. Their
definitions are noted in the transaction that drops them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.db import (
    DEFAULT_DB_ALIAS,
    DatabaseError,
    IntegrityError,
    InterfaceError,
    connections,
    transaction,
)

from perudo_site.copying import Failed
from perudo_site.copying.tables import Table

TABLE: Final = "copy_to_progress"
_FOREIGN_KEYS: Final = (
    "SELECT conname, conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint "
    "WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY conname"
)


@dataclass(frozen=True, slots=True)
class Reached:
    """The copied part of a table: `rows` rows, up to this key."""

    rows: int = 0
    key: Any = None  # None: nothing yet


def is_unfinished() -> bool:
    """Whether a copy into the database of this site has begun and is incomplete."""
    own = connections[DEFAULT_DB_ALIAS]
    try:
        return own.vendor == "postgresql" and Progress(DEFAULT_DB_ALIAS).has_begun
    except (DatabaseError, InterfaceError):
        return False  # a server may start while its database is unavailable
    finally:
        own.close()


class Progress:
    """The progress notes of a copy into this database."""

    def __init__(self, alias: str) -> None:
        self.alias = alias

    def _execute(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with connections[self.alias].cursor() as cursor:
            cursor.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

    @property
    def has_begun(self) -> bool:
        return bool(self._execute(f"SELECT to_regclass('{TABLE}') IS NOT NULL")[0][0])

    def begin(self, made_by_migrate: list[Table]) -> None:
        """Note the tables with rows and the foreign keys, and drop the foreign keys."""
        with transaction.atomic(using=self.alias):
            self._execute(
                f"CREATE TABLE {TABLE} "
                "(kind text, name text, value jsonb, PRIMARY KEY (kind, name))"
            )
            for table in made_by_migrate:
                self._note("matched", table.label, None)
            for name, owner, definition in self._execute(_FOREIGN_KEYS):
                self._note("foreign key", name, [owner, definition])
                self._execute(f"ALTER TABLE {owner} DROP CONSTRAINT {self._quoted(name)}")

    def matched(self) -> set[str]:
        """Return the labels of the tables whose rows `migrate` had made."""
        return {name for name, _value in self._notes("matched")}

    def reached(self, table: Table) -> Reached:
        for name, value in self._notes("rows"):
            if name == table.label:
                return Reached(*value)
        return Reached()

    def note(self, table: Table, reached: Reached) -> None:
        """Note the copied part; call this in the transaction that writes the rows."""
        self._note("rows", table.label, [reached.rows, reached.key])

    def put_foreign_keys_back(self) -> None:
        """Restore the foreign keys, which checks all rows; Failed if a referred row is missing."""
        there = {name for name, _owner, _definition in self._execute(_FOREIGN_KEYS)}
        for name, (owner, definition) in self._notes("foreign key"):
            if name not in there:
                constraint = f"{self._quoted(name)} {definition}"
                try:
                    self._execute(f"ALTER TABLE {owner} ADD CONSTRAINT {constraint}")
                except IntegrityError:
                    raise Failed(f"Rows of {owner} refer to others that are not there.") from None

    def end(self) -> None:
        """Delete all notes, since the copy is complete."""
        self._execute(f"DROP TABLE {TABLE}")

    def _note(self, kind: str, name: str, value: Any) -> None:
        self._execute(
            f"INSERT INTO {TABLE} VALUES (%s, %s, %s::jsonb) "  # noqa: S608
            "ON CONFLICT (kind, name) DO UPDATE SET value = excluded.value",
            *(kind, name, json.dumps(value, cls=DjangoJSONEncoder)),
        )

    def _notes(self, kind: str) -> list[tuple[str, Any]]:
        found = self._execute(
            f"SELECT name, value FROM {TABLE} WHERE kind = %s ORDER BY name",  # noqa: S608
            kind,
        )
        return [(name, json.loads(value)) for name, value in found]

    def _quoted(self, name: str) -> str:
        return connections[self.alias].ops.quote_name(name)
