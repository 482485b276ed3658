"""The secrets from which games draw: chosen with the table, sealed until the game is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import QuerySet
from django.views.decorators.debug import sensitive_variables

from games.core import proof
from games.core.chance import SystemChance
from games.core.codec import pack
from games.core.contract import Chance, Draw
from games.core.proof import Proof, ProvenChance
from games.models import DrawProof, Game, Seat, SeatPart
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


def add_part(game: Game, seat: Seat, part: bytes) -> bool:
    """Keep the hash of a salt that the browser at this seat has chosen.

    Returns whether it was the last of those that are waited for. Raises ValueError where others are
    waited for.
    """
    parts = SeatPart.objects.filter(seat__game=game)
    if not is_opening(game):
        parts.update_or_create(seat=seat, defaults={"part": part})
        return False
    if not parts.filter(seat=seat, part=None).update(part=part):
        raise ValueError("no part of this seat is waited for")
    return not parts.filter(part=None).exists()


def part_of(game: Game, number: int) -> str:
    """Return this hash of a seat in hexadecimal; "" if its browser has sent none."""
    seats = SeatPart.objects.filter(seat__game=game, seat__number=number)
    return (bytes(seats.values_list("part", flat=True).first() or b"")).hex()


@sensitive_variables()
def freeze(game: Game, *, options: Any, seats: Sequence[Seat], won_before: Sequence[int]) -> bool:
    """Fix what the game's draws depend on besides the salts; return whether there are any.

    `seats` in their order, `options` of the rules, `won_before` as for `proof.root`.
    """
    row = DrawProof.unsealed.filter(game=game).first()
    if row is None:  # the table was opened by an earlier version
        commit(game)
        row = DrawProof.unsealed.get(game=game)
    sent = SeatPart.objects.filter(seat__game=game).values_list("seat", "part")
    by_seat = {seat: bytes(part) for seat, part in sent if part is not None}
    parts = [by_seat.get(seat.pk) for seat in seats]
    rules = proof.fingerprint(game.kind_key, pack(options))
    row.root = proof.root(game.code, rules, bytes(row.commitment), parts, won_before=won_before)
    row.parts, row.won_before = _to_json(parts), list(won_before)
    row.save()
    return bool(by_seat)


def is_opening(game: Game) -> bool:
    """Whether the table waits for the salts of its players, or for their new parts."""
    return opening().filter(game=game).exists()


def opening() -> QuerySet[DrawProof]:
    """Return the proofs of the tables that wait for salts, or for new parts."""
    return DrawProof.unsealed.filter(key=None).exclude(root=None, late=[])


@sensitive_variables()
def add_salt(game: Game, seat: Seat, salt: bytes) -> bool:
    """Keep the salt of a seat at a table that waits for it; return whether it was the last.

    Raises ValueError if it is not the one that was committed to.
    """
    row = SeatPart.objects.filter(seat=seat).first()
    sent = b"" if row is None else bytes(row.part or b"")
    if row is None or sent != proof.part(game.code, salt) or not is_frozen(game):
        raise ValueError("this is not the salt of this seat")
    row.salt = salt
    row.save(update_fields=["salt"])
    return not SeatPart.objects.filter(seat__game=game, salt=None).exists()


@sensitive_variables()
def give_up(game: Game) -> bool:
    """Wait no longer for what has not come; return whether new parts are waited for instead.

    If the site went on with the salts that came, it could choose between the draws with and without
    one that it calls late. So secret and salts are forgotten once, those who sent theirs are asked
    for new parts, and the seats of the others are noted. A second time who is late is left out.
    """
    row = DrawProof.unsealed.get(game=game)
    is_frozen = row.root is not None
    parts = SeatPart.objects.filter(seat__game=game)
    waits = SeatPart.objects.filter(seat__game=game, **{"salt" if is_frozen else "part": None})
    if is_frozen and (row.late or not waits.exists()):
        return False
    late = {*row.late, *waits.values_list("seat__number", flat=True)}
    waits.delete()
    if is_frozen:
        parts.update(part=None, salt=None)
        drop(game)
        commit(game)
    DrawProof.unsealed.filter(game=game).update(late=sorted(late))
    return is_frozen and parts.exists()


def is_frozen(game: Game) -> bool:
    """Whether the root is fixed."""
    return DrawProof.unsealed.filter(game=game, root__isnull=False).exists()


def winners_before(game: Game) -> Sequence[int]:
    """Return who won the game before one whose root is fixed, as it was fixed."""
    return tuple(DrawProof.unsealed.values_list("won_before", flat=True).get(game=game))


@sensitive_variables()
def unlock(game: Game, seats: Sequence[Seat]) -> ProvenChance:
    """Fix the draws of a game whose root is fixed, with the salts that came; return the source."""
    row = DrawProof.unsealed.get(game=game)
    assert row.root is not None  # noqa: S101
    came = dict(SeatPart.objects.filter(seat__game=game).values_list("seat", "salt"))
    salts = [None if (salt := came.get(seat.pk)) is None else bytes(salt) for seat in seats]
    row.key, row.salts = proof.key(bytes(row.root), salts), _to_json(salts)
    row.save()
    SeatPart.objects.filter(seat__game=game).delete()
    return ProvenChance(bytes(row.secret), row.key)


def forget_parts(game: Game) -> None:
    """Forget what browsers have added to a table that closes."""
    SeatPart.objects.filter(seat__game=game).delete()


def start_over(game: Game) -> None:
    """Forget parts, salts and secret of a table that could not begin, and choose a new secret."""
    forget_parts(game)
    drop(game)
    commit(game)


def drop(game: Game) -> None:
    """Forget the secret of a game that begins in the middle of another: its past was not drawn."""
    DrawProof.unsealed.filter(game=game).delete()


@dataclass(frozen=True, slots=True)
class Seal:
    """What everybody may know of a game's proof: hashes in hexadecimal, "" before it begins."""

    commitment: str
    root: str
    added: int  # how many seats have added a part to the draws
    late: Sequence[int] = ()  # seats that did not open their first part in time


def seal(game: Game) -> Seal | None:
    """Return what is public of a game's proof; None if it has none."""
    rows = DrawProof.unsealed.filter(game=game)
    row = rows.values_list("commitment", "root", "parts", "salts", "late").first()
    if row is None:
        return None
    commitment, root, parts, salts, late = row
    added = sum(each is not None for each in salts or parts)
    return Seal(bytes(commitment).hex(), "" if root is None else bytes(root).hex(), added, late)


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
        parts=_of_json(row.parts, seats),
        salts=_of_json(row.salts, seats),
        late=tuple(row.late),
    )


def _to_json(values: Sequence[bytes | None]) -> list[str | None]:
    return [None if value is None else value.hex() for value in values]


def _of_json(kept: Sequence[str | None], seats: int) -> tuple[bytes | None, ...]:
    return tuple(map(proof.read_hash, kept)) or (None,) * seats


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
