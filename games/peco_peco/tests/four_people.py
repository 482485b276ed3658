"""A game of Peco Peco of four people with chosen cards, put into a site that is about to start.

It lasts three rounds if one person wins them all; the later ones are dealt by `stacked`.

`python -m games.peco_peco.tests.four_people` prints one JSON object: the path of the table, and the
session keys of the people by name, in the order of their seats.
"""

from __future__ import annotations

import json
import os

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
    django.setup()

from games.peco_peco.tests.arranged import Table, person, session_of  # noqa: E402


def main() -> None:
    people = [person(name) for name in ("Ana", "Ben", "Cleo", "Dan")]
    table = Table(people, ["F12", "F03", "F13"])
    hands = {0: "Ms C C C", 1: "C C C C", 2: "E E E E", 3: "M M M M"}
    table.start_round(hands, top="E", draws="E E E")
    keys = {each.username: session_of(each) for each in people}
    print(json.dumps({"path": table.path(), "keys": keys}))


if __name__ == "__main__":
    main()
