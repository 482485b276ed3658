"""Signing in with the help of letters, on a phone, in the longest language: each by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.fixtures import PASSWORD
from tests.support.live_site import QUICK_SIGN_UP, LiveSite
from tests.support.mail_server import MailServer, mail_server

pytestmark = pytest.mark.e2e

NEW = "eleven condors in a cup"
PHONE = {"viewport": {"width": 320, "height": 568}}
Visitor = Callable[..., Page]
languages = pytest.mark.parametrize("language", ["fr"])


@pytest.fixture
def server() -> Iterator[MailServer]:
    with mail_server() as running:
        yield running


@pytest.fixture
def site(new_site: Callable[..., LiveSite], server: MailServer) -> LiveSite:
    """A site whose letters reach the mail server."""
    site = new_site(EMAIL_URL=server.url, **QUICK_SIGN_UP)
    site.start()
    return site


def newest(server: MailServer) -> str:
    """What the next letter says; there was none before."""
    server.wait(1)
    text = server.taken[-1][1].get_content()
    server.taken.clear()
    return str(text)


def send(page: Page, **fields: str) -> None:
    """Fill in the first form of the page and press its button, which needs no scrolling."""
    for name, value in fields.items():
        page.locator(f"main [name={name}]").first.fill(value)
    button = page.locator("main form button.primary").first
    button.click()
    page.wait_for_load_state()


def fits(page: Page) -> None:
    """Nothing is wider than the phone."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def sign_up(site: LiveSite, page: Page, server: MailServer) -> None:
    """Dora, whose address is confirmed by the letter that she gets; then she signs out."""
    page.goto(f"{site.url}/account/signup/")
    send(page, username="Dora", email="dora@example.org", password1=PASSWORD)
    link = re.search(r"http\S+/email/confirm/\S+", newest(server))
    assert link
    page.goto(link[0])
    fits(page)
    expect(page.locator("main")).to_contain_text("dora@example.org")
    send(page)
    expect(page).to_have_url(f"{site.url}/account/")
    page.context.clear_cookies()


def signed_in_as(page: Page, name: str) -> None:
    expect(page.locator("nav .me")).to_have_text(name)


@languages
def test_an_address_is_confirmed_and_signs_in(
    site: LiveSite, server: MailServer, visitor: Visitor, language: str
) -> None:
    page = visitor(locale=language, **PHONE)
    sign_up(site, page, server)
    page.goto(f"{site.url}/account/login/?next=/rules")
    expect(page.locator("html")).to_have_attribute("lang", language)
    send(page, login="Dora@Example.org", password=PASSWORD)
    expect(page).to_have_url(f"{site.url}/rules")
    signed_in_as(page, "Dora")


@languages
def test_who_has_not_confirmed_is_asked_after_signing_in(
    site: LiveSite, server: MailServer, visitor: Visitor, language: str
) -> None:
    page = visitor(locale=language, **PHONE)
    page.goto(f"{site.url}/account/signup/")
    send(page, username="Dora", email="dora@example.org", password1=PASSWORD)
    newest(server)
    page.context.clear_cookies()
    page.goto(f"{site.url}/account/login/")
    send(page, login="Dora", password=PASSWORD)
    question = page.locator("#messages a[href='/account/email/confirm']")
    expect(question).to_be_in_viewport(ratio=1)
    fits(page)
    question.click()
    expect(page.locator("main form button.primary").first).to_be_in_viewport(ratio=1)
    fits(page)


@languages
@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
def test_a_code_signs_in_after_a_look_at_the_mail(
    site: LiveSite, server: MailServer, visitor: Visitor, language: str, script: bool
) -> None:
    page = visitor(locale=language, java_script_enabled=script, **PHONE)
    sign_up(site, page, server)
    page.goto(f"{site.url}/account/login/?next=/rules")
    send(page, login="Dora", password="wrong wrong")
    expect(page.locator("main .errors")).to_be_focused()
    fits(page)
    page.locator("main form[action='/account/code/'] button").click()
    expect(page.locator("[name=code]")).to_be_focused()
    fits(page)
    [code] = re.findall(r"^\d{6}\b", newest(server), re.MULTILINE)
    page.goto("about:blank")  # the mail app; the phone has forgotten the page meanwhile
    page.go_back()
    page.reload()
    send(page, code=f"{(int(code) + 1) % 1_000_000:06}")
    expect(page.locator("[name=code]")).to_be_focused()
    send(page, code=code)
    expect(page).to_have_url(f"{site.url}/rules")
    signed_in_as(page, "Dora")


@languages
def test_a_reset_signs_in_and_says_so_once(
    site: LiveSite, server: MailServer, visitor: Visitor, language: str
) -> None:
    page = visitor(locale=language, **PHONE)
    sign_up(site, page, server)
    page.goto(f"{site.url}/account/login/?next=/rules")
    page.locator("main a[href^='/account/password/reset/']").click()
    send(page, email="dora@example.org")
    link = re.search(r"http\S+/password/reset/key/\S+", newest(server))
    assert link
    page.goto(link[0])
    send(page, password1=NEW, password2="another one than that")
    expect(page.locator("[name=password2]")).to_be_focused()
    fits(page)
    send(page, password1=NEW, password2=NEW)
    expect(page).to_have_url(f"{site.url}/rules")
    signed_in_as(page, "Dora")
    said = page.locator("#messages .message")
    assert len(set(said.all_inner_texts())) == said.count() > 0
    page.reload()
    expect(said).to_have_count(0)


@languages
def test_a_visitor_who_would_rather_sign_in_sits_at_the_table_afterwards(
    site: LiveSite, server: MailServer, visitor: Visitor, language: str
) -> None:
    host = visitor(locale=language, **PHONE)
    sign_up(site, host, server)
    page = visitor(locale=language, **PHONE)
    host.goto(f"{site.url}/account/login/")
    send(host, login="Dora", password=PASSWORD)
    host.goto(f"{site.url}/games/new")
    host.locator("main form button.primary").first.click()
    host.wait_for_url(re.compile(r"/games/\w{10}$"))
    page.goto(host.url)
    page.locator("button[formaction$='/sit']").click()
    expect(page).to_have_url(re.compile("/account/login/"))
    page.locator("main a[href^='/account/signup/']").click()
    send(page, username="Emma", password1=PASSWORD)
    expect(page).to_have_url(host.url)
    expect(page.locator("#own[data-seat]")).to_have_count(1)
