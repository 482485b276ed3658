"""Puts as many open tables into a site as OPEN_TABLES says, of all games and rules."""

from __future__ import annotations

import os
from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from games.contract import catalogue
from games.models import Game, Seat

LETTERS = "bcdfghjkmpqrstvwxz"  # no two names may look alike
NAMES = ("Ana", "Maximiliane-Theresia", "Chloé", "Emil", "Farah")


def name(number: int) -> str:
    mark = LETTERS[number // len(LETTERS)] + LETTERS[number % len(LETTERS)]
    return NAMES[number % len(NAMES)][:17] + mark


def arrange() -> None:
    kinds = list(catalogue.every())
    later = timezone.now() + timedelta(days=1)  # people are there as long as a test looks
    for number in range(int(os.environ["OPEN_TABLES"])):
        kind = kinds[number % len(kinds)]
        choices = list(kind.forms.NEW_TABLE.choices.values())
        rules = choices[number % len(choices)]
        people = [
            User.objects.create(username=name(3 * number + place))
            for place in range(1 + number % 3)
        ]
        game = Game.objects.create(
            host=people[0],
            kind_key=kind.key,
            preset=rules.preset,
            options=dict(rules.options),
            size=4 + number % 3,
            turn_seconds=45,
            due_at=later,
        )
        for place, person in enumerate(people):
            Seat.objects.create(game=game, number=place, user=person, seen_at=later)


if __name__ == "__main__":
    arrange()
