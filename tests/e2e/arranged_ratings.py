"""Puts rated games into the data of a site not yet started: their ends, a person's page, a list.

It prints the addresses by name, and the session keys of a player and of a guest.
"""

from __future__ import annotations

import json
from datetime import timedelta

from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Rating, Tie
from games.peco_peco.tests.fast_games import played_game as cards
from tests.support.fast_games import played_game
from tests.support.rated_people import rate

NOW = timezone.now()
# As long as names may be.
NAMES = ("Anna", "Wolfeschlegelstein", "Bartholomew-James", "Maximilian-Marcel", "Charlotte-Amalia")


def key(person: User) -> str:
    client = Client()
    client.force_login(person)
    return client.cookies["sessionid"].value


def main() -> None:
    anna, *others = (User.objects.create_user(name) for name in NAMES)
    guest = User.objects.create_user("Wanderer", is_guest=True)
    for friend in others[:2]:  # without news of it, which would lie over the page
        first, second = sorted((anna, friend), key=lambda person: person.pk)
        Tie.objects.create(first=first, second=second, asked_by=anna, asked_at=NOW, accepted_at=NOW)
    for number in range(8):
        company = (anna, *others[: 1 + number % 4])
        when = NOW - timedelta(hours=30 - number)
        played_game(*company, rated=True, seed=number % 3 + 1, now=when)
    six = played_game(anna, *others, "steady", rated=True, now=NOW)
    two = played_game(anna, others[0], rated=True, now=NOW)
    with_guest = played_game(guest, anna, others[1], rated=True, now=NOW)
    eight = cards(*others[::-1], anna, "easy", "hard", "easy", rated=True, now=NOW)
    team = cards(anna, *others[:3], preset="peco_teams", rated=True, now=NOW)
    Rating.objects.update(games=44, sigma=61.0)
    for number in range(60):
        rate(f"listed{number:02}", 1900.0 - number, now=NOW)
    Rating.objects.filter(user=anna).update(lower=1700.0)
    print(
        json.dumps(
            {
                "six": f"/games/{six.code}",
                "two": f"/games/{two.code}",
                "eight": f"/games/{eight.code}",
                "team": f"/games/{team.code}",
                "with_guest": f"/games/{with_guest.code}",
                "profile": "/players/Anna",
                "board": "/ratings/perudo",
                "empty": "/ratings/peco_peco",
                "key": key(anna),
                "friend": key(others[0]),
                "guest": key(guest),
            }
        )
    )


if __name__ == "__main__":
    main()
