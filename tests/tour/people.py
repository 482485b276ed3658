"""The pages about people: signing in and up, letters, the account, guests; and those for errors."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.test import Client, RequestFactory
from django.utils import translation

from accounts.models import User
from perudo_site import errors
from tests.accounts.letters import send_letters
from tests.accounts.test_second_step import code_now
from tests.conftest import PASSWORD
from tests.tour.visitor import Page, Visitor


def doors(language: str, *_: User) -> Iterator[Page]:
    """Signing in and up, a forgotten password, and what a form says to mistakes."""
    stranger = Visitor(language)
    yield stranger.posts("/language", language=language)
    pages = (
        "/rules/perudo",
        "/offline",
        "/account/login/",
        "/account/signup/",
        "/account/inactive/",
    )
    for address in pages:
        yield stranger.gets(address)
    for rest in ("", "done/", "key/x-y/", "key/done/"):
        yield stranger.gets(f"/account/password/reset/{rest}")
    yield stranger.posts("/account/login/")
    yield stranger.posts("/account/login/", login="nobody", password="wrong")
    yield stranger.posts("/account/signup/")
    for name in ("ab", "a b c", "abc\u3164", "admin", "аlice", "alice", "al1ce", "x" * 30):
        yield stranger.posts("/account/signup/", username=name, password1=PASSWORD)
    for password in ("1234567", "password", "12345678901", "newcomer1"):
        again = {"password1": password, "password2": password + " "}
        yield stranger.posts("/account/signup/", username="newcomer", email="no", **again)
        again["password2"] = password
        yield stranger.posts("/account/signup/", username="newcomer", **again)
    yield stranger.posts("/account/password/reset/", email="no")


def letters(language: str, *_: User) -> Iterator[Page]:
    """The letters, and the page to which the one about a forgotten password leads."""
    stranger = Visitor(language)
    User.objects.create_user("dora", "dora@example.org", PASSWORD)
    stranger.posts("/account/password/reset/", email="dora@example.org")
    [letter] = send_letters()
    yield "letter about a new password", f"{letter.subject}\n{letter.body}"
    key = next(word for word in letter.body.split() if "/key/" in word)
    answer = stranger.client.get(key, follow=True)
    yield "a new password", answer.content.decode()
    wrong = {"password1": "1234", "password2": "4321"}
    yield stranger.posts(answer.request["PATH_INFO"], **wrong)
    right = {"password1": PASSWORD, "password2": PASSWORD}
    yield stranger.posts(answer.request["PATH_INFO"], **right)
    owner = Visitor(language, User.objects.get(username="dora"))
    owner.posts("/account/email", email="", password=PASSWORD)
    [letter] = send_letters()
    yield "letter about another address", f"{letter.subject}\n{letter.body}"


def own_rooms(language: str, *_: User) -> Iterator[Page]:
    """The pages of a person's account."""
    visitor = Visitor(language, User.objects.create_user("eve", password=PASSWORD))
    for address in ("", "email", "password/change/", "delete", "logout/"):
        yield visitor.gets(f"/account/{address}")
    yield visitor.posts("/account/", username="", language="xx")
    yield visitor.posts("/account/", username="eve", language="", theme="")
    yield visitor.posts("/account/email", email="no", password="wrong")
    yield visitor.posts("/account/email", email="eve@example.org", password=PASSWORD)
    wrong = {"oldpassword": "wrong", "password1": "1234", "password2": "4321"}
    yield visitor.posts("/account/password/change/", **wrong)
    right = {"oldpassword": PASSWORD, "password1": PASSWORD, "password2": PASSWORD}
    yield visitor.posts("/account/password/change/", **right)
    yield visitor.posts("/account/delete", password="wrong")
    yield visitor.posts("/account/logout/")
    back = Visitor(language)
    yield back.posts("/account/login/", login="eve", password=PASSWORD)
    yield back.posts("/account/delete", password=PASSWORD)


def without_key(page: Page) -> Page:
    """A key for an app is in no language."""
    where, text = page
    return where, re.sub(r"<code>.*?</code>", "", text)


def second_step(language: str, *_: User) -> Iterator[Page]:
    """The second step of signing in, from its square to its end."""
    person = User.objects.create_user("grace", password=PASSWORD)
    visitor = Visitor(language, person)
    step = "/account/second-step/"
    yield visitor.gets(step)
    yield visitor.gets(f"{step}set-up/", 302)
    yield visitor.gets("/account/reauthenticate/")
    yield visitor.posts("/account/reauthenticate/", password="wrong")
    visitor.posts("/account/reauthenticate/", password=PASSWORD)
    yield without_key(visitor.gets(f"{step}set-up/"))
    yield without_key(visitor.posts(f"{step}set-up/", code=""))
    yield without_key(visitor.posts(f"{step}set-up/", code="000000"))
    secret = visitor.client.session["mfa.totp.secret"]
    yield visitor.posts(f"{step}set-up/", code=code_now(secret))
    for rest in ("", "codes/", "codes/new/", "codes/download/", "turn-off/", "again/"):
        yield visitor.gets(f"{step}{rest}")
    yield visitor.posts(f"{step}codes/new/")
    back = Visitor(language)
    yield back.posts("/account/login/", login="grace", password=PASSWORD)
    for _number in range(6):  # the last ones are too many
        yield back.posts(f"{step}enter/", code="000000")
    person.is_staff = True
    person.save(update_fields=["is_staff"])
    for rest in ("", "codes/", "turn-off/"):
        yield visitor.gets(f"{step}{rest}")
    yield visitor.posts(f"{step}turn-off/")
    yield without_key(visitor.posts("/admin/"))


def of_guests(language: str, *_: User) -> Iterator[Page]:
    """What is different for a guest."""
    guest = Visitor(language, User.objects.create_user("Toucan-4821", is_guest=True))
    for address in ("/", "/account/", "/account/keep", "/account/delete", "/account/logout/"):
        yield guest.gets(address)
    yield guest.gets("/account/password/set/", 302)
    yield guest.posts("/account/guest", next="/")
    yield guest.posts("/account/delete")
    yield guest.posts("/account/keep", username="", password1="1", password2="2")
    right = {"password1": PASSWORD, "password2": PASSWORD}
    yield guest.posts("/account/keep", username="keeper", **right)


def broken(language: str, *_: User) -> Iterator[Page]:
    """The pages for errors."""
    yield Visitor(language).gets("/nothing-here", 404)
    suspicious = Client(enforce_csrf_checks=True, headers={"Accept-Language": language})
    answer = suspicious.post("/account/guest")
    assert answer.status_code == 403
    yield "a form without its token", answer.content.decode()
    request = RequestFactory().get("/")
    with translation.override(language):
        yield "400", errors.bad_request(request, SuspiciousOperation()).content.decode()
        yield "403", errors.forbidden(request, PermissionDenied()).content.decode()
        yield "429", errors.too_many_requests(request).content.decode()
        yield "500", errors.server_error(request).content.decode()
