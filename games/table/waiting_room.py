"""The page of an open table: its seats, who may join, and what the host may do."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from accounts.requests import AnyUser
from games import words
from games.contract import catalogue
from games.contract.game_values import TableRules
from games.models import Game, Seat
from games.models.ponchos import dressed
from games.play.ratings import verdict
from games.play.tempo import NORMAL
from games.store import manners, proofs, queries
from games.store.proofs import Seal
from games.table.common import milliseconds, rules_in_words


@dataclass(frozen=True, kw_only=True, slots=True)
class RoomSeat:
    """A place at an open table; without a `name` it is free."""

    number: int
    name: str | None = None
    avatar: Mapping[str, str] | None = None
    key: str = ""  # the kind of the bot
    user: str | None = None
    is_bot: bool = False
    bot: str = ""  # the kind of the bot in words
    host: bool = False
    is_away: bool = False  # the host, while another acts for them


@dataclass(frozen=True, kw_only=True, slots=True)
class Room:
    """An open table, the same for all viewers."""

    game: Game
    seq: int
    seats: Sequence[RoomSeat]
    free: int
    game_mark: str
    rules: TableRules
    rated: bool
    pace: str
    begins: bool  # as soon as browsers have added their salts
    begins_ms: int | None
    closes_ms: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownCharacter:
    """A character that the host can add."""

    key: str
    name: str
    avatar: Mapping[str, str]
    level: str
    line: str
    here: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnRoom:
    """What a viewer may do at an open table."""

    seq: int
    viewer: int | None
    seated: bool
    is_host: bool
    signed_in: bool
    can_sit: bool
    blocked_here: Sequence[str]  # people whom they have blocked: they are warned before they join
    is_full: bool
    why_not: str  # why a visitor may not join although a seat is free
    acts_for_host: bool
    least: int
    can_start: bool
    removable: Sequence[RoomSeat]  # by the host
    bots: Sequence[tuple[str, str]]
    characters: Sequence[ShownCharacter]
    invites: bool
    can_leave: bool
    host: str
    is_left_out: bool  # of ratings, by their address
    leavers: Sequence[str]  # for the host, of people who leave games often: a sentence each
    seal: Seal | None  # of the draws
    part: str  # what this viewer's browser has added to them; ""


def table(game: Game) -> Room:
    """An open table."""
    places = _places(game)
    return Room(
        game=game,
        seq=game.seq,
        seats=places,
        free=sum(1 for place in places if place.name is None),
        game_mark=words.game_mark(game.kind_key),
        rules=rules_in_words(game),
        rated=verdict.may_be_rated_at(game),
        pace=_pace(game),
        begins=proofs.is_opening(game),
        begins_ms=milliseconds(queries.begins_at(game)),
        closes_ms=milliseconds(game.due_at),
    )


def _pace(game: Game) -> str:
    """The time limit of a turn, and the tempo if it is not the usual one."""
    tempo = "" if game.tempo == NORMAL else words.tempo(game.tempo)
    return " · ".join(filter(None, (tempo, words.pace(game.turn_seconds))))


def own(game: Game, number: int | None, *, user: AnyUser) -> OwnRoom:
    """What this viewer may do at an open table."""
    kind = catalogue.of(game.kind_key)
    places = _places(game)
    taken = [place for place in places if place.name is not None]
    is_host = user.is_authenticated and user.pk == game.host_id
    acts = number is not None and user.pk == game.acting_host_id
    starts = is_host or acts or (number is not None and game.standing_id is not None)
    outside = number is None and len(taken) < game.size
    is_removed = outside and game.removed.filter(pk=user.pk).exists()
    is_blocked = outside and queries.is_kept_away(game, user)
    kept = queries.kept_for(game) if outside else set()
    free = game.size - len(taken)
    is_kept = not is_removed and user.pk not in kept and 0 < free <= len(kept)
    return OwnRoom(
        seq=game.seq,
        viewer=number,
        seated=number is not None,
        is_host=is_host,
        signed_in=user.is_authenticated,
        can_sit=outside and not (is_removed or is_kept or is_blocked),
        blocked_here=queries.blocked_by(user, game) if outside else [],
        is_full=number is None and free == 0,
        why_not=_why_not(removed=is_removed, blocked=is_blocked, kept=is_kept),
        acts_for_host=acts,
        least=kind.rules.SEATS.start,
        can_start=starts and len(taken) in kind.rules.SEATS,
        removable=[place for place in taken if not place.host] if is_host else [],
        bots=[(bot, kind.words.bot(bot)) for bot in kind.bots] if free else [],
        characters=[
            each
            for each in characters(kind, {place.key for place in taken})
            if (is_host and free) or each.here
        ],
        invites=number is not None and free > 0 and user.is_authenticated and not user.is_guest,
        can_leave=number is not None and (not is_host or _people(taken) > 1),
        host=next((place.name for place in taken if place.name and place.host), ""),
        is_left_out=verdict.is_left_out(game, number),
        leavers=_leavers(game) if is_host else [],
        seal=None if number is None else proofs.seal(game),
        part="" if number is None else proofs.part_of(game, number),
    )


def _leavers(game: Game) -> list[str]:
    """What the host of a rated table reads of the people there who leave games often."""
    if not verdict.may_be_rated_at(game):
        return []
    people = [
        seat.user
        for seat in game.seat_set.exclude(user=game.host_id).select_related("user")
        if seat.user is not None
    ]
    found = manners.of_leavers(people)
    return [
        gettext("%(name)s left %(left)d of their latest %(games)d rated games.")
        % {"name": each.shown_name, "left": found[each.pk].left, "games": found[each.pk].games}
        for each in people
        if each.pk in found
    ]


def characters(
    kind: catalogue.GameKind, here: Collection[str] = frozenset()
) -> list[ShownCharacter]:
    """The characters of the game, in its order; `here` are the keys of the bots at the table."""
    if kind.character_words is None:
        return []
    return [
        ShownCharacter(
            key=key,
            name=each.name,
            avatar=each.avatar,
            level=kind.words.bot(key),
            line=kind.character_words.line(key),
            here=key in here,
        )
        for key, each in kind.characters.items()
    ]


def _why_not(**reasons: bool) -> str:
    """The sentence for the first of these reasons that is true; "" if none is."""
    found = next((code for code in ("removed", "blocked", "kept") if reasons[code]), "")
    code = "seats_kept" if found == "kept" else found
    return str(words.SITE[code]) if code else ""


def _people(taken: Sequence[RoomSeat]) -> int:
    return sum(not place.is_bot for place in taken)


def _places(game: Game) -> list[RoomSeat]:
    seats = {seat.number: seat for seat in dressed(game.seat_set.select_related("user"))}
    return [_place(number, seats.get(number), game) for number in range(game.size)]


def _place(number: int, seat: Seat | None, game: Game) -> RoomSeat:
    if seat is None:
        return RoomSeat(number=number)
    is_host = seat.user_id is not None and seat.user_id == game.host_id
    return RoomSeat(
        number=number,
        name=seat.name,
        avatar=seat.avatar,
        key=seat.bot,
        user=None if seat.user is None else seat.user.get_username(),
        is_bot=bool(seat.bot),
        bot=catalogue.of(game.kind_key).words.bot(seat.bot) if seat.bot else "",
        host=is_host,
        is_away=is_host and game.acting_host_id is not None,
    )
