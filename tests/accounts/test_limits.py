"""How often one may try: real limits, reached by really trying."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from tests.support.emails import send_due_emails
from tests.support.fixtures import PASSWORD

TOO_MANY = 429


def limited(path: str, forms: list[dict[str, str]], **extra: str) -> list[int]:
    """The status of every one of these posts, each from a browser without cookies."""
    return [Client().post(path, form, **extra).status_code for form in forms]


def test_guessing_a_password_stops_after_five_tries(client: Client, alice: User) -> None:
    for _try in range(5):
        client.post("/account/login/", {"login": "alice", "password": "wrong wrong"})
    answer = client.post("/account/login/", {"login": "alice", "password": PASSWORD})
    assert "Too many sign-in attempts" in answer.content.decode()
    assert client.get("/account/").status_code == 302


def guess(client: Client, *, times: int = 1, name: str = "alice", **extra: str) -> None:
    for _try in range(times):
        client.post("/account/login/", {"login": name, "password": "wrong wrong"}, **extra)


def enters(client: Client, password: str = PASSWORD, name: str = "alice", **extra: str) -> bool:
    answer = client.post("/account/login/", {"login": name, "password": password}, **extra)
    return answer.status_code == 302


def address(number: int) -> dict[str, str]:
    return {"REMOTE_ADDR": f"198.51.100.{number}"}


def test_a_stranger_locks_out_nobody_but_themselves(alice: User) -> None:
    guess(Client(), times=6)
    assert not enters(Client())
    assert enters(Client(), **address(1))


def test_every_way_to_type_a_name_counts_as_one(alice: User) -> None:
    for name in ("alice", "ALICE", "Alice", "ａｌｉｃｅ", " aliCe "):
        guess(Client(), name=name)
    assert not enters(Client())


def test_all_addresses_together_guess_only_so_often(alice: User) -> None:
    """Ten addresses lock the name everywhere, but not for the browser of its owner."""
    owner = Client()
    assert enters(owner, **address(200)) and owner.post("/account/logout/").status_code == 302
    for number in range(10):
        guess(Client(), times=6, **address(number))  # of which five count
    assert not enters(Client(), **address(99))
    assert enters(owner, **address(99))


def test_a_known_browser_has_a_counter_of_its_own(alice: User, bob: User) -> None:
    owner = Client()
    assert enters(owner)
    owner.post("/account/logout/")
    guess(Client(), times=12)  # at the same address, which is locked too by now
    assert not enters(Client(), name="bob")
    assert enters(owner)
    owner.post("/account/logout/")
    guess(owner, times=5)
    assert not enters(owner)
    assert enters(Client(), **address(7))
    # Somebody else's account is as far away from there as from anywhere.
    assert not enters(owner, name="bob")


def test_success_does_not_give_a_guesser_more_attempts(alice: User) -> None:
    """Nor is it counted."""
    owner = Client()
    for _round in range(8):
        assert enters(owner)
        owner.post("/account/logout/")
    guess(owner, times=4)
    assert enters(owner)
    owner.post("/account/logout/")
    guess(owner)
    assert not enters(owner)


def test_a_new_password_voids_the_cookies_of_before(alice: User) -> None:
    owner, other = Client(), Client()
    assert enters(owner) and enters(other)
    other.post("/account/logout/")
    new = "eleven condors in a cup"
    change = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert owner.post("/account/password/change/", change).status_code == 302
    owner.post("/account/logout/")
    guess(Client(), times=6)
    assert not enters(other, new)
    assert enters(owner, new)


def test_only_our_cookie_for_this_account_counts(alice: User, bob: User) -> None:
    owner = Client()
    assert enters(owner, name="bob")
    [cookie] = [owner.cookies[name] for name in owner.cookies if "known" in name]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/account/")
    guess(Client(), times=6)
    foreign = str(cookie.value)
    for value in (foreign, foreign.replace(f"{bob.pk}-", f"{alice.pk}-"), "|||", "1-x:y:z", "é"):
        client = Client()
        client.cookies[cookie.key] = value
        assert not enters(client)


def test_a_reset_makes_you_known_however_often_you_had_guessed(client: Client, alice: User) -> None:
    guess(client, times=6)
    client.post("/account/password/reset/", {"email": alice.email})
    [letter] = send_due_emails()
    link = str(letter.body).partition("http://testserver")[2].split()[0]
    where = client.get(link, follow=True).redirect_chain[-1][0]
    new = "eleven condors in a cup"
    assert client.post(where, {"password1": new, "password2": new}).status_code == 302
    assert enters(client, new)


def test_who_is_signed_in_confirms_the_password_whatever_strangers_do(alice: User) -> None:
    owner = Client()
    owner.force_login(alice)  # as in a session that is older than the cookie
    guess(Client(), times=12)
    answer = owner.post("/account/reauthenticate/", {"password": PASSWORD})
    assert answer.status_code == 302


def test_signing_out_leaves_a_known_browser(alice: User) -> None:
    owner = Client()
    owner.force_login(alice)  # as in a session that is older than the cookie
    owner.post("/account/logout/")
    guess(Client(), times=12)
    assert enters(owner)


def test_a_family_shares_a_browser(alice: User, bob: User, charlie: User) -> None:
    browser = Client()
    for name in ("alice", "bob", "charlie"):
        assert enters(browser, name=name)
        browser.post("/account/logout/")
    guess(Client(), times=12)
    for name in ("alice", "bob", "charlie"):
        assert enters(browser, name=name)
        browser.post("/account/logout/")


def test_guessing_one_account_leaves_another_open(client: Client, alice: User, bob: User) -> None:
    for _try in range(6):
        client.post("/account/login/", {"login": "alice", "password": "wrong wrong"})
    entered = client.post("/account/login/", {"login": "bob", "password": PASSWORD})
    assert entered.status_code == 302


def test_one_address_makes_only_so_many_guests(db: None) -> None:
    guests = settings.GUESTS_PER_HOUR
    statuses = limited("/account/guest", [{}] * (guests + 1))
    assert statuses == [302] * guests + [TOO_MANY]
    assert User.objects.count() == guests
    assert limited("/account/guest", [{}], REMOTE_ADDR="198.51.100.7") == [302]


def test_one_address_makes_only_so_many_accounts(db: None) -> None:
    signups = settings.SIGNUPS_PER_HOUR
    forms = [{"username": f"dora{number}", "password1": PASSWORD} for number in range(signups + 1)]
    assert limited("/account/signup/", forms) == [302] * signups + [TOO_MANY]
    assert User.objects.count() == signups


def test_one_mailbox_gets_only_so_many_letters(alice: User) -> None:
    statuses = limited("/account/password/reset/", [{"email": alice.email}] * 6)
    assert statuses == [302] * 5 + [TOO_MANY]
    assert len(send_due_emails()) == 1  # the others asked while it waited


def test_a_stolen_session_cannot_guess_the_password_for_long(alice_client: Client) -> None:
    wrong = {"email": "thief@example.org", "password": "wrong wrong"}
    statuses = [alice_client.post("/account/email", wrong).status_code for _try in range(11)]
    assert statuses == [200] * 10 + [TOO_MANY]
    assert alice_client.post("/account/delete", wrong).status_code == TOO_MANY


def test_too_often_is_said_in_a_sentence(db: None) -> None:
    limited("/account/guest", [{}] * settings.GUESTS_PER_HOUR)
    answer = Client().post("/account/guest")
    assert "Not so fast" in answer.content.decode()


@pytest.mark.parametrize("liar", ["203.0.113.1", "203.0.113.2, 203.0.113.3"])
def test_a_forged_header_does_not_widen_the_limit(db: None, liar: str) -> None:
    limited("/account/guest", [{}] * settings.GUESTS_PER_HOUR)
    assert limited("/account/guest", [{}], HTTP_X_FORWARDED_FOR=liar) == [TOO_MANY]
