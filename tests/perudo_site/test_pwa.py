"""The progressive web app: manifest, icons, service worker and offline page."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.study.questions import choosing
from perudo_site import pwa
from tests.support.fixtures import signed_in
from tests.support.live_site import ROOT

pytestmark = pytest.mark.django_db

TOKENS = (ROOT / "perudo_site/static/site/tokens.css").read_text()


def manifest(client: Client, **headers: str) -> dict[str, Any]:
    answer = client.get("/manifest.webmanifest", headers=headers)
    assert answer.headers["Content-Type"] == "application/manifest+json"
    found: dict[str, Any] = json.loads(answer.content)
    return found


def worker(client: Client) -> str:
    return client.get("/sw.js").content.decode()


def kept(script: str) -> list[str]:
    """The addresses a worker keeps."""
    found: list[str] = json.loads(re.findall(r"const KEPT = (\[.*?\]);", script)[0])
    return found


def name_of(script: str) -> str:
    return re.findall(r'const NAME = "(.+?)";', script)[0]


def png_size(path: str) -> tuple[int, int]:
    """Width and height, as the file's own head says."""
    head = Path(path).read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", head[16:24])
    return width, height


# --- the manifest --------------------------------------------------------------------------------


def test_every_page_links_the_manifest(client: Client) -> None:
    page = client.get("/").content.decode()
    # With credentials: else it would come in another language than the page.
    assert 'rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials"' in page


def test_the_manifest_says_what_a_browser_needs_to_install_the_site(client: Client) -> None:
    found = manifest(client)
    assert found["name"].startswith("Perudo")
    assert (found["short_name"], found["start_url"], found["scope"]) == ("Perudo", "/", "/")
    assert found["display"] == "standalone"
    assert found["lang"] == "en"
    assert client.get(found["start_url"]).status_code == 200


def test_the_manifest_is_in_the_users_language(alice: User, alice_client: Client) -> None:
    assert manifest(alice_client, **{"Accept-Language": "it"})["lang"] == "it"
    User.objects.filter(pk=alice.pk).update(language="es")
    assert manifest(signed_in(alice), **{"Accept-Language": "it"})["lang"] == "es"


def test_the_icons_have_the_sizes_they_declare(client: Client) -> None:
    icons = manifest(client)["icons"]
    wanted = {(size, purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")}
    assert {(icon["sizes"], icon["purpose"]) for icon in icons} == wanted
    for icon in icons:
        file = finders.find(icon["src"].removeprefix("/static/"))
        assert "{}x{}".format(*png_size(file)) == icon["sizes"]


def test_the_colours_of_the_app_are_the_theme_colours(client: Client) -> None:
    paper, card = (
        re.findall(rf"--{name}: light-dark\((.+?), (.+?)\)", TOKENS)[0]
        for name in ("paper", "card")
    )
    found = manifest(client)
    assert (found["background_color"], found["theme_color"]) == (paper[0], card[0])
    page = client.get("/").content.decode()
    bars = re.findall(r'name="theme-color" media="\(.+?: (\w+)\)" content="(.+?)"', page)
    assert dict(bars) == {"light": card[0], "dark": card[1]}


def test_its_icon_leads_to_a_game_and_to_the_question_of_the_day(client: Client) -> None:
    shortcuts = manifest(client, accept_language="en")["shortcuts"]
    assert [each["name"] for each in shortcuts] == ["Play with people", "Question of the day"]
    choosing.run(timezone.now(), 1.0)
    for each in shortcuts:
        assert client.get(each["url"], follow=True).status_code == 200
    in_french = manifest(client, accept_language="fr")["shortcuts"]
    assert in_french[1]["name"] == "Question du jour"


# What is shared with the app, and where it leads.
SHARED: list[tuple[dict[str, str], str]] = [
    ({"url": "http://testserver/f/abc"}, "/f/abc"),
    ({"text": "Come! http://testserver/games/xyz?a=1#b"}, "/games/xyz?a=1#b"),
    ({"title": "Perudo", "text": "https://testserver"}, "/"),
    ({"text": "https://evil.example/a http://testserver/t/abc"}, "/t/abc"),
    ({"url": "https://evil.example/http://testserver/"}, "/"),
    ({"url": "http://testserver//evil.example/"}, "/"),
    ({"url": "http://testserver@evil.example/f/abc"}, "/"),
    ({"url": "http://testserver:80@evil.example/f/abc"}, "/"),
    ({"url": "http://testserver.evil.example/f/abc"}, "/"),
    ({"url": "http://testserver-evil.example/f/abc"}, "/"),
    ({"url": "http://testserver/\\\\evil.example/"}, "/"),
    ({"url": "http://evil.example?to=http://testserver/f/abc"}, "/"),
    ({"url": "http://evil.example", "text": "http://testserver/f/abc"}, "/f/abc"),
    ({"text": "http://testserver/t/one or http://testserver/t/two"}, "/t/one"),
    ({"text": "http://evil.example/a,http://testserver/t/abc,http://testserver/"}, "/t/abc"),
    ({"text": "HTTP://TestServer/t/abc"}, "/t/abc"),
    ({"text": "http://testserver?next=a"}, "/?next=a"),
    ({"text": "Go to http://testserver."}, "/"),
    ({"url": "javascript:alert(1)"}, "/"),
    ({"text": "hello"}, "/"),
    ({}, "/"),
]


def test_a_link_that_is_shared_with_the_app_opens_there_and_leads_nowhere_else(
    client: Client,
) -> None:
    target = manifest(client)["share_target"]
    assert target["method"] == "GET"
    for shared, leads in SHARED:
        sent = {target["params"][name]: text for name, text in shared.items()}
        answer = client.get(target["action"], sent)
        assert (answer.status_code, answer.headers["Location"]) == (302, leads), shared


def test_what_is_shared_without_a_link_to_this_site_is_said(client: Client) -> None:
    answer = client.get("/open", {"text": "hello"}, follow=True, headers={"accept-language": "en"})
    assert "There&#x27;s no link to this site in what you shared." in answer.content.decode()


# --- the worker ----------------------------------------------------------------------------------


def test_the_scope_of_the_service_worker_is_the_whole_site(client: Client) -> None:
    answer = client.get("/sw.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer.headers["Cache-Control"]
    assert "connect-src 'self'" in answer.headers["Content-Security-Policy"]


def test_the_service_worker_caches_the_offline_page_and_its_files(client: Client) -> None:
    page = client.get("/offline").content.decode()
    made_of = re.findall(r'<(?:link[^>]* href|script[^>]* src)="(.+?)"', page)
    assert len(made_of) == len(pwa.OFFLINE_STYLES) + 1
    assert kept(worker(client)) == ["/offline", *made_of]
    for address in made_of:
        answer = client.get(address)
        assert answer.status_code == 200
        assert b"url(" not in b"".join(answer.streaming_content)  # nothing more would be needed
        answer.close()


def test_the_service_worker_changes_with_the_offline_page(alice: User) -> None:
    client = signed_in(alice)
    names = {name_of(worker(client))}
    assert name_of(worker(client)) in names
    for change in ({"theme": "dark"}, {"theme": "light"}):
        User.objects.filter(pk=alice.pk).update(**change)
        names.add(name_of(worker(signed_in(alice))))
    assert len(names) == 3


# --- the offline page ----------------------------------------------------------------------------


def test_the_offline_page_says_so_and_offers_to_try_again(client: Client) -> None:
    page = client.get("/offline").content.decode()
    assert page.count("<h1>") == 1
    assert "You're offline" in page
    assert re.search(r'href="">Try again<', page)  # whatever address it is shown under


def test_the_offline_page_contains_nothing_about_the_user(alice_client: Client) -> None:
    page = alice_client.get("/offline").content.decode()
    assert "alice" not in page
    assert "csrf" not in page.lower()


def test_the_offline_page_has_no_inline_code(client: Client) -> None:
    page = client.get("/offline").content.decode()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]* src=)", page)


def test_these_pages_are_read_only(client: Client) -> None:
    for address in ("/offline", "/sw.js", "/manifest.webmanifest"):
        assert client.post(address).status_code == 405, address
