"""`manage.py copy_to postgres://…`: copy the database of a site from SQLite to PostgreSQL."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections, transaction

from perudo_site import databases, env
from perudo_site.copying import Failed, Refused
from perudo_site.copying.database import Compared, DatabaseCopy
from perudo_site.server import data_lock

TARGET = "copy_to"


class Command(BaseCommand):
    help = (
        "Copies everything in the SQLite database of this site, which must be stopped, to an empty "
        "PostgreSQL database that `migrate` has prepared, and compares both. When it is "
        "interrupted, run it again: it goes on where it was."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "address",
            help="postgres://user:password@host:5432/name; any local user can read a command "
            "line, so you may leave the password out and set PGPASSWORD",
        )

    def handle(self, *args: object, address: str, **options: object) -> None:
        try:
            _connect_to(address)
            with _nobody_writing():
                found = DatabaseCopy(DEFAULT_DB_ALIAS, TARGET, say=self.stdout.write).run()
        except (Refused, Failed, env.InvalidSetting) as refused:
            raise CommandError(str(refused)) from None
        except (OperationalError, InterfaceError) as error:
            reason = str(error).partition("\n")[0]
            raise CommandError(f"A database does not answer ({reason}); run this again.") from None
        except KeyboardInterrupt:
            raise CommandError("Interrupted: run it again for the rest.") from None
        finally:
            if TARGET in connections.settings:
                connections[TARGET].close()
        self._report(found)

    def _report(self, found: list[Compared]) -> None:
        for each in found:
            here, there = each.here, each.there
            if each.matched:
                told = f"{here.count} rows, which migrate makes, found there"
            elif each.same:
                told = f"{here.count} rows, checksum {here}"
            else:
                told = f"{here.count} rows, checksum {here}; there {there.count}, {there}"
            self.stdout.write(f"{'same' if each.same else 'DIFFERS':8}{each.table}: {told}")
        different = [str(each.table) for each in found if not each.same]
        if different:
            raise CommandError(
                f"The copy differs in {', '.join(different)}: something wrote to a database "
                "meanwhile. Empty the target, migrate it, and copy again."
            )
        count = sum(each.here.count for each in found if not each.matched)
        self.stdout.write(
            f"Copied {count} rows of {len(found)} tables; all counts and checksums are the same. "
            "Set DATABASE_URL to the new address and keep DATA_DIR, whose files belong to the site."
        )


def _connect_to(address: str) -> None:
    """Add the target to Django's connections; Refused if it or the source is unsuitable."""
    own, target = settings.DATABASES[DEFAULT_DB_ALIAS], databases.at(address)
    if own["ENGINE"] != "perudo_site.sqlite3":
        raise Refused("This site is on PostgreSQL already; `backup` and `restore` move that.")
    if target is None or target["ENGINE"] == own["ENGINE"]:
        raise Refused("The target must look like postgres://user:password@host:5432/name.")
    both = {DEFAULT_DB_ALIAS: own, TARGET: target}
    connections.settings[TARGET] = connections.configure_settings(both)[TARGET]


@contextmanager
def _nobody_writing() -> Iterator[None]:
    """Lock the data folder and the database against servers and writers; Refused if one runs."""
    try:
        data_lock.exclusive(settings.DATA_DIR)
    except env.InvalidSetting:
        raise Refused(
            f"A server runs on the data in “{settings.DATA_DIR}”; stop it first."
        ) from None
    with transaction.atomic():  # locks the file for writing
        yield
