"""Data export and account deletion."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.utils import timezone

from accounts import lifecycle
from accounts.models import User
from games.models import Seat, TableSettings
from games.perudo.rules import KEY
from games.perudo.rules.options import SITE_OPTIONS, SITE_PRESET
from games.play import before_start
from games.store import queries
from tests.support.fixtures import PASSWORD, signed_in


def test_my_data_is_a_file_about_me(alice: User, bob: User, alice_client: Client) -> None:
    answer = alice_client.get("/account/data")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="perudo.json"'
    text = answer.getvalue().decode()
    content = json.loads(text)
    assert content["account"]["name"] == "alice"
    parts = {
        "account",
        "games",
        "silenced",
        "messages",
        "mutes",
        "reports",
        "inbox",
        "standing_tables",
        "questions",
        "friends",
        "friends_asked",
        "friends_asking",
        "own_mistakes",
        "believed_claims",
        "marks",
        "ratings",
        "tallies",
        "friend_link",
        "notifications",
        "questions_of_the_day",
        "questions_of_the_day_about_me",
        "search_for_people",
        "reviews",
    }
    assert set(content) == parts
    assert "bob" not in text


def test_my_data_can_be_downloaded_six_times_an_hour(
    alice: User, bob: User, alice_client: Client, bob_client: Client
) -> None:
    for _ in range(6):
        assert alice_client.get("/account/data").status_code == 200
    refused = alice_client.get("/account/data", headers={"Accept-Language": "en"})
    assert refused.status_code == 429
    assert "download your data up to 6 times an hour" in refused.content.decode()
    assert bob_client.get("/account/data").status_code == 200


def test_my_data_is_for_me_alone(client: Client, db: None) -> None:
    assert client.get("/account/data").headers["Location"].startswith("/account/login/")


def test_deleting_needs_the_password(alice: User, alice_client: Client) -> None:
    answer = alice_client.post("/account/delete", {"password": "wrong wrong", "sure": "on"})
    assert "Wrong password." in answer.content.decode()
    assert User.objects.get(pk=alice.pk).is_active


def test_a_deleted_account_is_signed_out_and_anonymised(alice: User, alice_client: Client) -> None:
    answer = alice_client.post("/account/delete", {"password": PASSWORD})
    assert answer.headers["Location"] == "/"
    assert alice_client.get("/account/").status_code == 302
    assert User.objects.get(pk=alice.pk).is_deleted


def test_a_guest_confirms_with_a_checkbox(db: None) -> None:
    guest = lifecycle.guest()
    client = signed_in(guest)
    assert client.post("/account/delete", {}).status_code == 200
    assert User.objects.get(pk=guest.pk).is_active
    client.post("/account/delete", {"sure": "on"})
    assert User.objects.get(pk=guest.pk).is_deleted


@pytest.mark.django_db(transaction=True)
def test_a_deleted_account_leaves_its_open_tables(alice: User, alice_client: Client) -> None:
    before_start.open_game(
        alice,
        TableSettings(
            kind_key=KEY,
            preset=SITE_PRESET,
            options=SITE_OPTIONS.to_json(),
            size=3,
            turn_seconds=45,
        ),
        now=timezone.now(),
    )
    assert queries.seats_in_progress(alice).exists()
    alice_client.post("/account/delete", {"password": PASSWORD})
    assert not queries.seats_in_progress(alice).exists()
    assert not Seat.objects.filter(user__username="alice").exists()
