"""`manage.py backup FILE`: copy the whole database to one file, online."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from perudo_site import backups


class Command(BaseCommand):
    help = "Copies the database to a new file; the site may stay online meanwhile."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the file to write; it must not exist")

    def handle(self, *args: object, file: Path, **options: object) -> None:
        try:
            backups.back_up(file)
        except backups.Refused as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write(f"Copied to {file} ({file.stat().st_size / 1e6:.1f} MB).")
