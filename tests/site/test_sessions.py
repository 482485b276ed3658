"""The session cookie when the session gets a new key while another request is in progress."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts import lifecycle
from tests.conftest import PASSWORD, signed_in

NEW = {"username": "Kept", "password1": PASSWORD, "password2": PASSWORD}


@pytest.mark.parametrize("address", ["/", "/sw.js", "/account/login/"])
def test_a_response_to_the_old_key_keeps_the_cookie_of_the_new_one(db: None, address: str) -> None:
    """A browser looks for a new service worker after each page, while the next one is under way."""
    browser = signed_in(lifecycle.guest())
    under_way = Client()
    under_way.cookies["sessionid"] = browser.cookies["sessionid"].value
    browser.post("/account/keep", NEW)
    assert browser.cookies["sessionid"].value != under_way.cookies["sessionid"].value
    late = under_way.get(address)
    assert "sessionid" not in late.cookies


def test_signing_out_deletes_the_cookie(db: None) -> None:
    browser = signed_in(lifecycle.guest())
    answer = browser.post("/account/logout/", {"sure": "on"})
    assert answer.cookies["sessionid"].value == ""
