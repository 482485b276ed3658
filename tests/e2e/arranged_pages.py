"""Pages of standing tables and those that letters lead to, in every state.

It prints what `tests.e2e.arranged` does; the key is a visitor's for pages without an account.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
    django.setup()

from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts import addresses, sign_in_codes  # noqa: E402
from accounts.models import User  # noqa: E402
from games.models import Game, StandingTable  # noqa: E402
from games.peco_peco.tests.arranged import person, session_of  # noqa: E402
from games.play import before_start, standing_games  # noqa: E402
from games.standing import services  # noqa: E402

NOW = timezone.now()
# As long as addresses are that people really have.
ADDRESS = "maximilian-marcel.wolfeschlegelsteinhausen{}@international-university.example.org"


def a_table(people: int = 0, *, size: int = 6, begins: bool = False) -> tuple[StandingTable, User]:
    """A standing table at which so many people sit besides its owner."""
    owner = person()
    usual = before_start.quick_settings("perudo", bots=size - 1)
    settings = replace(usual, turn_seconds=90, visibility=Game.Visibility.LINK)
    table = services.make(owner, settings, now=NOW)
    for each in [person() for _ in range(people)]:
        game = standing_games.join(table, each, now=NOW)
    if begins:
        assert game.host is not None
        before_start.start(game.code, game.host, now=NOW)
    return table, owner


def visitor(**values: str) -> str:
    """The key of a session without an account that holds these values."""
    session = SessionStore()
    session.update(values)
    session.create()
    return str(session.session_key)


def empty() -> tuple[str, str]:
    return f"/t/{a_table()[0].word}", visitor()


def with_people() -> tuple[str, str]:
    return f"/t/{a_table(3)[0].word}", visitor()


def full() -> tuple[str, str]:
    return f"/t/{a_table(6)[0].word}", visitor()


def playing() -> tuple[str, str]:
    return f"/t/{a_table(6, begins=True)[0].word}", visitor()


def of_the_owner() -> tuple[str, str]:
    table, owner = a_table(5)
    return f"/t/{table.word}", session_of(owner)


def of_a_player() -> tuple[str, str]:
    table, owner = a_table(2)
    standing_games.join(table, owner, now=NOW)
    return f"/t/{table.word}", session_of(owner)


def renewed() -> tuple[str, str]:
    table, _ = a_table()
    word = table.word
    services.renew(table)
    return f"/t/{word}", visitor()


def renewed_by_me() -> tuple[str, str]:
    table, owner = a_table()
    word = table.word
    services.renew(table)
    return f"/t/{word}", session_of(owner)


def unknown() -> tuple[str, str]:
    return "/t/bodikamu-renalofi", visitor()


def with_address(number: int) -> User:
    user = person()
    user.email = ADDRESS.format(number)
    user.save()
    return user


def ask_for_code() -> tuple[str, str]:
    return "/account/code/", visitor()


def enter_code() -> tuple[str, str]:
    code = sign_in_codes.ask(ADDRESS.format(1), now=NOW)
    return "/account/code/enter/", visitor(sign_in_code=code.key)


def confirm() -> tuple[str, str]:
    return f"/account/email/confirm/{addresses.key(with_address(2))}", visitor()


def not_confirmed() -> tuple[str, str]:
    return "/account/email/confirm/void", visitor()


def still_yours() -> tuple[str, str]:
    return "/account/email/confirm", session_of(with_address(3))


PAGES: tuple[Callable[[], tuple[str, str]], ...] = (
    empty,
    with_people,
    full,
    playing,
    of_the_owner,
    of_a_player,
    renewed,
    renewed_by_me,
    unknown,
    ask_for_code,
    enter_code,
    confirm,
    not_confirmed,
    still_yours,
)


def main() -> None:
    print(json.dumps({page.__name__: {0: page()} for page in PAGES}))


if __name__ == "__main__":
    main()
