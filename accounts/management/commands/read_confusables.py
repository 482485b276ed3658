"""Write accounts/confusables.txt from two files that the Unicode Consortium publishes.

    curl -O https://www.unicode.org/Public/security/latest/confusables.txt
    curl -O https://www.unicode.org/Public/UCD/latest/ucd/DerivedCoreProperties.txt
    .venv/bin/python manage.py read_confusables confusables.txt DerivedCoreProperties.txt

This command does not update stored skeletons: add a migration that calls the function of
accounts/migrations/0003_name_skeletons.py again.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from accounts import skeletons

HEADER = """\
# Look-alike characters (UTS 39 confusables {confusables}) and
# Default_Ignorable_Code_Point ({properties}), written by `manage.py read_confusables`; do not edit.
# Derived from data that is Copyright (c) 1991-2025 Unicode, Inc., under the Unicode License V3:
# https://www.unicode.org/license.txt
# The first line has the ignorable ranges. Every other line: a prototype, a tab, what looks like it.
"""


class Command(BaseCommand):
    help = "Write accounts/confusables.txt from two data files of Unicode."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("confusables", type=Path, help="Unicode's confusables.txt")
        parser.add_argument("properties", type=Path, help="Unicode's DerivedCoreProperties.txt")

    def handle(self, *, confusables: Path, properties: Path, **options: object) -> None:
        ignorable = [
            codes
            for codes, name, *_ in fields(properties)
            if name == "Default_Ignorable_Code_Point"
        ]
        prototypes: dict[str, list[str]] = {}
        for source, prototype, *_ in fields(confusables):
            prototypes.setdefault(prototype, []).append(source)
        if not ignorable or not prototypes:
            raise CommandError("These are not confusables.txt and DerivedCoreProperties.txt.")
        header = HEADER.format(confusables=version(confusables), properties=version(properties))
        lines = [f"{looks}\t{' '.join(sources)}\n" for looks, sources in prototypes.items()]
        skeletons.FILE.write_text(f"{header}{' '.join(ignorable)}\n{''.join(lines)}")
        self.stdout.write(f"{skeletons.FILE.name}: {sum(map(len, prototypes.values()))} characters")


def fields(file: Path) -> Iterator[list[str]]:
    """Yield the fields of each line of a Unicode data file, without comments and empty lines."""
    for line in file.read_text(encoding="utf-8-sig").splitlines():
        data = line.partition("#")[0].strip()
        if data:
            yield [part.strip() for part in data.split(";")]


def version(file: Path) -> str:
    """Return the version stated at the head of a file, such as 17.0.0."""
    head = file.read_text(encoding="utf-8-sig")[:1000]
    found = re.search(r"Version: (\S+)|-(\d+\.\d+\.\d+)\.txt", head)
    if found is None:
        raise CommandError(f"{file} tells no version.")
    return found[1] or found[2]
