"""`manage.py rebuild_ratings`: it counts again what is stored, and finds what differs."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from games.models import Rating
from tests.support.fast_games import played_game

pytestmark = pytest.mark.django_db


def run(**options: object) -> str:
    out = StringIO()
    call_command("rebuild_ratings", stdout=out, stderr=out, **options)
    return out.getvalue()


def test_it_says_how_much_it_counted_and_changes_nothing(alice: User, bob: User) -> None:
    for seed in (1, 2):
        played_game(alice, bob, rated=True, seed=seed)
    before = list(Rating.objects.order_by("pk").values())
    assert "perudo: 2 games of 2 people counted." in run(check=True)
    assert "perudo: 2 games of 2 people counted." in run()
    assert list(Rating.objects.order_by("pk").values()) == before


def test_a_rating_that_its_games_do_not_say_is_found_and_mended(alice: User, bob: User) -> None:
    played_game(alice, bob, rated=True)
    before = Rating.objects.get(user=alice).mu
    Rating.objects.filter(user=alice).update(mu=2500)
    with pytest.raises(CommandError, match="differ"):
        run(check=True, game="perudo")
    run(game="perudo")
    assert Rating.objects.get(user=alice).mu == before


def test_a_game_without_ratings_is_refused() -> None:
    with pytest.raises(CommandError, match="perudo, peco_peco"):
        run(game="chess")
