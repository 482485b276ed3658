"""Leaving a table of Peco Peco, being away, and what comes after, through the pages (C5, Q8)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.core.chance import SeededChance
from games.models import Game, Seat
from games.peco_peco.rules.state import State
from games.peco_peco.tests.fast_games import play_until, played_game, running_game
from games.play import commands
from games.store import event_log
from games.table import frames
from tests.games.contract.random_games import seeded
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db


def post(game: Game, person: User, name: str, **fields: Any) -> str:
    """What is answered to a form of the table: "" when it is done."""
    address = reverse(f"games:{name}", args=[game.code])
    answer = signed_in(person).post(address, fields, headers={"HX-Request": "true"})
    assert answer.status_code == 200, answer
    game.refresh_from_db()
    return answer.content.decode().strip()


def state(game: Game) -> State:
    known: State = event_log.public_state(game)
    return known


def seat_of(game: Game, person: User) -> Seat:
    return game.seat_set.get(user=person)


def on_turn(game: Game) -> Seat:
    return game.seat_set.get(number=state(game).turn)


def runs_out(game: Game) -> None:
    """What is due is played at the moment it is due."""
    assert game.due_at is not None
    commands.play_due(game.code, now=game.due_at, chance=SeededChance(seeded(3)))
    game.refresh_from_db()


def until_everybody_sees_the_end_of_the_round(game: Game) -> Game:
    return play_until(game, lambda known: known.phase == "reveal")


def test_who_leaves_is_played_until_the_round_ends_and_then_is_out(
    alice: User, bob: User, charlie: User
) -> None:
    game = running_game(alice, bob, charlie, "easy")
    number = seat_of(game, bob).number
    post(game, bob, "move", do="leave")
    assert seat_of(game, bob).gone and number in state(game).in_play
    game = until_everybody_sees_the_end_of_the_round(game)
    assert game.status == Game.Status.PLAYING
    assert number not in state(game).in_play
    assert "You left this game" in frames.own(game, number, user=bob)
    game = play_until(game, lambda known: False)
    assert game.status == Game.Status.FINISHED
    assert seat_of(game, bob).place == 4, "last: their buffet does not count"


def test_a_teammate_leaves_and_the_other_plays_on(alice: User, bob: User) -> None:
    game = running_game(alice, "easy", bob, "easy", preset="peco_teams")
    numbers = [seat_of(game, person).number for person in (alice, bob)]
    assert state(game).side_of(numbers[0]) == tuple(sorted(numbers))
    post(game, bob, "move", do="leave")
    game = until_everybody_sees_the_end_of_the_round(game)
    assert game.status == Game.Status.PLAYING
    assert numbers[0] in state(game).in_play and numbers[1] not in state(game).in_play
    game = play_until(game, lambda known: False)
    assert game.status == Game.Status.FINISHED


def test_when_one_side_is_left_it_wins_at_once(alice: User, bob: User, charlie: User) -> None:
    dora = User.objects.create_user("dora")
    game = running_game(alice, bob, charlie, dora)
    for person in (bob, charlie, dora):
        post(game, person, "move", do="leave")
    assert game.status == Game.Status.FINISHED
    assert state(game).reason == "others_left"
    assert seat_of(game, alice).place == 1


def test_an_absent_player_is_played_by_the_stand_in_and_takes_over(
    alice: User, bob: User, charlie: User
) -> None:
    """Two missed turns in a row, and a bot holds the seat until its player comes back."""
    dora = User.objects.create_user("dora")
    game = running_game(alice, bob, charlie, dora)
    sleeper = on_turn(game)
    for _ in range(200):
        if game.seat_set.get(pk=sleeper.pk).asleep:
            break
        runs_out(game)
    assert game.status == Game.Status.PLAYING
    assert game.seat_set.get(pk=sleeper.pk).asleep
    assert sleeper.user is not None
    own = frames.own(game, sleeper.number, user=sleeper.user)
    assert "a bot is playing for you" in own and 'value="declare"' not in own
    assert post(game, sleeper.user, "back") == ""
    assert not game.seat_set.get(pk=sleeper.pk).asleep


def test_the_winner_starts_the_rematch(alice: User) -> None:
    """Q8: the winner of the game before."""
    old = played_game(alice, "easy", "medium", "hard", seed=4)
    [winner] = old.seat_set.filter(place=1)
    post(old, alice, "rematch")
    again = Game.objects.get(pk=old.rematch_id)
    assert again.status == Game.Status.PLAYING
    starter = again.seat_set.get(number=state(again).starter)
    assert (starter.user, starter.bot) == (winner.user, winner.bot)


def test_who_is_out_of_the_round_cannot_skip(alice: User) -> None:
    """Out of the round is not out of the game: the next one waits for them."""
    game = running_game(alice, "easy", "easy", "easy")
    number = seat_of(game, alice).number
    game = play_until(game, lambda known: number in known.out)
    assert game.status == Game.Status.PLAYING
    assert "Not everyone is out yet." in post(game, alice, "skip")
    assert not game.skipping


def test_when_all_people_have_left_the_bots_do_not_play_on(alice: User, bob: User) -> None:
    game = running_game(alice, bob, "easy", "easy")
    post(game, alice, "move", do="leave")
    post(game, bob, "move", do="leave")
    assert game.status == Game.Status.FINISHED
    assert state(game).reason == "others_left"
    assert timezone.now() - game.finished_at < timedelta(minutes=1)
