"""The moments of finished games: each whole log is folded once and kept for a while."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol, TypeVar

from games.core.contract import Fact, may_know
from games.game_values import RecordedFact
from games.models import Game
from games.store import event_log
from games.store.versioned_lru import VersionedLRU

M = TypeVar("M")


class _Moment(Protocol):
    @property
    def facts(self) -> Sequence[Fact]: ...


# States share what does not change, so that a moment takes about 1 KB: some 100 to 500 KB for each
# game, to read and fold which takes some 30 ms.
_kept: Final[VersionedLRU[Sequence[Any]]] = VersionedLRU(most=50, name="moments of a game")


def moments_of(
    game: Game, from_log: Callable[[Sequence[RecordedFact]], Sequence[M]]
) -> Sequence[M]:
    """What the game's `from_log` makes of all facts, nothing hidden; ValueError while it runs."""
    kept = _kept.get(game.code)
    if kept is not None:
        return kept[1]
    moments = tuple(from_log(event_log.unsealed_facts(game)))
    _kept.keep(game.code, game.seq, moments)
    return moments


def facts_told(moments: Iterable[_Moment], seat: int) -> list[Fact]:
    """What a seat was told in these moments, in order."""
    return [fact for moment in moments for fact in moment.facts if may_know(fact, seat)]
