"""How long bots think, from turn to turn and at each tempo."""

from __future__ import annotations

from statistics import mean, stdev
from types import SimpleNamespace

import pytest

from accounts.models import User
from games.contract import catalogue
from games.core.contract import Waiting
from games.models import Game
from games.play import before_start, bot_think_time, deadlines, tempo
from games.play.tempo import TEMPOS
from games.store import event_log
from tests.support.cases import untouched
from tests.support.fast_games import START


def thinks(key: str, *, code: str = "abc", seqs: range = range(2000), bot: str = "") -> list[float]:
    games = (Game(code=code, seq=seq, tempo=key) for seq in seqs)
    return [bot_think_time.seconds(game, 1.0, bot) for game in games]


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


CHARACTERS = [pair for kind in catalogue.every() for pair in kind.characters.items()]


def test_a_character_has_a_pace_of_its_own_at_each_tempo(subtests: pytest.Subtests) -> None:
    without, before_tempos = thinks("normal", bot="no_character"), thinks("")
    for key, character in CHARACTERS:
        with subtests.test(key=key):
            times = {each: thinks(each, bot=key) for each in TEMPOS}
            for of_tempo, found in times.items():
                usual = TEMPOS[of_tempo].bot
                assert mean(found) == pytest.approx(usual * character.pace, rel=0.2)
                assert min(found) >= 0.3 * usual and max(found) <= 3 * usual
            assert times["normal"] != without
            assert thinks("", bot=key) == before_tempos


def test_a_bot_without_a_character_takes_the_usual_time() -> None:
    assert thinks("normal", bot="no_character") == thinks("normal")


def test_how_long_a_character_thinks_does_not_depend_on_any_hand(
    alice: User, subtests: pytest.Subtests
) -> None:
    """Tables with the same public facts, code and number, at which other hands were dealt."""
    for key, character in CHARACTERS:
        with subtests.test(key=key), untouched():
            kind = next(kind for kind in catalogue.every() if key in kind.characters)
            settings, due, hands = before_start.quick_settings(kind.key, bots=2), set(), set()
            for _ in range(3):
                bots = [key, character.base]
                game = before_start.play_now(alice, settings, bots=bots, now=START)
                Game.objects.filter(pk=game.pk).update(code="same")
                fresh = Game.objects.get(pk=game.pk)
                fresh.seq, seats = 40, list(fresh.seat_set.all())
                state = event_log.public_state(fresh)
                hands.add(repr(event_log.seat_view(fresh, 1).hands))
                on_turn = Waiting("turn", on_turn=1)
                known = SimpleNamespace(state=state, since=())
                deadlines.set_deadlines(fresh, seats, known, on_turn, now=START)  # type: ignore[arg-type]
                due.add(fresh.due_at)
                game.delete()
            assert len(hands) > 1 and len(due) == 1
