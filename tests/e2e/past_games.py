"""Puts finished games into the data of a site not yet started; prints the session keys of some."""

from __future__ import annotations

import json
from datetime import timedelta

from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from games.models import Mark
from games.study.marks import awards
from tests.support.fast_games import finished_game
from tests.support.fixtures import PASSWORD


def main() -> None:
    people = get_user_model().objects
    names = ("Anna", "A-name-of-20-letters", "charlie", "newcomer")
    anna, other, charlie, newcomer = (people.create_user(name, password=PASSWORD) for name in names)
    guest, leaving = (
        people.create_user(name, is_guest=True) for name in ("Toucan-4821", "Toucan-1066")
    )
    now = timezone.now()
    for days in range(22):
        finished_game(anna, other, seed=days % 5 + 1, now=now - timedelta(days=days, hours=1))
    last = finished_game(anna, charlie, other, guest, "steady", "steady", calza="on", now=now)
    while awards.run(now, 5.0):
        pass
    for key in ("untouched", "ten_dice", "believed"):  # rare ones
        Mark.objects.create(user=anna, kind_key="perudo", key=key, game=last, moment=3, at=now)
    keys = {}
    for person in (anna, newcomer, guest, leaving):
        client = Client()
        client.force_login(person)
        keys[person.username] = client.cookies["sessionid"].value
    print(json.dumps(keys))


if __name__ == "__main__":
    main()
