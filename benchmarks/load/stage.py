"""Fills an empty database with people, their sessions and tables at which they sit and play.

A process of its own, with the settings of the site it fills; writes as JSON what the crowd has
to know: the code of each table and the session of each of its people, by seat.
"""

from __future__ import annotations

import argparse
import json
import secrets
from pathlib import Path
from typing import Any

import django


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("house", choices=["site", "floor"])
    parser.add_argument("--tables", type=int, required=True)
    parser.add_argument("--seats", type=int, required=True)
    parser.add_argument(
        "--rounds", type=int, help="already played at the second half of the tables; adds calza"
    )
    parser.add_argument("--to", type=Path, required=True)
    chosen = parser.parse_args()
    django.setup()
    from django.db import transaction

    with transaction.atomic():
        companies = [people(chosen.seats) for _ in range(chosen.tables)]
    if chosen.house == "floor":
        codes = [floor_table(company) for company in companies]
    else:
        from benchmarks.load import longgame

        codes = [
            longgame.table(
                company,
                rounds=chosen.rounds or 0 if 2 * number >= chosen.tables else 0,
                calza=chosen.rounds is not None,
            )
            for number, company in enumerate(companies)
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


def floor_table(company: list[tuple[Any, str]]) -> str:
    from benchmarks.floor.models import Seat, Table

    table = Table.objects.create(code=secrets.token_hex(5))
    Seat.objects.bulk_create(
        Seat(table=table, number=number, user=person) for number, (person, _) in enumerate(company)
    )
    return table.code


if __name__ == "__main__":
    main()
