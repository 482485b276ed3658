"""Deleting an account: nothing of the person stays in any table, and a restore cannot undo it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.sessions.backends.db import SessionStore as DjangoSessionStore
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts import lifecycle
from accounts.models import User
from games.models import ChatMessage, Report
from games.social.chat import talk
from perudo_site import deletion
from tests.support.fast_games import finished_game, running_game
from tests.support.fixtures import PASSWORD, signed_in, signed_in_as_staff

NOW = timezone.now()


@pytest.fixture(autouse=True)
def own_folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


def everything() -> str:
    """All rows of all tables, and what is encoded in the sessions, in small letters."""
    found = []
    for model in apps.get_models(include_auto_created=True):
        for row in model._base_manager.values():
            found.append(f"{model.__name__} {row}")
    found += [f"session {row.get_decoded()}" for row in Session.objects.all()]
    return "\n".join(found).lower()


def sign_in(name: str) -> Client:
    client = Client()
    answer = client.post("/account/login/", {"login": name, "password": PASSWORD})
    assert answer.status_code == 302
    return client


@pytest.mark.django_db(transaction=True)
def test_nothing_of_a_deleted_person_stays_in_the_database(alice: User, bob: User) -> None:
    form = {"username": "Rosalinda", "email": "rosa@example.org"}
    client = Client()
    client.post("/account/signup/", form | {"password1": PASSWORD})
    rosa = User.objects.get(username="Rosalinda")
    phone, tablet = sign_in("Rosalinda"), sign_in("Rosalinda")
    phone.post("/account/reauthenticate/", {"password": PASSWORD})
    tablet.post("/account/", {"username": "Rosalinda", "language": "fr", "theme": "dark"})
    finished_game(rosa, bob)
    game = running_game(alice, bob, rosa)
    talk.say(game, rosa, text="Her message", now=NOW)
    message = ChatMessage.objects.get()
    talk.report(rosa, bob, reason="other", words="She wrote this", about=None, now=NOW)
    talk.report(alice, rosa, reason="insult", words="She behaved badly", about=message, now=NOW)
    talk.report(bob, rosa, reason="other", words="Rosalinda was rude", about=None, now=NOW)
    talk.settle(Report.objects.get(by=alice), outcome="acted")
    talk.mute(bob, rosa, block=True)
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    staff = signed_in_as_staff(User.objects.get(pk=alice.pk))
    for path, row, action in (
        ("accounts/user", rosa, "ban_from_chat"),
        ("games/chatmessage", message, "hide"),
    ):
        form = {"action": action, "_selected_action": row.pk, "days": "1"}
        answer = staff.post(f"/admin/{path}/", form | {"reason": "Rosalinda insulted"})
        assert answer.status_code == 302
    entry = [rosa.pk, [message], CHANGE, "Hide: Rosalinda said “Her message”"]
    LogEntry.objects.log_actions(*entry)
    LogEntry.objects.update(object_repr="Rosalinda: Her message")  # as older versions wrote it
    tablet.post("/account/email", {"email": "rosa2@example.org", "password": PASSWORD})
    Client().post("/account/password/reset/", {"email": "bob@example.org"})

    before = everything()
    words = ("rosa", "her message", "she wrote", "badly", "insulted")
    assert all(word in before for word in words)
    client.post("/account/delete", {"password": PASSWORD})
    talk.settle(Report.objects.get(by=bob), outcome="nothing")
    after = everything()
    assert [word for word in words if word in after] == []
    assert f"'id': {rosa.pk}," in after  # the games keep a player
    for device in (client, phone, tablet):
        assert device.get("/account/").status_code == 302
    assert "session {}" not in after


def test_an_open_report_keeps_its_words_until_it_is_handled(alice: User, bob: User) -> None:
    talk.report(bob, alice, reason="other", words="Look at this", about=None, now=NOW)
    talk.forget(alice)
    lifecycle.forget(alice)
    report = Report.objects.get()
    assert report.words == "Look at this"
    assert talk.settle(report, outcome="acted")
    report.refresh_from_db()
    assert (report.words, report.outcome, report.handled) == ("", "acted", True)


def test_no_session_holds_the_name_of_its_user(alice: User) -> None:
    client = sign_in("alice")
    session = client.session
    [record] = session["account_authentication_methods"]
    assert set(record) == {"method", "at"}
    assert "alice" not in str(dict(session.items()))
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    assert client.get("/account/").status_code == 200


def test_an_upgrade_takes_the_names_out_of_stored_sessions(alice: User, bob: User) -> None:
    """allauth wrote one with every sign-in; all else in a session stays."""
    keys = {}
    for person in (alice, bob):
        client = signed_in(person)
        data = dict(client.session.items())
        record = {"method": "password", "at": 1.5, "username": person.username}
        data |= {"account_authentication_methods": [record], "other": "kept"}
        keys[client.session.session_key] = client
        row = Session.objects.get(pk=client.session.session_key)
        Session.objects.filter(pk=row.pk).update(session_data=DjangoSessionStore().encode(data))
    Session.objects.create(pk="broken", session_data="x", expire_date=NOW + timedelta(days=1))
    migration = importlib.import_module("accounts.migrations.0009_names_leave_sessions")
    migration.take_out_names(apps, SimpleNamespace(connection=connection))
    for key, client in keys.items():
        data = Session.objects.get(pk=key).get_decoded()
        assert data["account_authentication_methods"] == [{"method": "password", "at": 1.5}]
        assert data["other"] == "kept"
        assert client.get("/account/").status_code == 200
    assert Session.objects.get(pk="broken").session_data == "x"


# --- after a restore -----------------------------------------------------------------------------


@pytest.fixture
def restored(alice: User, own_folder: Path) -> Iterator[User]:
    """Alice, who deleted her account, and whom a backup has brought back."""
    row = User.objects.filter(pk=alice.pk).values().get()
    signed_in(alice).post("/account/delete", {"password": PASSWORD})
    assert User.objects.get(pk=alice.pk).is_deleted
    User.objects.filter(pk=alice.pk).update(**row)
    return alice


def repeat(*files: Path) -> None:
    call_command("repeat_deletions", *map(str, files))


def test_a_deletion_is_noted_without_a_name(restored: User, own_folder: Path) -> None:
    file = own_folder / "deleted_accounts"
    assert file.read_text() == f"{restored.pk} {restored.date_joined.isoformat()}\n"
    assert file.stat().st_mode & 0o777 == 0o600


def test_deletions_are_repeated_after_a_restore(
    restored: User, bob: User, capsys: pytest.CaptureFixture[str]
) -> None:
    repeat()
    assert User.objects.get(pk=restored.pk).is_deleted
    assert not User.objects.get(pk=bob.pk).is_deleted
    repeat()
    assert capsys.readouterr().out == "Accounts deleted again: 1.\nAccounts deleted again: 0.\n"


def test_somebody_else_with_the_same_id_is_not_deleted(restored: User) -> None:
    """An id that a restore has taken back is given to the next who joins."""
    User.objects.filter(pk=restored.pk).update(date_joined=timezone.now() + timedelta(hours=1))
    repeat()
    assert not User.objects.get(pk=restored.pk).is_deleted


def test_a_file_that_is_no_list_deletes_nobody(
    restored: User, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    file, noted = tmp_path / "list", (tmp_path / "deleted_accounts").read_text()
    for text in ("hello", "5", "5 yesterday", "x 2026-01-01T00:00:00+00:00"):
        file.write_text(noted + text)
        with (
            subtests.test(text=text),
            pytest.raises(CommandError, match="is not a list of deleted accounts"),
        ):
            repeat(file)
    with pytest.raises(CommandError, match="There is no file"):
        repeat(tmp_path / "nothing")
    assert not User.objects.get(pk=restored.pk).is_deleted


def test_a_list_that_cannot_be_written_keeps_nobody_from_leaving(
    alice: User, own_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (own_folder / "deleted_accounts").mkdir()
    deletion.delete_account(alice, now=NOW)
    assert User.objects.get(pk=alice.pk).is_deleted
    assert f"deletion not noted user={alice.pk}" in caplog.text
