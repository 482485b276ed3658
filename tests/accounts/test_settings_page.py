"""The settings a person chooses, and how the account ends."""

from __future__ import annotations

from django.test import Client

from accounts import lifecycle
from accounts.models import User
from tests.support.fixtures import PASSWORD, signed_in

CHOSEN = {"username": "alice", "language": "", "theme": ""}


def test_the_settings_ask_strangers_to_sign_in(client: Client, db: None) -> None:
    assert client.get("/account/").headers["Location"] == "/account/login/?next=/account/"


def test_a_person_changes_the_name_the_language_and_the_theme(
    alice: User, alice_client: Client
) -> None:
    chosen = {"username": "Alicia", "language": "it", "theme": "dark"}
    assert alice_client.post("/account/", chosen).status_code == 302
    alice.refresh_from_db()
    assert (alice.username, alice.language, alice.theme) == ("Alicia", "it", "dark")


def test_a_refused_setting_changes_nothing(alice: User, bob: User, alice_client: Client) -> None:
    for wrong, said in (
        ({"username": "BOB"}, "This name is taken"),
        ({"username": "B0b"}, "looks too much like another player"),
        ({"username": "deleted-1"}, "This name is reserved"),
        ({"language": "xx"}, "not one of the available choices"),
        ({"theme": "purple"}, "not one of the available choices"),
    ):
        answer = alice_client.post("/account/", CHOSEN | wrong)
        assert said in answer.content.decode(), wrong
        alice.refresh_from_db()
        assert (alice.username, alice.language, alice.theme) == ("alice", "", ""), wrong


def test_a_refused_name_does_not_show_in_the_head_of_the_page(alice_client: Client) -> None:
    answer = alice_client.post("/account/", CHOSEN | {"username": "deleted-1"})
    assert answer.context["user"].username == "alice"


def test_an_error_is_tied_to_its_field(alice_client: Client) -> None:
    page = alice_client.post("/account/", CHOSEN | {"username": "no spaces"}).content.decode()
    assert 'aria-invalid="true"' in page
    assert 'aria-describedby="id_username_helptext id_username_error"' in page
    assert 'id="id_username_helptext"' in page
    assert 'id="id_username_error"' in page


def test_a_new_address_needs_the_password(alice: User, alice_client: Client) -> None:
    new = {"email": "new@example.org", "password": "wrong wrong"}
    answer = alice_client.post("/account/email", new)
    assert "Wrong password." in answer.content.decode()
    assert User.objects.get(pk=alice.pk).email == "alice@example.org"
    alice_client.post("/account/email", new | {"password": PASSWORD})
    assert User.objects.get(pk=alice.pk).email == "new@example.org"


def test_an_address_of_somebody_else_is_not_told(bob: User, alice_client: Client) -> None:
    answer = alice_client.post("/account/email", {"email": bob.email, "password": PASSWORD})
    assert answer.status_code == 302


def test_a_guest_gets_an_account_before_an_address(db: None) -> None:
    client = signed_in(lifecycle.guest())
    assert client.get("/account/email").headers["Location"] == "/account/keep"
    assert client.get("/account/password/change/", follow=True).redirect_chain[-1][0] == (
        "/account/keep"
    )


def test_a_changed_password_ends_the_other_sessions_only(alice: User, alice_client: Client) -> None:
    elsewhere = signed_in(alice)
    new = "eleven condors in a cup"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    answer = alice_client.post("/account/password/change/", form)
    assert answer.headers["Location"] == "/account/"
    assert alice_client.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302
    alice.refresh_from_db()
    assert alice.check_password(new)


def test_a_password_change_needs_the_old_one(alice: User, alice_client: Client) -> None:
    new = "eleven condors in a cup"
    form = {"oldpassword": "wrong wrong", "password1": new, "password2": new}
    assert alice_client.post("/account/password/change/", form).status_code == 200
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)
