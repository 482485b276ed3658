"""Writes the JSON Schema of records: `python -m tools.record_schema`, whenever a fact has changed.

It stands among the static files, so that every site publishes it beside the records.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Final

import django

FILE: Final = Path(__file__).parents[1] / "games" / "static" / "games" / "record.schema.json"


def written() -> str:
    """The file as it should be, from the games in the catalogue."""
    from games.contract import catalogue
    from games.core import record_schema

    schema = record_schema.of_records(kind.rules for kind in catalogue.every())
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=FILE.parent, help="the folder of the file")
    folder: Path = parser.parse_args().to
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
    django.setup()
    (folder / FILE.name).write_text(written(), encoding="utf-8")
    print(folder / FILE.name)


if __name__ == "__main__":
    main()
