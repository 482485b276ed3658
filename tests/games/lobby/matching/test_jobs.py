"""What no button does: who is gone loses the place, who wait apart are brought together."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts.models import User
from games.errors import Refused
from games.lobby.matching import head, jobs, queue, searches
from games.models import Game, InboxEntry, Mute, Search
from games.play import due, first_deal, quick_tables
from games.social.inbox import turns
from tests.games.lobby.matching.test_searches import press, seated, states, table, warm_up
from tests.support.fast_games import START

pytestmark = pytest.mark.django_db
LONG = jobs.GONE_AFTER + timedelta(seconds=1)


def nobody_watches() -> None:
    Game.objects.filter(origin="warm_up").update(watched_at=START)


def test_who_is_gone_gives_the_place_back(alice: User) -> None:
    press(alice)
    jobs.tidy(now=START + jobs.GONE_AFTER)
    assert states(alice) == ["waiting"]
    jobs.tidy(now=START + LONG)
    assert states(alice) == ["left"]
    assert not Game.objects.filter(origin="quick", status="open").exists()


def test_an_open_page_or_a_move_in_the_warm_up_shows_that_they_are_there(
    alice: User, bob: User
) -> None:
    press(alice, "perudo")
    press(bob, "peco_peco")
    head.note_seen(alice.pk, now=START + timedelta(minutes=2))
    Game.objects.filter(pk=warm_up(bob).pk).update(  # type: ignore[union-attr]
        watched_at=START + timedelta(minutes=2)
    )
    jobs.tidy(now=START + LONG)
    assert states(alice, bob) == ["waiting", "waiting"]


def test_two_who_wait_apart_are_both_asked(alice: User, bob: User) -> None:
    mute = Mute.objects.create(by=alice, whom=bob)
    press(alice)
    press(bob)
    mute.delete()
    jobs.tidy(now=START)
    assert states(alice, bob) == ["asked", "asked"]
    assert seated(table()) == ["alice", "bob"]
    jobs.tidy(now=START)
    assert states(alice, bob) == ["asked", "asked"]


def test_a_table_at_which_somebody_waits_stays_open(alice: User) -> None:
    press(alice)
    later = first_deal.closing_time(START) - timedelta(minutes=1)
    Search.objects.update(seen_at=later)
    jobs.tidy(now=later)
    due.run_due(table().code, now=later + timedelta(minutes=2))
    assert states(alice) == ["waiting"] and table().status == "open"


def test_a_warm_up_that_nobody_comes_back_to_ends_and_one_in_line_does_not(
    alice: User, bob: User
) -> None:
    press(alice, "perudo")
    press(bob, "peco_peco")
    searches.leave(alice, now=START)
    nobody_watches()
    later = START + timedelta(minutes=11)
    Search.objects.update(seen_at=later)
    jobs.tidy(now=later)
    assert warm_up(alice) is None and warm_up(bob) is not None


def test_nobody_is_told_of_their_turn_in_a_warm_up(alice: User) -> None:
    press(alice)
    game = warm_up(alice)
    assert game is not None
    for _ in range(20):  # until it is alice's turn
        game.refresh_from_db()
        if not game.bots_due:
            break
        due.run_due(game.code, now=game.due_at)  # type: ignore[arg-type]
    assert not game.bots_due
    turns.settle([game.code], now=START)
    assert not InboxEntry.objects.exists()


def test_what_is_over_is_forgotten(alice: User, bob: User) -> None:
    press(alice)
    press(bob)
    jobs.end_countdowns(START + quick_tables.COUNTDOWN, 0)
    later = START + quick_tables.COUNTDOWN + queue.REMEMBERED + timedelta(seconds=1)
    Search.objects.filter(state="waiting").update(seen_at=later)
    jobs.tidy(now=later)
    assert states(alice, bob) == ["", "waiting"]


def test_who_does_not_answer_a_countdown_lets_the_others_down(alice: User, bob: User) -> None:
    """As one who leaves does: after some of these nobody is called for them any more."""
    now = START
    for times in range(1, queue.LEAVES_EACH + 1):
        press(alice, now=now)
        press(bob, now=now)  # ready; alice, who was there first, is asked
        assert states(alice, bob) == ["asked", "ready"]
        now += quick_tables.COUNTDOWN
        jobs.end_countdowns(now, 0)
        assert states(alice, bob) == ["missed", "waiting"]
        assert Search.objects.get(pk=alice.pk).leaves == times
        assert Search.objects.get(pk=bob.pk).leaves == 0
        searches.leave(bob, now=now)
    with pytest.raises(Refused) as refused:
        press(alice, now=now)
    assert refused.value.code == "leaves_too_often"


def test_a_countdown_that_fails_stops_no_other(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    press(alice, "perudo")
    press(bob, "perudo")
    broken = table()
    settle = jobs.settle

    def fails(table: Game, **more: object) -> None:
        if table.pk == broken.pk:
            raise RuntimeError
        settle(table, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(jobs, "settle", fails)
    press(charlie, "peco_peco")
    dora = User.objects.create_user("dora")
    press(dora, "peco_peco")
    over = START + quick_tables.COUNTDOWN
    jobs.end_countdowns(over, 0)
    assert states(alice, bob) == ["asked", "ready"]
    assert states(charlie, dora) == ["missed", "waiting"]
    broken.refresh_from_db()
    assert broken.starts_at is not None and broken.starts_at > over


def test_where_one_of_them_fails_the_others_go_on(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    press(alice, "perudo")
    press(bob, "peco_peco")
    give_back = jobs.give_back

    def fail(given_back: list[Search], *given: object, **more: object) -> None:
        if given_back[0].user == alice:
            raise RuntimeError("a mistake of ours")
        give_back(given_back, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(jobs, "give_back", fail)
    nobody_watches()
    jobs.tidy(now=START + LONG)
    assert states(alice, bob) == ["waiting", "left"]
    assert [record.message for record in caplog.records if record.exc_info] == [
        f"drop failed search={alice.pk}"
    ]
