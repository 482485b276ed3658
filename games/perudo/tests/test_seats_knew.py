"""What the other seats knew of a bid in a replay: their own dice for it, and the odds by them."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from accounts.models import User
from games.contract import catalogue
from games.models import Game
from games.perudo import seats_knew
from games.perudo.replay_moves import judged
from games.perudo.rules.bids import Bid
from games.perudo.rules.odds import odds
from games.perudo.tests.tables import table
from games.words import percent
from tests.support import fast_games

HANDS = [(1, 2, 2), (2, 3), (), (1, 1, 6, 6)]
OPEN = re.compile(r'<details class="others-knew">.*?</details>', re.DOTALL)


def test_each_other_seat_has_its_own_dice_with_pacos_and_the_odds_by_them() -> None:
    state = table(HANDS)
    made = judged(state, 0, "bid", Bid(4, 2))
    with override("en"):
        found = seats_knew.rows(state, made)
    chances = [odds(Bid(4, 2), dice=9, hand=HANDS[seat], palifico=False).true for seat in (1, 3)]
    assert found == [(1, ["1 of 2", percent(chances[0])]), (3, ["2 of 4", percent(chances[1])])]


def test_in_a_palifico_round_no_paco_counts() -> None:
    state = table(HANDS, palifico=0)
    with override("en"):
        found = seats_knew.rows(state, judged(state, 0, "bid", Bid(4, 2)))
    assert [cells[0] for _seat, cells in found] == ["1 of 2", "0 of 4"]


def test_of_a_call_it_is_the_bid_that_was_called() -> None:
    state = table(HANDS, bid="4x2", bidder=0)
    made = judged(state, 1, "dudo", Bid(4, 2))
    with override("en"):
        assert [seat for seat, _cells in seats_knew.rows(state, made)] == [0, 3]
        assert seats_knew.title(made) == "4 twos: how likely it was true by each player's own dice"


def shown(game: Game, number: int, query: str = "") -> str:
    path = reverse("games:moment", args=[game.code, number]) + query
    found = OPEN.findall(unescape(Client().get(path).content.decode()))
    assert len(found) <= 1
    return found[0] if found else ""


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return fast_games.finished_game(alice, bob, "steady", seed=2)


@pytest.mark.django_db
def test_a_replay_shows_it_with_every_move(game: Game) -> None:
    moments = catalogue.of("perudo").replay.moments(game)
    for number, moment in enumerate(moments[:8], start=1):
        page = shown(game, number)
        assert bool(page) == (moment.move is not None)
        if moment.move is not None:
            hands = moments[number - 2].state.hands
            rows = len([hand for hand in hands if hand]) - 1
            assert page.count('<th scope="row">') == rows


@pytest.mark.django_db
def test_who_looks_through_the_eyes_of_a_seat_reads_none_of_it(game: Game) -> None:
    assert shown(game, 2)
    for query in ("?seat=0", "?seat=1", "?seat=2"):
        assert not shown(game, 2, query)
        assert shown(game, 2, f"{query}&open=1")
    batch = reverse("games:moments", args=[game.code, game.seq, 1])
    assert "others-knew" not in Client().get(f"{batch}?seat=1&in=en").content.decode()
    assert "others-knew" in Client().get(f"{batch}?in=en").content.decode()


def test_a_row_depends_on_nothing_but_what_its_seat_was_told() -> None:
    """The hands of the others are exchanged: its own row stays."""
    state = table(HANDS)
    made = judged(state, 0, "bid", Bid(4, 2))
    with override("en"):
        for seat, cells in seats_knew.rows(state, made):
            others = [hand if each == seat else (6,) * len(hand) for each, hand in enumerate(HANDS)]
            assert dict(seats_knew.rows(table(others), made))[seat] == cells
