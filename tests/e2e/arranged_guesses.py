"""Puts a reviewed game into the data of a site not yet started, with three errors of its player.

It prints the code of the game and the player's session key.
"""

from __future__ import annotations

import json

from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from games.study.review import reviews
from tests.support.fast_games import played_game
from tests.support.fixtures import PASSWORD


def main() -> None:
    anna = get_user_model().objects.create_user("Anna", password=PASSWORD)
    duel = played_game(anna, "steady", seed=3)
    reviews.make(duel, now=timezone.now())
    client = Client()
    client.force_login(anna)
    print(json.dumps({"code": duel.code, "key": client.cookies["sessionid"].value}))


if __name__ == "__main__":
    main()
