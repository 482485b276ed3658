"""Checks of the source and the target before a copy begins."""

from __future__ import annotations

from time import sleep
from typing import Final

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.core.management.sql import emit_post_migrate_signal
from django.db import connections, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import IntegrityError

from perudo_site.copying import Refused
from perudo_site.copying.tables import Table

_ATTEMPTS: Final = 20
_SECONDS: Final = 0.1
_OTHER_CLIENTS: Final = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


def check_source(alias: str) -> None:
    """Check that all foreign keys refer to existing rows, as PostgreSQL requires; else Refused."""
    try:
        connections[alias].check_constraints()
    except IntegrityError as error:
        raise Refused(f"The database of this site is damaged: {error}") from None


def check_migrations(source: str, target: str) -> None:
    """Check that both databases have all migrations of this version and no others; else Refused."""
    ours = set(MigrationLoader(None).disk_migrations)
    names = {app.label for app in apps.get_app_configs()}
    for alias, which in ((source, "this site"), (target, "the target")):
        applied = MigrationRecorder(connections[alias]).applied_migrations()
        there = {each for each in applied if each[0] in names}
        for app, name in sorted(ours - there):
            raise Refused(f"The database of {which} lacks migration {app}.{name}: run `migrate`.")
        for app, name in sorted(there - ours):
            raise Refused(
                f"The database of {which} has migration {app}.{name}, which this version lacks."
            )


def check_nobody_else(target: str) -> None:
    """Check that no other client uses the target; a copy just killed may be there for a moment."""
    with connections[target].cursor() as cursor:
        for _attempt in range(_ATTEMPTS):
            cursor.execute(_OTHER_CLIENTS)
            if not cursor.fetchone()[0]:
                return
            sleep(_SECONDS)
    raise Refused("Somebody is connected to the target; stop every server there first.")


def made_by_migrate(target: str, tables: list[Table]) -> list[Table]:
    """Return the tables with rows; Refused if any has rows that `migrate` does not make.

    To find out, the rows are deleted and made again in a transaction that is rolled back.
    """
    filled = [table for table in tables if table.rows_of_models(target).exists()]
    for table in filled:
        if not table.has_natural_keys:
            raise _not_empty(table)
    with transaction.atomic(using=target):
        before = [_natural_keys(target, table) for table in filled]
        with connections[target].cursor() as cursor:
            for table in filled:
                cursor.execute(f'DELETE FROM "{table.name}"')  # noqa: S608
        ContentType.objects.clear_cache()
        emit_post_migrate_signal(verbosity=0, interactive=False, db=target)
        after = [_natural_keys(target, table) for table in filled]
        transaction.set_rollback(True, using=target)
    ContentType.objects.clear_cache()
    for table, own, made in zip(filled, before, after, strict=True):
        if own != made:
            raise _not_empty(table)
    return filled


def _natural_keys(alias: str, table: Table) -> set[tuple[str, ...]]:
    return {row.natural_key() for row in table.rows_of_models(alias)}  # type: ignore[attr-defined]


def _not_empty(table: Table) -> Refused:
    return Refused(f"The target is not empty: it has rows of its own in {table} ({table.name}).")
