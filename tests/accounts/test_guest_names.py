"""Names of guests are their own at a table, those of accounts on the site."""

from __future__ import annotations

import re

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from accounts import free_names, guest_names, lifecycle, names
from accounts.models import User
from games.models import Game, Search, Seat
from games.play import before_start, table_names
from tests.support.fast_games import open_table, running_game
from tests.support.fixtures import PASSWORD, signed_in

NOW = timezone.now()


def visitor(number: int = 1) -> Client:
    return Client(REMOTE_ADDR=f"198.51.100.{number}")


def sit(game: Game, name: str, browser: Client | None = None) -> tuple[int, str]:
    """The answer to a visitor who joins a table by its link."""
    answer = (browser or visitor()).post(f"/games/{game.code}/sit-as-guest", {"username": name})
    return answer.status_code, answer.content.decode()


def offered(page: str) -> str:
    """The name in the field of the page."""
    [field] = re.findall(r'<input id="(?:guest|play)-name"[^>]*>', page)
    assert 'aria-invalid="true"' in field and "autofocus" in field
    return re.findall(r'value="([^"]*)"', field)[0]


def test_a_friend_has_the_name_of_a_guest_of_an_hour_ago(alice: User, bob: User) -> None:
    before = lifecycle.guest("Anna")
    for host in (alice, bob):
        game = open_table(host, "steady", "steady")
        before_start.remove(game.code, host, number=2, now=NOW)
        assert sit(game, "Anna")[0] == 302
        assert table_names.at(game) == [host.username, "Anna"]
        page = signed_in(host).get(f"/games/{game.code}").content.decode()
        assert "Anna" in page and "~" not in re.sub(r'(href|value)="[^"]*"', "", page)
    assert User.objects.get(pk=before.pk).username == "Anna"


@pytest.mark.parametrize("typed", ["Anna", "anna", "ANNA", "ａｎｎａ"])
def test_at_one_table_the_same_with_a_2_is_offered(alice: User, typed: str) -> None:
    game = open_table(alice, "steady", "steady", "steady")
    for number in (3, 2):
        before_start.remove(game.code, alice, number=number, now=NOW)
    assert sit(game, "Anna")[0] == 302
    guests = User.objects.filter(is_guest=True).count()
    browser = visitor(2)
    status, page = sit(game, typed, browser)
    wanted = f"{names.tidy(typed)}2"
    assert (status, offered(page)) == (422, wanted)
    assert f"Somebody at this table has this name. How about {wanted}?" in page
    assert User.objects.filter(is_guest=True).count() == guests, "nobody is made for nothing"
    assert sit(game, offered(page), browser)[0] == 302, "one tap takes it"
    assert table_names.at(game) == ["alice", "Anna", wanted]


def test_a_name_that_ends_in_a_digit_or_is_long_gets_a_number_too(db: None) -> None:
    assert guest_names.numbered("Anna7") == "Anna7-2"
    assert guest_names.numbered("x" * 20) == "x" * 19 + "2"
    assert guest_names.numbered("王芳") == "王芳2"
    User.objects.create_user("Anna2")
    assert guest_names.numbered("Anna", ["ANNA3"]) == "Anna4"


def test_the_name_of_an_account_is_its_own_everywhere(alice: User, bob: User) -> None:
    game = open_table(bob, "steady", "steady")
    before_start.remove(game.code, bob, number=2, now=NOW)
    for typed in ("alice", "Alice", "aIice"):
        status, page = sit(game, typed)
        assert status == 422 and "This name is taken. How about" in page
        assert offered(page) == f"{typed}2"
    for path, form in (
        ("/play", {"game": "perudo"}),
        ("/games/new", {"game": "perudo", "kind": "standard", "seats": "3", "visibility": "link"}),
    ):
        answer = visitor().post(path, form | {"username": "alice"})
        assert answer.status_code == 422
        assert offered(answer.content.decode()) == "alice2"
        assert visitor().post(path, form | {"username": "alice2"}).status_code == 302


def test_an_account_gets_a_name_that_guests_have(db: None) -> None:
    """They are called as before."""
    for maker in ("sign up", "keep", "rename"):
        name = f"Anna{maker[0]}"
        guests = [lifecycle.guest(name), lifecycle.guest(name.upper())]
        browser = visitor()
        if maker == "sign up":
            form = {"username": name, "password1": PASSWORD}
            assert browser.post("/account/signup/", form).status_code == 302
        elif maker == "keep":
            person = guests.pop()
            lifecycle.keep(person, name=name, password=PASSWORD, now=NOW)
        else:
            person = User.objects.create_user("somebody", password=PASSWORD)
            answer = signed_in(person).post("/account/", {"username": name, "language": ""})
            assert answer.status_code == 302
        account = User.objects.get(username=name)
        assert not account.is_guest
        for guest in guests:
            guest.refresh_from_db()
            assert names.key(guest.shown_name) == names.key(name) and guest.is_guest
        with pytest.raises(ValidationError, match="taken"):
            free_names.free_name(name)
        assert browser.post("/account/logout/", {"sure": "yes"}).status_code in (200, 302)
        browser = visitor(3)
        browser.post("/account/login/", {"login": name, "password": PASSWORD})
        assert browser.session.get("_auth_user_id") == str(account.pk)


def test_who_is_a_guest_already_gets_a_number_where_they_sit_down(alice: User) -> None:
    first, second = lifecycle.guest("Anna"), lifecycle.guest("Anna")
    game = open_table(alice, first, second)
    assert table_names.at(game) == ["alice", "Anna", "Anna2"]
    second.refresh_from_db()
    assert second.shown_name == "Anna2"


def test_an_account_keeps_its_name_beside_a_guest_of_it(alice: User, bob: User) -> None:
    guest = lifecycle.guest("Anna")
    game = open_table(alice, guest)
    Game.objects.filter(pk=game.pk).update(size=3)
    guest_names.make_room("Anna")
    anna = User.objects.create_user("Anna", password=PASSWORD)
    before_start.sit(game.code, anna, now=NOW)
    assert table_names.at(game) == ["alice", "Anna2", "Anna"]


def test_people_who_are_matched_are_told_apart(db: None) -> None:
    for number in (1, 2):
        answer = visitor(number).post("/play", {"username": "Anna", "game": "perudo"})
        assert answer.status_code == 302
    table = Search.objects.first()
    assert table is not None and table.table is not None
    assert sorted(table_names.at(table.table)) == ["Anna", "Anna2"]


def test_a_guest_is_renamed_to_what_is_free_at_the_table(alice: User) -> None:
    first, second = lifecycle.guest("Anna"), lifecycle.guest("Berta")
    game = open_table(alice, first, second)
    browser = signed_in(second)
    path = f"/games/{game.code}/name"
    answer = browser.post(path, {"username": "Anna"})
    assert answer.status_code == 422 and offered(answer.content.decode()) == "Anna2"
    assert browser.post(path, {"username": "Berta"}).status_code == 302, "their own is kept"
    assert browser.post(path, {"username": "Anna2"}).status_code == 302
    assert table_names.at(game) == ["alice", "Anna", "Anna2"]


def test_nobody_is_shown_what_tells_two_rows_apart(alice: User) -> None:
    lifecycle.guest("Anna")
    guest = lifecycle.guest("Anna")
    assert re.fullmatch(r"Anna~[2-9a-z]{6}", guest.username)
    assert (guest.shown_name, guest.avatar) == ("Anna", User(username="Anna").avatar)
    game = running_game(guest, alice)
    browser = signed_in(guest)
    for path in ("/", f"/games/{game.code}", "/account/", "/account/keep", "/account/logout/"):
        page = browser.get(path).content.decode()
        assert "~" not in re.sub(r'(href|action|content|value)="/[^"]*"', "", page), path
    assert browser.post("/account/", {"username": "Anna", "language": "it"}).status_code == 302
    guest.refresh_from_db()
    assert (guest.shown_name, guest.language) == ("Anna", "it")
    assert Seat.objects.get(game=game, user=guest).name == "Anna"
    assert browser.get(f"/players/{guest.username}").status_code == 200


def test_no_typed_name_holds_the_mark() -> None:
    with pytest.raises(ValidationError):
        names.well_formed(f"anna{names.MARK}x")
