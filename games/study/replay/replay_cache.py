"""Caches of what never changes in a finished game: the moments of its replay, and its record.

Only the names and avatars of its players may still change. They are part of the cache keys, so
that nothing is shown under an old name.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from hashlib import blake2s
from typing import Final

from django.utils.translation import get_language

from games.contract.shown import context
from games.models import Game
from games.store import record_export
from games.store.versioned_lru import VersionedLRU
from games.study.replay import replay_bar, replay_page
from games.study.replay.replay_page import ReplayPage, Whole
from games.study.replay.replay_viewing import Viewing
from games.table import fragment_cache

# The common values of the pages of a game's moments, up to some 100 KB each.
_wholes: Final[VersionedLRU[Whole]] = VersionedLRU(most=50, name="replays")
# The context of a moment's page, with the table as HTML: some 50 KB each.
_moments: Final[VersionedLRU[ReplayPage]] = VersionedLRU(most=300, name="moments")
# Records, up to some 100 KB each.
_records: Final[VersionedLRU[str]] = VersionedLRU(most=50, name="records")


def moment(game: Game, number: int, viewing: Viewing = replay_page.ALL_HANDS) -> ReplayPage | None:
    """The page of the moment `number`, the same for all viewers.

    `table_html` is its table. None if the game has no such moment.
    """
    return _moment(game, number, viewing, _players(game))


def moments(game: Game, first: int, viewing: Viewing) -> list[ReplayPage]:
    """The pages of the next BATCH moments from `first` on; fewer at the end of the game."""
    players = _players(game)
    found = (
        _moment(game, number, viewing, players) for number in range(first, first + replay_bar.BATCH)
    )
    return [page for page in found if page is not None]


def _moment(game: Game, number: int, viewing: Viewing, players: Hashable) -> ReplayPage | None:
    replay = (game.code, viewing, get_language(), players)
    kept = _moments.get((number, *replay))
    if kept is not None:
        return replace(kept[1], game=game)
    alike = _wholes.get(replay)
    if alike is None:
        alike = game.seq, replay_page.whole(game, viewing, _tag(players))
        _wholes.keep(replay, *alike)
    page = replay_page.page(game, number, viewing, alike[1])
    if page is None:
        return None
    html = fragment_cache.plain(f"{game.kind_key}/_replay_table.html", context(page))
    page = replace(page, table_html=html)
    _moments.keep((number, *replay), game.seq, page)
    return page


def record_text(game: Game) -> str:
    """The record of a finished game as text, for people."""
    return _record("text", game, record_export.as_text)


def record_json(game: Game) -> str:
    """The record of a finished game as JSON, for programs."""
    return _record("json", game, record_export.as_json)


def _record(kind: str, game: Game, export: Callable[[Game], str]) -> str:
    key = (game.code, kind, get_language(), _players(game))
    kept = _records.get(key)
    if kept is not None:
        return kept[1]
    record = export(game)
    _records.keep(key, game.seq, record)
    return record


def _tag(players: Hashable) -> str:
    return blake2s(repr(players).encode(), digest_size=6).hexdigest()


def _players(game: Game) -> Hashable:
    """Everything a page shows of the people and bots at this table that may change."""
    return tuple(
        (
            seat.number,
            seat.name,
            *seat.avatar.values(),
            seat.user and (seat.user.get_username(), seat.user.is_active),
        )
        for seat in game.seat_set.select_related("user")
    )
