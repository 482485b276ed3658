"""A site with a long past: fills a PostgreSQL database with finished games through COPY.

A few thousand games are really played, by the rules and the bots, and written down again and again
with other people and dates, in the form in which the site leaves a game: seats, rounds, results,
tallies, and the log packed by `games.log`.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from math import sqrt
from typing import Any

import psycopg

YEARS = 3
BATCH = 10_000  # games a COPY
TALLIED = ("doubts", "doubts_right", "calzas", "calzas_exact", "bids_challenged", "bids_true")
COLUMNS = {
    "games_game": "id code rules preset options size public chat turn_seconds show_odds host_id "
    "status seq turn_seq deal_seq created_at started_at finished_at",
    "games_seat": "id game_id number user_id bot missed asleep gone place live",
    "games_round": "id game_id number seq opener_id palifico_id bidder_id quantity face call "
    "caller_id count loser_id gainer_id hands",
    "games_packedlog": "game_id begins count facts",
    "games_result": "seat_id user_id finished_at place left preset calza public",
    "games_saying": "game_id by_id at phrase text hidden",
}


@dataclass(slots=True)
class Played:
    """A game as it was played once; `facts` are the rows of its log, `rounds` those of Round."""

    preset: str
    options: Any
    bots: list[str]  # by seat; "" is a person
    left: set[int]
    places: list[int]
    rounds: list[Any]
    facts: list[Any]
    blob: str = ""
    tallies: list[list[int]] = field(default_factory=list)  # by seat, in the order of TALLIED
    phrase: str = ""

    @property
    def lasted(self) -> timedelta:
        lasted: timedelta = self.facts[-1].at - self.facts[0].at
        return lasted


class SeededChance:
    """Luck that repeats."""

    def __init__(self, luck: random.Random) -> None:
        self._luck = luck

    def dice(self, count: int) -> tuple[int, ...]:
        return tuple(self._luck.choices(range(1, 7), k=count))

    def below(self, bound: int) -> int:
        return self._luck.randrange(bound)


# --- playing the pool ----------------------------------------------------------------------------


def play(number: int) -> Played:
    """The game of this number: two in five against bots, the others among people."""
    from games import log
    from games.core.codec import pack
    from games.core.contract import fold
    from games.models import Event
    from games.rules import rules_of
    from games.rules.perudo.moves import Leave
    from games.rules.perudo.options import PRESETS
    from games.words.phrases import PHRASES

    luck = random.Random(number)  # noqa: S311
    rules, chance = rules_of("perudo"), SeededChance(luck)
    kinds = list(rules.BOTS)
    preset = luck.choice(list(PRESETS))
    options = replace(PRESETS[preset], calza=luck.choice(("on", "off")))
    if luck.random() < 0.4:
        bots = ["", *kinds][: luck.choice((2, 2, 3, 4))]
    else:
        bots = [
            "" if luck.random() < 0.9 else luck.choice(kinds) for _ in range(luck.choice(SIZES))
        ]
        bots[0] = ""
    minds = [rules.BOTS[bot or luck.choice(kinds)] for bot in bots]
    leaver = bots.index("") if luck.random() < 0.06 else None
    leaves_in = luck.randint(1, 6)
    at, seq = datetime(2026, 1, 1, tzinfo=UTC), 1 + len(bots)
    game = Played(preset, options, bots, set(), [0] * len(bots), [], [])

    def tell(facts: Sequence[Any]) -> None:
        nonlocal seq
        for fact in facts:
            seq, data = seq + 1, pack(fact)
            kind = data.pop("kind")
            game.facts.append(Event(seq=seq, only=fact.only, kind=kind, data=data, at=at))

    facts = rules.start(len(bots), options, chance)
    tell(facts)
    state: Any = fold(rules, facts)
    while rules.phase(state) != "over":
        at += timedelta(microseconds=luck.randint(1_200_000, 12_000_000))
        if leaver is not None and state.number >= leaves_in and state.dice[leaver]:
            moves: list[Any] = [(leaver, Leave())]
            game.left.add(leaver)
            leaver = None
        elif rules.phase(state) == "turn":
            moves = [_thought(rules, state, minds, chance)]
        else:
            moves = rules.due_moves(state)
        first, before = seq + 1, state
        for seat, move in moves:
            facts = rules.decide(state, seat, move, chance)
            tell(facts)
            state = fold(rules, facts, state)
        finished = rules.finished_round(state)
        if finished is not None and rules.finished_round(before) is None:
            game.rounds.append((first, finished))
    outcome = rules.outcome(state)
    for place, seat in enumerate(outcome.ranking if outcome else (), start=1):
        game.places[seat] = place
    game.blob = "\\\\x" + bytes(log.packed(game.facts).facts).hex()
    game.tallies = [_tally(game, seat) for seat in range(len(bots))]
    game.phrase = luck.choice(list(PHRASES)) if luck.random() < 0.5 else ""
    return game


SIZES = (2, 2, 2, 2, 2, 3, 3, 4, 6)


def _thought(rules: Any, state: Any, minds: Sequence[Any], chance: Any) -> tuple[int, Any]:
    speaker, *others = rules.to_act(state)
    for seat in (*others, speaker):  # calza may be called first
        hands = tuple(hand if other == seat else None for other, hand in enumerate(state.hands))
        move = minds[seat](replace(state, hands=hands), seat, chance)
        if move is not None:
            return seat, move
    raise AssertionError("a speaker always moves")


def _tally(game: Played, seat: int) -> list[int]:
    sums = dict.fromkeys(TALLIED, 0)
    for _, row in game.rounds:
        called, doubted = row.caller == seat, row.call == "dudo"
        sums["doubts"] += called and doubted
        sums["doubts_right"] += called and doubted and row.count < row.bid.quantity
        sums["calzas"] += called and not doubted
        sums["calzas_exact"] += called and not doubted and row.count == row.bid.quantity
        sums["bids_challenged"] += row.bidder == seat and doubted
        sums["bids_true"] += row.bidder == seat and doubted and row.count >= row.bid.quantity
    return list(sums.values())


# --- writing it down -----------------------------------------------------------------------------


class Crowd:
    """People of whom most play little and a few play all day."""

    def __init__(self, people: int, *, seed: int = 1) -> None:
        self.luck = random.Random(seed)  # noqa: S311
        self.ids = range(1, people + 1)
        self.weights = list(accumulate(1 / (rank + 60) for rank in self.ids))
        self.tallies: dict[int, tuple[list[int], list[int]]] = {}

    def company(self, seats: int) -> list[int]:
        """So many people, no one twice."""
        found: dict[int, None] = {}
        while len(found) < seats:
            found.update(
                dict.fromkeys(self.luck.choices(self.ids, cum_weights=self.weights, k=seats))
            )
        return list(found)[:seats]

    def count(self, user: int, place: int, numbers: Sequence[int]) -> None:
        places, sums = self.tallies.setdefault(user, ([], [0] * len(TALLIED)))
        places += [0] * (place - len(places))
        places[place - 1] += 1
        for index, number in enumerate(numbers):
            sums[index] += number


def fill(
    server: psycopg.Connection[Any],
    pool: Sequence[Played],
    *,
    games: int,
    people: int,
    now: datetime,
    say: Callable[[str], None],
) -> None:
    """So many finished games in a freshly migrated database; superuser's work."""
    crowd = Crowd(people)
    with _without_indexes(server, ("games_%", "accounts_user", "django_session"), say):
        _people(server, people, now)
        numbers = [0, 0]  # seats and rounds so far
        for first in range(0, games, BATCH):
            lines: dict[str, list[str]] = {table: [] for table in COLUMNS}
            for number in range(first, min(first + BATCH, games)):
                begun = now - timedelta(days=365 * YEARS) * (1 - sqrt(number / games))
                _write(lines, crowd, crowd.luck.choice(pool), number + 1, begun, numbers)
            for table, columns in COLUMNS.items():
                copy(server, table, columns, lines[table])
            if (first // BATCH) % 20 == 0:
                say(f"{first + BATCH:,} games, {numbers[1]:,} rounds")
        copy(server, "games_tally", f"user_id places {' '.join(TALLIED)}", _tallies(crowd))
        for table in ("games_game", "games_seat", "games_round"):
            server.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"  # noqa: S608
            )
    server.execute("VACUUM ANALYZE")


def _write(
    lines: dict[str, list[str]],
    crowd: Crowd,
    game: Played,
    number: int,
    begun: datetime,
    numbers: list[int],
) -> None:
    luck = crowd.luck
    seats, base = len(game.bots), numbers[0] + 1
    numbers[0] += seats
    company = iter(crowd.company(game.bots.count("")))
    who = [None if bot else next(company) for bot in game.bots]
    public = "t" if luck.random() < 0.75 else "f"
    code = "".join(luck.choices("23456789abcdefghjkmnpqrstuvwxyz", k=10))
    ended = begun + game.lasted
    last, options = game.facts[-1].seq, json.dumps(game.options.to_json())
    lines["games_game"].append(
        f"{number}\t{code}\tperudo\t{game.preset}\t{options}\t{seats}\t{public}\tt\t45\tf\t{who[0]}"
        f"\tfinished\t{last}\t{last}\t0\t{begun}\t{begun}\t{ended}\n"
    )
    calza = "t" if game.options.calza == "on" else "f"
    for seat, (user, bot, place) in enumerate(zip(who, game.bots, game.places, strict=True)):
        left = "t" if seat in game.left else "f"
        lines["games_seat"].append(
            f"{base + seat}\t{number}\t{seat}\t{user or NULL}\t{bot}\t0\tf\t{left}\t{place}\tf\n"
        )
        if user is not None:
            lines["games_result"].append(
                f"{base + seat}\t{user}\t{ended}\t{place}\t{left}"
                f"\t{game.preset}\t{calza}\t{public}\n"
            )
            crowd.count(user, place, game.tallies[seat])
    for seq, row in game.rounds:
        numbers[1] += 1
        palifico = NULL if row.palifico is None else base + row.palifico
        loser = NULL if row.loser is None else base + row.loser
        gainer = NULL if row.gainer is None else base + row.gainer
        hands = str([list(hand) for hand in row.hands])
        lines["games_round"].append(
            f"{numbers[1]}\t{number}\t{row.number}\t{seq}\t{base + row.opener}\t{palifico}"
            f"\t{base + row.bidder}\t{row.bid.quantity}\t{row.bid.face}\t{row.call}"
            f"\t{base + row.caller}\t{row.count}\t{loser}\t{gainer}\t{hands}\n"
        )
    lines["games_packedlog"].append(f"{number}\t{begun}\t{len(game.facts)}\t{game.blob}\n")
    if game.phrase:
        lines["games_saying"].append(f"{number}\t{who[0]}\t{ended}\t{game.phrase}\t\tf\n")


NULL = "\\N"


def _tallies(crowd: Crowd) -> Iterator[str]:
    for user, (places, sums) in crowd.tallies.items():
        yield "\t".join(map(str, (user, json.dumps(places), *sums))) + "\n"


def _people(server: psycopg.Connection[Any], people: int, now: datetime) -> None:
    columns = "password is_superuser username first_name last_name email is_staff is_active"
    columns += " date_joined name_key is_guest language theme"
    rows = (
        f"!\tf\tplayer{pk}\t\t\t\tf\tt\t{now - timedelta(days=365 * YEARS)}\tplayer{pk}\tf\t\t\n"
        for pk in range(1, people + 1)
    )
    copy(server, "accounts_user", columns, rows)
    expires = now + timedelta(days=30)
    sessions = (f"{pk:032x}\t{'x' * 150}\t{expires}\n" for pk in range(1, people + 1))
    copy(server, "django_session", "session_key session_data expire_date", sessions)


def copy(server: psycopg.Connection[Any], table: str, columns: str, lines: Any) -> None:
    """COPY these lines of text into a table."""
    named = ", ".join(f'"{column}"' for column in columns.split())
    with server.cursor() as cursor, cursor.copy(f"COPY {table} ({named}) FROM STDIN") as stream:
        stream.write("".join(lines))


class _without_indexes:  # noqa: N801
    """Rows go in faster without; the indexes that guard no constraint come back at the end."""

    def __init__(self, server: Any, tables: Sequence[str], say: Callable[[str], None]) -> None:
        self.server, self.tables, self.say = server, tables, say
        self.indexes: list[tuple[str, str]] = []

    def __enter__(self) -> None:
        self.server.execute("SET session_replication_role = replica")
        self.server.execute("SET maintenance_work_mem = '512MB'")
        self.indexes = self.server.execute(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename LIKE ANY(%s) AND NOT EXISTS"
            " (SELECT FROM pg_constraint WHERE conname = indexname)",
            [list(self.tables)],
        ).fetchall()
        for name, _ in self.indexes:
            self.server.execute(f'DROP INDEX "{name}"')

    def __exit__(self, *trouble: object) -> None:
        self.say(f"building {len(self.indexes)} indexes")
        for _, definition in self.indexes:
            self.server.execute(definition)
        self.server.execute("SET session_replication_role = origin")
