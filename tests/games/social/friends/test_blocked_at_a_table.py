"""Who sits down at a table at which somebody sits whom they have blocked is asked first."""

from __future__ import annotations

from html import unescape
from http import HTTPStatus
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.lobby.standing import ownership as standing
from games.models import Game, Seat
from games.play import before_start, standing_games
from games.social.chat import talk as chat
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db(transaction=True)
SAYS = "You've blocked somebody at this table: bob."


def table_of(person: User) -> Game:
    settings = before_start.quick_settings("perudo", bots=3)
    return before_start.open_game(person, settings, holder="", now=timezone.now())


def read(answer: Any) -> str:
    return unescape(answer.text)


def sits(game: Game, person: User) -> bool:
    return Seat.objects.filter(game=game, user=person).exists()


@pytest.mark.parametrize("is_host", [True, False])
def test_they_read_it_on_the_page_and_sit_down_all_the_same(
    alice: User, bob: User, charlie: User, is_host: bool
) -> None:
    game = table_of(bob if is_host else charlie)
    if not is_host:
        before_start.sit(game.code, bob, now=timezone.now())
    client, page = signed_in(alice), f"/games/{game.code}"
    assert SAYS not in read(client.get(page))
    chat.mute(alice, bob, block=True)
    html = read(client.get(page))
    assert SAYS in html
    assert "Sit down all the same" in html
    assert "Join " not in html.split('id="own"')[1].split("</section>")[0]
    answer = client.post(f"{page}/sit", follow=True)
    assert not sits(game, alice), "not even by a page of before"
    assert SAYS in read(answer)
    notice = read(client.post(f"{page}/sit", headers={"HX-Request": "true"}))
    assert SAYS in notice
    assert client.post(f"{page}/sit", {"knowingly": "yes"}).status_code == HTTPStatus.FOUND
    assert sits(game, alice)
    assert SAYS not in read(client.get(page))


def test_others_are_not_asked(alice: User, bob: User, charlie: User) -> None:
    game = table_of(bob)
    chat.mute(alice, bob, block=False)  # muted alone
    chat.mute(charlie, User.objects.create_user("elsewhere"), block=True)
    for person in (alice, charlie):
        assert SAYS not in read(signed_in(person).get(f"/games/{game.code}"))
        signed_in(person).post(f"/games/{game.code}/sit")
        assert sits(game, person)
        before_start.leave_everything(person, now=timezone.now())


@pytest.mark.parametrize("state", ["empty", "open", "owner elsewhere"])
def test_so_they_are_at_a_standing_table(alice: User, bob: User, charlie: User, state: str) -> None:
    now = timezone.now()
    settings = before_start.quick_settings("perudo", bots=3)
    owner = charlie if state == "open" else bob
    table = standing.make(owner, settings, holder="", now=now)
    if state != "empty":
        standing_games.join(table, bob if state == "open" else charlie, now=now)
    client, page = signed_in(alice), f"/t/{table.word}"
    chat.mute(alice, bob, block=True)
    html = read(client.get(page))
    assert SAYS in html
    assert "Sit down all the same" in html
    assert SAYS in read(client.post(f"{page}/play", follow=True))
    assert not Seat.objects.filter(user=alice).exists()
    client.post(f"{page}/play", {"knowingly": "yes"})
    assert Seat.objects.filter(user=alice).exists()
    assert SAYS not in read(client.get(page))
