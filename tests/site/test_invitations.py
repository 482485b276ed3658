"""Friends who follow the link of a table: a name, a seat, and what is refused."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client

from accounts import lifecycle
from accounts.models import User
from games.models import Game
from games.play import before_start
from tests.conftest import signed_in
from tests.games.playing import EVENING, open_table, running_game

UNPROCESSABLE = 422


@pytest.fixture
def game(alice: User) -> Game:
    """An open table with one seat taken by its host, one by a bot and one free."""
    game = open_table(alice, "steady")
    Game.objects.filter(pk=game.pk).update(size=3)
    return Game.objects.get(pk=game.pk)


def joins(game: Game, name: str, client: Client | None = None) -> tuple[int, str]:
    answer = (client or Client()).post(f"/games/{game.code}/sit-as-guest", {"username": name})
    return answer.status_code, answer.content.decode()


def test_the_page_asks_for_one_name_and_has_one_button(client: Client, game: Game) -> None:
    html = client.get(f"/games/{game.code}").content.decode()
    assert html.count('name="username"') == 1
    assert "Join alice's table" in html
    assert f'value="http://testserver/games/{game.code}"' not in html  # first they join


def test_a_friend_sits_with_the_name_they_chose(game: Game) -> None:
    assert joins(game, "  Bruno ")[0] == 302
    seat = game.seat_set.get(number=2)
    assert seat.user is not None
    assert (seat.user.username, seat.user.is_guest) == ("Bruno", True)
    assert not seat.user.has_usable_password()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("alice", "taken"),
        ("ALICE", "taken"),
        ("aIice", "looks too much like"),
        ("admin", "reserved"),
        ("Killa", "reserved"),
        ("x", "characters"),
        ("a" * 21, "characters"),
        ("a" * 500, "characters"),
        ("two words", "letters"),
        ("<b>bold</b>", "letters"),
        ("", "required"),
    ],
)
def test_a_name_that_is_taken_or_refused_is_said_on_the_same_page(
    game: Game, name: str, reason: str
) -> None:
    status, html = joins(game, name)
    assert status == UNPROCESSABLE
    errors = html.split('id="guest-name-errors"')[1].split("</div>")[0]
    assert reason in errors
    assert 'aria-invalid="true"' in html
    assert "<b>bold" not in html
    assert User.objects.count() == 1 and game.seat_set.count() == 2


def test_nobody_asks_for_thousands_of_names(game: Game) -> None:
    for _try in range(settings.GUESTS_PER_HOUR):
        assert joins(game, "alice")[0] == UNPROCESSABLE
    assert joins(game, "alice")[0] == 429
    assert joins(game, "Bruno")[0] == 429
    assert User.objects.count() == 1


def test_no_guest_is_made_for_a_table_without_a_seat(alice: User, bob: User) -> None:
    assert joins(running_game(alice, bob), "Bruno")[0] == 302
    assert User.objects.count() == 2


def test_two_friends_choose_one_name_in_the_same_instant(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = lifecycle.guest

    def slowly(name: str = "") -> User:
        made(name)  # the other friend, between the look and the insert
        return made(name)

    monkeypatch.setattr(lifecycle, "guest", slowly)
    status, html = joins(game, "Bruno")
    assert status == UNPROCESSABLE
    assert "taken" in html.split('id="guest-name-errors"')[1].split("</div>")[0]


def renames(person: User, game: Game, name: str) -> tuple[int, str]:
    client = signed_in(person)
    answer = client.post(f"/games/{game.code}/name", {"username": name})
    return answer.status_code, answer.content.decode()


def test_a_guest_changes_the_name_before_the_start_and_screens_see_it(game: Game) -> None:
    guest = lifecycle.guest()
    before_start.sit(game.code, guest, now=EVENING)
    before = Game.objects.get(pk=game.pk).seq
    assert renames(guest, game, "Bruno")[0] == 302
    assert User.objects.get(pk=guest.pk).username == "Bruno"
    assert Game.objects.get(pk=game.pk).seq == before + 1
    status, html = renames(guest, game, "Alice")
    assert status == UNPROCESSABLE
    assert "taken" in html and 'class="rename" open' in html
    assert User.objects.get(pk=guest.pk).username == "Bruno"


def test_nobody_else_changes_a_name_there(game: Game, alice: User, bob: User) -> None:
    guest = lifecycle.guest()  # sits nowhere
    assert renames(guest, game, "Bruno")[0] == 302
    assert renames(alice, game, "Alicia")[0] == 302  # to the settings
    begun = running_game(bob, guest)
    assert renames(guest, begun, "Bruno")[0] == 302  # too late
    assert {person.username for person in User.objects.all()} == {"alice", "bob", guest.username}


def test_the_host_reads_the_whole_address_and_its_code(alice: User, game: Game) -> None:
    html = signed_in(alice).get(f"/games/{game.code}").content.decode()
    assert f'value="http://testserver/games/{game.code}"' in html
    assert html.count('aria-label="QR code of this link') == 1
    assert "style=" not in html
