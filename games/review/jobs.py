"""The job that reviews games of late while the worker has nothing else to do."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Exists, OuterRef

from games.models import Game, ReviewedPlay, Seat
from games.play import worker
from games.review import services

# What ended earlier is reviewed when somebody asks.
RECENT: Final = timedelta(days=1)
# Of one person, in that time: who finishes a thousand games takes nobody's turn.
MOST_OF_A_PERSON: Final = 10
# The latest games among which one is chosen.
_LOOKED_AT: Final = 1000


def run(now: datetime, share: float) -> bool:
    """Ask for one review if the worker is idle; whether one was asked for."""
    if services.any_under_way() or not worker.is_idle():
        return False
    game = next_game(now)
    if game is None:
        return False
    try:
        return services.ask(game)
    except (worker.Busy, worker.Failed):
        return False


def next_game(now: datetime) -> Game | None:
    """The game to review next: of the person with the fewest reviews of late, the latest.

    A game counts with whoever of its people has the fewest. Games without an account are reviewed
    only on demand.
    """
    reviewed = _reviewed(now)
    full = [person for person, count in reviewed.items() if count >= MOST_OF_A_PERSON]
    people = Seat.objects.filter(user__is_guest=False, user__is_active=True)
    people = people.exclude(user__in=full)
    recent = services.unreviewed().filter(finished_at__gt=now - RECENT)
    recent = recent.exclude(pk__in=services.failed())
    waiting = recent.filter(Exists(people.filter(game=OuterRef("pk"))))
    found = list(waiting.order_by("-finished_at").values_list("pk", flat=True)[:_LOOKED_AT])
    counts: dict[int, list[int]] = defaultdict(list)
    for game, person in people.filter(game__in=found).values_list("game", "user"):
        counts[game].append(reviewed.get(person, 0))
    chosen = min((pk for pk in found if pk in counts), key=lambda pk: min(counts[pk]), default=None)
    return None if chosen is None else Game.objects.filter(pk=chosen).first()


def _reviewed(now: datetime) -> dict[int, int]:
    """How many of each person's games of late are reviewed, by the key of the person."""
    plays = ReviewedPlay.objects.filter(finished_at__gt=now - RECENT).order_by()
    return dict(plays.values_list("user").annotate(games=Count("pk")))
