"""Rate limits of posts, per user and per address."""

from __future__ import annotations

from html import unescape
from http import HTTPStatus

import pytest
from allauth.account.adapter import get_adapter
from django.test import Client, RequestFactory, override_settings
from django.utils import translation

from accounts.models import User
from perudo_site.ratelimit import local
from tests.support.cases import untouched
from tests.support.fast_games import running_game
from tests.support.fixtures import signed_in

TOO_MANY = HTTPStatus.TOO_MANY_REQUESTS


@pytest.fixture
def few_posts(settings: object) -> None:
    settings.POSTS_PER_PERSON, settings.POSTS_PER_ADDRESS = 3, 5  # type: ignore[attr-defined]


def test_posts_are_limited_per_user(
    few_posts: None, alice_client: Client, bob_client: Client
) -> None:
    tries = [alice_client.post("/language", {"language": "fr"}).status_code for _ in range(4)]
    assert tries == [302, 302, 302, TOO_MANY]
    assert bob_client.post("/language", {"language": "fr"}).status_code == HTTPStatus.FOUND


def test_posts_are_limited_per_address(few_posts: None, client: Client, db: None) -> None:
    tries = [Client().post("/language", {"language": "fr"}).status_code for _ in range(6)]
    assert tries == [302] * 5 + [TOO_MANY]
    elsewhere = client.post("/language", {"language": "fr"}, REMOTE_ADDR="192.0.2.1")
    assert elsewhere.status_code == HTTPStatus.FOUND


def test_every_method_that_may_change_something_counts(
    few_posts: None, alice_client: Client, subtests: pytest.Subtests
) -> None:
    for method in ["post", "put", "patch", "delete"]:
        with subtests.test(method=method), untouched():
            tries = [getattr(alice_client, method)("/language").status_code for _ in range(4)]
            assert tries[-1] == TOO_MANY
            assert TOO_MANY not in tries[:-1]


def test_get_requests_are_not_counted(few_posts: None, alice_client: Client) -> None:
    assert {alice_client.get("/rules").status_code for _ in range(10)} == {HTTPStatus.OK}


def test_a_post_without_a_token_counts_too(few_posts: None, db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    tries = [client.post("/language").status_code for _ in range(6)]
    assert tries == [403] * 5 + [TOO_MANY]


def test_the_page_is_in_the_users_language_with_retry_after(few_posts: None, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(language="it")
    client = signed_in(alice)
    for _ in range(4):
        answer = client.post("/account/guest")
    with translation.override("it"):
        title = translation.gettext("Not so fast")
    assert answer.status_code == TOO_MANY
    assert title != "Not so fast" and title in unescape(answer.content.decode())
    assert answer["Retry-After"] == "60"


def test_at_a_table_a_notice_appears_and_nothing_is_done(
    few_posts: None, alice: User, bob: User, subtests: pytest.Subtests
) -> None:
    for language in ["en", "fr", "it", "es"]:
        with subtests.test(language=language), untouched():
            User.objects.update(language=language)
            game = running_game(alice, bob)
            client, htmx = signed_in(alice), {"HX-Request": "true"}
            for _ in range(3):
                client.post(f"/games/{game.code}/move", {"do": "nonsense"}, headers=htmx)
            form = {"do": "leave"}
            answer = client.post(f"/games/{game.code}/move", form, headers=htmx)
            words = "Too many requests. Please wait a minute and try again."
            with translation.override(language):
                sentence = translation.gettext(words)
            assert answer.status_code == TOO_MANY
            assert (sentence == words) == (language == "en")
            assert f'<p class="notice error">{sentence}</p>' in unescape(answer.content.decode())
            assert not game.seat_set.filter(gone=True).exists()


def test_the_address_is_the_one_the_proxies_report(subtests: pytest.Subtests) -> None:
    for peer, proxies, forwarded, address in [
        ("192.0.2.1", 0, "198.51.100.7", "192.0.2.1"),
        ("192.0.2.1", 1, "198.51.100.7", "198.51.100.7"),
        ("192.0.2.1", 1, "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        ("192.0.2.1", 2, "203.0.113.9, 198.51.100.7", "203.0.113.9"),
        ("192.0.2.1", 2, "198.51.100.7", "192.0.2.1"),  # fewer proxies than promised
        ("2001:db8:1:2:3:4:5:6", 0, "", "2001:db8:1:2::"),
        ("", 0, "", ""),
    ]:
        with subtests.test(peer=peer, proxies=proxies, forwarded=forwarded):
            headers = {"X-Forwarded-For": forwarded} if forwarded else {}
            request = RequestFactory().get("/", REMOTE_ADDR=peer, headers=headers)
            with override_settings(ALLAUTH_TRUSTED_PROXY_COUNT=proxies):
                assert local.client_address(request) == address
                if address and ":" not in address and peer != address:
                    assert get_adapter().get_client_ip(request) == address


def test_an_ipv6_household_counts_as_one_address(few_posts: None, db: None) -> None:
    tries = [
        Client().post("/language", REMOTE_ADDR=f"2001:db8::{n:x}").status_code for n in range(6)
    ]
    assert tries[-1] == TOO_MANY
