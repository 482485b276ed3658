"""Puts reviewed games of four and eight seats into the data of a site not yet started.

It prints their codes by the number of seats and the session key of the player of all.
"""

from __future__ import annotations

import json

from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from games.peco_peco.tests.fast_games import played_game
from games.study.review import reviews
from tests.support.fixtures import PASSWORD

SEATS = (4, 8)


def main() -> None:
    anna = get_user_model().objects.create_user("Anna", password=PASSWORD)
    codes = {}
    for seats in SEATS:
        game = played_game(anna, *["easy"] * (seats - 1), seed=3)
        reviews.make(game, now=timezone.now())
        codes[str(seats)] = game.code
    client = Client()
    client.force_login(anna)
    print(json.dumps({"codes": codes, "key": client.cookies["sessionid"].value}))


if __name__ == "__main__":
    main()
