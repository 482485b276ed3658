"""Friends who follow the link of a table: a name, a seat, and what is refused."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client

from accounts import lifecycle
from accounts.models import User
from games.lobby.standing import ownership as standing
from games.models import Game, Mute, NextSeat, TableSettings
from games.play import before_start, standing_games
from tests.support.cases import untouched
from tests.support.fast_games import START, open_table, running_game
from tests.support.fixtures import signed_in

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


def test_a_name_that_is_taken_or_refused_is_said_on_the_same_page(
    game: Game, subtests: pytest.Subtests
) -> None:
    for name, reason in [
        ("alice", "taken"),
        ("ALICE", "taken"),
        ("aIice", "How about aIice2?"),
        ("admin", "reserved"),
        ("Killa", "reserved"),
        ("x", "characters"),
        ("a" * 21, "characters"),
        ("a" * 500, "characters"),
        ("two words", "letters"),
        ("<b>bold</b>", "letters"),
        ("", "required"),
    ]:
        with subtests.test(name=name), untouched():
            status, html = joins(game, name)
            assert status == UNPROCESSABLE
            errors = html.split('id="guest-name-errors"')[1].split("</div>")[0]
            assert reason in errors
            assert 'aria-invalid="true"' in html
            assert "<b>bold" not in html
            assert User.objects.count() == 1 and game.seat_set.count() == 2


@pytest.mark.slow
def test_nobody_asks_for_thousands_of_names(game: Game) -> None:
    for _try in range(settings.GUESTS_PER_HOUR):
        assert joins(game, "alice")[0] == UNPROCESSABLE
    assert joins(game, "alice")[0] == 429
    assert joins(game, "Bruno")[0] == 429
    assert User.objects.count() == 1


def test_no_guest_is_made_for_a_table_without_a_seat(alice: User, bob: User) -> None:
    assert joins(running_game(alice, bob), "Bruno")[0] == 302
    assert User.objects.count() == 2


def test_an_account_takes_the_name_in_the_same_instant(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = lifecycle.guest

    def slowly(name: str = "") -> User:
        User.objects.create_user(name)  # between the look and the insert
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
    before_start.sit(game.code, guest, now=START)
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


# --- what a page says to each kind of visitor, in each state -------------------------------------


def shown(game: Game, client: Client) -> str:
    html = client.get(f"/games/{game.code}").content.decode()
    return html.split("<main")[1].split("</main>")[0]


def test_an_invitation_says_what_the_game_is_and_proposes_a_free_name(game: Game) -> None:
    html = shown(game, Client())
    assert "how many are under the cups?" in html and 'href="/learn/perudo"' in html
    name = html.split('id="guest-name"')[1].split('value="')[1].split('"')[0]
    assert name and User.named(name) is None
    assert joins(game, name)[0] == 302
    assert User.named(name) is not None


def test_a_full_table_says_so_and_leads_on(game: Game, bob: User, charlie: User) -> None:
    before_start.sit(game.code, bob, now=START)
    for client in (Client(), signed_in(charlie), signed_in(lifecycle.guest())):
        html = shown(game, client)
        assert "If somebody leaves, you can join here." in html and "All tables" in html
        assert f'formaction="/games/{game.code}/sit"' not in html.split('id="own"')[1]
    assert "If somebody leaves" not in shown(game, signed_in(bob))


def test_who_was_removed_or_is_blocked_is_told_and_led_on(
    game: Game, alice: User, bob: User, charlie: User
) -> None:
    before_start.sit(game.code, bob, now=START)
    before_start.remove(game.code, alice, number=2, now=START)
    Mute.objects.create(by=alice, whom=charlie, blocked=True)
    for person, told in (
        (bob, "The host removed you"),
        (charlie, "You can&#x27;t join this table."),
    ):
        own = shown(game, signed_in(person)).split('id="own"')[1]
        assert told in own and "All tables" in own
        assert f'formaction="/games/{game.code}/sit"' not in own


def test_a_closed_table_says_so_and_leads_on(game: Game, alice: User, bob: User) -> None:
    before_start.close(game.code, alice, now=START)
    for client in (Client(), signed_in(alice), signed_in(bob), signed_in(lifecycle.guest())):
        html = shown(game, client)
        assert "This table was closed." in html
        assert "All tables" in html and 'href="/games/new?game=perudo"' in html


def test_a_closed_game_of_a_standing_table_leads_to_its_link(alice: User, bob: User) -> None:
    table = standing.make(alice, TableSettings.of(open_table(bob, alice)), now=START)
    game = standing_games.join(table, bob, now=START)
    before_start.close(game.code, bob, now=START)
    assert f'href="/t/{table.word}"' in shown(game, Client())


# --- the next table ------------------------------------------------------------------------------


def test_a_visitor_asks_for_the_next_seat_in_one_press(alice: User, bob: User) -> None:
    running, visitor = running_game(alice, bob), Client()
    for by_htmx in ({}, {"HX-Request": "true"}):
        answer = visitor.post(f"/games/{running.code}/next", headers=by_htmx)
        assert answer.get("HX-Redirect", answer.get("Location")) == f"/games/{running.code}"
    [wish] = NextSeat.objects.filter(game=running)
    assert wish.user.is_guest and int(visitor.session["_auth_user_id"]) == wish.user.pk
    assert "data-wishes" in visitor.get(f"/games/{running.code}").content.decode()


def test_no_guest_is_made_where_there_is_no_next_seat(game: Game, alice: User, bob: User) -> None:
    against_bots, full = running_game(alice, "steady"), running_game(alice, bob)
    for _ in range(2):
        Client().post(f"/games/{full.code}/next")
    before = User.objects.count()
    for code, says in (
        (game.code, "in progress"),
        (against_bots.code, "All seats at the next table are taken"),
        (full.code, "All seats at the next table are taken"),
    ):
        visitor = Client()
        page = visitor.post(f"/games/{code}/next", follow=True).content.decode()
        assert says in page
        assert "sessionid" not in visitor.cookies
    assert User.objects.count() == before


def test_signing_in_leads_back_to_the_table(client: Client, game: Game) -> None:
    page = client.get(f"/games/{game.code}").content.decode()
    assert f'href="/account/login/?next=/games/{game.code}"' in page
    assert f'href="/account/signup/?next=/games/{game.code}"' in page
    assert 'href="/account/login/"' in client.get("/").content.decode()
    page = client.get("/players/alice?game=perudo&outcome=won").content.decode()
    asked = quote("/players/alice?game=perudo&outcome=won")
    assert f'href="/account/login/?next={asked}"' in page
