"""Cache of the moments of finished games, for which each whole log is folded once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol, TypeVar

from games.contract.game_values import RecordedFact
from games.core.contract import Fact, may_know
from games.models import Game
from games.store import event_log
from games.store.versioned_lru import VersionedLRU

M = TypeVar("M")


class _Moment(Protocol):
    @property
    def facts(self) -> Sequence[Fact]: ...


# States share unchanged parts, so a moment takes about 1 KB and a game 100 to 500 KB. Reading and
# folding a game takes about 30 ms.
_kept: Final[VersionedLRU[Sequence[Any]]] = VersionedLRU(most=50, name="moments of a game")


def moments_of(
    game: Game, from_log: Callable[[Sequence[RecordedFact]], Sequence[M]]
) -> Sequence[M]:
    """Return the moments that `from_log` makes of all facts. Raises ValueError while it runs."""
    kept = _kept.get(game.code)
    if kept is not None:
        return kept[1]
    moments = tuple(from_log(event_log.unsealed_facts(game)))
    _kept.keep(game.code, game.seq, moments)
    return moments


def facts_told(moments: Iterable[_Moment], seat: int) -> list[Fact]:
    """Return the facts of these moments that a seat was told, in order."""
    return [fact for moment in moments for fact in moment.facts if may_know(fact, seat)]
