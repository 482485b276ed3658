"""Rated games of Peco Peco, each for themselves and in teams."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.core.moves import Leave
from games.models import Game, RatedSeat
from games.peco_peco.tests.fast_games import play_until, played_game, running_game
from games.play import commands
from games.play.ratings import correcting

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora(db: None) -> User:
    return User.objects.create_user("dora")


def parts(game: Game) -> dict[str, RatedSeat]:
    found = RatedSeat.objects.filter(game=game).select_related("rating__user", "seat")
    return {part.rating.user.username: part for part in found}


def gain(part: RatedSeat) -> float:
    assert part.mu is not None and part.mu_before is not None
    return part.mu - part.mu_before


def differing() -> list[object]:
    return [each for each in correcting.differences("peco_peco") if each is not None]


def test_each_for_themselves(alice: User, bob: User, charlie: User) -> None:
    game = played_game(alice, bob, charlie, "easy", "hard", rated=True)
    found = parts(game)
    assert {part.places for part in found.values()} == {5}
    assert {name: part.place for name, part in found.items()} == {
        seat.name: seat.place for seat in game.seat_set.all() if seat.user is not None
    }
    in_order = sorted(found.values(), key=lambda part: part.place or 0)
    assert [gain(part) for part in in_order] == sorted(map(gain, in_order), reverse=True)
    assert differing() == []


def test_a_team_shares_its_result(alice: User, bob: User, charlie: User, dora: User) -> None:
    """Partners sit opposite (Q41)."""
    game = played_game(alice, bob, charlie, dora, preset="peco_teams", rated=True)
    found = parts(game)
    assert found["alice"].place == found["charlie"].place
    assert found["bob"].place == found["dora"].place
    assert gain(found["alice"]) == pytest.approx(gain(found["charlie"]))
    assert {part.places for part in found.values()} == {2}
    assert differing() == []


def test_the_partner_of_who_left_keeps_what_the_team_made(
    alice: User, bob: User, charlie: User, dora: User
) -> None:
    game = running_game(alice, bob, charlie, dora, preset="peco_teams", rated=True)
    commands.move(game.code, 0, Leave(), seen=None, now=game.created_at)
    game.refresh_from_db()
    found = parts(play_until(game, lambda state: False))
    assert found["alice"].place == 2
    assert gain(found["alice"]) < 0
    if found["charlie"].place == 1:
        assert gain(found["charlie"]) > 0
    assert differing() == []


def test_a_table_in_teams_with_somebody_alone_is_not_rated(
    alice: User, bob: User, charlie: User
) -> None:
    """With five or seven, one is without a partner at first (Q42)."""
    game = running_game(alice, bob, charlie, "easy", "easy", preset="peco_teams", rated=True)
    assert parts(game) == {}
