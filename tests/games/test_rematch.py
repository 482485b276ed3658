"""A rematch of the same players: one table, however many of them ask and how often."""

from __future__ import annotations

from datetime import timedelta

from accounts.models import User
from games.models import Game
from games.perudo.rules.moves import Leave
from games.play import before_start, commands, rematches
from tests.games.evening import dealt, names, refused
from tests.games.playing import EVENING, finish, finished_game, running_game

SOON = EVENING + timedelta(hours=1)


def test_a_rematch_is_the_same_table_with_its_bots(alice: User, bob: User) -> None:
    old = finished_game(alice, bob, "steady", calza="on", public=False)
    new = rematches.rematch(old.code, bob, now=SOON)
    assert names(new.code) == ["bob", "steady", None]
    assert new.host == bob
    for setting in ("preset", "options", "size", "turn_seconds", "public", "chat", "show_odds"):
        assert getattr(new, setting) == getattr(old, setting), setting


def test_a_rematch_against_bots_alone_starts_at_once(alice: User) -> None:
    old = finished_game(alice, "steady", "sharp")
    new = Game.objects.get(code=rematches.rematch(old.code, alice, now=SOON).code)
    assert (new.status, names(new.code)) == (Game.Status.PLAYING, ["alice", "steady", "sharp"])


def test_a_rematch_waits_for_the_person_who_left_the_game(alice: User, bob: User) -> None:
    game = running_game(alice, bob, "steady")
    commands.move(game.code, 1, Leave(), seen=None, now=SOON)
    old = finish(Game.objects.get(pk=game.pk))
    assert rematches.rematch(old.code, alice, now=SOON).status == Game.Status.OPEN


def test_who_asks_second_sits_down_at_the_rematch_of_the_first(alice: User, bob: User) -> None:
    old = finished_game(alice, bob)
    first = rematches.rematch(old.code, bob, now=SOON)
    assert rematches.rematch(old.code, alice, now=SOON) == first
    assert rematches.rematch(old.code, alice, now=SOON) == first, "asking again changes nothing"
    assert names(first.code) == ["bob", "alice"]


def test_a_rematch_shows_on_the_screens_of_the_old_game(alice: User, bob: User) -> None:
    old = finished_game(alice, bob)
    seq = old.seq
    rematches.rematch(old.code, bob, now=SOON)
    assert Game.objects.get(code=old.code).seq == seq + 1


def test_when_the_rematch_was_closed_there_can_be_another(alice: User, bob: User) -> None:
    old = finished_game(alice, bob)
    before_start.close(rematches.rematch(old.code, bob, now=SOON).code, bob, now=SOON)
    again = rematches.rematch(old.code, alice, now=SOON)
    assert (again.status, again.host) == (Game.Status.OPEN, alice)


def test_only_who_played_gets_a_rematch_and_only_after_the_game(
    alice: User, bob: User, charlie: User
) -> None:
    running = dealt(alice, bob, hands=((2,) * 5, (3,) * 5))
    assert refused(lambda: rematches.rematch(running.code, alice, now=SOON)) == "not_over"
    old = finished_game(alice, bob)
    assert refused(lambda: rematches.rematch(old.code, charlie, now=SOON)) == "not_seated"
