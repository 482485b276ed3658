"""Stores finished games in the data of a site that is not running, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.live_site import clean_environment


def filled(folder: Path, kind: str, count: int) -> list[str]:
    """The codes of this many new games of four people and bots, in the site's data folder."""
    asked = [sys.executable, "-m", "tests.support.finished_games", kind, str(count)]
    done = subprocess.run(
        asked, env=clean_environment(DATA_DIR=str(folder)), capture_output=True, check=True
    )
    codes: list[str] = json.loads(done.stdout)
    return codes


def fill(kind: str, count: int) -> list[str]:
    """The same in the database of this process."""
    from django.utils.timezone import now

    from accounts.models import User
    from games.peco_peco.tests.fast_games import played_game as peco_peco
    from tests.support.fast_games import finished_game as perudo

    play: dict[str, Callable[..., Any]] = {"perudo": perudo, "peco_peco": peco_peco}
    bot = {"perudo": "steady", "peco_peco": "easy"}[kind]
    people = [User.objects.create_user(f"person-{number}") for number in range(3 + count)]
    return [
        # Of one person the job reviews ten a day.
        play[kind](*people[number // 3 : number // 3 + 3], bot, seed=number % 5 + 1, now=now()).code
        for number in range(count)
    ]


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps(fill(sys.argv[1], int(sys.argv[2]))))
