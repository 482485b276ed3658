"""Signing up, in and out; guests who come, stay and leave."""

from __future__ import annotations

import re

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.test import Client

from accounts import lifecycle
from accounts.models import User
from tests.support.fixtures import PASSWORD, signed_in

SIGNUP = {"username": "Dora", "email": "", "password1": PASSWORD}
NAMED_LIKE_ITS_PASSWORD = {
    "username": "Dora-the-great",
    "password1": "dora-the-great1",
}


@pytest.fixture
def guest(db: None) -> User:
    return lifecycle.guest()


@pytest.fixture
def guest_client(guest: User) -> Client:
    return signed_in(guest)


def test_signing_up_needs_no_address_and_signs_in(client: Client, db: None) -> None:
    answer = client.post("/account/signup/", SIGNUP)
    assert answer.headers["Location"] == "/account/welcome"
    home = client.get("/").text
    assert "Dora" in home and "signed in" not in home  # which they see
    assert client.get("/account/").context["user"].username == "Dora"


def test_a_new_account_is_welcomed_with_two_ways_to_go_on(client: Client, db: None) -> None:
    main = client.post("/account/signup/", SIGNUP, follow=True).text.split("<main")[1]
    assert "Welcome, Dora!" in main
    assert re.findall(r'<a class="button[^"]*" href="([^"]+)"', main) == ["/play", "/learn"]


def test_whoever_signs_up_on_the_way_to_a_page_is_welcomed_there(client: Client, db: None) -> None:
    answer = client.post("/account/signup/", SIGNUP | {"next": "/rules"}, follow=True)
    assert answer.request["PATH_INFO"] == "/rules"
    assert "Welcome, Dora! Your account is ready." in answer.text


def test_a_refused_form_keeps_all_that_was_typed(client: Client, guest_client: Client) -> None:
    """The password too, as it is typed once; the page is not stored anywhere."""
    for path, browser in (("/account/signup/", client), ("/account/keep", guest_client)):
        typed = SIGNUP | {"username": "no spaces", "email": "dora@example.org"}
        answer = browser.post(path, typed)
        assert "Use only letters, numbers" in answer.text
        for value in typed.values():
            assert f'value="{value}"' in answer.text
        assert "no-store" in answer["Cache-Control"]


def test_a_new_password_is_asked_for_in_one_sentence(
    client: Client, guest_client: Client, alice: User, bob: User
) -> None:
    """On every form that has one; a refused one says which rule it breaks."""
    reset = default_token_generator.make_token(alice)
    key = client.get(f"/account/password/reset/key/{user_pk_to_url_str(alice)}-{reset}/")
    pages = [
        client.get("/account/signup/"),
        guest_client.get("/account/keep"),
        signed_in(bob).get("/account/password/change/"),
        client.get(key["Location"]),
    ]
    for page in pages:
        main = page.text.split("<main")[1]
        assert main.count('name="password1"') == 1
        assert main.count("At least 8 characters, hard to guess.") == 1
        helps = re.findall(r'class="helptext"[^>]*>(.*?)</div>', main, re.DOTALL)
        assert not any("<li" in each or "verification" in each for each in helps)


def test_a_refused_signup_says_why_and_makes_nobody(client: Client, alice: User) -> None:
    for wrong, said in (
        ({"username": "no spaces"}, "Use only letters, numbers"),
        ({"username": "admin"}, "This name is reserved"),
        ({"username": "ALICE"}, "This name is taken"),
        ({"username": "aIice"}, "looks too much like another player"),
        ({"username": "Dora\u3164"}, "invisible characters"),
        ({"password1": "12345678"}, "too common"),
        (NAMED_LIKE_ITS_PASSWORD, "too similar"),
        ({"email": "not an address"}, "valid email"),
    ):
        answer = client.post("/account/signup/", SIGNUP | wrong)
        assert answer.status_code == 200, wrong
        assert said in answer.content.decode(), wrong
        assert list(User.objects.all()) == [alice], wrong


def test_a_name_signs_in_in_any_case(client: Client, alice: User) -> None:
    answer = client.post("/account/login/", {"login": "ALICE", "password": PASSWORD})
    assert answer.status_code == 302
    assert client.get("/account/").context["user"] == alice


def test_a_wrong_password_and_a_wrong_name_get_the_same_answer(client: Client, alice: User) -> None:
    answers = [
        client.post("/account/login/", {"login": name, "password": "wrong wrong"})
        for name in ("alice", "nobody-here")
    ]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].context["form"].errors == answers[1].context["form"].errors != {}


def test_signing_in_leads_to_where_one_wanted_to_go(client: Client, alice: User) -> None:
    query = {"login": "alice", "password": PASSWORD, "next": "/games/new"}
    assert client.post("/account/login/", query).headers["Location"] == "/games/new"


def test_no_link_sends_people_off_the_site(alice: User) -> None:
    for trap in ("https://evil.example/", "//evil.example", "javascript:alert(1)"):
        entered = Client().post("/account/guest", {"next": trap})
        assert entered.headers["Location"] == "/", trap
        login = {"login": "alice", "password": PASSWORD, "next": trap}
        entered = Client().post("/account/login/", login)
        assert entered.headers["Location"] == "/", trap


def test_a_guest_arrives_with_one_click(client: Client, db: None) -> None:
    assert client.post("/account/guest", {"next": "/rules"}).headers["Location"] == "/rules"
    assert client.get("/account/").context["user"].is_guest


def test_a_link_alone_makes_no_guest(client: Client, db: None) -> None:
    assert client.get("/account/guest").status_code == 405
    assert not User.objects.exists()


def test_a_second_click_makes_no_second_guest(guest_client: Client) -> None:
    guest_client.post("/account/guest")
    assert User.objects.count() == 1


def test_a_guest_who_signs_up_is_led_to_keep_the_account(guest_client: Client) -> None:
    answer = guest_client.get("/account/signup/?next=/rules")
    assert answer.headers["Location"] == "/account/keep?next=%2Frules"


def test_a_guest_keeps_row_and_session(guest: User, guest_client: Client) -> None:
    answer = guest_client.post("/account/keep", SIGNUP | {"next": "/rules"})
    assert answer.headers["Location"] == "/rules"
    assert "Your games have been kept" in guest_client.get("/rules").text
    person = guest_client.get("/account/").context["user"]
    assert (person.pk, person.username, person.is_guest) == (guest.pk, "Dora", False)


def test_a_kept_account_signs_in_on_another_device(guest_client: Client) -> None:
    answer = guest_client.post("/account/keep", SIGNUP | {"next": "/"})
    assert answer.headers["Location"] == "/account/welcome"
    elsewhere = Client()
    elsewhere.post("/account/login/", {"login": "Dora", "password": PASSWORD})
    assert elsewhere.get("/account/").status_code == 200


def test_a_refused_keeping_says_why_and_changes_nothing(
    alice: User, guest: User, guest_client: Client
) -> None:
    for wrong, said in (
        ({"username": "ALICE"}, "This name is taken"),
        ({"username": "aIice"}, "looks too much like another player"),
        ({"username": "Dora\u3164"}, "invisible characters"),
        (NAMED_LIKE_ITS_PASSWORD, "too similar"),
    ):
        answer = guest_client.post("/account/keep", SIGNUP | wrong)
        assert said in answer.content.decode(), wrong
        assert User.objects.get(pk=guest.pk).username == guest.username
        assert User.objects.get(pk=guest.pk).is_guest


def test_a_guest_may_sign_in_to_an_account_that_exists(guest_client: Client, alice: User) -> None:
    assert guest_client.get("/account/login/").status_code == 200
    guest_client.post("/account/login/", {"login": "alice", "password": PASSWORD})
    assert guest_client.get("/account/").context["user"] == alice


def test_a_guest_is_warned_before_signing_out(guest_client: Client) -> None:
    answer = guest_client.post("/account/logout/")
    assert "lose access to this account and its games" in answer.content.decode()
    assert guest_client.get("/account/").status_code == 200
    guest_client.post("/account/logout/", {"sure": "yes"})
    assert guest_client.get("/account/").status_code == 302


def test_signing_out_takes_one_click_and_never_a_mere_link(alice_client: Client) -> None:
    alice_client.get("/account/logout/")
    assert alice_client.get("/account/").status_code == 200
    alice_client.post("/account/logout/")
    assert alice_client.get("/account/").status_code == 302


def test_a_closed_account_cannot_sign_in(client: Client, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    answer = client.post("/account/login/", {"login": "alice", "password": PASSWORD}, follow=True)
    assert "This account has been suspended" in answer.content.decode()
    assert client.get("/account/").status_code == 302
