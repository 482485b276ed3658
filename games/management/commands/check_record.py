"""Check the records of finished games: `manage.py check_record game.json` plays them again."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from django.core.management.base import BaseCommand, CommandParser, OutputWrapper

from games.contract import catalogue
from games.core import game_record
from games.core.game_record import Record, RecordError

_MOST_BYTES: Final = 4 * game_record.MAX_CHARACTERS


class Command(BaseCommand):
    help = (
        "Replay records that were downloaded as JSON, of any game and version, and say in one line "
        "for each whether it fits the rules, or what does not. Exit with 1 when one does not fit."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="+", help="a record, as JSON")

    def handle(self, *args: object, file: list[str], **options: object) -> None:
        trouble = False
        for name in file:
            try:
                record = _read(name)
            except RecordError as error:
                trouble = True
                _write(self.stderr, f"{name}: {error}")
            else:
                _write(self.stdout, f"{name}: {_narration(record)}")
        if trouble:
            raise SystemExit(1)


def _read(name: str) -> Record:
    """The record in this file; RecordError when there is none that fits."""
    try:
        with Path(name).open("rb") as opened:
            text = opened.read(_MOST_BYTES + 1).decode()
    except UnicodeDecodeError as error:
        raise RecordError(f"not JSON in UTF-8: byte {error.start}") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RecordError(f"cannot be read: {reason}") from error
    rules = {kind.key: kind.rules for kind in catalogue.every()}
    return game_record.from_json_of_any(rules, text)


def _narration(record: Record) -> str:
    """What was played, and how it ended."""
    rules = catalogue.of(record.game).rules
    ended = rules.outcome(game_record.replay(rules, record))
    assert ended is not None  # noqa: S101
    return (
        f"fits the rules of {record.game}, version {record.version}: {record.seats} players, "
        f"{len(record.facts)} facts, {game_record.places(ended)}"
    )


def _write(stream: OutputWrapper, text: str) -> None:
    """Write the text on one line; what the terminal cannot show is escaped."""
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(line.encode(encoding, "backslashreplace").decode(encoding))
