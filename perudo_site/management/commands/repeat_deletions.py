"""`manage.py repeat_deletions [FILE …]`: delete again accounts that a restore brought back."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from perudo_site import deletion


class Command(BaseCommand):
    help = "Deletes the accounts that were deleted after a restored backup was made."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files",
            nargs="*",
            type=Path,
            metavar="FILE",
            help="lists of deleted accounts; by default the one in DATA_DIR",
        )

    def handle(self, *args: object, files: list[Path], **options: object) -> None:
        done = 0
        for file in files or [deletion.noted()]:
            try:
                lines = file.read_text().splitlines()
                done += deletion.repeat(lines, now=timezone.now())
            except FileNotFoundError:
                raise CommandError(f"There is no file “{file}”.") from None
            except (OSError, ValueError):
                raise CommandError(f"“{file}” is not a list of deleted accounts.") from None
        self.stdout.write(f"Accounts deleted again: {done}.")
