"""A game of several rounds whose log alone remembers: no cache helps from one move to the next."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from accounts.models import User
from games.models import Game
from games.peco_peco.models import Round
from games.peco_peco.rules.events import FoodShuffled, RoundStarted
from games.peco_peco.rules.stakes import STAKES
from games.peco_peco.rules.state import State
from games.peco_peco.tests.fast_games import play_until, running_game
from games.store import event_log, versioned_lru

pytestmark = pytest.mark.django_db

ROUNDS = 4


def played_without_caches(game: Game, *, rounds: int) -> Game:
    """The game so many rounds later, or over; every cache is emptied before each move."""

    def enough(state: State) -> bool:
        versioned_lru.clear_all()
        cache.clear()
        return state.number > rounds

    return play_until(game, enough, seed=3)


@pytest.mark.parametrize("preset", ["peco_base", "peco_teams", "peco_der_des_der"])
def test_rounds_follow_one_another_when_every_move_is_decided_from_the_log(
    alice: User, bob: User, charlie: User, preset: str
) -> None:
    game = running_game(alice, bob, charlie, "easy", seed=3, preset=preset)
    game = played_without_caches(game, rounds=ROUNDS)
    assert game.status == Game.Status.PLAYING, "the game ended before that: take another seed"
    assert list(Round.objects.filter(game=game).values_list("number", flat=True)) == [1, 2, 3, 4]


@pytest.mark.slow
def test_the_stakes_are_turned_up_in_the_order_of_the_first_shuffle(
    alice: User, bob: User, charlie: User
) -> None:
    game = running_game(alice, bob, charlie, "easy", seed=3)
    game = played_without_caches(game, rounds=len(STAKES))
    facts = [each.fact for each in event_log.unsealed_facts(game)]
    shuffled = next(fact.stakes for fact in facts if isinstance(fact, FoodShuffled))
    turned = [fact.stake for fact in facts if isinstance(fact, RoundStarted)]
    assert len(turned) > ROUNDS and tuple(turned) == shuffled[: len(turned)]
