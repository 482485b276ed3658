"""Private tables of both games before they begin, with seats left and without.

It prints what `tests.e2e.arranged` does; the viewer is the host, who has friends to invite.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import timedelta

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
    django.setup()

from django.utils import timezone  # noqa: E402

from games.models import Game  # noqa: E402
from games.peco_peco.tests.arranged import person, session_of  # noqa: E402
from games.play import before_start  # noqa: E402
from games.social.friends import presence, ties  # noqa: E402
from games.social.inbox import entries as inbox  # noqa: E402

MOST = {"perudo": 6, "peco_peco": 8}


def room(kind_key: str, *, seats: int, people: int) -> tuple[str, str]:
    """A table of so many seats at which so many people sit."""
    host, now = person(), timezone.now()
    usual = before_start.quick_settings(kind_key, bots=seats - 1)
    settings = replace(usual, turn_seconds=90, visibility=Game.Visibility.LINK)
    game = before_start.open_game(host, settings, now=now)
    for _ in range(people - 1):
        before_start.sit(game.code, person(), now=now)
    friends = [person() for _ in range(3)]
    for friend in friends:
        ties.ask(host, friend, now=now)
        ties.accept(friend, host, now=now)
    inbox.mark_read(host.pk, until=inbox.of(host.pk).seq, now=now)
    presence.note([friends[0].pk], now=now + timedelta(hours=1))
    return f"/games/{game.code}", session_of(host)


def main() -> None:
    rooms = {
        f"{kind}{'_full' * is_full}": {
            seats: room(kind, seats=seats, people=seats - 2 + 2 * is_full)
        }
        for kind, seats in MOST.items()
        for is_full in (False, True)
    }
    print(json.dumps(rooms))


if __name__ == "__main__":
    main()
