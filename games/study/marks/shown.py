"""The marks of a person, as their page and the reviews of their games show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL
from django.urls import reverse

from accounts.models import User
from accounts.requests import AnyUser
from games.contract import catalogue
from games.contract.optional_parts import Marks
from games.models import Game, Mark, Seat

# A mark that at most this many people have says how many.
RARE: Final = 10

# At most one more than that are counted, by the index of the constraint.
_HOLDERS: Final = (
    'SELECT COUNT(*) FROM (SELECT 1 FROM "games_mark" "holder" '
    'WHERE "holder"."kind_key" = "games_mark"."kind_key" AND "holder"."key" = "games_mark"."key" '
    'LIMIT %s) "some"'
)


@dataclass(frozen=True, slots=True)
class ShownMark:
    """A mark in words. `url`: the moment that shows it, "" if the viewer may not see that game
    listed. `others`: how many other people have it, if it is one that cannot be earned against bots
    and these are few; else None.
    """

    key: str
    name: str
    story: str
    at: datetime | None = None
    url: str = ""
    others: int | None = None


@dataclass(frozen=True, slots=True)
class Shelf:
    """The marks of a person in one game: those earned, and to themselves those still to earn."""

    earned: Sequence[ShownMark]
    missing: Sequence[ShownMark]
    all: int


def of_person(person: User, *, viewer: AnyUser) -> dict[str, Shelf]:
    """The marks of a person who shows their games to the viewer, by game, in two queries."""
    mine = {(each.kind_key, each.key): each for each in _with_holders(person)}
    reviews = person.shows_reviews_to(viewer)
    seen = _visible(person, viewer, [each.game_id for each in mine.values()])
    shelves = {}
    for kind in catalogue.every():
        if kind.marks is None or kind.mark_words is None:
            continue
        hidden = () if reviews else kind.marks.BY_REVIEW
        keys = [key for key in kind.marks.KEYS if key not in hidden]
        earned = [mine[kind.key, key] for key in keys if (kind.key, key) in mine]
        missing = [key for key in keys if (kind.key, key) not in mine]
        shelves[kind.key] = Shelf(
            earned=[
                replace(_shown(each, seen), others=_others(each, kind.marks)) for each in earned
            ],
            missing=[_in_words(kind.key, key) for key in missing] if viewer == person else (),
            all=len(keys),
        )
    return shelves


def of_game(game: Game, reader: AnyUser) -> list[ShownMark]:
    """The marks that the reader earned in this game, in the order of the catalogue."""
    marks = catalogue.of(game.kind_key).marks
    if marks is None or not reader.is_authenticated:
        return []
    mine = {each.key: each for each in Mark.objects.filter(user=reader.pk, game=game)}
    return [_shown(mine[key], {game.pk: game.code}) for key in marks.KEYS if key in mine]


def _with_holders(person: User) -> QuerySet[Mark]:
    holders = RawSQL(_HOLDERS, [RARE + 1])  # noqa: S611  # a constant
    return Mark.objects.filter(user=person).annotate(holders=holders)


def _visible(person: User, viewer: AnyUser, games: Sequence[int | None]) -> dict[int, str]:
    """The codes of those games that the viewer may see listed, see `players.game_list`."""
    found = Game.objects.filter(pk__in=[pk for pk in games if pk is not None])
    if viewer != person:
        listed = Q(listed=True)
        if viewer.is_authenticated:
            listed |= Q(pk__in=Seat.objects.filter(user=viewer.pk, game__in=games).values("game"))
        found = found.filter(listed)
    return dict(found.values_list("pk", "code"))


def _shown(mark: Mark, seen: dict[int, str]) -> ShownMark:
    code = seen.get(mark.game_id or 0)
    told = _in_words(mark.kind_key, mark.key)
    return ShownMark(
        key=told.key,
        name=told.name,
        story=told.story,
        at=mark.at,
        url="" if code is None else reverse("games:moment", args=[code, mark.moment or 1]),
    )


def _others(mark: Mark, marks: Marks) -> int | None:
    """See `ShownMark`; of a mark from `_with_holders`."""
    holders: int = mark.holders  # type: ignore[attr-defined]
    return None if mark.key in marks.ALONE or holders > RARE else holders - 1


def _in_words(kind_key: str, key: str) -> ShownMark:
    words = catalogue.of(kind_key).mark_words
    assert words is not None  # noqa: S101  # see `contract.game_modules`
    return ShownMark(key, words.name(key), words.story(key))
