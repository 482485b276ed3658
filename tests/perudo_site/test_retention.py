"""What the site deletes by itself, and what it keeps."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts import held_names
from accounts import retention as accounts_retention
from accounts.held_names import HeldName
from accounts.models import User
from games.models import ChatBan, ChatMessage, Game, Report
from games.play.clock import Clock
from games.social.chat import retention, talk
from perudo_site import jobs
from tests.support.fast_games import finished_game, running_game
from tests.support.fixtures import signed_in

NOW = timezone.now()
MINUTE = timedelta(minutes=1)


def test_expired_sessions_go_and_others_stay(alice: User) -> None:
    client, gone = signed_in(alice), signed_in(alice)
    Session.objects.filter(pk=gone.session.session_key).update(expire_date=NOW - MINUTE)
    assert accounts_retention.run(NOW, 5) is False
    assert [row.pk for row in Session.objects.all()] == [client.session.session_key]


def test_a_share_of_time_ends_a_run_that_goes_on_later(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts_retention, "_AT_ONCE", 3)
    for number in range(8):
        Session.objects.create(pk=str(number), session_data="", expire_date=NOW - MINUTE)
    left = []
    while accounts_retention.run(NOW, 0):
        left.append(Session.objects.count())
    assert left == [5, 2, 0]


def test_held_names_go_after_their_weeks(db: None) -> None:
    held_names.hold("Rosalinda")
    end = HeldName.objects.first().since + held_names.HELD_FOR
    accounts_retention.run(end - MINUTE, 5)
    assert held_names.is_held("Rosalinda")
    accounts_retention.run(end + MINUTE, 5)
    assert not HeldName.objects.exists()


@pytest.fixture
def over(alice: User, bob: User) -> Game:
    return finished_game(alice, bob)


def say(game: Game, by: User, text: str) -> ChatMessage:
    return ChatMessage.objects.create(game=game, by=by, at=NOW, text=text)


def test_messages_of_tables_that_are_over_go_after_their_days(
    over: Game, alice: User, bob: User, charlie: User
) -> None:
    say(over, alice, "old")
    live = say(running_game(alice, bob, charlie), alice, "in a game that goes on")
    reported = say(over, bob, "reported")
    talk.report(alice, bob, reason="insult", words="", about=reported, now=NOW)
    retention.run(NOW + retention.MESSAGES_FOR - MINUTE, 5)
    assert ChatMessage.objects.count() == 3
    retention.run(NOW + retention.MESSAGES_FOR + MINUTE, 5)
    assert {*ChatMessage.objects.all()} == {live, reported}
    assert Report.objects.exists()


def test_handled_reports_go_and_open_ones_stay(over: Game, alice: User, bob: User) -> None:
    reported = say(over, bob, "reported")
    talk.report(alice, bob, reason="insult", words="", about=reported, now=NOW)
    talk.report(bob, alice, reason="other", words="", about=None, now=NOW)
    talk.settle(Report.objects.get(by=alice), outcome="acted")
    retention.run(NOW + retention.REPORTS_FOR - MINUTE, 5)
    assert Report.objects.count() == 2
    retention.run(NOW + retention.REPORTS_FOR + MINUTE, 5)
    assert [report.by for report in Report.objects.all()] == [bob]
    assert not ChatMessage.objects.exists()


def test_what_stays_keeps_nothing_behind_it_from_going(
    over: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "_AT_ONCE", 2)
    for _ in range(5):
        reported = say(over, bob, "reported")
        talk.report(alice, bob, reason="insult", words="", about=reported, now=NOW)
        say(over, bob, "old")
    ChatMessage.objects.create(game=over, by=bob, at=NOW + timedelta(days=300), text="new")
    assert retention.run(NOW + retention.MESSAGES_FOR + MINUTE, 5) is False
    assert sorted(ChatMessage.objects.values_list("text", flat=True)) == ["new", *["reported"] * 5]


def test_chat_bans_go_when_they_have_ended(alice: User, bob: User, charlie: User) -> None:
    talk.ban_from_chat(alice, until=NOW - MINUTE)
    talk.ban_from_chat(bob, until=NOW + MINUTE)
    talk.ban_from_chat(charlie, until=None)
    retention.run(NOW, 5)
    assert {row.whom for row in ChatBan.objects.all()} == {bob, charlie}


def test_every_job_runs_on_an_empty_site(db: None, client: Client) -> None:
    for job in [*jobs.of_the_scheduler(Clock()), *jobs.IN_THE_BACKGROUND]:
        assert job.run(NOW, job.share) is False, job.name
