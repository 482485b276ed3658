"""The pages about people: signing in and up, letters, the account, guests; and those for errors."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.test import Client, RequestFactory, override_settings
from django.utils import translation

from accounts import lifecycle
from accounts.models import User
from perudo_site import errors
from tests.accounts.test_two_factor import code_now
from tests.support.emails import send_due_emails
from tests.support.fast_games import open_table
from tests.support.fixtures import PASSWORD
from tests.support.tour.visitor import Page, TourVisitor


def sign_in_pages(language: str, *_: User) -> Iterator[Page]:
    """Signing in and up, a forgotten password, and what a form says to mistakes."""
    stranger = TourVisitor(language)
    yield stranger.post("/language", language=language)
    pages = (
        "/rules/perudo",
        "/offline",
        "/privacy",
        "/account/login/",
        "/account/signup/",
        "/account/inactive/",
    )
    for address in pages:
        yield stranger.get(address)
    for rest in ("", "done/", "key/x-y/", "key/done/"):
        yield stranger.get(f"/account/password/reset/{rest}")
    told = {"IMPRINT": ["1", "2"], "CONTACT_EMAIL": "ask@example.org", "LOG_DAYS": 9}
    with override_settings(**told, BACKUP_DAYS=30):
        yield stranger.get("/privacy")
        yield stranger.get("/imprint")
    yield stranger.post("/account/login/")
    yield stranger.post("/account/login/", login="nobody", password="wrong")
    yield stranger.post("/account/signup/")
    for name in ("ab", "a b c", "abc\u3164", "admin", "аlice", "alice", "al1ce", "x" * 30):
        yield stranger.post("/account/signup/", username=name, password1="short")
    for password in ("1234567", "password", "12345678901", "newcomer1"):
        again = {"username": "newcomer", "password1": password}
        yield stranger.post("/account/signup/", email="no", **again)
        yield stranger.post("/account/signup/", **again)
    yield stranger.post("/account/password/reset/", email="no")
    yield TourVisitor(language, User.objects.create_user("keeper")).get("/account/welcome")


def letters(language: str, *_: User) -> Iterator[Page]:
    """The letters, and the page to which the one about a forgotten password leads."""
    stranger = TourVisitor(language)
    User.objects.create_user("dora", "dora@example.org", PASSWORD)
    stranger.post("/account/password/reset/", email="dora@example.org")
    [letter] = send_due_emails()
    yield "letter about a new password", f"{letter.subject}\n{letter.body}"
    key = next(word for word in letter.body.split() if "/key/" in word)
    answer = stranger.client.get(key, follow=True)
    yield "a new password", answer.content.decode()
    wrong = {"password1": "1234", "password2": "4321"}
    yield stranger.post(answer.request["PATH_INFO"], **wrong)
    right = {"password1": PASSWORD, "password2": PASSWORD}
    yield stranger.post(answer.request["PATH_INFO"], **right)
    yield from code_by_mail(language)
    yield from confirmation(language)
    owner = TourVisitor(language, User.objects.get(username="dora"))
    owner.post("/account/email", email="", password=PASSWORD)
    [letter] = send_due_emails()
    yield "letter about another address", f"{letter.subject}\n{letter.body}"


def code_by_mail(language: str) -> Iterator[Page]:
    """A code instead of Dora's password: offered, asked for, mailed, entered."""
    stranger = TourVisitor(language)
    yield stranger.get("/account/code/")
    yield stranger.post("/account/code/", login="")
    yield stranger.post("/account/code/", login="dora@example.org")
    [letter] = send_due_emails()
    yield "letter with a code", f"{letter.subject}\n{letter.body}"
    for _try in range(5):  # the last one is too many
        yield stranger.post("/account/code/enter/", code="x")


def confirmation(language: str) -> Iterator[Page]:
    """The address of a new account is confirmed; one that belongs to Dora's is not."""
    person = User.objects.create_user("federica", "federica@example.org", PASSWORD)
    yield TourVisitor(language).post("/account/login/", login="federica", password=PASSWORD)
    visitor = TourVisitor(language, person)
    yield visitor.get("/account/")
    yield visitor.get("/account/email/confirm")
    yield visitor.post("/account/email/confirm")
    [letter] = send_due_emails()
    yield "letter to confirm an address", f"{letter.subject}\n{letter.body}"
    link = next(word for word in letter.body.split() if "/confirm/" in word)
    path = link.removeprefix("http://testserver")
    yield visitor.get(path)
    yield visitor.post(path)
    yield visitor.post("/account/email/confirm/x/")
    visitor.post("/account/email", email="dora@example.org", password=PASSWORD)
    letters = {letter.to[0]: letter for letter in send_due_emails()}
    letter = letters["dora@example.org"]
    yield "letter about an address in use", f"{letter.subject}\n{letter.body}"


def account_pages(language: str, *_: User) -> Iterator[Page]:
    """The pages of a person's account."""
    visitor = TourVisitor(language, User.objects.create_user("eve", password=PASSWORD))
    for address in ("", "email", "password/change/", "delete", "logout/"):
        yield visitor.get(f"/account/{address}")
    yield visitor.post("/account/", username="", language="xx")
    yield visitor.post("/account/", username="eve", language="", theme="")
    yield visitor.post("/account/email", email="no", password="wrong")
    yield visitor.post("/account/email", email="eve@example.org", password=PASSWORD)
    wrong = {"oldpassword": "wrong", "password1": "1234", "password2": "4321"}
    yield visitor.post("/account/password/change/", **wrong)
    right = {"oldpassword": PASSWORD, "password1": PASSWORD, "password2": PASSWORD}
    yield visitor.post("/account/password/change/", **right)
    yield visitor.post("/account/delete", password="wrong")
    yield visitor.post("/account/logout/")
    yield from taken_along(language)
    back = TourVisitor(language)
    yield back.post("/account/login/", login="eve", password=PASSWORD)
    yield back.post("/account/delete", password=PASSWORD)


def taken_along(language: str) -> Iterator[Page]:
    """A guest signs in as Eve, who sits at one table too, and has no room for the other."""
    guest, eve = lifecycle.guest("frida"), User.objects.get(username="eve")
    for _number in range(2):
        open_table(guest, eve)
    for _number in range(3):
        open_table(eve, guest)
    open_table(guest, "steady")
    visitor = TourVisitor(language, guest)
    yield visitor.get("/account/login/")
    visitor.post("/account/login/", login="eve", password=PASSWORD)
    yield visitor.get("/account/hand-over/")
    visitor.post("/account/hand-over/", do="take")


def without_key(page: Page) -> Page:
    """A key for an app is in no language."""
    where, text = page
    return where, re.sub(r"<code>.*?</code>", "", text)


def two_factor(language: str, *_: User) -> Iterator[Page]:
    """The second step of signing in, from its square to its end."""
    person = User.objects.create_user("grace", password=PASSWORD)
    visitor = TourVisitor(language, person)
    step = "/account/two-factor/"
    for old in ("/account/second-step/", "/account/second-step/codes/"):
        yield visitor.get(old, 308)
    yield visitor.get(step)
    yield visitor.get(f"{step}set-up/", 302)
    yield visitor.get("/account/reauthenticate/")
    yield visitor.post("/account/reauthenticate/", password="wrong")
    visitor.post("/account/reauthenticate/", password=PASSWORD)
    yield without_key(visitor.get(f"{step}set-up/"))
    yield without_key(visitor.post(f"{step}set-up/", code=""))
    yield without_key(visitor.post(f"{step}set-up/", code="000000"))
    secret = visitor.client.session["mfa.totp.secret"]
    yield visitor.post(f"{step}set-up/", code=code_now(secret))
    for rest in ("", "codes/", "codes/new/", "codes/download/", "turn-off/", "again/"):
        yield visitor.get(f"{step}{rest}")
    yield visitor.post(f"{step}codes/new/")
    back = TourVisitor(language)
    yield back.post("/account/login/", login="grace", password=PASSWORD)
    for _number in range(6):  # the last ones are too many
        yield back.post(f"{step}enter/", code="000000")
    person.is_staff = True
    person.save(update_fields=["is_staff"])
    for rest in ("", "codes/", "turn-off/"):
        yield visitor.get(f"{step}{rest}")
    yield visitor.post(f"{step}turn-off/")
    yield without_key(visitor.post("/admin/"))


def guest_pages(language: str, *_: User) -> Iterator[Page]:
    """What is different for a guest."""
    guest = TourVisitor(language, User.objects.create_user("Toucan-4821", is_guest=True))
    in_app = f"Mozilla/5.0 (Linux; Android 14; {language}; wv) AppleWebKit/537.36"
    for visitor in (guest, TourVisitor(language)):
        visitor.client.defaults["HTTP_USER_AGENT"] = in_app
        yield visitor.get("/rules")
        del visitor.client.defaults["HTTP_USER_AGENT"]
    for address in ("/", "/account/", "/account/keep", "/account/delete", "/account/logout/"):
        yield guest.get(address)
    yield guest.get("/account/password/set/", 302)
    yield guest.post("/account/guest", next="/")
    yield guest.post("/account/delete")
    yield guest.post("/account/keep", username="", password1="1")
    yield guest.post("/account/keep", username="keeper", password1=PASSWORD)


def error_pages(language: str, *_: User) -> Iterator[Page]:
    """The pages for errors."""
    yield TourVisitor(language).get("/nothing-here", 404)
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
