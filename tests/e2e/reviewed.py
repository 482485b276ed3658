"""Puts finished games into the data of a site not yet started; prints their codes.

One is not reviewed, one was by a judge that has computed everything.
"""

from __future__ import annotations

import json

from django.contrib.auth import get_user_model
from django.utils import timezone

from games.peco_peco.tests.fast_games import played_game
from games.study.review import reviews
from tests.support.tour.reviews import judged


def main() -> None:
    people = get_user_model().objects
    names = ("Anna", "A-name-of-20-letters", "charlie")
    persons = [people.create_user(name) for name in names]
    fresh, known = (played_game(*persons, "easy") for _ in range(2))
    content = judged(reviews.judge_of(known.kind_key).analyse(reviews.log_of(known)))
    reviews.write(known.pk, content["judge"], content, now=timezone.now())
    print(json.dumps({"fresh": fresh.code, "known": known.code}))


if __name__ == "__main__":
    main()
