"""The job that chooses the question of the day."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import islice, zip_longest
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, Final, cast

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from accounts.models import User
from games.contract import catalogue
from games.contract.catalogue import GameKind, Moment
from games.contract.optional_parts import Judgement
from games.models import DailyRound, Game, Seat
from games.play import worker
from games.study.questions import daily, days, decisions, judging
from games.study.questions.decisions import Decision
from games.study.review.content import Content

# A decision is undecided if, by what the player knew, the claim they could call was this likely.
UNDECIDED: Final = (0.3, 0.7)

_YOUNG_ENOUGH: Final = timedelta(days=30)
# Candidate games are read one after the other, so their number is small.
_GAMES: Final = 5
_OF_ONE: Final = 5  # decisions per game
# How many decisions with one right answer the worker looks for, and for how long. If the worker is
# busy, the question comes from the shipped set.
_MOST_CLEAR: Final = 4
_JUDGE_SECONDS: Final = 5.0
_WORKER_SECONDS: Final = 15.0  # with its start, and on a busy machine
_PATIENCE_SECONDS: Final = 20.0
_MOST_GAMES: Final = 200

_random = SystemRandom()


def run(now: datetime, share: float) -> bool:
    """Choose today's question if there is none. Returns False, as nothing is ever left to do."""
    day = days.day_of(now)
    if not DailyRound.objects.filter(day=day, withdrawn_at__isnull=True).exists():
        for kind in _games_of(day):
            if choose(kind, day, now=now):
                break
    return False


def choose(kind: GameKind, day: date, *, now: datetime) -> bool:
    """Choose a round of this game for the day; returns whether the day has one now."""
    made = _from_a_game(kind, day, now=now) or _from_the_set(kind, day, now=now)
    return made or DailyRound.objects.filter(day=day, withdrawn_at__isnull=True).exists()


def is_undecided(decision: Decision) -> bool:
    """Whether a decision makes a good question: the player made it, and it isn't obvious."""
    least, most = UNDECIDED
    doubt = decision.part.doubt(decision.known, decision.seat)
    return doubt is not None and least <= doubt <= most and not decision.made.automatic


def undecided(
    kind_key: str, moments: Sequence[Moment], rng: Random = _random
) -> Iterator[Decision]:
    """The decisions of a game that could be a question of the day, in random order."""
    numbers = [number for number, each in enumerate(moments, start=1) if each.move]
    rng.shuffle(numbers)
    for number in numbers:
        found = decisions.find(kind_key, moments, number)
        if found is not None and is_undecided(found):
            yield found


def facts_of(decision: Decision, moments: Sequence[Moment]) -> list[Any]:
    """The facts that a round stores of a decision, in JSON: up to the reveal of its round."""
    kept = moments[: decision.number - 1 + len(decision.since)]
    return daily.written([fact for moment in kept for fact in moment.facts])


def _games_of(day: date) -> list[GameKind]:
    """The games to choose from, in order of preference; Sundays prefer another than weekdays."""
    kinds = [kind for kind in catalogue.every() if kind.questions is not None]
    others = kinds[1:]
    if day.weekday() != days.SUNDAY or not others:
        return kinds
    turn = day.toordinal() // 7 % len(others)
    return [*others[turn:], *others[:turn], kinds[0]]


# --- games of people who agreed -------------------------------------------------------------------


def _from_a_game(kind: GameKind, day: date, *, now: datetime) -> bool:
    candidates = list(_candidates(kind, now))
    if kind.judgement is None:
        return any(_made(game, found, day, now=now) for game, found in candidates)
    # All kinds of right answers are equally likely, however rare they are.
    by_kind: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    for place, judgement in _clear(kind.judgement, [found for _, found in candidates]):
        by_kind.setdefault(best_kind(judgement), []).append((place, judgement))
    kinds = [*by_kind]
    _random.shuffle(kinds)
    return any(
        _made(*candidates[place], day, judgement=judgement, now=now)
        for each in kinds
        for place, judgement in by_kind[each]
    )


def best_kind(judgement: Content) -> str:
    """The kind of the best move of a judgement."""
    return str(json.loads(next(iter(judgement["values"])))["kind"])


def _candidates(kind: GameKind, now: datetime) -> Iterator[tuple[Game, Decision]]:
    """Undecided decisions of some eligible games: the first of each game, then the second …"""
    ids = list(_willing_games(kind.key, now).values_list("pk", flat=True)[:_MOST_GAMES])
    games = [Game.objects.get(pk=pk) for pk in _random.sample(ids, min(_GAMES, len(ids)))]
    by_game = [
        [(game, found) for found in islice(undecided(kind.key, kind.replay.moments(game)), _OF_ONE)]
        for game in games
    ]
    for same in zip_longest(*by_game):
        yield from filter(None, same)


def _clear(judge: Judgement, asked: Sequence[Decision]) -> list[tuple[int, dict[str, Any]]]:
    """The decisions with one right answer, as (index, judgement); none if the worker fails."""
    told = [(daily.written(each.told), each.seat) for each in asked]
    if not told:
        return []
    module = judge.clear.__module__
    try:
        asking = worker.ask(
            judging.clear, module, told, _MOST_CLEAR, _JUDGE_SECONDS, seconds=_WORKER_SECONDS
        )
    except worker.Busy:
        return []
    try:
        return cast(list[tuple[int, dict[str, Any]]], asking.result(_PATIENCE_SECONDS))
    except (worker.Busy, worker.Failed):
        return []
    except TimeoutError:
        asking.cancel()
        return []


def _willing_games(kind_key: str, now: datetime) -> Any:
    """Recent public games of which nothing was asked yet, and whose players all agree to it."""
    people = Seat.objects.filter(game=OuterRef("pk"), user__isnull=False)
    asked = DailyRound.objects.filter(game=OuterRef("pk"))
    recent = Game.objects.filter(
        kind_key=kind_key,
        status=Game.Status.FINISHED,
        listed=True,
        finished_at__gt=now - _YOUNG_ENOUGH,
    )
    return recent.filter(
        Exists(people.filter(user__lends_decisions=True)),
        ~Exists(people.filter(user__lends_decisions=False)),
        ~Exists(asked),
    ).order_by("-finished_at")


def _made(
    game: Game,
    found: Decision,
    day: date,
    *,
    judgement: Content | None = None,
    now: datetime,
) -> bool:
    """Create the round if all players still agree; returns whether it was created."""
    facts = facts_of(found, catalogue.of(game.kind_key).replay.moments(game))
    seats = Seat.objects.filter(game=game, user__isnull=False)
    with transaction.atomic():
        people = User.objects.select_for_update().filter(pk__in=seats.values("user"))
        if not all(person.lends_decisions for person in people.order_by("pk")):
            return False
        decided_by = seats.filter(number=found.seat).values_list("user", flat=True).first()
        return _create(
            day=day,
            kind_key=game.kind_key,
            size=Seat.objects.filter(game=game).count(),
            facts=facts,
            moment=found.number,
            judgement=judgement,
            game=game,
            decided_by_id=decided_by,
            created_at=now,
        )


def _create(**columns: Any) -> bool:
    """Create the round of a day; returns False if another process was faster."""
    try:
        with transaction.atomic():
            DailyRound.objects.create(**columns)
    except IntegrityError:
        return False
    return True


# --- the set that ships with a game ---------------------------------------------------------------


def shipped(file: Path) -> list[dict[str, Any]]:
    """The rounds of a shipped set (made by tools/daily_rounds.py), each with `size`, `moment`,
    `facts` and, in some games, `judgement`.
    """
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _from_the_set(kind: GameKind, day: date, *, now: datetime) -> bool:
    """Use the first round of the set that wasn't asked yet, or the one asked longest ago."""
    if kind.questions is None:
        return False
    rounds = shipped(kind.questions.SHIPPED)
    asked = DailyRound.objects.filter(kind_key=kind.key).exclude(shipped="").order_by("day")
    last = dict(asked.values_list("shipped", "day"))
    taken_out = set(asked.filter(withdrawn_at__isnull=False).values_list("shipped", flat=True))
    number = min(
        (each for each in range(len(rounds)) if str(each) not in taken_out),
        key=lambda each: (last.get(str(each), date.min), each),
        default=None,
    )
    if number is None:
        return False
    return _create(
        day=day, kind_key=kind.key, shipped=str(number), created_at=now, **rounds[number]
    )
