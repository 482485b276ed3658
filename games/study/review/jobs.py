"""The job that reviews recent games while the worker is idle."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Exists, OuterRef

from games.contract import catalogue
from games.models import Game, ReviewedPlay, Seat
from games.play import worker
from games.study.review import reviews

# Games that ended earlier are reviewed on demand.
RECENT: Final = timedelta(days=1)
# Per person, within that time, so that a person with a thousand games doesn't delay others.
MOST_OF_A_PERSON: Final = 10
# The number of latest games among which one is chosen.
_LOOKED_AT: Final = 1000


def run(now: datetime, share: float) -> bool:
    """Ask for one review if the worker is idle; returns whether one was asked for."""
    if reviews.any_under_way() or not worker.is_idle():
        return False
    game = next_game(now) or next_warm_up(now)
    if game is None:
        return False
    try:
        return reviews.ask(game)
    except (worker.Busy, worker.Failed):
        return False


def next_game(now: datetime) -> Game | None:
    """The game to review next: the latest of the person with the fewest recent reviews.

    A game is ranked by that one of its people who has the fewest. Games without any account holder
    are reviewed only on demand.
    """
    reviewed = _reviewed(now)
    full = [person for person, count in reviewed.items() if count >= MOST_OF_A_PERSON]
    people = Seat.objects.filter(user__is_guest=False, user__is_active=True)
    people = people.exclude(user__in=full)
    recent = reviews.unreviewed().filter(finished_at__gt=now - RECENT)
    recent = recent.exclude(pk__in=reviews.failed())
    waiting = recent.filter(Exists(people.filter(game=OuterRef("pk"))))
    found = list(waiting.order_by("-finished_at").values_list("pk", flat=True)[:_LOOKED_AT])
    counts: dict[int, list[int]] = defaultdict(list)
    for game, person in people.filter(game__in=found).values_list("game", "user"):
        counts[game].append(reviewed.get(person, 0))
    chosen = min((pk for pk in found if pk in counts), key=lambda pk: min(counts[pk]), default=None)
    return None if chosen is None else Game.objects.filter(pk=chosen).first()


def next_warm_up(now: datetime) -> Game | None:
    """The latest warm-up to review once no other game waits, so that its end says what it found.

    Only of games whose moves have a value, and as many of each account holder as of other games.
    """
    finished = Game.Status.FINISHED
    of_late = Game.objects.filter(
        origin=Game.Origin.WARM_UP, status=finished, finished_at__gt=now - RECENT
    )
    people = Seat.objects.filter(user__is_guest=False, user__is_active=True)
    counts = people.filter(game__in=of_late, game__review__isnull=False).order_by()
    full = counts.values("user").annotate(games=Count("pk")).filter(games__gte=MOST_OF_A_PERSON)
    theirs = people.exclude(user__in=full.values("user")).filter(game=OuterRef("pk"))
    kinds = [kind.key for kind in catalogue.every() if kind.review and kind.review_words]
    waiting = of_late.filter(Exists(theirs), kind_key__in=kinds, review__isnull=True)
    return waiting.exclude(pk__in=reviews.failed()).order_by("-finished_at").first()


def _reviewed(now: datetime) -> dict[int, int]:
    """The number of recent games that are reviewed, by the key of the person."""
    plays = ReviewedPlay.objects.filter(finished_at__gt=now - RECENT).order_by()
    return dict(plays.values_list("user").annotate(games=Count("pk")))
