"""Visits to one site, through Django's handler, for `lab.long_life`: asked and answered.

A question is a line of JSON on standard input: `names`, `queries` of a visit, or a `visit`.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django
from django.conf import settings

django.setup()
settings.DEBUG = False

from django.contrib.auth import get_user_model  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.db.models import Q  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import reverse  # noqa: E402

from games.models import Game, PackedLog, Result, Tally  # noqa: E402
from games.perudo.tests.page_player import Controls  # noqa: E402
from games.store import event_log  # noqa: E402
from games.study.players.game_list import Place  # noqa: E402
from tests.support.http_client import View  # noqa: E402

Taken = dict[str, list[Any]]
User: Any = get_user_model()
GREAT_TABLE = 10_000  # rows; below that a planner rightly reads it whole
BIDS = 6


class Visitor:
    """The visitors and the pages they request; each request is passed to `measure` with a name."""

    def __init__(self, measure: Callable[[Callable[[], Any]], Any]) -> None:
        self.measure = measure
        self.taken: Taken = {}

    def get(self, step: str, client: Client, address: str, **query: Any) -> None:
        self._note(step, lambda: client.get(address, query), 200)

    def post(self, step: str, client: Client, address: str, **fields: Any) -> Any:
        return self._note(step, lambda: client.post(address, fields), 302)

    def _note(self, step: str, request: Callable[[], Any], status: int) -> Any:
        answer, measured = self.measure(request)
        if answer.status_code != status:
            raise SystemExit(f"{step}: {answer.status_code}")
        self.taken.setdefault(step, []).append(measured)
        return answer


def client_of(person: Any) -> Client:
    client = Client(SERVER_NAME="localhost")
    client.force_login(person)
    return client


def games_by_person() -> list[tuple[int, int]]:
    """How many games each person has finished, the fewest first: (games, user)."""
    games: Counter[int] = Counter()
    counted = Q(counter="left") | Q(counter__startswith="place_")
    for user, value in Tally.objects.filter(counted).values_list("user", "value"):
        games[user] += value
    return sorted((count, user) for user, count in games.items())


def busiest(count: int) -> list[Any]:
    """Those with the most finished games, the most first."""
    return [User.objects.get(pk=user) for _, user in games_by_person()[: -count - 1 : -1]]


def typical(count: int) -> list[Any]:
    """People with some fifty games; where there are none, those nearest to that."""
    near = sorted(games_by_person(), key=lambda row: (abs(row[0] - 50), row[1]))
    return [User.objects.get(pk=user) for _, user in near[:count]]


NOBODY = Client(SERVER_NAME="localhost")
HOST, GUEST = busiest(2)
HOST_CLIENT, GUEST_CLIENT = client_of(HOST), client_of(GUEST)
TYPICAL = typical(50)


def some_codes(count: int) -> list[str]:
    """Finished public games of all years."""
    last = Game.objects.latest("pk").pk
    over = Game.objects.filter(status="finished", listed=True).order_by("pk")
    return [over.filter(pk__gte=last * place // (count + 1))[0].code for place in range(count)]


CODES = some_codes(50)


def place_at(person: Any, number: int) -> Place:
    found = Result.objects.filter(user=person, public=True).order_by("-finished_at", "-seat")
    return Place(*found.values_list("finished_at", "seat")[number])


def profile(step: str, *, of: Any = None, by: Client = NOBODY, **query: Any) -> Any:
    def visit(visitor: Visitor, turn: int) -> None:
        person = of or TYPICAL[turn % len(TYPICAL)]
        visitor.get(step, by, reverse("games:profile", args=[person.username]), **query)

    return visit


def page(step: str, name: str, *arguments: Any, by: Client = NOBODY) -> Any:
    def visit(visitor: Visitor, turn: int) -> None:
        code = [CODES[turn % len(CODES)]] if name != "home" else []
        visitor.get(step, by, reverse(f"games:{name}", args=[*code, *arguments]))

    return visit


def shown(client: Client, address: str) -> View:
    """The table as this page shows it; not measured."""
    view = View.of(client.get(address).content.decode())
    assert view is not None  # noqa: S101
    return view


def evening(visitor: Visitor, turn: int) -> None:
    """A game of the two busiest people: a table, a seat, the deal, some bids, and one leaves."""
    form = {
        "preset": "asmodee_fr",
        "seats": 2,
        "pace": "auto",
        "tempo": "normal",
        "visibility": "public",
    }
    opened = visitor.post("a new table", HOST_CLIENT, reverse("games:new"), **form)
    code = opened["Location"].rpartition("/")[2]

    def there(name: str) -> str:
        return reverse(f"games:{name}", args=[code])

    visitor.post("sitting down", GUEST_CLIENT, there("sit"))
    visitor.post("the deal", HOST_CLIENT, there("start"))
    for _ in range(BIDS):
        pages = [(each, shown(each, there("table"))) for each in (HOST_CLIENT, GUEST_CLIENT)]
        speaker, view = next(page for page in pages if page[1].my_turn)
        bid = (Controls.of(view).lowest_bid or {}) | {"seen": view.seq}
        visitor.post("a bid", speaker, there("move"), **bid)
    visitor.get("the page of the table", HOST_CLIENT, there("table"))
    visitor.post("the move that ends a game", GUEST_CLIENT, there("move"), do="leave")
    assert Game.objects.get(code=code).status == "finished"  # noqa: S101


VISITS: dict[str, Callable[[Visitor, int], None]] = {
    "lobby": page("lobby", "home"),
    "own lobby": page("lobby, signed in, the busiest person", "home", by=HOST_CLIENT),
    "typical": profile("profile, some fifty games"),
    "busiest": profile("profile, the busiest person", of=HOST),
    "by another": profile("profile, the busiest, seen by the second", of=HOST, by=GUEST_CLIENT),
    "own": profile("profile, the busiest person's own", of=HOST, by=HOST_CLIENT),
    "second": profile("second page", of=HOST, older=place_at(HOST, 19)),
    "deep": profile("page in the middle of the list", of=HOST, older=place_at(
        HOST, Result.objects.filter(user=HOST, public=True).count() // 2)),
    "won": profile("filter: won", of=HOST, outcome="won"),
    "lost": profile("filter: lost", of=HOST, outcome="lost"),
    "left": profile("filter: left", of=HOST, outcome="left"),
    "preset": profile("filter: one rulebook", of=HOST, preset="web_fr"),
    "calza": profile("filter: with calza", of=HOST, calza="on"),
    "all three": profile(
        "filter: all three", of=HOST, calza="on", outcome="won", preset="asmodee_fr"),
    "replay": page("replay, first moment", "replay"),
    "moment": page("replay, second moment", "moment", 2),
    "record text": page("record as text", "record-text"),
    "record json": page("record as JSON", "record-json"),
    "table": page("page of a finished table", "table"),
    "evening": evening,
}  # fmt: skip


def timed(request: Callable[[], Any]) -> tuple[Any, tuple[float, float]]:
    """The seconds it took, and those the processors computed for it: here and in the database."""
    began, computed = time.perf_counter(), time.process_time() + database_seconds()
    answer = request()
    spent = time.process_time() + database_seconds() - computed
    return answer, (time.perf_counter() - began, spent)


def database_seconds() -> float:
    """How long the processes of our connections have computed so far; 0 where there is no /proc."""
    files = [Path(f"/proc/{pid}/schedstat") for pid in BACKENDS]
    return sum(int(file.read_text().split()[0]) for file in files if file.is_file()) / 1e9


def our_backends() -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend'"
        )
        return [pid for (pid,) in cursor.fetchall()]


BACKENDS = our_backends()


def counted(request: Callable[[], Any]) -> tuple[Any, dict[str, Any]]:
    """How many queries, and the great tables of which a plan reads every row."""
    with CaptureQueriesContext(connection) as asked:
        answer = request()
    statements = [query["sql"] for query in asked]
    whole: set[str] = set()
    for statement in statements:
        if statement.startswith("SELECT"):
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN {statement}")
                plan = "\n".join(line for (line,) in cursor.fetchall())
            whole.update(re.findall(r"Seq Scan on (\w+)", plan))
    return answer, {"queries": len(statements), "whole": sorted(whole & great_tables())}


def great_tables() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE reltuples > %s", [GREAT_TABLE])
        return {name for (name,) in cursor.fetchall()}


def log_in_rows(count: int) -> float:
    """The bytes that a log takes in the rows of a running game, from so many games."""
    with transaction.atomic(), connection.cursor() as cursor:
        packed = PackedLog.unsealed.order_by("pk").values("pk")[:count]
        games = list(Game.objects.filter(pk__in=packed))
        for game in games:
            event_log.append(game, event_log.unsealed_facts(game), known=event_log.known(game))
        cursor.execute("SELECT pg_total_relation_size('games_event')")
        [size] = cursor.fetchone()
        transaction.set_rollback(True)
    return float(size / len(games))


def answer(question: str, *given: Any) -> Any:
    match question:
        case "names":
            return list(VISITS)
        case "visit":
            visitor = Visitor(timed)
            VISITS[given[0]](visitor, given[1])
            return visitor.taken
        case "queries":
            BACKENDS[:] = our_backends()
            VISITS[given[0]](Visitor(timed), 0)  # so that nothing is asked for the first time
            visitor = Visitor(counted)
            VISITS[given[0]](visitor, 0)
            most = {
                step: max(notes, key=lambda note: note["queries"])
                for step, notes in visitor.taken.items()
            }
            return most
        case "log in rows":
            return log_in_rows(*given)
    raise SystemExit(f"no such question: {question}")


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(*json.loads(line))), flush=True)
