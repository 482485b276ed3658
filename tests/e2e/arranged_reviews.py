"""Puts finished games into the data of a site not yet started, for reviews.

It prints their codes and the session key of somebody who played in all of them.
"""

from __future__ import annotations

import json

from django.contrib.auth import get_user_model
from django.test import Client

from games.peco_peco.tests import fast_games as peco_peco
from tests.support import fast_games as perudo
from tests.support.fixtures import PASSWORD


def main() -> None:
    people = get_user_model().objects
    names = ("Anna", "A-name-of-20-letters", "charlie")
    anna, other, charlie = (people.create_user(name, password=PASSWORD) for name in names)
    full = perudo.played_game(anna, other, charlie, "sharp", "steady", "beginner", calza="on")
    duel = perudo.played_game(anna, "steady", seed=3)
    cards = peco_peco.played_game(anna, other, charlie, "easy")
    client = Client()
    client.force_login(anna)
    codes = {"full": full.code, "duel": duel.code, "cards": cards.code}
    print(json.dumps(codes | {"key": client.cookies["sessionid"].value}))


if __name__ == "__main__":
    main()
