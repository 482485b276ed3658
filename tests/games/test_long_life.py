"""A long life: what pages and moves ask of the database does not grow with the games behind."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.models import FactRow, Game, PackedLog, Result, Seat
from games.store import archive, versioned_lru
from games.study.players.game_list import Place
from tests.games.test_costs import cost_of_a_bid
from tests.support.fast_games import finished_game
from tests.support.fixtures import signed_in


def asked_for(client: Client, address: str, **query: object) -> list[str]:
    """The queries of a page, once nothing is asked for the first time."""
    client.get(address, query)
    versioned_lru.clear_all()
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address, query).status_code == 200
    return [each["sql"] for each in asked]


def grow_old(game: Game, *, copies: int) -> None:
    """So many more games like a finished one, with all that is kept of it, in a few statements."""
    first = (Game.objects.latest("pk").pk or 0) + 1
    fields = {name: getattr(game, name) for name in OF_A_GAME}
    seats = list(game.seat_set.order_by("number"))
    games = [Game(pk=first + number, code=f"copy{number}", **fields) for number in range(copies)]
    Game.objects.bulk_create(games)
    facts = archive.packed_rows(game) or list(FactRow.unsealed.filter(game=game).order_by("seq"))
    log = archive.packed(facts)
    PackedLog.unsealed.bulk_create(
        PackedLog(game=each, begins=log.begins, count=log.count, facts=log.facts) for each in games
    )
    for seat in seats:
        rows = Seat.objects.bulk_create(
            Seat(game=each, number=seat.number, user=seat.user, place=seat.place, live=False)
            for each in games
        )
        old = Result.objects.get(seat=seat)
        copied = {name: getattr(old, name) for name in OF_A_RESULT}
        Result.objects.bulk_create(Result(seat=row, **copied) for row in rows)


OF_A_GAME = (
    "kind_key preset options size visibility listed host status finished_at started_at".split()
)
OF_A_RESULT = "user kind_key finished_at place left preset variant public".split()


# Of these there are never many.
OF_OPEN_TABLES = """"games_game"."status" = 'open'"""
OF_A_FEW = "LIMIT 11"  # holders of a mark


@pytest.mark.slow
@pytest.mark.django_db
def test_three_hundred_finished_games_cost_no_more_queries_than_three(
    alice: User, bob: User
) -> None:
    game = finished_game(alice, bob)
    other = finished_game(alice, bob, seed=2)
    archive.pack(other.code, now=other.pack_at)  # type: ignore[arg-type]
    last = finished_game(alice, bob, seed=3)
    own = signed_in(alice)
    profile = reverse("games:profile", args=["alice"])
    chosen = {"outcome": "won", "preset": "asmodee_fr", "calza": "off"}

    def costs() -> dict[str, int]:
        place = str(Place(game.finished_at, game.seat_set.get(user=alice).pk))  # type: ignore[arg-type]
        pages = {
            "lobby": asked_for(Client(), reverse("games:home")),
            "own lobby": asked_for(own, reverse("games:home")),
            "profile": asked_for(Client(), profile),
            "own profile": asked_for(own, profile),
            "filtered": asked_for(Client(), profile, **chosen),
            "older": asked_for(Client(), profile, older=place),
            "newer": asked_for(Client(), profile, newer=place),
            "replay": asked_for(Client(), reverse("games:moment", args=[last.code, 5])),
            "packed replay": asked_for(Client(), reverse("games:moment", args=[other.code, 5])),
            "record": asked_for(Client(), reverse("games:record-text", args=[other.code])),
            "table": asked_for(own, reverse("games:table", args=[other.code])),
        }
        for name, queries in pages.items():
            counting = [sql for sql in queries if "COUNT(" in sql]
            assert all(OF_OPEN_TABLES in sql or OF_A_FEW in sql for sql in counting), name
            lists = [sql for sql in queries if 'FROM "games_result"' in sql]
            assert all("LIMIT" in sql for sql in lists), name
        return {name: len(queries) for name, queries in pages.items()}

    few = costs()
    grow_old(game, copies=297)
    many = costs()
    assert (few.pop("newer"), many.pop("newer")) == (11, 10)  # too few: the first page instead
    assert many == few
    # One of them asks whom its reader could add as a friend, one what a review found.
    assert few.pop("table") <= 16
    assert few == {
        "lobby": 13, "own lobby": 23, "profile": 10, "own profile": 16, "filtered": 10,
        "older": 10, "replay": 10, "packed replay": 9, "record": 5,
    }  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_a_move_a_seat_and_a_new_table_cost_no_more_after_three_hundred_games(
    alice: User, bob: User
) -> None:
    """The deal and the end of a game too: the tallies are added to, not recounted."""

    def costs() -> dict[str, int]:
        clients = [signed_in(alice), signed_in(bob)]
        form = {"preset": "asmodee_fr", "seats": 2, "pace": "", "visibility": "public"}
        taken = {}

        def post(step: str, client: Client, address: str, **fields: object) -> str:
            with CaptureQueriesContext(connection) as asked:
                answer = client.post(address, fields)
            assert answer.status_code == 302, step
            taken[step] = len(asked)
            return str(answer["Location"])

        address = post("new", clients[0], reverse("games:new"), **form)
        post("sit", clients[1], f"{address}/sit")
        post("start", clients[0], f"{address}/start")
        game = Game.objects.get(code=address.rpartition("/")[2])
        taken["bid"] = len(cost_of_a_bid(game, clients))
        post("end", clients[1], f"{address}/move", do="leave")
        return taken

    game = finished_game(alice, bob)
    few = costs()
    grow_old(game, copies=299)
    assert costs() == few
    assert few["bid"] <= 13 and few["end"] <= 20
