"""Copy of a whole database in ordered steps, which a second run repeats or skips."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any, Final

from django.db import connections
from django.db.models import Max, Model
from tqdm import tqdm

from perudo_site.copying import checks, rows
from perudo_site.copying.checksums import Checksum, checksum
from perudo_site.copying.progress import Progress
from perudo_site.copying.tables import Row, Table, of_no_model, tables

_BETWEEN_LINES: Final = 10  # seconds between progress lines without a terminal


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison of a table in both databases."""

    table: Table
    here: Checksum
    there: Checksum
    matched: bool = False  # matched by natural keys, not copied

    @property
    def same(self) -> bool:
        return self.here == self.there


class DatabaseCopy:
    """A copy from one of Django's connections to another; `say` gets the lines for the user."""

    def __init__(self, source: str, target: str, *, say: Callable[[str], object]) -> None:
        self.source, self.target, self.say = source, target, say
        self.progress = Progress(target)
        self.tables = tables()
        self.keys: dict[type[Model], dict[object, object]] = {}

    def run(self) -> list[Compared]:
        """Copy the missing rows and compare all; a second run continues. Refused, Failed."""
        checks.check_migrations(self.source, self.target)
        checks.check_nobody_else(self.target)
        checks.check_source(self.source)
        if self.progress.has_begun:
            self.say("An earlier copy was interrupted; going on behind it.")
        else:
            self.progress.begin(checks.made_by_migrate(self.target, self.tables))
        self._match()
        counts = {table.label: table.rows_of_models(self.source).count() for table in self._copied}
        self._copy(sum(counts.values()))
        self._finish()
        found = [*self._matches(), *self._compare(sum(counts.values()))]
        if all(each.same for each in found):
            self.progress.end()
        return found

    @property
    def _copied(self) -> list[Table]:
        return [table for table in self.tables if table.model not in self.keys]

    def _match(self) -> None:
        """Match the rows that `migrate` has made, with tables after those that they refer to."""
        labels = self.progress.matched()
        known = {table.model: table for table in self.tables if table.label in labels}
        graph = {
            model: set(table.references.values()) & known.keys() for model, table in known.items()
        }
        for model in TopologicalSorter(graph).static_order():
            self.keys[model] = rows.match(self.source, self.target, known[model], self.keys)

    def _copy(self, total: int) -> None:
        there = {table: self.progress.reached(table).rows for table in self._copied}
        with _bar("Copying", total, initial=sum(there.values())) as bar:
            for table in self._copied:
                rows.copy(self.source, self.target, table, self.keys, self.progress, bar.update)

    def _finish(self) -> None:
        """Set the sequences, restore the foreign keys, and run ANALYZE for the planner."""
        _set_sequences(self.source, self.target, self._copied)
        self.progress.put_foreign_keys_back()
        with connections[self.target].cursor() as cursor:
            cursor.execute("ANALYZE")
        for name in of_no_model(self.source, self.tables):
            self.say(f"Left alone, as no model has it: table {name}.")

    def _matches(self) -> Iterator[Compared]:
        for table in self.tables:
            if table.model in self.keys:
                here = Checksum(table.rows_of_models(self.source).count())
                there = Checksum(len(set(self.keys[table.model].values())))
                yield Compared(table, here, there, matched=True)

    def _compare(self, total: int) -> Iterator[Compared]:
        with _bar("Comparing", 2 * total) as bar:
            for table in self._copied:
                here = rows.translate(table, table.read(self.source).iterator(), self.keys)
                there = table.read(self.target).iterator()
                first, second = (
                    checksum(_told(side, bar.update), json_at=table.json_at)
                    for side in (here, there)
                )
                yield Compared(table, first, second)


def _set_sequences(source: str, target: str, copied: Iterable[Table]) -> None:
    """Set sequences above all keys ever used; SQLite remembers the keys of deleted rows."""
    with connections[source].cursor() as cursor:
        cursor.execute("SELECT name, seq FROM sqlite_sequence")
        latest = dict(cursor.fetchall())
    with connections[target].cursor() as cursor:
        for table in copied:
            if not table.numbers_itself:
                continue
            highest = table.rows_of_models(source).aggregate(key=Max("pk"))["key"] or 0
            if key := max(highest, latest.get(table.name, 0)):
                quoted = connections[target].ops.quote_name(table.name)
                cursor.execute(
                    "SELECT setval(pg_get_serial_sequence(%s, %s), %s)",
                    [quoted, table.key.column, key],
                )


def _bar(what: str, total: int, *, initial: int = 0) -> Any:
    bar = tqdm(total=total, initial=initial, desc=what, unit=" rows", unit_scale=True)
    if not bar.fp.isatty():
        bar.mininterval = _BETWEEN_LINES
    return bar


def _told(side: Iterable[Row], tell: Callable[[int], object]) -> Iterator[Row]:
    count = 0
    for count, row in enumerate(side, start=1):
        if count % rows.BATCH == 0:
            tell(rows.BATCH)
        yield row
    tell(count % rows.BATCH)
