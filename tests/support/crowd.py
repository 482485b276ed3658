"""Fills a migrated database with finished games: a site with a long history.

Some games are really played, by the rules and the bots, and stored again and again with other
players and dates, as the site leaves a game: seats, rounds, results, tallies and a packed log.
`python -m tests.support.crowd --games 10000` fills the database that the site's settings name.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from math import sqrt
from multiprocessing import Pool
from typing import Any
from unittest.mock import patch

import django
from django.apps import apps

if not apps.ready:
    django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.contrib.sessions.models import Session  # noqa: E402
from django.db import transaction  # noqa: E402

from games.core.chance import SeededChance  # noqa: E402
from games.core.codec import pack  # noqa: E402
from games.core.contract import fold  # noqa: E402
from games.core.moves import Leave  # noqa: E402
from games.models import (  # noqa: E402
    ChatMessage,
    FactRow,
    Game,
    PackedLog,
    Result,
    Seat,
    SiteTally,
    Tally,
)
from games.perudo import rules, stats  # noqa: E402
from games.perudo.bots import BOTS  # noqa: E402
from games.perudo.models import Round  # noqa: E402
from games.perudo.rules.options import PRESETS  # noqa: E402
from games.play import finish, throws  # noqa: E402
from games.social.chat.phrases import PHRASES  # noqa: E402
from games.store import archive  # noqa: E402

YEARS = 3
BATCH = 2_000  # games a transaction
SIZES = (2, 2, 2, 2, 2, 3, 3, 4, 6)


@dataclass(slots=True)
class Played:
    """A game as it was played once; `rounds` are (seq of the reveal, what the rules say of it)."""

    preset: str
    options: Any
    bots: list[str]  # by seat; "" is a person
    places: list[int]
    left: set[int] = field(default_factory=set)
    rounds: list[tuple[int, Any]] = field(default_factory=list)
    events: list[FactRow] = field(default_factory=list)
    packed: bytes = b""
    phrase: str = ""
    thrown: throws.Thrown = field(default_factory=dict)

    @property
    def duration(self) -> timedelta:
        duration: timedelta = self.events[-1].at - self.events[0].at
        return duration


# --- playing the pool ----------------------------------------------------------------------------


def play(number: int) -> Played:
    """The game of this number: two in five against bots, the others among people."""
    rng = random.Random(number)  # noqa: S311
    chance, kinds = SeededChance(rng), list(BOTS)
    preset = rng.choice(list(PRESETS))
    options = replace(PRESETS[preset], calza=rng.choice(("on", "off")))
    if rng.random() < 0.4:
        bots = ["", *kinds][: rng.choice((2, 2, 3, 4))]
    else:
        others = range(rng.choice(SIZES) - 1)
        bots = ["", *("" if rng.random() < 0.9 else rng.choice(kinds) for _ in others)]
    minds = [BOTS[bot or rng.choice(kinds)] for bot in bots]
    leaver = bots.index("") if rng.random() < 0.06 else None
    leaves_in = rng.randint(1, 6)
    at, seq = datetime(2026, 1, 1, tzinfo=UTC), 1 + len(bots)
    game = Played(preset, options, bots, [0] * len(bots))
    happened: list[Any] = []

    def record(facts: Sequence[Any]) -> None:
        nonlocal seq
        happened.extend(facts)
        for fact in facts:
            seq, data = seq + 1, pack(fact)
            kind = data.pop("kind")
            game.events.append(
                FactRow(seq=seq, audience=fact.audience, kind=kind, data=data, at=at)
            )

    facts = rules.start(len(bots), options, chance)
    record(facts)
    state: Any = fold(rules, facts)
    while state.phase != "over":
        at += timedelta(microseconds=rng.randint(1_200_000, 12_000_000))
        if leaver is not None and state.number >= leaves_in and state.dice[leaver]:
            moves: list[Any] = [(leaver, Leave())]
            game.left.add(leaver)
            leaver = None
        elif state.phase == "turn":
            moves = [_choice(state, minds, chance)]
        else:
            moves = rules.due_moves(state)
        first, before = seq + 1, state
        for seat, move in moves:
            facts = rules.decide(state, seat, move, chance)
            record(facts)
            state = fold(rules, facts, state)
        finished = rules.finished_round(state)
        if finished is not None and rules.finished_round(before) is None:
            game.rounds.append((first, finished))
    game.thrown = throws.counters(rules.KEY, happened)
    outcome = rules.outcome(state)
    for place, seat in outcome.places() if outcome else ():
        game.places[seat] = place
    game.packed = bytes(archive.packed(game.events).facts)
    game.phrase = rng.choice(list(PHRASES)) if rng.random() < 0.5 else ""
    return game


def _choice(state: Any, minds: Sequence[Any], chance: Any) -> tuple[int, Any]:
    """The next seat to move, with the move its bot chooses from what that seat knows."""
    speaker, *others = rules.to_act(state)
    for seat in (*others, speaker):  # calza may be called first
        hands = tuple(hand if other == seat else None for other, hand in enumerate(state.hands))
        move = minds[seat](replace(state, hands=hands), seat, chance)
        if move is not None:
            return seat, move
    raise AssertionError("a speaker always moves")


# --- storing it ----------------------------------------------------------------------------------


class Crowd:
    """The accounts, of whom most play little and a few play all day, and their counters."""

    def __init__(self, ids: Sequence[int], *, seed: int = 1) -> None:
        self.rng = random.Random(seed)  # noqa: S311
        self.ids = ids
        self.weights = list(accumulate(1 / (rank + 60) for rank in range(1, len(ids) + 1)))
        self.counted: dict[int, Counter[str]] = {pk: Counter() for pk in ids}
        self.of_site: dict[int, Counter[str]] = {part: Counter() for part in range(SiteTally.PARTS)}

    def company(self, seats: int) -> list[int]:
        """So many different accounts."""
        found: dict[int, None] = {}
        while len(found) < seats:
            drawn = self.rng.choices(self.ids, cum_weights=self.weights, k=seats)
            found.update(dict.fromkeys(drawn))
        return list(found)[:seats]


@dataclass
class Stored:
    """A copy of a game: its rows, which refer to each other before they are saved."""

    game: Game
    seats: list[Seat]
    rounds: list[Round]
    log: PackedLog
    messages: list[ChatMessage]
    thrown: throws.Thrown


def _again(played: Played, crowd: Crowd, begun: datetime) -> Stored:
    """This game begun then, with players drawn from the crowd."""
    company = iter(crowd.company(played.bots.count("")))
    ended, last = begun + played.duration, played.events[-1].seq
    users = [None if bot else next(company) for bot in played.bots]
    host = next(user for user in users if user is not None)
    listed = crowd.rng.random() < 0.75
    game = Game(
        kind_key=rules.KEY, preset=played.preset, options=played.options.to_json(), size=len(users),
        visibility=Game.Visibility.PUBLIC if listed else Game.Visibility.LINK, listed=listed,
        turn_seconds=45, host_id=host,
        status=Game.Status.FINISHED, seq=last, turn_seq=last,
        created_at=begun, started_at=begun, finished_at=ended, throws_counted=True,
    )  # fmt: skip
    seats = [
        Seat(
            game=game, number=number, user_id=user, bot=played.bots[number],
            gone=number in played.left, place=played.places[number], live=False,
        )
        for number, user in enumerate(users)
    ]  # fmt: skip
    rounds = [stats.round_row(game, seats, row, seq=seq) for seq, row in played.rounds]
    packed = PackedLog(game=game, begins=begun, count=len(played.events), facts=played.packed)
    messages = [ChatMessage(game=game, by_id=host, at=ended, phrase=played.phrase)]
    messages = messages if played.phrase else []
    return Stored(game, seats, rounds, packed, messages, played.thrown)


def fill(
    pool: Sequence[Played], *, games: int, people: int, now: datetime, say: Callable[[str], None]
) -> None:
    """Store so many finished games of so many new accounts, the last of them before `now`."""
    with transaction.atomic():
        crowd = Crowd(_accounts(people, now))
    history = timedelta(days=365 * YEARS)
    for first in range(0, games, BATCH):
        begun = (
            now - history * (1 - sqrt(number / games))
            for number in range(first, min(first + BATCH, games))
        )
        batch = [_again(crowd.rng.choice(pool), crowd, at) for at in begun]
        with transaction.atomic(), _dates_as_given():
            _store(batch, crowd)
        if (first // BATCH) % 50 == 0:
            say(f"{first + len(batch):,} games")
    with transaction.atomic():
        Tally.objects.add(rules.KEY, crowd.counted)
        for part, counts in crowd.of_site.items():
            SiteTally.objects.add(rules.KEY, counts, part=part)


def _store(batch: Sequence[Stored], crowd: Crowd) -> None:
    Game.objects.bulk_create(one.game for one in batch)
    Seat.objects.bulk_create(seat for one in batch for seat in one.seats)
    Round.objects.bulk_create(row for one in batch for row in one.rounds)
    PackedLog.unsealed.bulk_create(one.log for one in batch)
    ChatMessage.objects.bulk_create(message for one in batch for message in one.messages)
    people = [(one, seat) for one in batch for seat in one.seats if seat.user_id is not None]
    Result.objects.bulk_create(finish.result_of(one.game, seat) for one, seat in people)
    for one, seat in people:
        counted = crowd.counted[seat.user_id or 0]
        counted.update(stats.count_rounds(seat, one.rounds))
        counted.update(one.thrown[seat.number])
        counted[finish.place_of(seat)] += 1
    for one in batch:
        crowd.of_site[one.game.pk % SiteTally.PARTS].update(throws.together(one.thrown))


def _dates_as_given() -> AbstractContextManager[Any]:
    """Without this every game would have been created today."""
    return patch.object(Game._meta.get_field("created_at"), "auto_now_add", new=False)


def _accounts(count: int, now: datetime) -> list[int]:
    """The ids of so many new accounts without a password, each with a session."""
    joined, expires = now - timedelta(days=365 * YEARS), now + timedelta(days=30)
    user: Any = get_user_model()
    numbers = range(1, count + 1)
    made = user.objects.bulk_create(
        user(username=f"player{number}", password="!", date_joined=joined)  # noqa: S106
        for number in numbers
    )
    Session.objects.bulk_create(
        Session(session_key=f"{number:032x}", session_data="x" * 150, expire_date=expires)
        for number in numbers
    )
    return [one.pk for one in made]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--people", type=int, default=1_000)
    parser.add_argument("--pool", type=int, default=2_000, help="games really played")
    chosen = parser.parse_args()
    with Pool() as processes:
        pool = processes.map(play, range(chosen.pool), chunksize=20)
    print(f"{sum(len(game.rounds) for game in pool) / len(pool):.1f} rounds a game", flush=True)
    now = datetime.now(UTC) - timedelta(hours=1)
    fill(pool, games=chosen.games, people=chosen.people, now=now, say=print)


if __name__ == "__main__":
    main()
