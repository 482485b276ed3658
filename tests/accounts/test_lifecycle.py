"""The life of an account: a guest, a full account, suspended, deleted."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone, translation
from pytest_django import Settings

from accounts import account_data, free_names, guest_names, held_names, lifecycle, names
from accounts.held_names import HeldName
from accounts.letters import Letter
from accounts.models import User
from tests.accounts.name_checks import refusal_of_another
from tests.support.fixtures import PASSWORD

NOW = timezone.now()


def test_a_guest_has_a_friendly_name_that_anybody_could_choose(db: None) -> None:
    guest = lifecycle.guest()
    assert guest.is_guest
    assert not guest.has_usable_password()
    for check in names.validators:
        check(guest.username)


def test_a_friendly_name_has_a_number_only_where_it_needs_one(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where an account is called so, or somebody at the same table; no other guest counts."""
    assert {lifecycle.guest().shown_name for _ in range(40)} <= set(lifecycle.ANIMALS)
    monkeypatch.setattr(lifecycle, "ANIMALS", ["Puma", "Tapir"])
    assert lifecycle.proposed_name(["puma"]) == "Tapir"
    assert lifecycle.proposed_name(["Puma", "Tapir"]) in ("Puma2", "Tapir2")
    guest_names.make_room("Tapir")
    User.objects.create_user("Tapir")
    assert {lifecycle.guest().shown_name for _ in range(5)} == {"Puma"}
    monkeypatch.setattr(lifecycle, "ANIMALS", ["Tapir"])
    assert lifecycle.guest().shown_name == "Tapir2"


def test_two_guests_have_two_names(db: None) -> None:
    assert len({lifecycle.guest().username for _ in range(50)}) == 50


def test_a_guest_finds_a_name_when_all_friendly_ones_are_taken(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifecycle, "ANIMALS", ["Puma"])
    numbered = (f"Puma{number}" for number in range(2, 100))
    User.objects.bulk_create(User(username=name) for name in ("Puma", *numbered))
    name = lifecycle.guest().username
    assert name.startswith("Guest-")
    assert len(name) <= names.LONGEST


def test_keeping_an_account_keeps_its_row(db: None) -> None:
    guest = lifecycle.guest()
    lifecycle.keep(guest, name="Dora", password=PASSWORD, email="Dora@Example.org", now=NOW)
    dora = User.objects.get(username="Dora")
    assert dora.pk == guest.pk
    assert dora.name_key == "dora"
    assert not dora.is_guest
    assert dora.check_password(PASSWORD)
    assert dora.email == "dora@example.org"


def test_one_address_replaces_the_other(alice: User) -> None:
    lifecycle.change_email(alice, "new@example.org", now=NOW)
    lifecycle.change_email(alice, "newer@example.org", now=NOW)
    assert [row.email for row in EmailAddress.objects.filter(user=alice)] == ["newer@example.org"]
    lifecycle.change_email(alice, "", now=NOW)
    assert not EmailAddress.objects.filter(user=alice).exists()
    assert User.objects.get(pk=alice.pk).email == ""


def test_nothing_of_a_forgotten_person_remains_in_the_row(alice: User) -> None:
    lifecycle.change_email(alice, "liddell@example.org", now=NOW)
    alice.first_name, alice.last_name = "Alice", "Liddell"
    alice.language, alice.theme, alice.is_staff = "fr", "dark", True
    alice.save()
    lifecycle.forget(alice)
    assert not Letter.objects.exists()
    row = User.objects.filter(pk=alice.pk).values().get()
    assert not {"alice", "liddell", "fr", "dark"} & {str(value).lower() for value in row.values()}
    assert "example.org" not in str(row)
    assert not row["is_active"]
    assert not row["is_staff"]
    assert not EmailAddress.objects.filter(user=alice).exists()


def test_a_forgotten_person_is_shown_in_the_readers_language(alice: User) -> None:
    assert alice.shown_name == "alice"
    lifecycle.forget(alice)
    with translation.override("en"):
        assert alice.shown_name == "deleted player"


def test_forgetting_ends_every_session(alice: User, alice_client: Client) -> None:
    assert alice_client.get("/account/").status_code == 200
    lifecycle.forget(alice)
    assert alice_client.get("/account/").headers["Location"].startswith("/account/login/")


def test_the_name_of_a_deleted_account_is_held_for_some_weeks(alice: User) -> None:
    lifecycle.forget(alice)
    forms = ("alice", "ALICE", "a1ice", "alıce")
    assert [each for each in forms if refusal_of_another(each) != "name_taken"] == []
    assert free_names.free_name("Malice") == "Malice"
    assert held_names.sweep(timezone.now() + held_names.HELD_FOR - timedelta(minutes=1)) == 0
    assert held_names.sweep(timezone.now() + held_names.HELD_FOR + timedelta(minutes=1)) > 0
    assert [each for each in forms if free_names.free_name(each) != each] == []


def test_a_held_name_is_not_stored_and_means_nothing_with_another_key(
    alice: User, settings: Settings
) -> None:
    lifecycle.forget(alice)
    assert "alice" not in str([*HeldName.objects.values()])
    assert held_names.is_held("alice")
    settings.SECRET_KEY = "another one " * 5
    assert not held_names.is_held("alice")


def test_a_name_is_held_again_when_it_is_deleted_again(alice: User) -> None:
    """Older accounts may look like each other."""
    lifecycle.forget(alice)
    HeldName.objects.update(since=timezone.now() - timedelta(days=30))
    held_names.hold("alice")
    assert held_names.sweep(timezone.now() + timedelta(days=20)) == 0


def test_a_person_may_write_their_own_name_in_another_way(alice: User, bob: User) -> None:
    held_names.hold("A1ice")
    assert free_names.free_name("Alice", person=alice) == "Alice"
    with pytest.raises(ValidationError):
        free_names.free_name("Alice", person=bob)


def test_two_people_can_be_forgotten(alice: User, bob: User) -> None:
    lifecycle.forget(alice)
    lifecycle.forget(bob)
    assert alice.username != bob.username


def test_the_export_says_what_the_row_says(alice: User) -> None:
    lifecycle.change_email(alice, "new@example.org", now=NOW)
    exported = json.loads(json.dumps(account_data.export(alice)))
    assert exported["name"] == "alice"
    assert exported["email_addresses"] == [
        {"email": "new@example.org", "verified": False, "primary": True}
    ]
    assert exported["joined"] == alice.date_joined.isoformat()
    assert PASSWORD not in str(exported)
    assert alice.password not in str(exported)


def test_the_export_forgets_no_column(alice: User) -> None:
    """A new column must be exported, or named here with the reason why not."""
    exported = {"username", "is_guest", "email", "language", "theme", "date_joined", "last_login"}
    exported |= {"animal", "cloth", "games_shown_to", "lends_decisions", "shows_online"}
    exported |= {"visit_began_at", "visit_before_at", "shows_reviews", "sees_ratings"}
    untold = {
        "id",  # says nothing
        "name_key",  # the name again
        "skeleton_as_written",  # and what it looks like
        "skeleton_folded",
        "password",  # a secret even from its owner
        "first_name",  # never asked for
        "last_name",
        "is_active",  # the downloader is
        "is_staff",  # the site's decision, seen in the admin
        "is_superuser",
    }
    assert {field.attname for field in User._meta.concrete_fields} == exported | untold
