"""An inbox: one entry for each thing, a number for each change, and bounds."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from games.models import Inbox, InboxEntry
from games.play import before_start
from games.social.friends import invitations
from games.social.friends import ties as friends
from games.social.inbox import entries, retention
from perudo_site import deletion
from tests.support.fast_games import START, finished_game, running_game

pytestmark = pytest.mark.django_db(transaction=True)


def numbers(person: User) -> list[int]:
    return list(InboxEntry.objects.filter(user=person).values_list("seq", flat=True))


def test_every_change_counts_the_inbox_up(alice: User, bob: User) -> None:
    assert entries.put(alice.pk, "turn", "one", now=START) == 1
    assert entries.put(alice.pk, "turn", "two", now=START) == 2
    assert (entries.of(alice.pk).seq, entries.of(alice.pk).unread) == (2, 2)
    entries.mark_read(alice.pk, until=1, now=START)
    assert (entries.of(alice.pk).seq, entries.of(alice.pk).unread) == (3, 1)
    entries.withdraw("turn", "two", users=[alice.pk, bob.pk])
    assert (entries.of(alice.pk).seq, entries.of(alice.pk).unread) == (4, 0)
    assert entries.put(alice.pk, "turn", "three", now=START) == 5, "no number comes twice"
    assert not Inbox.objects.filter(user=bob).exists()


def test_a_later_entry_about_the_same_takes_the_place_of_the_one_before(alice: User) -> None:
    entries.put(alice.pk, "turn", "one", now=START)
    entries.put(alice.pk, "turn", "two", now=START)
    entries.mark_read(alice.pk, until=2, now=START)
    entries.put(alice.pk, "turn", "one", now=START)
    assert numbers(alice) == [4, 2]
    assert entries.of(alice.pk).unread == 1


def test_what_came_after_the_page_was_loaded_stays_unread(alice: User) -> None:
    shown = entries.put(alice.pk, "turn", "one", now=START)
    entries.put(alice.pk, "turn", "two", now=START)
    entries.mark_read(alice.pk, until=shown, now=START)
    assert InboxEntry.objects.get(user=alice, read_at=None).about == "two"


def test_the_oldest_entries_make_room(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "MAX_ENTRIES", 3)
    for number in range(1, 6):
        entries.put(alice.pk, "turn", str(number), now=START)
    assert numbers(alice) == [5, 4, 3]
    assert entries.of(alice.pk).unread == 3


def test_old_entries_and_those_of_games_that_are_over_are_deleted(alice: User, bob: User) -> None:
    running, over = running_game(alice, bob), finished_game(alice, bob)
    long_ago = START - retention.ENTRIES_FOR - timedelta(days=1)
    entries.put(alice.pk, "turn", over.code, now=START)
    entries.put(alice.pk, "turn", running.code, now=START)
    entries.put(bob.pk, "turn", running.code, now=long_ago)
    assert not retention.run(START, 10)
    left = InboxEntry.objects.values_list("user_id", "about")
    assert list(left) == [(alice.pk, running.code)]


def test_an_inbox_is_exported_and_goes_with_the_account(alice: User, alice_client: Client) -> None:
    entries.put(alice.pk, "turn", "one", now=START)
    answer = alice_client.get("/account/data")
    assert b'"inbox"' in b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    told = entries.export(alice)["inbox"]
    assert told == [{"kind": "turn", "about": "one", "at": START.isoformat(), "read": None}]
    deletion.delete_account(alice, now=START)
    assert not InboxEntry.objects.exists() and not Inbox.objects.exists()


def test_what_is_exported_names_people_and_no_numbers(
    alice: User, bob: User, charlie: User
) -> None:
    friends.ask(bob, alice, now=START)
    friends.ask(alice, charlie, now=START)
    friends.accept(charlie, alice, now=START)
    table = before_start.open_game(
        charlie, before_start.quick_settings("perudo", bots=3), holder="", now=START
    )
    invitations.invite(charlie, alice, table, now=START)
    told = [
        {"kind": "invited", "about": table.code, "by": "charlie"},
        {"kind": "friends_now", "about": "charlie"},
        {"kind": "friend", "about": "bob"},
    ]
    when = {"at": START.isoformat(), "read": None}
    assert entries.export(alice)["inbox"] == [each | when for each in told]
    deletion.delete_account(charlie, now=START)
    assert entries.export(alice)["inbox"] == [
        {"kind": "invited", "about": table.code, "by": None} | when,
        {"kind": "friend", "about": "bob"} | when,
    ]
