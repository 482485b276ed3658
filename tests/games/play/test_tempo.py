"""The tempo of a table: turns, bots and reveals together, and bots that vary like people."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings

from accounts.models import User
from games.contract import catalogue
from games.models import Game
from games.play import before_start, deadlines, rematches
from games.play.tempo import TEMPOS
from games.store.versioned_lru import clear_all
from tests.support.fast_games import START
from tests.support.game_driver import DUDO, bid, deal_game

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


def chosen(game: catalogue.GameKind, key: str, **fields: str) -> dict[str, Any]:
    seats = str(game.rules.SEATS.start)
    data = {
        "game": game.key,
        "kind": "standard",
        "seats": seats,
        "visibility": "public",
        "pace": "auto",
    }
    form = game.forms.NEW_TABLE(data | {"tempo": key} | fields)
    assert form.is_valid(), form.errors
    return asdict(form.table_settings())


@pytest.mark.parametrize("game", [*catalogue.every()], ids=lambda game: game.key)
def test_one_choice_sets_the_time_for_a_turn_and_a_chosen_time_stays(
    game: catalogue.GameKind,
) -> None:
    usual = deadlines.turn_seconds(game.key, game.rules.SEATS.start)
    times = {key: chosen(game, key)["turn_seconds"] for key in TEMPOS}
    assert times == {"relaxed": 2 * usual, "normal": usual, "fast": round(usual / 2)}
    assert chosen(game, "fast", pace="90")["turn_seconds"] == 90
    assert chosen(game, "fast", pace="")["turn_seconds"] is None
    assert chosen(game, "")["tempo"] == "normal"  # a page from before there was a choice


def test_an_unknown_tempo_is_an_error_of_the_form() -> None:
    game = catalogue.default()
    form = game.forms.NEW_TABLE(
        {"tempo": "frantic", "pace": "auto", "seats": "2", "visibility": "public"}
    )
    assert "tempo" in form.errors


def due_after_a_bid(alice: User, hand: tuple[int, ...], *, code: str) -> timedelta:
    """How long the bot at seat 1 thinks after Alice's bid, if it holds `hand`."""
    driver = deal_game(alice, "steady", hands=(HANDS[0], hand))
    Game.objects.filter(pk=driver.game.pk).update(tempo="normal", code=code)
    driver.code = code
    clear_all()  # the caches know a game by its code
    driver.move(0, bid("2x3"))
    game = Game.objects.get(code=code)
    assert game.turn_ends_at is not None
    found: timedelta = game.turn_ends_at - driver.now
    Game.objects.filter(pk=game.pk).update(code=f"old{game.pk}")
    return found


def test_how_long_a_bot_thinks_does_not_depend_on_its_hand(alice: User) -> None:
    """The same table with other dice under the bot's cup: the same time to the microsecond."""
    hands = ((1, 1, 3, 3, 3), (2, 2, 4, 5, 6), (6, 6, 6, 6, 6))
    for code in ("first23", "second4"):
        times = {due_after_a_bid(alice, hand, code=code) for hand in hands}
        assert len(times) == 1


def test_the_pause_after_a_reveal_follows_the_tempo(alice: User, bob: User) -> None:
    shown = {}
    for key in TEMPOS:
        driver = deal_game(alice, bob, hands=HANDS)
        Game.objects.filter(pk=driver.game.pk).update(tempo=key)
        clear_all()
        driver.move(0, bid("2x3"))
        driver.move(1, DUDO)
        ends_at = driver.game.turn_ends_at
        assert ends_at is not None
        shown[key] = ends_at - driver.now
    pause = timedelta(seconds=settings.REVEAL_SECONDS)
    assert shown["relaxed"] - shown["normal"] == pause
    assert shown["normal"] - shown["fast"] == pause / 2


def test_a_rematch_and_a_new_game_keep_the_tempo(alice: User) -> None:
    settings = before_start.quick_settings(catalogue.default().key, bots=1)
    quick = before_start.play_now(alice, settings, bots=["steady"], now=START)
    assert quick.tempo == "normal"
    Game.objects.filter(pk=quick.pk).update(tempo="fast", turn_seconds=15)
    again = rematches.play_again(quick.code, alice, now=START)
    assert (again.tempo, again.turn_seconds) == ("fast", 15)
