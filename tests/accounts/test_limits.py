"""How often one may try: real limits, reached by really trying."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.conftest import PASSWORD

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
    forms = [
        {"username": f"dora{number}", "password1": PASSWORD, "password2": PASSWORD}
        for number in range(signups + 1)
    ]
    assert limited("/account/signup/", forms) == [302] * signups + [TOO_MANY]
    assert User.objects.count() == signups


def test_one_mailbox_gets_only_so_many_letters(alice: User) -> None:
    statuses = limited("/account/password/reset/", [{"email": alice.email}] * 6)
    assert statuses == [302] * 5 + [TOO_MANY]
    assert len(mail.outbox) == 5


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
