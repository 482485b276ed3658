"""The second step of signing in: set up, asked for, recovered, taken away."""

from __future__ import annotations

import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from io import StringIO
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
)
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts import lifecycle, two_factor
from accounts.models import User
from tests.support.fixtures import PASSWORD, signed_in, signed_in_as_staff

STEP = "/account/two-factor/"


def code_now(secret: str, *, later: int = 0) -> str:
    """What the app shows, or will show `later` codes from now; each is shown for thirty seconds.

    Near the end of them it waits for the next.
    """
    if time.time() % 30 > 27:
        time.sleep(3.1)
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + later))


def asks_who_it_is(client: Client) -> None:
    client.post("/account/reauthenticate/", {"password": PASSWORD})


def scanned(page: str) -> str:
    """The secret, as an app reads it from the address behind the square."""
    [address] = re.findall(r'href="(otpauth://[^"]+)"', page)
    [secret] = parse_qs(urlsplit(unescape(address)).query)["secret"]
    return secret


def set_up(client: Client) -> str:
    """Scan, type, done: the secret that the app keeps."""
    asks_who_it_is(client)
    secret = scanned(client.get(f"{STEP}set-up/").content.decode())
    answer = client.post(f"{STEP}set-up/", {"code": code_now(secret)})
    assert answer.headers["Location"] == f"{STEP}codes/"
    return secret


def codes(client: Client) -> list[str]:
    return re.findall(r"<code>(\d{8})</code>", client.get(f"{STEP}codes/").content.decode())


def step_in(client: Client, code: str) -> str:
    """Password and code; the page that follows."""
    answer = client.post("/account/login/", {"login": "alice", "password": PASSWORD})
    assert answer.headers["Location"] == f"{STEP}enter/"
    assert "_auth_user_id" not in client.session
    return client.post(f"{STEP}enter/", {"code": code}, follow=True).content.decode()


def test_a_person_sets_it_up_and_signs_in_with_a_code(alice: User, alice_client: Client) -> None:
    secret = set_up(alice_client)
    assert two_factor.is_set_up(alice)
    client = Client()
    assert "Welcome, alice" in step_in(client, code_now(secret, later=1))


def test_it_is_set_up_only_by_who_knows_the_password(alice_client: Client) -> None:
    answer = alice_client.get(f"{STEP}set-up/")
    assert answer.headers["Location"].startswith("/account/reauthenticate/?next=")
    answer = alice_client.post("/account/reauthenticate/", {"password": "wrong"})
    assert "Wrong password." in answer.content.decode()
    assert alice_client.get(f"{STEP}set-up/").status_code == 302


def test_a_wrong_code_turns_nothing_on(alice: User, alice_client: Client) -> None:
    asks_who_it_is(alice_client)
    alice_client.get(f"{STEP}set-up/")
    answer = alice_client.post(f"{STEP}set-up/", {"code": "000000"})
    assert "Wrong code." in answer.content.decode()
    assert not two_factor.is_set_up(alice)


def test_the_square_is_drawn_in_the_page_and_names_no_address(alice_client: Client) -> None:
    """The policy of the site allows no data: images, and it need not."""
    asks_who_it_is(alice_client)
    answer = alice_client.get(f"{STEP}set-up/")
    page = answer.content.decode()
    assert re.search(r'role="img"[^>]*><svg .*<path d="M', page) and "data:image" not in page
    assert "alice@example.org" not in page
    policy = answer.headers["Content-Security-Policy"].split("; ")
    assert "img-src 'self'" in policy
    assert answer.headers["Cache-Control"].find("no-store") >= 0


def test_the_password_alone_opens_nothing_then(alice: User, alice_client: Client) -> None:
    set_up(alice_client)
    client = Client()
    assert "Wrong code." in step_in(client, "000000")
    assert client.get("/account/").status_code == 302


def test_a_code_opens_once(alice: User, alice_client: Client) -> None:
    secret = set_up(alice_client)
    code = code_now(secret, later=1)
    assert "Welcome, " in step_in(Client(), code)
    assert "Wrong code." in step_in(Client(), code)


def with_app(person: User) -> str:
    """The secret of an app that has not shown a code to anybody yet."""
    TOTP.activate(person, secret := generate_totp_secret())
    return secret


def test_a_code_counts_one_step_early_or_late(alice: User) -> None:
    secret = with_app(alice)
    assert "Wrong code." in step_in(Client(), code_now(secret, later=-2))
    assert "Wrong code." in step_in(Client(), code_now(secret, later=2))
    for later in (-1, 0, 1):  # as of one phone, one after the other
        assert "Welcome, " in step_in(Client(), code_now(secret, later=later))


def test_no_code_is_accepted_twice_whatever_the_cache_knows(alice: User) -> None:
    """allauth forgets a code after thirty seconds, in which it is still accepted for sixty."""
    secret = with_app(alice)
    codes = [code_now(secret, later=later) for later in (-1, 0, 1)]
    for code in codes:
        assert "Welcome, " in step_in(Client(), code)
        cache.clear()
        assert "Wrong code." in step_in(Client(), code)
        assert "Wrong code." in step_in(Client(), f"{code[:3]} {code[3:]}")
    assert all("Wrong code." in step_in(Client(), code) for code in codes)


def test_an_older_code_is_refused_after_a_newer_one(alice: User) -> None:
    secret = with_app(alice)
    assert "Welcome, " in step_in(Client(), code_now(secret))
    assert "Wrong code." in step_in(Client(), code_now(secret, later=-1))


def test_a_used_code_gives_no_new_attempts(alice: User) -> None:
    """Who has seen a code could otherwise type it between guesses, which it makes forgotten."""
    secret = with_app(alice)
    assert "Welcome, " in step_in(Client(), seen := code_now(secret))
    client = Client()
    pages = [step_in(client, "000000")]
    for code in ("000001", seen, "000002", seen, "000003"):
        pages.append(client.post(f"{STEP}enter/", {"code": code}).content.decode())
    assert ["Too many sign-in attempts" in page for page in pages] == [False] * 5 + [True]


@pytest.mark.django_db(transaction=True)
def test_two_at_once_cannot_use_the_same_code(alice: User) -> None:
    secret = with_app(alice)
    [app] = Authenticator.objects.all()
    code, now = code_now(secret), timezone.now()

    def use(_number: int) -> bool:
        try:
            return two_factor.use(app, code, now=now)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as people:
        assert sorted(people.map(use, range(8))) == [False] * 7 + [True]


def test_setting_up_uses_the_code_and_is_enough_for_staff(
    alice: User, alice_client: Client
) -> None:
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    secret = set_up(alice_client)
    assert alice_client.get("/admin/").status_code == 200
    assert "Wrong code." in step_in(Client(), code_now(secret))


def test_confirming_uses_a_code_too(alice: User, alice_client: Client) -> None:
    secret = with_app(alice)
    code = code_now(secret)
    assert alice_client.post(f"{STEP}again/", {"code": code}).status_code == 302
    cache.clear()
    assert "Wrong code." in alice_client.post(f"{STEP}again/", {"code": code}).content.decode()
    assert "Wrong code." in step_in(Client(), code)


def test_codes_are_not_guessed(alice: User, alice_client: Client) -> None:
    """Five in five minutes for each account, as for passwords."""
    secret = set_up(alice_client)
    client = Client()
    step_in(client, "000000")
    for number in range(1, 6):
        page = client.post(f"{STEP}enter/", {"code": f"{number:06}"}).content.decode()
    assert "Too many sign-in attempts" in page
    answer = client.post(f"{STEP}enter/", {"code": code_now(secret)})
    assert "Too many sign-in attempts" in answer.content.decode()


def test_a_recovery_code_opens_once(alice: User, alice_client: Client) -> None:
    set_up(alice_client)
    first, second, *_others = codes(alice_client)
    assert "Welcome, " in step_in(Client(), first)
    assert "Wrong code." in step_in(Client(), first)
    assert "Welcome, " in step_in(Client(), second)
    assert "(8 left)" in alice_client.get(STEP).content.decode()


def test_new_recovery_codes_end_the_old_ones(alice: User, alice_client: Client) -> None:
    set_up(alice_client)
    old = codes(alice_client)
    assert alice_client.post(f"{STEP}codes/new/").status_code == 302
    new = codes(alice_client)
    assert len(old) == len(new) == 10 and not set(old) & set(new)
    assert "Wrong code." in step_in(Client(), old[0])
    kept = alice_client.get(f"{STEP}codes/download/")
    assert kept.content.decode().split() == new


def test_users_with_a_second_factor_confirm_with_it(alice: User) -> None:
    """A thief of session and password must not be able to turn it off."""
    client = signed_in_as_staff(alice)
    answer = client.get(f"{STEP}turn-off/")
    assert answer.headers["Location"].startswith(f"{STEP}again/?next=")
    answer = client.post("/account/reauthenticate/", {"password": PASSWORD})
    assert answer.headers["Location"].startswith(f"{STEP}again/")
    assert client.post(f"{STEP}turn-off/").status_code == 302
    assert two_factor.is_set_up(alice)


def test_it_can_be_turned_off(alice: User, alice_client: Client) -> None:
    set_up(alice_client)
    alice_client.post(f"{STEP}turn-off/")
    assert not Authenticator.objects.filter(user=alice).exists()
    answer = Client().post("/account/login/", {"login": "alice", "password": PASSWORD})
    assert answer.headers["Location"] == "/"


def test_a_guest_chooses_a_password_first(db: None) -> None:
    client = signed_in(lifecycle.guest())
    assert client.get(f"{STEP}set-up/").headers["Location"] == "/account/keep"
    assert client.get(STEP).status_code == 200


def test_a_guest_signs_in_to_an_existing_account(alice: User, alice_client: Client) -> None:
    """A guest session is active; it must not get in the way between the two steps."""
    secret = set_up(alice_client)
    client = signed_in(lifecycle.guest())
    client.post("/account/login/", {"login": "alice", "password": PASSWORD})
    assert "Open the authenticator app" in client.get(f"{STEP}enter/").content.decode()
    client.post(f"{STEP}enter/", {"code": code_now(secret, later=1)})
    assert client.session["_auth_user_id"] == str(alice.pk)


def test_nobody_enters_codes_who_has_not_given_a_password(client: Client, alice: User) -> None:
    assert client.get(f"{STEP}enter/").headers["Location"] == "/account/login/"
    assert client.post(f"{STEP}enter/", {"code": "123456"}).status_code == 302


def test_nothing_of_it_outlives_the_account(alice: User) -> None:
    signed_in_as_staff(alice)
    lifecycle.forget(alice)
    assert not Authenticator.objects.exists()


def test_my_data_tells_that_it_is_on_and_no_secret(alice: User, alice_client: Client) -> None:
    secret = set_up(alice_client)
    copy = alice_client.get("/account/data").getvalue().decode()
    assert json.loads(copy)["account"]["two_factor"] is True
    assert secret not in copy


def test_the_command_line_helps_when_phone_and_codes_are_lost(alice: User) -> None:
    signed_in_as_staff(alice)
    out = StringIO()
    call_command("remove_two_factor", "ALICE", stdout=out)
    assert "alice signs in with the password alone again." in out.getvalue()
    for name in ("alice", "nobody"):
        with pytest.raises(CommandError):
            call_command("remove_two_factor", name)


def test_the_addresses_of_once_lead_to_those_of_today() -> None:
    for old, new in (
        ("second-step/codes/new/", "two-factor/codes/new/"),
        ("second-step/again/?next=/rules", "two-factor/again/?next=/rules"),
    ):
        answer = Client().post(f"/account/{old}", {"any": "field"})
        assert (answer.status_code, answer["Location"]) == (308, f"/account/{new}")
