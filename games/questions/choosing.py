"""Chooses the question of a day: a job."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import islice, zip_longest
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, Final, cast

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from accounts.models import User
from games import catalogue
from games.catalogue import GameKind, Moment
from games.models import DailyRound, Game, Seat
from games.optional_parts import Judgement
from games.play import worker
from games.questions import daily, days, decisions, judging
from games.questions.decisions import Decision

# What may be right or wrong: by what the player knew, what they could call was as likely as this.
UNDECIDED: Final = (0.3, 0.7)

_YOUNG_ENOUGH: Final = timedelta(days=30)
# A game is read to be looked at: one after the other, and not for long.
_GAMES: Final = 5
_OF_ONE: Final = 5  # decisions
# For how many of those with one right answer the worker looks, and for how long; where others wait
# for it, the shipped set is asked.
_MOST_CLEAR: Final = 4
_JUDGE_SECONDS: Final = 5.0
_WORKER_SECONDS: Final = 15.0  # with its start, and on a busy machine
_PATIENCE_SECONDS: Final = 20.0
_MOST_GAMES: Final = 200

_random = SystemRandom()


def run(now: datetime, share: float) -> bool:
    """Choose the question of today where there is none; nothing is ever left to do."""
    day = days.day_of(now)
    if not DailyRound.objects.filter(day=day, withdrawn_at__isnull=True).exists():
        for kind in _games_of(day):
            if choose(kind, day, now=now):
                break
    return False


def choose(kind: GameKind, day: date, *, now: datetime) -> bool:
    """Choose a round of this game for the day; whether the day has one now."""
    made = _from_a_game(kind, day, now=now) or _from_the_set(kind, day, now=now)
    return made or DailyRound.objects.filter(day=day, withdrawn_at__isnull=True).exists()


def is_undecided(decision: Decision) -> bool:
    """Whether this is a decision for everybody: the player's own, and none that is plain."""
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
    """What a round keeps of a decision: the facts up to what opened its round, in JSON."""
    kept = moments[: decision.number - 1 + len(decision.since)]
    return daily.written([fact for moment in kept for fact in moment.facts])


def _games_of(day: date) -> list[GameKind]:
    """The games that the day may ask about: on Sundays first another than on all other days."""
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
    # Of several kinds of right answers each is as likely, however rare.
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


def best_kind(judgement: Mapping[str, Any]) -> str:
    """The kind of the best move of a judgement."""
    return str(json.loads(next(iter(judgement["values"])))["kind"])


def _candidates(kind: GameKind, now: datetime) -> Iterator[tuple[Game, Decision]]:
    """Undecided decisions of some games that may be asked: the first of each, then the second …"""
    ids = list(_willing_games(kind.key, now).values_list("pk", flat=True)[:_MOST_GAMES])
    games = [Game.objects.get(pk=pk) for pk in _random.sample(ids, min(_GAMES, len(ids)))]
    by_game = [
        [(game, found) for found in islice(undecided(kind.key, kind.replay.moments(game)), _OF_ONE)]
        for game in games
    ]
    for same in zip_longest(*by_game):
        yield from filter(None, same)


def _clear(judge: Judgement, asked: Sequence[Decision]) -> list[tuple[int, dict[str, Any]]]:
    """The clear ones of these, by their places, with their judgements; none if the worker fails."""
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
    """Public games of late whose people all agreed, and of which nothing was asked."""
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
    judgement: Mapping[str, Any] | None = None,
    now: datetime,
) -> bool:
    """Make the round while everybody still agrees; whether it was made."""
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
    """Whether this process made the round of the day; another may have been faster."""
    try:
        with transaction.atomic():
            DailyRound.objects.create(**columns)
    except IntegrityError:
        return False
    return True


# --- the set that ships with a game ---------------------------------------------------------------


def shipped(file: Path) -> list[dict[str, Any]]:
    """The rounds of a set, each with `size`, `moment`, `facts` and, in some games, `judgement`: see
    tools/daily_rounds.py.
    """
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _from_the_set(kind: GameKind, day: date, *, now: datetime) -> bool:
    """The first of the set that was not asked yet, or the one that was asked longest ago."""
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
