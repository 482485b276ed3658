"""The replay of Peco Peco: every step of a finished game, every hand open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from games.core.game_record import from_json
from games.core.moves import Leave
from games.models import Game
from games.peco_peco import replay, rules
from games.peco_peco.moments import Moment
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CardPlayed,
    Declared,
    GameEnded,
    HonestyShown,
    Left,
    RoundEnded,
    RoundStarted,
)
from games.peco_peco.rules.turns import is_playable
from games.peco_peco.tests.fast_games import play_until, played_game, running_game
from games.play import commands
from games.store import event_log, record_export
from games.study.replay import replay_page

pytestmark = pytest.mark.django_db

STEPS = (RoundStarted, CardPlayed, Declared, BluffAdmitted, HonestyShown, RoundEnded, GameEnded)


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    return played_game(alice, bob, charlie, "easy", seed=3)


def steps_of(game: Game) -> Sequence[Moment]:
    return replay.moments(game)


def page_of(game: Game, number: int) -> dict[str, Any]:
    page = replay_page.page(game, number)
    assert page is not None
    return page


def sample(game: Game) -> list[tuple[Moment, dict[str, Any]]]:
    """Some moments with their pages: declarations, what follows them, and the end."""
    steps = steps_of(game)
    declared = [number for number, step in enumerate(steps) if isinstance(step.facts[0], Declared)]
    bluffs = [number for number in declared if steps[number].bluff]
    true = [number for number in declared if not steps[number].bluff]
    numbers = {0, *bluffs[:3], *true[:3], len(steps) // 2, len(steps) - 2, len(steps) - 1}
    return [(steps[number], page_of(game, number + 1)) for number in sorted(numbers)]


def leave(game: Game, number: int) -> Game:
    now = event_log.latest_public_facts(game)[-1].at
    commands.move(game.code, number, Leave(), seen=None, now=now)
    game.refresh_from_db()
    return game


# --- the moments ---------------------------------------------------------------------------------


def test_the_moments_are_every_deal_move_and_end(game: Game) -> None:
    kinds = Counter(type(each.fact) for each in event_log.unsealed_facts(game))
    steps = steps_of(game)
    assert len(steps) == sum(kinds[kind] for kind in STEPS)
    assert [step.at for step in steps] == sorted(step.at for step in steps)
    assert (steps[-2].state.phase, steps[-1].state.phase) == ("reveal", "over")


def test_every_hand_lies_open(game: Game) -> None:
    for step, page in sample(game):
        hands = [seat.hand for seat in page.t.seats]
        assert [len(hand) for hand in hands] == list(step.state.sizes)
        assert hands == list(step.state.hands)


def test_a_bluff_is_named(game: Game) -> None:
    seen = set()
    for step, page in sample(game):
        first = step.facts[0]
        assert ("That's a bluff." in page.moment.narration) == step.bluff
        if isinstance(first, Declared) and step.state.phase == "turn":
            hand = page.t.seats[first.seat].hand
            assert any(is_playable(step.state, card) for card in hand) == step.bluff
            seen.add(step.bluff)
    assert seen == {True, False}


def test_bluffs_are_those_that_accusations_find(game: Game) -> None:
    steps = steps_of(game)
    for before, step in pairwise(steps):
        if isinstance(step.facts[0], BluffAdmitted):
            assert before.bluff
        if isinstance(step.facts[0], HonestyShown):
            assert not before.bluff
    assert any(isinstance(step.facts[0], HonestyShown) for step in steps)


def test_the_last_moment_names_the_winner_and_ranks_everyone(game: Game) -> None:
    last = page_of(game, len(steps_of(game)))
    winner = game.seat_set.get(place=1)
    assert last.moment.narration.endswith(f"{winner.name} wins the game.")
    assert len(last.t.ranking) == 4
    assert last.bar.at_end


def test_partners_win_together(alice: User, bob: User, charlie: User) -> None:
    game = played_game(alice, bob, charlie, "easy", preset="peco_teams", seed=3)
    page = page_of(game, len(steps_of(game)))
    assert page.moment.narration.endswith(" win the game.")


def test_the_rounds_lead_to_their_deals(game: Game, client: Client) -> None:
    first = page_of(game, 1)
    wins = [
        event.fact.winner
        for event in event_log.unsealed_facts(game)
        if isinstance(event.fact, RoundEnded)
    ]
    assert [row.told.winner and row.told.winner.number for row in first.rounds] == wins
    for row in first.rounds:
        context = client.get(row.url).context
        assert context["moment"].round == row.number
        assert context["t"].last.kind == "deal"


# --- those who leave -----------------------------------------------------------------------------


def test_a_player_who_left_sits_there_until_then(alice: User, bob: User, charlie: User) -> None:
    game = running_game(alice, bob, charlie, "easy")
    game = leave(play_until(game, lambda state: state.number == 2), 1)
    game = play_until(game, lambda state: False)
    steps = steps_of(game)
    left = next(n for n, step in enumerate(steps, 1) if Left(1) in step.facts)
    gone = [page_of(game, n).t.seats[1].gone for n in (1, left - 1, left, len(steps))]
    assert gone == [False, False, True, True]


@pytest.mark.parametrize("phase", ["turn", "reveal"])
def test_a_game_that_all_others_left_ends_with_the_departure(alice: User, phase: str) -> None:
    game = running_game(alice, "easy", "easy", "easy")
    game = leave(play_until(game, lambda state: state.phase == phase), 0)
    count = len(steps_of(game))
    before, end = page_of(game, count - 1), page_of(game, count)
    assert before.t.phase == phase
    assert "left the game." not in before.moment.narration
    assert "left the game." in end.moment.narration
    assert "Everyone else left: the game is over." in end.moment.narration


# --- pages and records ---------------------------------------------------------------------------


def test_every_moment_has_a_page(game: Game, client: Client) -> None:
    count = len(steps_of(game))
    for number in (1, 2, count // 2, count - 1, count):
        answer = client.get(reverse("games:moment", args=[game.code, number]))
        assert answer.status_code == 200
        assert answer.context["moment"].index == number
    assert client.get(reverse("games:moment", args=[game.code, count + 1])).status_code == 404
    assert client.get(reverse("games:replay", args=[game.code])).status_code == 200


def test_the_replay_speaks_every_language(game: Game) -> None:
    english = {page.moment.narration for _step, page in sample(game)}
    for language in ("fr", "it", "es"):
        with translation.override(language):
            told = [page.moment.narration for _step, page in sample(game)]
        assert all(told) and not set(told) & english


def test_the_record_can_be_downloaded_and_read_back(game: Game, client: Client) -> None:
    answer = client.get(reverse("games:record-json", args=[game.code]))
    record = from_json(rules, answer.content.decode())
    assert record.facts == record_export.record_of(game).facts
    text = client.get(reverse("games:record-text", args=[game.code])).content.decode()
    assert "Peco Peco" in text and "Result:" in text


def test_the_bluff_with_the_most_playable_cards_is_the_boldest(game: Game) -> None:
    steps, claims = steps_of(game), replay.bold_claims(game)
    cards = []
    for number in claims:
        before, step = steps[number - 2].state, steps[number - 1]
        assert step.bluff and step.move is not None
        hand = before.hand(step.move.seat)
        cards.append(sum(is_playable(before, card) for card in hand))
    assert cards == sorted(cards, reverse=True) and cards[0] > cards[-1] > 0
    assert sorted(claims) == [number for number, step in enumerate(steps, 1) if step.bluff]
    assert claims != sorted(claims)
