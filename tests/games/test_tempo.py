"""The tempo of a table: turns, bots and reveals together, and bots that vary like people."""

from __future__ import annotations

from datetime import timedelta
from statistics import mean, stdev
from typing import Any

import pytest
from django.conf import settings

from accounts.models import User
from games import catalogue
from games.models import Game
from games.play import before_start, deadlines, rematches, tempo
from games.play.tempo import TEMPOS
from games.store.versioned_lru import clear_all
from tests.games.evening import DUDO, bid, dealt
from tests.games.playing import EVENING

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


def chosen(game: catalogue.Game, key: str, **fields: str) -> dict[str, Any]:
    seats = str(game.rules.SEATS.start)
    data = {"game": game.key, "kind": "standard", "seats": seats, "public": "yes", "pace": "auto"}
    form = game.forms.NEW_TABLE(data | {"tempo": key} | fields)
    assert form.is_valid(), form.errors
    return form.table()


@pytest.mark.parametrize("game", [*catalogue.every()], ids=lambda game: game.key)
def test_one_choice_sets_the_time_for_a_turn_and_a_chosen_time_stays(
    game: catalogue.Game,
) -> None:
    usual = deadlines.turn_seconds(game.key, game.rules.SEATS.start)
    times = {key: chosen(game, key)["turn_seconds"] for key in TEMPOS}
    assert times == {"relaxed": 2 * usual, "normal": usual, "fast": round(usual / 2)}
    assert chosen(game, "fast", pace="90")["turn_seconds"] == 90
    assert chosen(game, "fast", pace="")["turn_seconds"] is None
    assert chosen(game, "")["tempo"] == "normal"  # a page from before there was a choice


def test_an_unknown_tempo_is_an_error_of_the_form() -> None:
    game = catalogue.default()
    form = game.forms.NEW_TABLE({"tempo": "frantic", "pace": "auto", "seats": "2", "public": "yes"})
    assert "tempo" in form.errors


def thinks(key: str, *, code: str = "abc", seqs: range = range(2000)) -> list[float]:
    games = (Game(code=code, seq=seq, tempo=key) for seq in seqs)
    return [tempo.bot_seconds(game, 1.0) for game in games]


def test_bots_vary_around_the_tempo_and_never_wait_long() -> None:
    for key, of_tempo in TEMPOS.items():
        times = thinks(key)
        assert mean(times) == pytest.approx(of_tempo.bot, rel=0.1)
        assert 0.2 < stdev(times) / mean(times) < 0.5
        assert min(times) >= 0.5 * of_tempo.bot
        assert max(times) <= 2.2 * of_tempo.bot
    assert thinks("normal") != thinks("normal", code="abd")


def test_a_table_from_before_there_was_a_tempo_keeps_its_times() -> None:
    assert set(thinks("")) == {1.0}
    assert tempo.of(Game()) == TEMPOS["normal"]


def due_after_a_bid(alice: User, hand: tuple[int, ...], *, code: str) -> timedelta:
    """How long the bot at seat 1 thinks after Alice's bid, if it holds `hand`."""
    evening = dealt(alice, "steady", hands=(HANDS[0], hand))
    Game.objects.filter(pk=evening.game.pk).update(tempo="normal", code=code)
    evening.code = code
    clear_all()  # the caches know a game by its code
    evening.says(0, bid("2x3"))
    game = Game.objects.get(code=code)
    assert game.turn_ends_at is not None
    found: timedelta = game.turn_ends_at - evening.now
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
        evening = dealt(alice, bob, hands=HANDS)
        Game.objects.filter(pk=evening.game.pk).update(tempo=key)
        clear_all()
        evening.says(0, bid("2x3"))
        evening.says(1, DUDO)
        ends_at = evening.game.turn_ends_at
        assert ends_at is not None
        shown[key] = ends_at - evening.now
    pause = timedelta(seconds=settings.REVEAL_SECONDS)
    assert shown["relaxed"] - shown["normal"] == pause
    assert shown["normal"] - shown["fast"] == pause / 2


def test_a_rematch_and_a_new_game_keep_the_tempo(alice: User) -> None:
    quick = before_start.play_now(
        alice,
        key=catalogue.default().key,
        bots=["steady"],
        now=EVENING,
        **catalogue.default().forms.QUICK_PLAY,
    )
    assert quick.tempo == "normal"
    Game.objects.filter(pk=quick.pk).update(tempo="fast")
    again = rematches.play_again(quick.code, alice, now=EVENING)
    assert again.tempo == "fast"
    assert again.turn_seconds == deadlines.turn_seconds(again.rules, 2, tempo_key="fast")
