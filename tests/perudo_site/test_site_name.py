"""The site has the name that its host gave it, wherever a name of the site is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from email.message import Message
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.contract import catalogue
from games.play import before_start
from tests.support import tour
from tests.support.emails import send_due_emails

OURS = "The Toucan Club"
TITLE = r"<title>(.*?)</title>(?=.*</head>)"  # of a page; in a drawing it names a part
NAMED = (TITLE, r'data-title="(.*?)"', r'<a class="brand".*?</svg>(.*?)</a>')
_META = "og:site_name|application-name|apple-mobile-web-app-title"
META = rf'<meta (?=[^>]*(?:{_META}))[^>]*content="(.*?)"'


def assert_titles_have_the_name(pages: Iterable[tour.Page]) -> None:
    """Of a leg of the tour in any language, on a site of this name; test_languages.py walks it."""
    titles = {}
    for what, page in pages:
        found = [unescape(each) for form in (*NAMED, META) for each in re.findall(form, page, re.S)]
        assert found or "<!DOCTYPE html>" not in page, what
        titles[what] = found
    assert any(titles.values())
    for what, found in titles.items():
        assert [title for title in found if "Perudo" in title] == [], what
        assert [title for title in found if OURS not in title] == [], what


def test_a_site_of_any_name_sends_its_files_and_letters(
    alice: User, alice_client: Client, settings: Any, subtests: pytest.Subtests
) -> None:
    for name in ("Перудо", "Le Péru d’Élise", 'The "Toucan" Club; x', "a/b\\c"):
        with subtests.test(name=name):
            assert_sends_its_files_and_letters(alice, alice_client, settings, name)


def assert_sends_its_files_and_letters(
    alice: User, alice_client: Client, settings: Any, name: str
) -> None:
    settings.SITE_NAME = name
    settings.ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{name}] "
    settings.MFA_TOTP_ISSUER = name
    answer = alice_client.get("/account/data")
    assert answer.headers["Content-Type"] == "application/json"
    header = answer.headers["Content-Disposition"]
    assert header.isascii() and header.startswith("attachment; filename")
    file = Message()
    file["Content-Disposition"] = header
    assert file.get_filename() == f"{name.lower()}.json"
    Client().post("/account/password/reset/", {"email": alice.email})
    [letter] = send_due_emails()
    assert letter.subject.startswith(f"[{name}] ")
    assert letter.message().as_bytes().partition(b"\n\n")[0].isascii()


def test_the_app_on_a_home_screen_has_it(client: Client, settings: Any) -> None:
    settings.SITE_NAME = OURS
    manifest = json.loads(client.get("/manifest.webmanifest").content)
    assert manifest["name"].startswith(OURS)
    assert manifest["short_name"] == OURS


@pytest.mark.parametrize("site", ["", OURS])
def test_pages_of_a_game_never_have_the_name_of_another(
    alice: User, client: Client, settings: Any, site: str
) -> None:
    """Where the site is called like one of its games; what the host has chosen stays everywhere."""
    settings.SITE_NAME = site or settings.SITE_NAME
    for kind in catalogue.every():
        usual = before_start.quick_settings(kind.key, bots=2)
        table = f"/games/{before_start.open_game(alice, usual, now=timezone.now()).code}"
        learn = f"/learn/{kind.key}"
        pages = (table, f"{table}/board", f"/rules/{kind.key}", learn, f"{learn}/1")
        for page in (*pages, f"{learn}/finished"):
            html = client.get(page).text
            found = {unescape(each) for form in NAMED for each in re.findall(form, html, re.S)}
            ends = {each.split(" – ")[-1].strip() for each in found}
            assert ends == {site or kind.words.name()}, page
