"""The outbox: what a mail server does reaches no visitor, no log and no other letter."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core import mail
from django.db import models
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts import outbox
from accounts.letters import Letter, LetterCount
from accounts.models import User
from games.play.jobs import Job, RunStatus
from perudo_site import env, housekeeping
from tests.support.emails import send_due_emails
from tests.support.fixtures import PASSWORD
from tests.support.live_site import free_port
from tests.support.mail_server import MailServer, mail_server

RESET = Letter.Kind.RESET
DAY = timedelta(days=1)


@pytest.fixture
def server(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[MailServer]:
    """A mail server that the site sends its letters to."""
    with mail_server() as running:
        use(running.url, settings, monkeypatch)
        yield running


def use(url: str, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the site send its letters there, by the settings that this URL stands for."""
    monkeypatch.setenv("EMAIL_URL", url)
    for name, value in env.email("EMAIL_URL").items():
        setattr(settings, name, value)


def ask(email: str) -> None:
    outbox.put(RESET, email=email, site="http://testserver", now=timezone.now())


def run(*, later: timedelta = timedelta()) -> bool:
    return outbox.run(timezone.now() + later, 60)


def test_a_letter_is_sent_and_its_row_deleted(server: MailServer, alice: User) -> None:
    ask(alice.email)
    run()
    [letter] = server.to(alice.email)
    assert letter["Subject"] == "[Perudo] Choose a new password"
    assert not Letter.objects.exists()
    run()
    assert len(server.taken) == 1


def test_the_outbox_holds_neither_a_link_nor_a_token(
    server: MailServer, alice: User, client: Client
) -> None:
    server.refused[alice.email] = 450
    client.post("/account/password/reset/", {"email": alice.email})
    run()
    [row] = Letter.objects.values()
    server.refused.clear()
    run(later=DAY / 2)
    [letter] = server.to(alice.email)
    key = letter.get_content().partition("/password/reset/key/")[2].split("/")[0]
    assert len(key) > 20
    assert key not in str(row)
    assert set(row) == {
        *("id", "kind", "email", "user_id", "site", "language", "asked_at", "due_at", "attempts"),
        *("code_id", "asker"),
    }


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        ("silent", "SMTPServerDisconnected"),
        ("closed", "ConnectionRefusedError"),
        ("later", "SMTPRecipientsRefused"),
    ],
)
def test_a_letter_that_fails_is_sent_later(
    server: MailServer,
    alice: User,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
    trouble: str,
    words: str,
) -> None:
    settings.EMAIL_TIMEOUT = 0.2
    port = settings.EMAIL_PORT
    if trouble == "closed":
        settings.EMAIL_PORT = free_port()
    server.silent = trouble == "silent"
    server.refused = {alice.email: 451} if trouble == "later" else {}
    ask(alice.email)
    run()
    assert Letter.objects.get().attempts == 1
    assert f"letter postponed kind=reset error={words}" in caplog.text
    assert alice.email not in caplog.text
    server.silent, server.refused, settings.EMAIL_PORT = False, {}, port
    run()
    assert server.taken == []  # it is not due yet
    run(later=timedelta(minutes=2))
    assert len(server.to(alice.email)) == 1
    assert not Letter.objects.exists()


def test_each_failure_doubles_the_wait_and_a_day_ends_it(
    server: MailServer, alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    server.refused[alice.email] = 451
    ask(alice.email)
    start, waits = timezone.now(), []
    now = start
    while Letter.objects.exists():
        outbox.run(now, 60)
        for letter in Letter.objects.all():
            waits.append((letter.due_at - now).total_seconds() / 60)
            now = letter.due_at
        assert now < start + 2 * DAY
    assert waits[:8] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert now >= start + DAY
    assert "letter given up kind=reset" in caplog.text
    assert alice.email not in caplog.text


def test_a_recipient_who_is_refused_for_good_is_not_tried_again(
    server: MailServer, alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    server.refused[alice.email] = 550
    ask(alice.email)
    ask(bob.email)
    run()
    assert not Letter.objects.exists()
    assert len(server.to(bob.email)) == 1
    assert "letter refused kind=reset reason=recipient code=550" in caplog.text
    assert alice.email not in caplog.text


def test_a_recipient_who_is_postponed_keeps_no_other_letter_waiting(
    server: MailServer, alice: User, bob: User
) -> None:
    server.refused[alice.email] = 451
    ask(alice.email)
    ask(bob.email)
    run()
    assert len(server.to(bob.email)) == 1


def test_an_address_that_no_mail_server_takes_is_dropped(
    server: MailServer, alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    broken = "alice@exam\nple.org"
    User.objects.filter(pk=alice.pk).update(email=broken)
    ask(broken)
    ask(bob.email)
    run()
    assert not Letter.objects.exists()
    assert len(server.to(bob.email)) == 1
    assert "letter refused kind=reset reason=BadHeaderError" in caplog.text
    assert "alice" not in caplog.text


def test_a_server_that_is_away_is_tried_once_a_run(
    server: MailServer, alice: User, bob: User, settings: Settings
) -> None:
    settings.EMAIL_TIMEOUT = 0.2
    server.silent = True
    for person in (alice, bob):
        ask(person.email)
    assert run() is False
    assert server.connections == 1


def test_no_letter_is_begun_after_the_share_of_time(
    server: MailServer, alice: User, bob: User
) -> None:
    server.seconds = 0.2
    for person in (alice, bob):
        ask(person.email)
    assert outbox.run(timezone.now(), 0.5) is True
    assert len(server.taken) == 1
    server.seconds = 0
    assert run() is False
    assert len(server.taken) == 2


def test_a_mailbox_gets_only_so_many_letters_a_day(
    alice: User, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.LETTERS_PER_DAY = 3
    now = timezone.now().replace(hour=12)
    for number in range(5):
        plus = f"alice+{number}@example.org"  # the same mailbox
        User.objects.create_user(f"thief{number}", plus, PASSWORD)
        outbox.put(RESET, email=plus, site="http://testserver", now=now)
    outbox.run(now, 60)
    assert len(mail.outbox) == 3
    assert "letter dropped: daily limit" in caplog.text
    assert not Letter.objects.exists()
    outbox.put(RESET, email=alice.email, site="http://testserver", now=now + DAY)
    outbox.run(now + DAY, 60)
    assert len(mail.outbox) == 4


def test_the_limit_does_not_count_what_a_failing_server_repeats(
    server: MailServer, alice: User, settings: Settings
) -> None:
    settings.LETTERS_PER_DAY = 1
    server.refused[alice.email] = 451
    ask(alice.email)
    for minutes in (0, 10, 60, 180):
        run(later=timedelta(minutes=minutes))
    server.refused.clear()
    run(later=DAY / 3)
    assert len(server.to(alice.email)) == 1


def test_the_count_of_letters_holds_no_address(alice: User) -> None:
    ask(alice.email)
    send_due_emails()
    [row] = LetterCount.objects.values()
    assert "alice" not in str(row)
    assert row["letters"] == 1


def test_asking_again_while_a_letter_waits_sends_one(server: MailServer, alice: User) -> None:
    for _ in range(5):
        ask(alice.email)
    assert Letter.objects.count() == 1


def test_a_killed_process_leaves_the_letter_to_be_sent_again(
    server: MailServer, alice: User
) -> None:
    ask(alice.email)
    letter = Letter.objects.get()
    assert outbox._claim(letter, now=timezone.now())  # and then nothing more of this process
    assert not outbox._claim(letter, now=timezone.now())
    run()
    assert server.taken == []
    run(later=2 * outbox.CLAIM)
    assert len(server.to(alice.email)) == 1


def test_what_nobody_sends_is_swept(alice: User) -> None:
    ask(alice.email)
    send_due_emails()
    ask("stranger@example.org")
    now = timezone.now()
    assert outbox.sweep(now) == 0
    assert outbox.sweep(now + 3 * DAY) == 2
    assert not Letter.objects.exists()
    assert not LetterCount.objects.exists()


def test_an_error_of_a_job_is_logged_without_its_text(
    db: None, caplog: pytest.LogCaptureFixture
) -> None:
    address = "alice@example.org"

    def fail(now: object, share: float) -> bool:
        raise LookupError(address)

    job = Job("letters", fail, every=1, share=1)
    with caplog.at_level(logging.DEBUG):
        assert housekeeping.run_job(job) is RunStatus.FAILED
    assert "job failed job=letters error=LookupError" in caplog.text
    assert "in fail" in caplog.text
    assert "alice" not in caplog.text


def test_no_table_of_the_outbox_has_a_column_for_words() -> None:
    """What a letter says is written when it is sent; `site` is the origin of the request."""
    free_text = {
        f"{model.__name__}.{column.name}"
        for model in (Letter, LetterCount)
        for column in model._meta.concrete_fields
        if isinstance(column, models.TextField)
    }
    assert free_text == {"Letter.site"}
