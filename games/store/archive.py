"""Archive: packs the log of a finished game into one compressed row, and reads it back."""

from __future__ import annotations

import json
import logging
import zlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from django.db import transaction

from games.models import FactRow, Game, PackedLog
from games.models.facts import AudienceField

# Leaves the players time to look at the last reveal, and open a replay, before rows are deleted.
PACKED_AFTER: Final = timedelta(minutes=10)
_PACKED_AT_ONCE: Final = 10
_SET_ASIDE: Final = timedelta(days=1)
_MICROSECOND: Final = timedelta(microseconds=1)

logger = logging.getLogger(__name__)


def waiting(*, now: datetime, most: int) -> list[str]:
    """Return the codes of games whose logs are due for packing, the longest waiting first."""
    due = Game.objects.filter(pack_at__lte=now).order_by("pack_at")
    return list(due.values_list("code", flat=True)[:most])


def pack_waiting(now: datetime, share: float) -> bool:
    """Pack logs for about `share` seconds; return whether more may be waiting.

    Each log is packed in its own transaction, so that a move never waits for more than one.
    """
    until = monotonic() + share
    for code in waiting(now=now, most=_PACKED_AT_ONCE):
        pack(code, now=now)
        if monotonic() >= until:
            return True
    return False


def pack(code: str, *, now: datetime) -> None:
    """Pack the log of one game; on an error, log it and postpone the retry by a day."""
    try:
        _pack(code, now=now)
    except Exception:
        Game.objects.filter(code=code, pack_at__lte=now).update(pack_at=now + _SET_ASIDE)
        logger.exception("packing a log failed game=%s", code)


def _pack(code: str, *, now: datetime) -> None:
    with transaction.atomic():
        # The conditional update is the lock: a second packer finds nothing to do.
        mine = Game.objects.filter(code=code, status=Game.Status.FINISHED, pack_at__lte=now)
        if mine.update(pack_at=None):
            pack_rows(Game.objects.get(code=code))


def pack_rows(game: Game) -> None:
    """Replace a finished game's rows by one compressed record, in the caller's transaction.

    Raises ValueError if the game still runs, or if the record read back differs from the rows; the
    rows are then not deleted.
    """
    if game.status != Game.Status.FINISHED:
        raise ValueError("the log of a running game is not packed")
    rows = FactRow.unsealed.filter(game=game)
    facts = list(rows.order_by("seq"))
    if not facts:
        return
    record = packed(facts)
    record.save(force_insert=True)
    if list(map(_columns, packed_rows(game) or ())) != list(map(_columns, facts)):
        raise ValueError(f"the record of game {game.code} is not its log")
    rows.delete()


def packed(rows: Sequence[FactRow]) -> PackedLog:
    """Build an unsaved record from all rows of a game's log, with all columns in order.

    Times are stored as microseconds since the previous fact, since most of them are then 0 and
    short. The `seq` of automatic moves are in a separate field, which older versions ignore.
    """
    facts, before = [], rows[0].at
    for row in rows:
        audience = AudienceField.encode(row.audience)
        facts.append([row.seq, audience, row.kind, row.data, (row.at - before) // _MICROSECOND])
        before = row.at
    record: dict[str, object] = {"version": 1, "facts": facts}
    if automatic := [row.seq for row in rows if row.automatic]:
        record["automatic"] = automatic
    plain = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    small = zlib.compress(plain.encode(), level=9)
    return PackedLog(game_id=rows[0].game_id, begins=rows[0].at, count=len(rows), facts=small)


def packed_rows(game: Game) -> list[FactRow] | None:
    """Return the rows as they were before packing, or None if there is no record."""
    record = PackedLog.unsealed.filter(game=game).first()
    if record is None:
        return None
    rows, at, plain = [], record.begins, json.loads(zlib.decompress(record.facts))
    automatic = frozenset(plain.get("automatic", ()))
    for seq, audience, kind, data, later in plain["facts"]:
        at += later * _MICROSECOND
        row = FactRow(game=game, seq=seq, kind=kind, data=data, at=at)
        row.audience = AudienceField.decode(audience)
        row.automatic = seq in automatic or None
        rows.append(row)
    return rows


def _columns(row: FactRow) -> tuple[object, ...]:
    return row.seq, row.audience, row.kind, row.data, row.at, row.automatic
