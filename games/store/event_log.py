"""The event log: appends facts and reads them for each audience, from rows or a packed log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery

from games.contract import catalogue
from games.contract.game_values import RecordedFact
from games.core.codec import pack, unpack_kind
from games.core.contract import Evolving, Fact, fold
from games.models import FactRow, Game
from games.models.facts import AudienceField
from games.store import statements
from games.store.archive import packed_rows
from games.store.versioned_lru import VersionedLRU


class SomeoneWasFaster(Exception):
    """The optimistic lock failed: the game has moved on since its row was read."""


def append(game: Game, events: Sequence[RecordedFact], *, known: PublicView) -> None:
    """Write events, numbered from `game.seq` + 1.

    `known` is the public view after them, which is cached after the commit. Raises SomeoneWasFaster
    if a number is taken.
    """
    try:
        statements.insert([_row(game, event) for event in events])
    except IntegrityError:  # the caller's transaction is lost and has to be retried
        raise SomeoneWasFaster from None  # the database's message may quote the row
    learn = partial(_known.keep, game.code, known.seq, known)
    transaction.on_commit(learn, robust=True)


def _row(game: Game, event: RecordedFact) -> FactRow:
    data = pack(event.fact)
    return FactRow(
        game=game,
        seq=event.seq,
        audience=event.fact.audience,
        kind=data.pop("kind"),
        data=data,
        at=event.at,
        automatic=event.automatic or None,
    )


def _read(game: Game, row: FactRow) -> Fact:
    """Return the fact of a row; a ValueError names the row but not its content, perhaps sealed."""
    try:
        return unpack_kind(catalogue.of(game.kind_key).rules.FACTS, row.kind, row.data)
    except (ValueError, TypeError):
        raise ValueError(f"fact {row.seq} of game {game.code} cannot be read") from None


# --- rows, packed or not --------------------------------------------------------------------------


def _rows(game: Game, rows: QuerySet[FactRow], fits: Callable[[FactRow], bool]) -> list[FactRow]:
    """Return these rows in order, or, if the log is packed, the rows of the record that match.

    `game` may have been read before its log was packed, and some logs are never packed. If one form
    is not found, the other is therefore tried.
    """
    over = game.status == Game.Status.FINISHED
    record = packed_rows(game) if over and game.pack_at is None else None
    if record is None:
        found = list(rows.order_by("seq"))
        if found or not over or game.pack_at is None:
            return found
        record = packed_rows(game)
    return [row for row in record or () if fits(row)]


def _public_rows(game: Game, *, after: int = 0, upto: int) -> list[FactRow]:
    return _rows(
        game,
        FactRow.objects.filter(game=game, seq__gt=after, seq__lte=upto),
        lambda row: row.audience is None and after < row.seq <= upto,
    )


# --- what everybody knows ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PublicView:
    """What everybody knows of a game at one `seq`: the state and the latest facts.

    `news` are the public facts of the last move, all with the same time, in order. `deal` is the
    state after the last fact with `new_deal`, and `since` the public facts after it. Folding them
    in log order, together with a viewer's sealed facts, gives that viewer's state.
    """

    seq: int = 0
    state: Any = None
    news: tuple[RecordedFact, ...] = ()
    deal: object = None
    since: tuple[RecordedFact, ...] = ()

    def then(self, rules: Evolving, events: Iterable[RecordedFact], *, seq: int) -> PublicView:
        """Return the view at `seq`, after these events; sealed events are ignored."""
        state, deal, since, news = self.state, self.deal, list(self.since), list(self.news)
        for event in events:
            if event.fact.audience is not None:
                continue
            state = rules.evolve(state, event.fact)
            since.append(event)
            if event.fact.new_deal:
                deal, since = state, []
            if news and news[-1].at != event.at:
                news = []
            news.append(event)
        return PublicView(seq, state, tuple(news), deal, tuple(since))


# Cache of the last version of each game that this process saw, so that a move does not fold the
# whole game again. It contains committed public facts only, as a transaction on a game reads before
# it writes, and no other code reads the log inside a transaction. Keyed by the unguessable code.
_known: VersionedLRU[PublicView] = VersionedLRU(most=2_000)


def known(game: Game) -> PublicView:
    """Return the public view at `game.seq`: the cached view extended by new public facts."""
    seq, then = _known.get(game.code) or (0, PublicView())
    if seq == game.seq:
        return then
    if seq > game.seq:  # the caller asks for an earlier version
        then = PublicView()
    public = public_facts(game, after=then.seq, upto=game.seq)
    now = then.then(catalogue.of(game.kind_key).rules, public, seq=game.seq)
    _known.keep(game.code, game.seq, now)
    return now


def public_state(game: Game) -> Any:
    """Return the public state at `game.seq`."""
    return known(game).state


def latest_public_facts(game: Game) -> tuple[RecordedFact, ...]:
    """Return the public facts of the last move, in order."""
    return known(game).news


def with_round(games: QuerySet[Game]) -> QuerySet[Game]:
    """Annotate running games for `round_of`, to avoid a query for each."""
    deal = FactRow.objects.filter(game=OuterRef("pk"), seq=OuterRef("deal_seq"))
    return games.annotate(deal=Subquery(deal.values("data")[:1]))


def round_of(game: Game) -> int | None:
    """Return the current round number of a game from `with_round`; None for any other game."""
    deal: dict[str, Any] = getattr(game, "deal", None) or {}
    return deal.get("number")


def public_facts(game: Game, *, after: int, upto: int) -> list[RecordedFact]:
    """Return the public facts with after < seq <= upto, in order."""
    return [_recorded(game, row) for row in _public_rows(game, after=after, upto=upto)]


def has_automatic_moves(game: Game) -> bool:
    """Whether a bot or a timeout has moved for a person; only valid before the log is packed."""
    return FactRow.objects.filter(game=game, automatic=True).exists()


def automatic_facts(game: Game, *, most: int) -> list[Fact]:
    """Return the first fact of each of the last `most` moves made by a bot or timeout for a person.

    They are in order. Only valid before the log is packed.
    """
    rows = FactRow.objects.filter(game=game, automatic=True).order_by("-seq")[:most]
    return [_read(game, row) for row in reversed(rows)]


# --- what one seat knows -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Own:
    """The sealed facts that one seat knows since the last deal.

    `seq` is the number of the game's last sealed fact, of any seat, at the time of reading. `state`
    is the state as the seat knew it at the number `at`; None before `with_state`.
    """

    seq: int
    facts: tuple[RecordedFact, ...] = field(repr=False)
    at: int = 0
    state: Any = field(default=None, repr=False)


def own_of(game: Game, seats: Iterable[int]) -> dict[int, Own]:
    """Return the sealed facts that each of these seats knows, with one query for all."""
    seats, after, upto = list(seats), game.deal_seq, game.seq
    asked = Q(audience__in=[(seat,) for seat in seats]) | Q(audience__gt=AudienceField.SEVERAL)
    rows = _rows(
        game,
        FactRow.unsealed.filter(asked, game=game, seq__gt=after, seq__lte=upto),
        lambda row: row.audience is not None and after < row.seq <= upto,
    )
    sealed = [(row.audience or (), _recorded(game, row)) for row in rows]
    return {
        seat: Own(game.sealed_seq, tuple(each for audience, each in sealed if seat in audience))
        for seat in seats
    }


def with_state(game: Game, own: Own) -> Own:
    """Return `own` with the state at `game.seq`, from public and sealed facts in log order.

    If it has an earlier state of the same deal, only the later facts are folded.
    """
    if own.state is None or not game.deal_seq < own.at <= game.seq:
        state = _in_order(game, own.facts)
    else:
        public = (each.fact for each in known(game).since if each.seq > own.at)
        state = fold(catalogue.of(game.kind_key).rules, public, own.state)
    return replace(own, at=game.seq, state=state)


def seat_view(game: Game, seat: int | None) -> Any:
    """Return the state as this seat knows it; None is a spectator."""
    if seat is None:
        return public_state(game)
    return with_state(game, own_of(game, [seat])[seat]).state


def _in_order(game: Game, sealed: Sequence[RecordedFact]) -> object:
    """Fold the public facts since the last deal and these sealed facts, in order of `seq`."""
    public = known(game)
    if not sealed:
        return public.state
    facts = sorted((*public.since, *sealed), key=lambda each: each.seq)
    return fold(catalogue.of(game.kind_key).rules, (each.fact for each in facts), public.deal)


# --- the whole truth -----------------------------------------------------------------------------


def unsealed(game: Game) -> object:
    """Return the state with all hidden facts. Only for `play.transaction`, to decide a move."""
    rows = FactRow.unsealed.filter(
        game=game, audience__isnull=False, seq__gt=game.deal_seq, seq__lte=game.seq
    )
    return _in_order(game, [_recorded(game, row) for row in rows.order_by("seq")])


def unsealed_facts(game: Game, *, kinds: Sequence[str] = ()) -> list[RecordedFact]:
    """Return every fact of a finished game, or only those of some kinds, in order.

    Raises ValueError while it still runs.
    """
    if game.status != Game.Status.FINISHED:
        raise ValueError("the log of a running game stays sealed")
    found = FactRow.unsealed.filter(game=game)
    if kinds:
        found = found.filter(kind__in=kinds)
    rows = _rows(game, found, lambda row: not kinds or row.kind in kinds)
    return [_recorded(game, row) for row in rows]


def _recorded(game: Game, row: FactRow) -> RecordedFact:
    return RecordedFact(row.seq, row.at, _read(game, row), bool(row.automatic))
