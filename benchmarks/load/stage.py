"""Fills an empty database with people, their sessions and tables at which they sit and play.

A process of its own, with the settings of the site it fills; writes as JSON what the clients have
to know: the code of each table and the session of each of its people, by seat.
"""

from __future__ import annotations

import argparse
import json
import secrets
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import django


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", help="the floor, or the key of a game")
    parser.add_argument("--tables", type=int, required=True)
    parser.add_argument("--seats", type=int, required=True)
    parser.add_argument(
        "--rounds", type=int, help="already played at the second half of the tables"
    )
    parser.add_argument("--to", type=Path, required=True)
    chosen = parser.parse_args()
    django.setup()
    from django.db import transaction

    with transaction.atomic():
        companies = [people(chosen.seats) for _ in range(chosen.tables)]
    seated = [[person for person, _ in company] for company in companies]
    if chosen.kind == "floor":
        codes = [floor_table(users) for users in seated]
    else:
        game = import_module(f"benchmarks.load.{chosen.kind}")
        codes = [
            game.table(users, rounds=chosen.rounds and chosen.rounds * (2 * number >= len(seated)))
            for number, users in enumerate(seated)
        ]
    tables = [
        {"code": code, "sessions": [session for _, session in company]}
        for code, company in zip(codes, companies, strict=True)
    ]
    chosen.to.write_text(json.dumps(tables))


def people(count: int) -> list[tuple[Any, str]]:
    """This many new users, each with the key of a signed-in session."""
    from django.conf import settings
    from django.contrib.auth import get_user_model, login
    from django.contrib.sessions.backends.db import SessionStore
    from django.http import HttpRequest

    found = []
    for _ in range(count):
        person = get_user_model().objects.create_user(f"Toucan-{secrets.token_hex(5)}")
        request = HttpRequest()
        request.session = SessionStore()
        login(request, person, settings.AUTHENTICATION_BACKENDS[0])
        request.session.save()
        found.append((person, request.session.session_key))
    return found


def floor_table(users: Sequence[Any]) -> str:
    from benchmarks.floor.models import Seat, Table

    table = Table.objects.create(code=secrets.token_hex(5))
    Seat.objects.bulk_create(
        Seat(table=table, number=number, user=person) for number, person in enumerate(users)
    )
    return table.code


if __name__ == "__main__":
    main()
