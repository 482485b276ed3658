"""Signing in with an e-mail address, and the link that confirms it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import signing
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts import addresses, lifecycle
from accounts.letters import Letter
from accounts.models import User
from tests.support.emails import send_due_emails
from tests.support.fixtures import PASSWORD, signed_in

SIGNUP = {"username": "Dora", "password1": PASSWORD}
CONSOLE = "django.core.mail.backends.console.EmailBackend"
NOT_CONFIRMED = "Your email address isn&#x27;t confirmed yet."


def enter(login: str, client: Client | None = None) -> str:
    """Who is signed in after this; "" for nobody."""
    client = client or Client()
    client.post("/account/login/", {"login": login, "password": PASSWORD})
    return client.get("/").context["user"].username


def link_in(letter: EmailMessage) -> str:
    found = re.search(r"http://testserver(/account/email/confirm/\S+)", str(letter.body))
    assert found
    return found[1]


def test_a_confirmed_address_signs_in_however_it_is_typed(alice: User) -> None:
    addresses.confirm(alice)
    for login in ("alice", "alice@example.org", " Alice@Example.ORG "):
        assert enter(login) == "alice"


def test_an_unconfirmed_address_signs_nobody_in(alice: User) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, primary=True)
    assert enter("alice@example.org") == ""
    assert enter("alice") == "alice"


def test_the_one_who_has_confirmed_an_address_signs_in_whoever_else_claims_it(alice: User) -> None:
    for number in range(3):
        User.objects.create_user(f"thief{number}", alice.email, PASSWORD)
    addresses.confirm(alice)
    assert enter("alice@example.org") == "alice"


def test_signing_up_sends_a_link_that_confirms(client: Client, db: None) -> None:
    page = client.post("/account/signup/", SIGNUP | {"email": "Dora@example.org"}, follow=True)
    assert "We&#x27;ve sent you an email." in page.content.decode()
    [letter] = send_due_emails()
    assert (letter.to, letter.subject) == (
        ["dora@example.org"],
        "[Perudo] Confirm your email address",
    )
    assert enter("dora@example.org") == ""
    # To look at the link is not enough: programs that check mail do that.
    assert "Yes, confirm it" in Client().get(link_in(letter)).content.decode()
    assert enter("dora@example.org") == ""
    page = client.post(link_in(letter), follow=True)
    assert "Your email address is confirmed." in page.content.decode()
    assert enter("dora@example.org") == "Dora"
    assert client.post(link_in(letter)).status_code == 302  # again: as it was


def test_signing_up_without_an_address_sends_nothing(client: Client, db: None) -> None:
    client.post("/account/signup/", SIGNUP)
    assert not Letter.objects.exists()


def test_a_link_signs_nobody_in(client: Client, db: None) -> None:
    client.post("/account/signup/", SIGNUP | {"email": "dora@example.org"})
    [letter] = send_due_emails()
    other = Client()
    assert other.post(link_in(letter)).headers["Location"] == "/account/"
    assert other.get("/account/").status_code == 302


def test_a_guest_who_keeps_an_account_confirms_the_address(db: None) -> None:
    guest = lifecycle.guest()
    client = signed_in(guest)
    client.post("/account/keep", SIGNUP | {"email": "dora@example.org"})
    [letter] = send_due_emails()
    client.post(link_in(letter))
    assert enter("dora@example.org") == "Dora"


def test_a_link_is_void_with_another_address_after_three_days_and_changed(
    client: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(key: str) -> bool:
        answer = client.post(f"/account/email/confirm/{key}/")
        return "This link has expired" in answer.content.decode()

    key = addresses.key(alice)
    assert refused(key[:-1] + ("A" if key[-1] != "A" else "B"))
    for nonsense in ("x", "..", f"{alice.pk}", "9" * 30, "٣.a.b", f"0{key}"):
        assert refused(nonsense)
    with monkeypatch.context() as patch:
        later = timezone.now() + addresses.LINK_LASTS + timedelta(minutes=1)
        patch.setattr(signing.time, "time", later.timestamp)
        assert refused(key)
    lifecycle.change_email(alice, "new@example.org", now=timezone.now())
    assert refused(key)
    assert not EmailAddress.objects.filter(verified=True).exists()


def test_a_confirmed_address_belongs_to_one_account(alice: User, bob: User) -> None:
    lifecycle.change_email(bob, "alice@example.org", site="http://testserver", now=timezone.now())
    [letter] = [each for each in send_due_emails() if "Confirm" in each.subject]
    addresses.confirm(alice)
    answer = Client().post(link_in(letter))
    assert "belongs to another account" in answer.content.decode()
    assert not addresses.confirmed(bob)
    assert enter("alice@example.org") == "alice"


def test_who_enters_an_address_that_is_taken_learns_it_in_the_mailbox_alone(
    client: Client, alice: User
) -> None:
    addresses.confirm(alice)
    pages = []
    for name, email in (("Dora", alice.email), ("Emma", "emma@example.org")):
        client = Client()
        form = SIGNUP | {"username": name, "email": email, "next": "/rules"}
        answer = client.post("/account/signup/", form, follow=True)
        pages.append(re.sub(r'"\w{64}"|data-\w+="\w+"|Dora|Emma', "", answer.content.decode()))
    assert pages[0] == pages[1]
    taken, _free = send_due_emails()
    assert taken.to == [alice.email]
    assert "“Dora”" in taken.body and "belongs to your account “alice”" in " ".join(
        str(taken.body).split()
    )


def test_a_stale_confirmation_does_not_bring_an_address_back(alice: User) -> None:
    """Its account has another address by the time that the button is pressed."""
    before = User.objects.get(pk=alice.pk)
    lifecycle.change_email(alice, "new@example.org", now=timezone.now())
    assert not addresses.confirm(before)
    assert [row.email for row in EmailAddress.objects.all()] == ["new@example.org"]


def test_after_signing_in_one_is_asked_about_an_address_that_is_not_confirmed(alice: User) -> None:
    client = Client()
    form = {"login": "alice", "password": PASSWORD}
    page = client.post("/account/login/", form, follow=True).content.decode()
    assert NOT_CONFIRMED in page and 'href="/account/email/confirm"' in page
    assert NOT_CONFIRMED not in client.get("/").content.decode()
    assert "alice@example.org" in client.get("/account/email/confirm").content.decode()
    assert not Letter.objects.exists()
    client.post("/account/email/confirm")
    [letter] = send_due_emails()
    client.post(link_in(letter))
    assert client.get("/account/email/confirm").status_code == 302
    page = Client().post("/account/login/", form, follow=True).content.decode()
    assert NOT_CONFIRMED not in page


def test_a_site_without_mail_shows_nothing_of_all_this(
    alice: User, alice_client: Client, settings: Settings
) -> None:
    settings.EMAIL_BACKEND = CONSOLE
    wrong = {"login": "alice", "password": "wrong wrong"}
    pages = [
        Client().get("/account/login/"),
        Client().post("/account/login/", wrong),
        Client().post("/account/login/", {"login": "alice", "password": PASSWORD}, follow=True),
        Client().post("/account/signup/", SIGNUP | {"email": "d@example.org"}, follow=True),
        alice_client.get("/account/"),
        alice_client.get("/account/email"),
    ]
    for page in pages:
        text = page.content.decode().lower()
        assert not re.search(
            r"confirm(ed)? (it|yet|your email)|code by email|or email address", text
        )
    assert Client().get("/account/code/").status_code == 404
    assert alice_client.get("/account/email/confirm").headers["Location"] == "/account/"
    assert not Letter.objects.exists()


def test_a_person_asks_for_five_links_an_hour(alice: User, alice_client: Client) -> None:
    statuses = [alice_client.post("/account/email/confirm").status_code for _time in range(6)]
    assert statuses == [302] * 5 + [429]
    form = {"email": "new@example.org", "password": PASSWORD}
    assert alice_client.post("/account/email", form).status_code == 429
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"


def test_deleting_an_account_frees_its_address(alice: User, bob: User) -> None:
    addresses.confirm(alice)
    lifecycle.forget(alice)
    lifecycle.change_email(bob, "alice@example.org", now=timezone.now())
    assert addresses.confirm(bob)
    assert enter("alice@example.org") == "bob"
