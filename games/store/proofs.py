"""The secrets from which games draw: chosen with the table, sealed until the game is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.views.decorators.debug import sensitive_variables

from games.core import proof
from games.core.chance import SystemChance
from games.core.codec import pack
from games.core.contract import Chance, Draw
from games.core.proof import Proof, ProvenChance
from games.models import DrawProof, Game
from games.store.versioned_lru import VersionedLRU

T = TypeVar("T")

# None: a game without a proof.
_drawing: VersionedLRU[ProvenChance | None] = VersionedLRU(most=2_000, name="draws")
_system = SystemChance()


class TableChance:
    """Draws from the proof of a game, if it has one, otherwise from the operating system.

    The secret is read when something is drawn. Bots never get this: whoever has it can draw what
    others hold.
    """

    def __init__(self, game: Game) -> None:
        self._game = game

    def __repr__(self) -> str:
        return f"TableChance({self._game.code})"

    def dice(self, count: int, at: Draw | None = None) -> tuple[int, ...]:
        return self._source().dice(count, at)

    def below(self, bound: int, at: Draw | None = None) -> int:
        return self._source().below(bound, at)

    def shuffled(self, items: Sequence[T], at: Draw | None = None) -> tuple[T, ...]:
        return self._source().shuffled(items, at)

    def pick(self, items: Sequence[T], at: Draw | None = None) -> T:
        return self._source().pick(items, at)

    def _source(self) -> Chance:
        return _chance_of(self._game) or _system


@sensitive_variables()
def commit(game: Game) -> None:
    """Choose the secret of a table that has just been opened."""
    secret = proof.new_secret()
    DrawProof.unsealed.create(
        game=game, secret=secret, commitment=proof.commitment(game.code, secret)
    )


@sensitive_variables()
def freeze(game: Game, *, options: Any, seats: int, won_before: Sequence[int]) -> ProvenChance:
    """Fix what the game's draws depend on, as it begins; return what draws them."""
    row = DrawProof.unsealed.filter(game=game).first()
    if row is None:  # the table was opened by an earlier version
        commit(game)
        row = DrawProof.unsealed.get(game=game)
    parts = [None] * seats
    rules = proof.fingerprint(game.kind_key, pack(options))
    row.root = proof.root(game.code, rules, bytes(row.commitment), parts, won_before=won_before)
    row.key = proof.key(row.root, parts)
    row.won_before = list(won_before)
    row.save()
    return ProvenChance(bytes(row.secret), row.key)


def drop(game: Game) -> None:
    """Forget the secret of a game that begins in the middle of another: its past was not drawn."""
    DrawProof.unsealed.filter(game=game).delete()


@dataclass(frozen=True, slots=True)
class Seal:
    """What everybody may know of a game's proof: hashes in hexadecimal, "" before it begins."""

    commitment: str
    root: str


def seal(game: Game) -> Seal | None:
    """Return what is public of a game's proof; None if it has none."""
    row = DrawProof.unsealed.filter(game=game).values_list("commitment", "root").first()
    if row is None:
        return None
    commitment, root = row
    return Seal(bytes(commitment).hex(), "" if root is None else bytes(root).hex())


def of_finished(game: Game, *, seats: int) -> Proof | None:
    """Return the proof of a finished game; None if it has none. Raises ValueError until then."""
    if game.status != Game.Status.FINISHED:
        raise ValueError("the game is not over")
    row = DrawProof.objects.filter(game=game, root__isnull=False).first()
    if row is None or row.root is None:
        return None
    return Proof(
        code=game.code,
        commitment=bytes(row.commitment),
        secret=bytes(row.secret),
        root=bytes(row.root),
        won_before=tuple(row.won_before),
        parts=(None,) * seats,
        salts=(None,) * seats,
    )


@sensitive_variables()
def _chance_of(game: Game) -> ProvenChance | None:
    kept = _drawing.get(game.pk)
    if kept is not None:
        return kept[1]
    row = DrawProof.unsealed.filter(game=game).first()
    chance = None
    if row is not None and row.key is not None:
        chance = ProvenChance(bytes(row.secret), bytes(row.key))
    _drawing.keep(game.pk, 0, chance)
    return chance
