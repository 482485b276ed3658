"""What all pages have in common: headers, errors in sentences, the person's language."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import get_resolver, path

from accounts.models import User
from perudo_site import errors, urls
from tests.support.fixtures import signed_in
from tests.support.live_site import ROOT

PUBLIC_PAGES = ["/account/login/", "/account/signup/", "/account/password/reset/"]
OWN_PAGES = ["/account/", "/account/email", "/account/password/change/", "/account/delete"]


def breaking(request: HttpRequest) -> None:
    raise RuntimeError("a secret of the inside")


# This file is a map of the site too: with one page more, which always breaks.
urlpatterns = [*urls.urlpatterns, path("breaking", breaking)]
handler500 = urls.handler500


def test_public_pages_read_without_a_session_and_ones_own_when_signed_in(
    client: Client, alice: User
) -> None:
    for reader, addresses in ((client, PUBLIC_PAGES), (signed_in(alice), OWN_PAGES)):
        for address in addresses:
            answer = reader.get(address)
            assert (answer.status_code, answer.text.count("<h1>")) == (200, 1), address


def test_every_control_of_a_form_has_a_label(alice_client: Client) -> None:
    for address in PUBLIC_PAGES + OWN_PAGES:
        page = alice_client.get(address).text
        controls = set(re.findall(r'<(?:input|select|textarea)[^>]* id="(id_\w+)"', page))
        assert controls, address
        inside = re.findall(r'<label>\s*<input[^>]* id="(id_\w+)"', page)
        assert controls <= {*re.findall(r'<label for="(\w+)"', page), *inside}, address


def test_nothing_inline_would_need_a_weaker_content_policy(client: Client, db: None) -> None:
    for address in PUBLIC_PAGES:
        answer = client.get(address)
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"], address
        assert "unsafe" not in answer.headers["Content-Security-Policy"], address
        inline = r"<style|\sstyle=|\son\w+=|<script(?![^>]* src=)"
        assert not re.search(inline, answer.text), address
        assert not re.search(r'(?:src|href)="(?:https?:)?//', answer.text), address


def test_no_cache_keeps_a_page(client: Client, db: None) -> None:
    for address in ("/account/login/", "/healthz", "/nothing-here"):
        assert "no-store" in client.get(address).headers["Cache-Control"]


def test_a_static_file_may_be_cached(client: Client, db: None) -> None:
    answer = client.get("/static/perudo/dice.svg")
    assert answer.status_code == 200
    assert "no-store" not in answer.headers.get("Cache-Control", "")
    answer.close()


def test_a_missing_page_is_a_sentence(client: Client, db: None) -> None:
    answer = client.get("/nothing-here")
    assert answer.status_code == 404
    assert "Page not found" in answer.content.decode()


def test_a_form_without_its_token_is_refused_in_a_sentence(alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/account/guest")
    assert answer.status_code == 403
    assert "Please submit the form again" in answer.content.decode()


def test_a_refusal_is_a_page_with_its_status(rf: RequestFactory) -> None:
    for handler, status, said in (
        (errors.bad_request, 400, "Bad request"),
        (errors.forbidden, 403, "You don't have access"),
        (errors.too_many_requests, 429, "Not so fast"),
    ):
        answer = handler(rf.get("/"), Exception("inside"))
        assert answer.status_code == status
        assert said in answer.content.decode()
        assert "inside" not in answer.content.decode()


@pytest.mark.urls(__name__)
def test_a_broken_page_tells_people_nothing_of_the_inside(
    client: Client, alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    client.raise_request_exception = False
    client.force_login(alice)
    answer = client.get("/breaking?card=4111")
    assert answer.status_code == 500
    assert "Something went wrong" in answer.content.decode()
    assert "secret of the inside" not in answer.content.decode()
    assert any(record.levelno == logging.ERROR for record in caplog.records)


def test_even_a_broken_page_for_broken_pages_answers(
    rf: RequestFactory, settings: object, tmp_path: Path
) -> None:
    settings.TEMPLATES = [  # type: ignore[attr-defined]
        {"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": [tmp_path]}
    ]
    answer = errors.server_error(rf.get("/"))
    assert answer.status_code == 500
    assert answer.content.decode().startswith("Something went wrong on our side.")


def test_a_signed_in_person_reads_in_the_language_of_choice(
    alice: User, alice_client: Client
) -> None:
    User.objects.filter(pk=alice.pk).update(language="it")
    answer = alice_client.get("/account/", headers={"Accept-Language": "fr"})
    assert answer.headers["Content-Language"] == "it"
    assert '<html lang="it"' in answer.content.decode()


def test_a_stranger_reads_in_the_browsers_language(client: Client, db: None) -> None:
    answer = client.get("/account/login/", headers={"Accept-Language": "es"})
    assert answer.headers["Content-Language"] == "es"


def test_a_stranger_chooses_a_language_for_this_browser(client: Client, db: None) -> None:
    answer = client.post("/language", {"language": "fr", "next": "/rules"})
    assert answer.headers["Location"] == "/rules"
    assert client.get("/account/login/").headers["Content-Language"] == "fr"


def test_a_signed_in_person_chooses_a_language_for_every_device(
    alice: User, alice_client: Client
) -> None:
    alice_client.post("/language", {"language": "es"})
    alice.refresh_from_db()
    assert alice.language == "es"


def test_an_unknown_language_changes_nothing(alice: User, alice_client: Client) -> None:
    alice_client.post("/language", {"language": "xx"})
    alice.refresh_from_db()
    assert alice.language == ""
    assert alice_client.get("/account/").headers["Content-Language"] == "en"


def test_a_language_left_over_in_the_row_does_not_break_the_page(
    alice: User, alice_client: Client
) -> None:
    User.objects.filter(pk=alice.pk).update(language="tlh")
    assert alice_client.get("/account/").headers["Content-Language"] == "en"


def test_the_theme_chosen_is_the_theme_shown(alice: User, alice_client: Client) -> None:
    User.objects.filter(pk=alice.pk).update(theme="dark")
    assert 'data-theme="dark"' in alice_client.get("/account/").content.decode()


def test_the_pulse_answers(client: Client, db: None) -> None:
    assert client.get("/healthz").content == b"ok"


def test_no_page_of_allauths_own_design_can_be_reached() -> None:
    """Each template that allauth would render at a URL of the site is overridden."""
    views = [
        pattern.callback.view_class
        for pattern in get_resolver("accounts.urls").url_patterns
        if hasattr(pattern.callback, "view_class")
    ]
    names = {view.template_name for view in views if getattr(view, "template_name", None)}
    assert len(names) >= 6
    wrapped = {"account/signup.html", "account/logout.html"}
    wrapped |= {"mfa/authenticate.html", "mfa/totp/activate_form.html"}
    for name in names | wrapped:
        assert (ROOT / "accounts/templates" / name).is_file()
