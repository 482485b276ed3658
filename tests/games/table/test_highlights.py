"""Highlights on the pages of a finished game: told once it is over, and found once."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from games.contract import catalogue
from games.models import Game
from games.perudo.rules import KEY
from games.store import event_log
from games.table import highlights
from tests.support.fast_games import play_until, played_game, running_game
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db


def test_a_running_game_has_none(alice: User, bob: User, charlie: User) -> None:
    game = play_until(running_game(alice, bob, charlie), lambda state: state.number == 4)
    assert highlights.shown(game) == []
    with pytest.raises(ValueError, match="stays sealed"):
        catalogue.of(KEY).replay.highlights(game)
    page = signed_in(alice).get(f"/games/{game.code}").content.decode()
    assert 'class="said highlights"' not in page


def test_the_table_of_a_finished_game_links_them_to_the_replay(
    alice: User, bob: User, charlie: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    game: Game = played_game(alice, bob, charlie)
    found = highlights.shown(game)
    assert found
    page = signed_in(alice).get(f"/games/{game.code}").content.decode()
    for each in found:
        assert each.url in page
        assert client.get(each.url).status_code == 200
    # The log is not read again: not for another language, not for the replay.
    monkeypatch.setattr(event_log, "unsealed_facts", lambda game: pytest.fail("read again"))
    assert highlights.shown(game) == found


def test_the_last_page_of_the_replay_has_them_too(
    alice: User, bob: User, charlie: User, client: Client
) -> None:
    game = played_game(alice, bob, charlie)
    first = client.get(f"/games/{game.code}/replay").content.decode()
    assert 'class="said highlights"' not in first
    last = re.findall(r'data-count="(\d+)"', first)[0]
    page = client.get(f"/games/{game.code}/replay/{last}").content.decode()
    assert 'class="said highlights"' in page


def test_a_player_reads_what_became_of_them(alice: User, bob: User, charlie: User) -> None:
    game = played_game(alice, bob, charlie)
    words = {1: "You won!", 2: "2nd of 3: so close!", 3: "3rd of 3. Good game!"}
    for seat in game.seat_set.select_related("user"):
        assert seat.user is not None and seat.place is not None
        page = signed_in(seat.user).get(f"/games/{game.code}").content.decode()
        assert words[seat.place] in page
        assert page.count('class="victory"') == page.count('class="confetti"') == 1


def test_nobody_is_told_that_a_lost_duel_was_close(alice: User, bob: User) -> None:
    """Second of two is last."""
    game = played_game(alice, bob)
    loser = game.seat_set.select_related("user").get(place=2).user
    assert loser is not None
    page = signed_in(loser).get(f"/games/{game.code}").text
    assert "You lost this one. Good game!" in page and "so close" not in page
