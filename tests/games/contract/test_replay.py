"""The replay of every kind of game: its moments, their scenes, and a log that is read once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
from django.template.loader import get_template
from django.utils import translation

from accounts.models import User
from games.contract import catalogue
from games.contract.shown import context
from games.models import Game
from games.peco_peco.tests import fast_games as peco_peco
from games.store import event_log
from games.store import moments as kept
from games.study.replay import replay_page
from games.study.replay.replay_viewing import Viewing
from games.table import fragment_cache
from tests.games.contract.kinds import LANGUAGES
from tests.support import fast_games as perudo

pytestmark = pytest.mark.django_db

# The plays of each game, and the bots that its smallest table needs beside three people.
GAMES: dict[str, tuple[ModuleType, tuple[str, ...]]] = {
    "perudo": (perudo, ()),
    "peco_peco": (peco_peco, ("easy",)),
}


@pytest.fixture(params=sorted(kind.key for kind in catalogue.every()))
def key(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def game(key: str, alice: User, bob: User, charlie: User) -> Game:
    games, bots = GAMES[key]
    finished: Game = games.played_game(alice, bob, charlie, *bots)
    return finished


def test_moments_come_in_the_order_of_the_clock_and_of_the_rounds(game: Game) -> None:
    moments = catalogue.of(game.kind_key).replay.moments(game)
    times, rounds = [each.at for each in moments], [each.round for each in moments]
    assert times == sorted(times) and times[-1] == game.finished_at
    assert rounds == sorted(rounds) and set(rounds) == set(range(1, rounds[-1] + 1))


def test_a_scene_seats_everybody_and_belongs_to_its_round(game: Game) -> None:
    replay = catalogue.of(game.kind_key).replay
    for moment in replay.moments(game):
        scene = replay.scene(game, moment)
        assert [seat.number for seat in scene.seats] == list(range(game.size))
        assert (scene.round, type(scene.narration)) == (moment.round, str)


def test_the_last_moment_says_who_has_won(game: Game) -> None:
    count = len(catalogue.of(game.kind_key).replay.moments(game))
    last = replay_page.page(game, count)
    assert last is not None and last.bar.at_end
    for seat in game.seat_set.filter(place=1):
        assert seat.name in last.moment.narration


def test_a_replay_is_told_in_every_language(game: Game) -> None:
    count = len(catalogue.of(game.kind_key).replay.moments(game))
    told = {}
    for language in LANGUAGES:
        with translation.override(language):
            page = replay_page.page(game, count)
            assert page is not None
            told[language] = page.moment.narration
    assert all(told.values()) and len(set(told.values())) == len(LANGUAGES)


def test_every_moment_has_a_page_with_the_way_to_every_round(game: Game) -> None:
    count = len(catalogue.of(game.kind_key).replay.moments(game))
    pages = [replay_page.page(game, number) for number in range(1, count + 1)]
    assert replay_page.page(game, 0) is None and replay_page.page(game, count + 1) is None
    for page in pages:
        assert page is not None
        for row in page.rounds:
            deal = pages[int(row.url.rpartition("/")[2]) - 1]
            assert deal is not None and deal.moment.round == row.number


def test_the_log_of_a_game_is_read_once_for_its_moments_and_highlights(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    real = event_log.unsealed_facts
    monkeypatch.setattr(event_log, "unsealed_facts", lambda of: (read.append(of.code), real(of))[1])
    kept._kept.clear()
    replay = catalogue.of(game.kind_key).replay
    found = replay.highlights(game)
    moments = replay.moments(game)
    assert replay.moments(game) is moments and replay.highlights(game) == found
    assert all(1 <= each.moment <= len(moments) for each in found)
    assert read == [game.code]


def test_a_running_game_has_no_moments(key: str, alice: User, bob: User, charlie: User) -> None:
    games, bots = GAMES[key]
    game, replay = games.running_game(alice, bob, charlie, *bots), catalogue.of(key).replay
    for ask in (replay.moments, replay.highlights):
        with pytest.raises(ValueError, match="stays sealed"):
            ask(game)


def test_only_so_many_games_are_kept(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept._kept, "most", 2)
    for code in "abc":
        kept._kept.keep(code, 1, ())
    catalogue.of(game.kind_key).replay.moments(game)
    assert len(kept._kept) == 2 and game.code in kept._kept


# --- the moves, and whose eyes see them -----------------------------------------------------------


def test_every_move_has_its_player_its_words_and_its_time(game: Game) -> None:
    kind = catalogue.of(game.kind_key)
    names = [seat.name for seat in game.seat_set.all()]
    made = [each.move for each in kind.replay.moments(game) if each.move]
    assert {move.seat for move in made} == set(range(game.size))
    for move in made:
        assert kind.words.move(move) and move.seconds >= 0
        assert move.chance is None or 0 <= move.chance <= 1
        told = kind.words.move_odds(move, names)
        assert len(told) in (0, 3) and all(line.endswith((".", "!")) for line in told)
        assert isinstance(kind.words.move_chance(move), str)
    assert any(kind.words.move_odds(move, names) for move in made)


def test_the_moves_are_told_in_every_language(game: Game) -> None:
    kind = catalogue.of(game.kind_key)
    names = [seat.name for seat in game.seat_set.all()]
    made = [each.move for each in kind.replay.moments(game) if each.move]
    told = set()
    for language in LANGUAGES:
        with translation.override(language):
            told.add(tuple(line for move in made for line in kind.words.move_odds(move, names)))
    assert len(told) == len(LANGUAGES)


def test_the_list_of_a_round_links_each_of_its_moves(game: Game) -> None:
    moments = catalogue.of(game.kind_key).replay.moments(game)
    for number in (1, len(moments) // 2, len(moments)):
        page = replay_page.page(game, number)
        assert page is not None
        here = moments[number - 1].round
        expected = [
            replay_page.address(game, place)
            for place, each in enumerate(moments, start=1)
            if each.move and each.round == here
        ]
        assert [row.url for row in page.moves.rows] == expected
        html = get_template(page.moves.template)
        assert all(html.render({"m": row}).strip() for row in page.moves.rows)


def test_decisions_of_one_seat_are_all_its_moves_and_no_others(game: Game) -> None:
    moments = catalogue.of(game.kind_key).replay.moments(game)
    page = replay_page.page(game, len(moments), Viewing(only=1))
    assert page is not None
    rows = page.moves.rows
    assert len(rows) == sum(each.move is not None and each.move.seat == 1 for each in moments)
    assert {row.seat for row in rows} == {1}
    assert all(row.url.endswith("?only=1") for row in rows)


def test_moves_that_no_person_made_show_no_thinking_time(game: Game) -> None:
    kind = catalogue.of(game.kind_key)
    moments = kind.replay.moments(game)
    seats = kind.replay.scene(game, moments[0]).seats
    for number, moment in enumerate(moments, start=1):
        page = replay_page.page(game, number)
        if moment.move is None or page is None:
            continue
        [row] = [row for row in page.moves.rows if row.is_shown]
        held = "bot" if seats[moment.move.seat].is_bot else moment.move.automatic and "automatic"
        assert (row.time in ("bot", "automatic")) == bool(held)
        assert not held or row.time == held


def test_one_seats_view_has_nothing_that_the_seat_did_not_know(game: Game) -> None:
    """Whatever the others held: the same page, byte for byte, until it was shown to everybody."""
    kind = catalogue.of(game.kind_key)
    moments = kind.replay.moments(game)
    compared = 0
    for number, moment in enumerate(moments, start=1):
        hands = moment.state.hands
        if moment.opens or number == len(moments) or len(set(hands[1:])) < 2:
            continue
        other = [hands[0], *(hand and hand[::-1] for hand in _turned(hands)[1:])]
        view = Viewing(seat=0)
        before = _seen(kind, game, number, view)
        with _changed(game, number, hands=tuple(other)):
            after = _seen(kind, game, number, view)
        assert before == after, number
        compared += 1
        if compared == 25:
            return
    assert compared


def _turned(hands: Sequence[Any]) -> list[Any]:
    """The hands of all but the first seat, changed round among those of one size."""
    sizes = [len(hand or ()) for hand in hands]
    turned = list(hands)
    for size in set(sizes[1:]):
        places = [place for place in range(1, len(hands)) if sizes[place] == size]
        for place, source in zip(places, [*places[1:], places[0]], strict=True):
            turned[place] = hands[source]
    return turned


def _seen(kind: catalogue.GameKind, game: Game, number: int, view: Viewing) -> str:
    page = replay_page.page(game, number, view)
    assert page is not None
    return str(fragment_cache.plain(f"{kind.key}/_replay_table.html", context(page)))


@contextmanager
def _changed(game: Game, number: int, **state: Any) -> Iterator[None]:
    """The kept moments of the game with another state at one of them."""
    moments = catalogue.of(game.kind_key).replay.moments(game)
    changed = list(moments)
    moment = changed[number - 1]
    changed[number - 1] = replace(moment, state=replace(moment.state, **state))
    kept._kept.clear()
    kept._kept.keep(game.code, game.seq, tuple(changed))
    yield
    kept._kept.clear()
    kept._kept.keep(game.code, game.seq, moments)


def test_one_seats_view_tells_nothing_of_what_comes(game: Game) -> None:
    kind = catalogue.of(game.kind_key)
    moments = kind.replay.moments(game)
    names = [seat.name for seat in game.seat_set.all()]
    for number in (2, len(moments) // 3, len(moments) // 2):
        page = replay_page.page(game, number, Viewing(seat=0))
        assert page is not None
        moment = moments[number - 1]
        rows, move = page.moves.rows, moment.move
        assert len(rows) == sum(
            each.move is not None and each.round == moment.round for each in moments[:number]
        )
        assert all(row.chance == "" for row in rows if row.seat != 0)
        told = list(kind.words.move_odds(move, names)) if move else []
        assert page.moves.odds == (told[:-1] if move and move.seat == 0 else [])
        over = moments[number].round - 1
        for row in page.rounds:
            assert (row.told is None) == (row.number > over)
        opened = replay_page.page(game, number, Viewing(seat=0, opened=True))
        assert opened is not None and opened.moves.odds == told
        assert opened.bar.url_next.endswith("?seat=0")


def test_bold_claims_are_moments_of_moves(game: Game) -> None:
    replay = catalogue.of(game.kind_key).replay
    moments, claims = replay.moments(game), replay.bold_claims(game)
    assert len(set(claims)) == len(claims)
    assert all(moments[number - 1].move is not None for number in claims)
