"""`manage.py restore FILE`: replace the database by a copy that `backup` made."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from perudo_site import backups


class Command(BaseCommand):
    help = "Restores a copy into the database of this site; no server may run meanwhile."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="what `manage.py backup` wrote")
        parser.add_argument(
            "--replace", action="store_true", help="even if the database is not empty"
        )
        parser.add_argument(
            "--unverified",
            action="store_true",
            help="even if no checksum lies beside the copy",
        )

    def handle(
        self, *args: object, file: Path, replace: bool, unverified: bool, **options: object
    ) -> None:
        try:
            backups.restore(file, replace=replace, unverified=unverified)
        except backups.Refused as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write(
            "Restored; run `manage.py migrate` if the copy is from an older version, and then "
            "`manage.py repeat_deletions` for the accounts that were deleted since it was made."
        )
