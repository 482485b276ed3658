"""Signing in costs one password hash and tells nothing: by work done, not by seconds."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher, get_hasher, make_password
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts import addresses, lifecycle
from accounts.letters import Letter
from accounts.models import User
from accounts.sign_in_codes import SignInCode
from tests.support.emails import send_due_emails
from tests.support.fixtures import PASSWORD

OWNER = "owner@example.org"
WRONG = "wrong wrong wrong"


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Iterator[list[str]]:
    """The passwords that are hashed, in order, as the site hashes them."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    real, done = Argon2PasswordHasher.encode, []

    def encode(self: Argon2PasswordHasher, password: str, salt: str) -> str:
        done.append(password)
        return str(real(self, password, salt))

    def verify(self: Argon2PasswordHasher, password: str, encoded: str) -> bool:
        done.append(password)
        return bool(real_verify(self, password, encoded))

    real_verify = Argon2PasswordHasher.verify
    monkeypatch.setattr(Argon2PasswordHasher, "encode", encode)
    monkeypatch.setattr(Argon2PasswordHasher, "verify", verify)
    assert isinstance(get_hasher(), Argon2PasswordHasher)
    return done


@pytest.fixture
def people(db: None, hashes: list[str]) -> None:
    """One who has confirmed the address, 28 who claim it, a guest, and one who is suspended."""
    for number in range(28):
        User.objects.create_user(f"thief{number}", OWNER)
    addresses.confirm(User.objects.create_user("owner", OWNER))
    User.objects.create_user("claimant", "claimant@example.org")
    closed = User.objects.create_user("suspended", "suspended@example.org")
    addresses.confirm(closed)
    User.objects.update(password=make_password(PASSWORD))  # hashed once for all
    lifecycle.ban(closed)
    lifecycle.guest("Toucan-1")
    hashes.clear()


LOGINS = (
    *("owner", OWNER, "thief1", "claimant", "claimant@example.org", "suspended@example.org"),
    *("Toucan-1", "nobody", "nobody@example.org", "@", "x" * 254, "Ǆ@ı.İ"),
)


@pytest.mark.parametrize("login", LOGINS)
def test_an_attempt_hashes_one_password_whoever_is_meant(
    people: None, hashes: list[str], login: str
) -> None:
    answer = Client().post("/account/login/", {"login": login, "password": WRONG})
    assert "Wrong name or password." in answer.content.decode()
    assert len(hashes) == 1


@pytest.mark.parametrize("login", ["owner", OWNER])
def test_a_right_password_is_hashed_once_too(people: None, hashes: list[str], login: str) -> None:
    answer = Client().post("/account/login/", {"login": login, "password": PASSWORD})
    assert answer.status_code == 302
    assert hashes == [PASSWORD]


def test_a_claimant_never_signs_in_with_the_address(people: None) -> None:
    """Nor does anybody's password try 28 accounts: each claims the address, with this password."""
    User.objects.get(username="owner").delete()
    answer = Client().post("/account/login/", {"login": OWNER, "password": PASSWORD})
    assert "Wrong name or password." in answer.content.decode()


def looked_up(path: str, login: str) -> tuple[list[str], str]:
    """What the database is asked for this form, and the page that answers; without values."""
    client = Client()
    with CaptureQueriesContext(connection) as queries:
        answer = client.post(path, {"login": login, "password": WRONG}, follow=True)
    asked = [re.sub(r"'[^']*'|\d+|NULL", "…", each["sql"]) for each in queries]
    text = answer.content.decode().replace(f'"{login}"', "…").replace(f">{login}<", "…")
    return asked, re.sub(r'"\w{64}"|x-csrftoken": "\w+"|data-\w+="\w+"', "", text)


@pytest.mark.parametrize("path", ["/account/login/", "/account/code/"])
@pytest.mark.parametrize(
    "logins",
    [
        ("owner", "claimant", "suspended", "Toucan-1", "nobody"),
        (OWNER, "claimant@example.org", "suspended@example.org", "nobody@example.org"),
    ],
)
def test_no_page_and_no_query_tells_who_is_known(
    people: None, path: str, logins: tuple[str, ...]
) -> None:
    answers = [looked_up(path, login) for login in logins]
    assert all(answer == answers[0] for answer in answers)


def test_asking_for_codes_reads_no_account(people: None) -> None:
    queries, _page = looked_up("/account/code/", OWNER)
    assert not any("accounts_user" in each for each in queries if "signincode" not in each)


@pytest.mark.slow
def test_attempts_by_name_and_by_address_are_counted_apart(people: None) -> None:
    """A common counter would tell strangers whose address it is."""
    for _try in range(6):
        Client().post("/account/login/", {"login": "owner", "password": WRONG})
    answer = Client().post("/account/login/", {"login": OWNER, "password": WRONG})
    assert "Wrong name or password." in answer.content.decode()


def test_guessing_the_password_of_an_address_stops_after_five_tries(people: None) -> None:
    for spelled in (OWNER, OWNER.upper(), f" {OWNER}", OWNER.title(), OWNER):
        Client().post("/account/login/", {"login": spelled, "password": WRONG})
    answer = Client().post("/account/login/", {"login": OWNER, "password": PASSWORD})
    assert "Too many sign-in attempts" in answer.content.decode()


def test_a_flood_of_sign_ups_sends_one_mailbox_five_letters(db: None) -> None:
    for number in range(28):
        form = {"username": f"thief{number}", "password1": PASSWORD}
        Client().post("/account/signup/", form | {"email": f"owner+{number}@example.org"})
    assert len(send_due_emails()) == 5
    assert not Letter.objects.exists()


def test_a_flood_of_codes_leaves_few_rows(db: None) -> None:
    for number in range(40):
        Client().post("/account/code/", {"login": f"nobody{number}"})
    assert SignInCode.objects.count() == Letter.objects.count() == 20
