"""Puts a reviewed game of two people with bold bids into the data of a site not yet started.

It prints the code of the game, a player's session key, and a moment that this player may believe.
"""

from __future__ import annotations

import json

from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from games.study.review import beliefs, reviews
from tests.support.fast_games import played_game
from tests.support.fixtures import PASSWORD


def main() -> None:
    anna, ben = (
        get_user_model().objects.create_user(name, password=PASSWORD) for name in ("Anna", "Ben")
    )
    game = played_game(anna, ben, "steady", calza="on", seed=2)
    reviews.make(game, now=timezone.now())
    client = Client()
    client.force_login(ben)
    bold = next(each.number for each in beliefs.of_game(game, ben) if each.press_url)
    key = client.cookies["sessionid"].value
    print(json.dumps({"code": game.code, "key": key, "bold": bold}))


if __name__ == "__main__":
    main()
