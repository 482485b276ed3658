"""Puts a full quick table into the data of a site not yet started, and somebody who comes too late.

It prints the code of the table and the session keys of somebody there and of the latecomer, who are
both stronger than the others.
"""

from __future__ import annotations

import json
from datetime import timedelta

from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Search
from games.play import quick_tables
from tests.support.rated_people import rate

WEAK, STRONG = (1390, 1400, 1410), (1700, 1710, 1720, 1730)


def key_of(person: User) -> str:
    client = Client()
    client.force_login(person)
    return client.cookies["sessionid"].value


def main() -> None:
    now = timezone.now()
    *six, late = (rate(f"Player-{mu}", mu, now=now).user for mu in (*WEAK, *STRONG))
    table = quick_tables.open_table(six[0], "perudo", holder="", now=now)
    for each in six[1:]:
        quick_tables.sit(table, each, now=now)
    quick_tables.count_down(table, until=now + timedelta(hours=1), now=now)
    for each in six:
        has_to_answer = each in (six[0], six[-2])  # so that neither half begins
        state = Search.State.ASKED if has_to_answer else Search.State.READY
        Search.objects.create(user=each, state=state, table=table, changed_at=now, seen_at=now)
    print(json.dumps({"code": table.code, "key": key_of(six[-1]), "late": key_of(late)}))


if __name__ == "__main__":
    main()
