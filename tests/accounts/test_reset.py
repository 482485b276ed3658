"""The way back for those who forgot the password, and who learns what on the way."""

from __future__ import annotations

import re

from django.core import mail
from django.test import Client

from accounts.models import User
from tests.conftest import PASSWORD

NEW = "eleven condors in a cup"


def link_in_the_letter() -> str:
    found = re.search(r"http://testserver(/\S+)", str(mail.outbox[-1].body))
    assert found
    return found[1]


def test_a_forgotten_password_is_replaced_by_letter(client: Client, alice: User) -> None:
    client.post("/account/password/reset/", {"email": "Alice@Example.org"})
    page = client.get(link_in_the_letter(), follow=True)
    where = page.redirect_chain[-1][0]
    done = client.post(where, {"password1": NEW, "password2": NEW}, follow=True)
    assert "Password changed" in done.content.decode()
    alice.refresh_from_db()
    assert alice.check_password(NEW)


def test_a_link_works_once(client: Client, alice: User) -> None:
    client.post("/account/password/reset/", {"email": alice.email})
    link = link_in_the_letter()
    where = client.get(link, follow=True).redirect_chain[-1][0]
    client.post(where, {"password1": NEW, "password2": NEW})
    again = Client().get(link, follow=True)
    assert "has expired or has already been used" in again.content.decode()


def test_the_letter_names_the_account_and_the_site(client: Client, alice: User) -> None:
    client.post("/account/password/reset/", {"email": alice.email})
    letter = mail.outbox[0]
    assert letter.to == [alice.email]
    assert letter.subject == "[Perudo] Choose a new password"
    assert "“alice”" in letter.body


def test_the_page_never_tells_whether_an_address_is_known(client: Client, alice: User) -> None:
    answers = [
        client.post("/account/password/reset/", {"email": address}, follow=True)
        for address in (alice.email, "stranger@example.org")
    ]
    assert answers[0].redirect_chain == answers[1].redirect_chain
    without_tokens = [
        re.sub(r'(csrfmiddlewaretoken" value=|x-csrftoken": )"\w+"|data-now="\d+"', "", text)
        for text in (answer.content.decode() for answer in answers)
    ]
    assert without_tokens[0] == without_tokens[1]


def test_the_owner_of_an_unknown_address_is_told_by_letter(client: Client, alice: User) -> None:
    client.post("/account/password/reset/", {"email": "stranger@example.org"})
    assert mail.outbox[0].subject == "[Perudo] No account with this address"
    assert "/account/signup/" in mail.outbox[0].body


def test_a_reset_ends_every_session(client: Client, alice: User, alice_client: Client) -> None:
    client.post("/account/password/reset/", {"email": alice.email})
    where = client.get(link_in_the_letter(), follow=True).redirect_chain[-1][0]
    client.post(where, {"password1": NEW, "password2": NEW})
    assert alice_client.get("/account/").status_code == 302


def test_a_closed_account_gets_no_link(client: Client, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    client.post("/account/password/reset/", {"email": alice.email})
    assert "/password/reset/key/" not in "".join(str(letter.body) for letter in mail.outbox)
    assert alice.check_password(PASSWORD)
