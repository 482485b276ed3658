"""`manage.py restore FILE`: a site as it was when the copy was made."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from perudo_site import backups


class Command(BaseCommand):
    help = "Brings a copy back into the database of this site; no server may run meanwhile."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="what `manage.py backup` wrote")
        parser.add_argument(
            "--replace", action="store_true", help="even if the database is not empty"
        )
        parser.add_argument(
            "--unverified",
            action="store_true",
            help="even if the copy has no digest, as those of older versions",
        )

    def handle(
        self, *args: Any, file: Path, replace: bool, unverified: bool, **options: Any
    ) -> None:
        try:
            backups.restore(file, replace=replace, unverified=unverified)
        except backups.Refused as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write("Brought back; `manage.py migrate` brings an older copy up to date.")
