"""A rematch of the same players: one table, however many of them ask and how often."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.core.moves import Leave
from games.models import Game, Mute
from games.play import before_start, commands, rematches
from games.words import reason
from tests.support.cases import untouched
from tests.support.fast_games import START, finish_game, finished_game, running_game
from tests.support.fixtures import signed_in
from tests.support.game_driver import deal_game, refusal_of, seat_names

SOON = START + timedelta(hours=1)


def test_a_rematch_is_the_same_table_with_its_bots(alice: User, bob: User) -> None:
    old = finished_game(alice, bob, "steady", calza="on", public=False)
    new = rematches.rematch(old.code, bob, now=SOON)
    assert seat_names(new.code) == ["bob", "steady", None]
    assert new.host == bob
    for setting in (
        "preset",
        "options",
        "size",
        "turn_seconds",
        "visibility",
        "listed",
        "chat",
        "show_odds",
    ):
        assert getattr(new, setting) == getattr(old, setting), setting


def test_a_rematch_against_bots_alone_starts_at_once(alice: User) -> None:
    old = finished_game(alice, "steady", "sharp")
    new = Game.objects.get(code=rematches.rematch(old.code, alice, now=SOON).code)
    assert (new.status, seat_names(new.code)) == (Game.Status.PLAYING, ["alice", "steady", "sharp"])


def test_a_rematch_does_not_wait_for_the_person_who_left_the_game(alice: User, bob: User) -> None:
    game = running_game(alice, bob, "steady")
    commands.move(game.code, 1, Leave(), seen=None, now=SOON)
    old = finish_game(Game.objects.get(pk=game.pk))
    new = Game.objects.get(code=rematches.rematch(old.code, alice, now=SOON).code)
    assert (new.status, seat_names(new.code)) == (Game.Status.PLAYING, ["alice", "steady", None])


def test_who_asks_second_sits_down_at_the_rematch_of_the_first(alice: User, bob: User) -> None:
    old = finished_game(alice, bob)
    first = rematches.rematch(old.code, bob, now=SOON)
    assert rematches.rematch(old.code, alice, now=SOON) == first
    assert rematches.rematch(old.code, alice, now=SOON) == first, "asking again changes nothing"
    assert seat_names(first.code) == ["bob", "alice"]


def test_a_rematch_shows_on_the_screens_of_the_old_game(alice: User, bob: User) -> None:
    old = finished_game(alice, bob)
    seq = old.seq
    rematches.rematch(old.code, bob, now=SOON)
    assert Game.objects.get(code=old.code).seq > seq


def test_when_the_rematch_was_closed_there_can_be_another(alice: User, bob: User) -> None:
    old = finished_game(alice, bob)
    before_start.close(rematches.rematch(old.code, bob, now=SOON).code, bob, now=SOON)
    again = rematches.rematch(old.code, alice, now=SOON)
    assert (again.status, again.host) == (Game.Status.OPEN, alice)


def test_only_who_played_gets_a_rematch_and_only_after_the_game(
    alice: User, bob: User, charlie: User
) -> None:
    running = deal_game(alice, bob, hands=((2,) * 5, (3,) * 5))
    assert refusal_of(lambda: rematches.rematch(running.code, alice, now=SOON)) == "not_over"
    old = finished_game(alice, bob)
    assert refusal_of(lambda: rematches.rematch(old.code, charlie, now=SOON)) == "not_seated"


# --- one press -----------------------------------------------------------------------------------


def pressed(client: Client, old: Game) -> tuple[str, str]:
    """Where one press of the button leads, and what is said there."""
    answer = client.post(f"/games/{old.code}/rematch", follow=True)
    said = " ".join(map(str, answer.context["messages"]))
    return answer.redirect_chain[-1][0], said


def test_a_player_is_seated_at_the_rematch_by_one_press(alice: User, bob: User) -> None:
    old = finished_game(alice, bob)
    new = rematches.rematch(old.code, alice, now=timezone.now())
    page = signed_in(bob).get(f"/games/{old.code}").content.decode()
    [button] = re.findall(r"<button[^>]*>Go to the rematch\s*</button>", page)
    assert f'formaction="/games/{old.code}/rematch"' in button
    assert pressed(signed_in(bob), old) == (f"/games/{new.code}", "")
    assert seat_names(new.code) == ["alice", "bob"]
    assert pressed(signed_in(alice), old) == (f"/games/{new.code}", ""), "it leads to one's seat"


def test_a_spectator_follows_a_link_to_it(alice: User, bob: User, client: Client) -> None:
    old = finished_game(alice, bob)
    new = rematches.rematch(old.code, alice, now=timezone.now())
    page = client.get(f"/games/{old.code}").content.decode()
    assert re.search(rf'<a [^>]*href="/games/{new.code}">Go to the rematch\s*</a>', page)


def begun(new: Game, alice: User) -> str:
    before_start.add_bot(new.code, alice, kind="steady", now=timezone.now())
    before_start.start(new.code, alice, now=timezone.now())
    return "already_begun"


def filled(new: Game, alice: User) -> str:
    before_start.add_bot(new.code, alice, kind="steady", now=timezone.now())
    return "table_full"


def blocks_bob(new: Game, alice: User) -> str:
    Mute.objects.create(by=alice, whom=User.objects.get(username="bob"), blocked=True)
    return "blocked"


def test_a_player_who_cannot_be_seated_reads_why_where_they_can_watch(
    alice: User, bob: User, subtests: pytest.Subtests
) -> None:
    for happened in [begun, filled, blocks_bob]:
        with subtests.test(happened=happened.__name__), untouched():
            old = finished_game(alice, bob)
            new = rematches.rematch(old.code, alice, now=timezone.now())
            why = happened(new, alice)
            assert pressed(signed_in(bob), old) == (f"/games/{new.code}", reason(why))
            assert "bob" not in seat_names(new.code)


def test_to_join_a_rematch_opens_no_table_and_is_not_counted_as_one(
    alice: User, bob: User, settings: Any
) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"open_table": "1/10m/user"}
    bobs = signed_in(bob)
    for _ in range(3):
        old = finished_game(alice, bob)
        new = rematches.rematch(old.code, alice, now=timezone.now())
        assert pressed(bobs, old) == (f"/games/{new.code}", "")
