"""Pages of standing tables, of questions of the day and those that letters lead to, in every state.

It prints what `tests.e2e.arranged` does; the key is a visitor's for pages without an account.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
    django.setup()

from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts import addresses, sign_in_codes  # noqa: E402
from accounts.models import User  # noqa: E402
from games.contract import catalogue  # noqa: E402
from games.lobby.standing import ownership  # noqa: E402
from games.models import DailyRound, Game, SiteTally, StandingTable, Tally  # noqa: E402
from games.peco_peco.tests.arranged import person, session_of  # noqa: E402
from games.perudo.rules.options import PRESETS  # noqa: E402
from games.play import before_start, standing_games  # noqa: E402
from games.social.friends import (
    presence,  # noqa: E402
    ties,  # noqa: E402
)
from games.social.inbox import entries as inbox  # noqa: E402
from games.store import proofs  # noqa: E402
from games.study.questions import choosing, daily, days  # noqa: E402
from tests.support import at_home  # noqa: E402
from tests.support.fast_games import finished_game  # noqa: E402

NOW = timezone.now()
# As long as addresses are that people really have.
ADDRESS = "maximilian-marcel.wolfeschlegelsteinhausen{}@international-university.example.org"


def a_table(people: int = 0, *, size: int = 6, begins: bool = False) -> tuple[StandingTable, User]:
    """A standing table at which so many people sit besides its owner."""
    owner = person()
    usual = before_start.quick_settings("perudo", bots=size - 1)
    settings = replace(usual, turn_seconds=90, visibility=Game.Visibility.LINK)
    table = ownership.make(owner, settings, now=NOW)
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
    ownership.renew(table)
    return f"/t/{word}", visitor()


def renewed_by_me() -> tuple[str, str]:
    table, owner = a_table()
    word = table.word
    ownership.renew(table)
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
    # It lasts for twenty minutes, and a run of all tests may be longer.
    code = sign_in_codes.ask(ADDRESS.format(1), now=NOW + timedelta(days=1))
    return "/account/code/enter/", visitor(sign_in_code=code.key)


def confirm() -> tuple[str, str]:
    return f"/account/email/confirm/{addresses.key(with_address(2))}", visitor()


def not_confirmed() -> tuple[str, str]:
    return "/account/email/confirm/void", visitor()


def still_yours() -> tuple[str, str]:
    return "/account/email/confirm", session_of(with_address(3))


def day_of(kind_key: str, ago: int) -> DailyRound:
    """The question of a day some days ago, about this game."""
    day = days.day_of(NOW) - timedelta(days=ago)
    assert choosing.choose(catalogue.of(kind_key), day, now=NOW)
    return DailyRound.objects.get(day=day)


def answered(asked: DailyRound, *, people: int) -> User:
    """So many people have chosen differently; the first of them."""
    moves = daily.decision_of(asked).moves
    crowd = [person() for _ in range(people)]
    for number, each in enumerate(crowd):
        move = moves[number * number % len(moves)]
        daily.answer(asked, each, move, counted=True, now=NOW)
    return crowd[0]


def day_asked() -> tuple[str, str]:
    return f"/daily/{day_of('perudo', 1)}", visitor()


def day_answered() -> tuple[str, str]:
    asked = day_of("perudo", 2)
    return f"/daily/{asked}", session_of(answered(asked, people=12))


def sunday_asked() -> tuple[str, str]:
    return f"/daily/{day_of('peco_peco', 3)}", visitor()


def sunday_answered() -> tuple[str, str]:
    asked = day_of("peco_peco", 4)
    return f"/daily/{asked}", session_of(answered(asked, people=12))


def days_so_far() -> tuple[str, str]:
    asked = day_of("perudo", 0)
    return "/daily/archive", session_of(answered(asked, people=1))


def friends() -> tuple[str, str]:
    """With a friend, one who asks, one who was asked, and the own link."""
    me, *others = [person() for _ in range(4)]
    ties.renew_link(me)
    ties.ask(others[0], me, now=NOW)
    ties.accept(me, others[0], now=NOW)
    ties.ask(others[1], me, now=NOW)
    ties.ask(me, others[2], now=NOW)
    presence.note([others[0].pk], now=NOW)
    inbox.mark_read(me.pk, until=1000, now=NOW)
    return f"/friends?name={others[2].username}", session_of(me)


def no_friends() -> tuple[str, str]:
    return "/friends", session_of(person())


def friend_link() -> tuple[str, str]:
    return f"/f/{ties.renew_link(person())}", visitor()


def home_of_a_person() -> tuple[str, str]:
    return "/", session_of(person())


def home_known() -> tuple[str, str]:
    me, *people = [person() for _ in range(12)]
    at_home.everything(me, people, now=NOW)
    return "/", session_of(me)


def home_invited() -> tuple[str, str]:
    """With a running game that waits for others, and an invitation as the next step."""
    me, *people = [person() for _ in range(3)]
    at_home.befriend(me, *people, now=NOW)
    at_home.waiting_game(me, *people, now=NOW)
    for each in people:
        at_home.invited(me, each, now=NOW)
    inbox.mark_read(me.pk, until=1000, now=NOW)
    return "/", session_of(me)


def home_meeting() -> tuple[str, str]:
    """With a standing table at which people wait."""
    me, *people = [person() for _ in range(3)]
    at_home.befriend(me, people[0], now=NOW)
    at_home.waiting_game(me, *people, now=NOW)
    game = at_home.group(me, *people, now=NOW)
    game.seat_set.update(seen_at=NOW + timedelta(days=1))  # they wait as long as a test looks
    inbox.mark_read(me.pk, until=1000, now=NOW)
    return "/", session_of(me)


def home_asked() -> tuple[str, str]:
    """Nothing waits but the question of the day."""
    me, other = person(), person()
    finished_game(me, other, now=NOW)
    return "/", session_of(me)


def home_quiet() -> tuple[str, str]:
    """Nothing waits at all: the question is answered, and a game of others runs on."""
    me, other = person(), person()
    finished_game(me, other, now=NOW)
    at_home.waiting_game(me, other, now=NOW)
    asked = daily.newest(NOW)
    assert asked is not None
    daily.answer(asked, me, daily.decision_of(asked).moves[0], counted=True, now=NOW)
    return "/", session_of(me)


def home_to_play() -> tuple[str, str]:
    """Nothing waits: the next step is to play. A guest, who reads how to keep their games."""
    me, other = person(), person()
    User.objects.filter(pk=me.pk).update(is_guest=True)
    finished_game(me, other, now=NOW)
    asked = daily.newest(NOW)
    assert asked is not None
    daily.answer(asked, me, daily.decision_of(asked).moves[0], counted=True, now=NOW)
    return "/", session_of(me)


def fair() -> tuple[str, str]:
    """The seal of a game that is over."""
    me, other = person(), person()
    game = finished_game(me, other, now=NOW)
    proofs.commit(game)
    seats = list(game.seat_set.order_by("number"))
    proofs.freeze(game, options=PRESETS["asmodee_fr"], seats=seats, won_before=())
    proofs.unlock(game, seats)
    return f"/games/{game.code}/fair", session_of(me)


def dice_of_mine() -> tuple[str, str]:
    """As many dice as a large site has in years, one's own less even than luck makes them often."""
    me = person()
    mine = (9_876, 9_812, 10_002, 9_950, 9_801, 10_121)
    Tally.objects.add("perudo", {me.pk: _thrown(mine)})
    every = (12_345_678, 12_341_234, 12_343_456, 12_340_987, 12_347_654, 12_344_321)
    SiteTally.objects.add("perudo", _thrown(every), part=1)
    return "/rules/perudo/fair", session_of(me)


def dice_of_others() -> tuple[str, str]:
    return "/rules/perudo/fair", visitor()


def _thrown(faces: Sequence[int]) -> dict[str, int]:
    return {f"thrown_{face}": times for face, times in enumerate(faces, start=1)}


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
    day_asked,
    day_answered,
    sunday_asked,
    sunday_answered,
    days_so_far,
    friends,
    no_friends,
    friend_link,
    home_of_a_person,
    home_known,
    home_invited,
    home_meeting,
    home_asked,
    home_quiet,
    home_to_play,
    fair,
    dice_of_mine,
    dice_of_others,
)


def main() -> None:
    print(json.dumps({page.__name__: {0: page()} for page in PAGES}))


if __name__ == "__main__":
    main()
