"""Accounts that are older than a rule about names keep working."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection
from django.test import Client
from pytest_django import DjangoDbBlocker

from accounts import free_names
from accounts.models import User
from perudo_site import databases
from tests.support.databases import using_database
from tests.support.fixtures import PASSWORD, signed_in, signed_in_as_staff

OLD = ["Ivan", "lvan", "stɑff", "admin\u115f", "Ivɑn", "Ольга"]


@pytest.fixture(scope="module")
def upgraded(
    prepared_folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> Path:
    """A database with accounts made by a version that compared nothing but small letters, after
    the upgrade.
    """
    file = tmp_path_factory.mktemp("old") / "db.sqlite3"
    file.write_bytes((prepared_folder / "db.sqlite3").read_bytes())
    with django_db_blocker.unblock(), using_database(databases.sqlite(file)):
        call_command("migrate", "accounts", "0002", verbosity=0)
        password = make_password(PASSWORD)
        with connection.cursor() as cursor:
            for name in OLD:
                cursor.execute(
                    "INSERT INTO accounts_user (username, name_key, password, first_name,"
                    " last_name, email, language, theme, is_superuser, is_staff, is_active,"
                    " is_guest, date_joined) VALUES (%s, %s, %s, '', '', '', '', '', %s, %s, %s,"
                    " %s, '2026-03-01 12:00:00+00:00')",
                    [name, name.casefold(), password, False, False, True, False],
                )
        call_command("migrate", verbosity=0)  # what needs accounts came down along with them
    return file


@pytest.fixture
def old(upgraded: Path, tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[list[User]]:
    """Those accounts, in a copy for each test."""
    file = tmp_path / "db.sqlite3"
    file.write_bytes(upgraded.read_bytes())
    with django_db_blocker.unblock(), using_database(databases.sqlite(file)):
        yield list(User.objects.order_by("pk"))


def test_everybody_keeps_the_name_and_can_sign_in(old: list[User], client: Client) -> None:
    assert [person.username for person in old] == OLD
    for person in old:
        entered = client.post("/account/login/", {"login": person.username, "password": PASSWORD})
        assert entered.status_code == 302
        assert client.get("/account/").context["user"] == person


def test_new_names_are_refused_that_look_like_any_of_theirs(old: list[User]) -> None:
    for name in ("lvɑn", "1van", "IVAN", "ivan", "Oльгa"):
        with pytest.raises(ValidationError):
            free_names.free_name(name)


def test_settings_are_saved_under_an_old_name(old: list[User]) -> None:
    for person in old:
        chosen = {"username": person.username, "language": "it", "theme": "dark"}
        assert signed_in(person).post("/account/", chosen).status_code == 302
        person.refresh_from_db()
        assert (person.username in OLD, person.language) == (True, "it")
        person.save()


def test_staff_change_somebody_with_an_old_name(old: list[User]) -> None:
    staff = signed_in_as_staff(User.objects.create_superuser("boss", "", PASSWORD))
    for person in old:
        form = {"username": person.username, "email": "", "language": "fr", "is_active": "on"}
        answer = staff.post(f"/admin/accounts/user/{person.pk}/change/", form)
        assert answer.status_code == 302
        assert User.objects.get(pk=person.pk).language == "fr"


def test_a_changed_name_must_be_a_good_one(old: list[User]) -> None:
    double = old[1]
    chosen = {"username": "1van", "language": "", "theme": ""}
    refused = signed_in(double).post("/account/", chosen)
    assert "looks too much like another player" in refused.content.decode()
    assert signed_in(double).post("/account/", chosen | {"username": "Boris"}).status_code == 302
    with pytest.raises(ValidationError):
        free_names.free_name("B0ris")


def test_a_guest_of_old_who_stays_needs_a_good_name(old: list[User]) -> None:
    User.objects.filter(pk=old[2].pk).update(is_guest=True)
    kept = {"username": "stɑff", "email": "", "password1": PASSWORD}
    refused = signed_in(old[2]).post("/account/keep", kept)
    assert "This name is reserved" in refused.content.decode()
    assert signed_in(old[2]).post("/account/keep", kept | {"username": "Zoe"}).status_code == 302


def test_going_back_loses_nothing_but_the_skeletons(old: list[User]) -> None:
    call_command("migrate", "accounts", "0002", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT username FROM accounts_user ORDER BY id")
        assert [name for (name,) in cursor.fetchall()] == OLD
    call_command("migrate", verbosity=0)
    assert [person.username for person in User.objects.order_by("pk")] == OLD
