"""The best games of the week: public ones, the boldest move that held first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

from django.urls import reverse

from accounts.models import User
from games import words
from games.models import Game, ReviewedPlay, Seat
from games.store import public_tables
from games.study.review import figures

WEEK: Final = timedelta(days=7)
SHOWN: Final = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class BestGame:
    """A finished game, with the boldest move in it that held: who made it, and `told` in words.

    `url` is the moment of that move in the replay.
    """

    url: str
    game_mark: str
    seats: Sequence[Seat]
    bold: Seat
    told: str
    finished: datetime


def of_the_week(*, now: datetime) -> list[BestGame]:
    """At most `SHOWN` of the latest public games between people, from the last seven days.

    How bold a move was is said by the game's review. Who shows their games to nobody is not named.
    """
    public = public_tables.finished_tables().filter(finished_at__gt=now - WEEK)
    plays = ReviewedPlay.objects.filter(
        game__in=public.order_by().values("pk"),
        boldest_chance__isnull=False,
        user__games_shown_to=User.GamesShownTo.EVERYBODY,
    )
    boldest: dict[int, ReviewedPlay] = {}
    for play in plays.order_by("boldest_chance", "pk"):
        boldest.setdefault(play.game_id, play)
    chosen = dict(islice(boldest.items(), SHOWN))
    games = public_tables.with_seats(Game.objects.filter(pk__in=chosen)).in_bulk()
    return list(filter(None, (_told(games[number], play) for number, play in chosen.items())))


def _told(game: Game, play: ReviewedPlay) -> BestGame | None:
    bold = next((seat for seat in game.taken if seat.user_id == play.user_id), None)
    if bold is None or play.boldest is None or game.finished_at is None:
        return None
    return BestGame(
        url=reverse("games:moment", args=[game.code, play.boldest["moment"]]),
        game_mark=words.game_mark(game.kind_key),
        seats=game.taken,
        bold=bold,
        told=figures.bold_words(game.kind_key, play.boldest),
        finished=game.finished_at,
    )
