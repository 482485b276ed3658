"""How a game ends on the page: what became of the reader, the key moment, what to do next, and a
win that a bot played."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import translation

from accounts.models import User
from games import catalogue
from games.models import Game
from games.rendering import frames, highlights, replay_page
from games.store import versioned_lru
from tests.games.contract.kinds import (
    LANGUAGES,
    every_kind,
    finished_game,
    played_on,
    quick_game,
)

pytestmark = pytest.mark.django_db


MOST_GAMES = 60  # a bot wins one in four, or more


def won_by_a_stand_in(kind: catalogue.GameKind, host: User) -> Game:
    """A finished game whose host missed every turn: a bot played for them and won.

    The first deal is real chance, so games are played until one comes out so.
    """
    for seed in range(MOST_GAMES):
        *_, last = played_on(quick_game(kind, host), seed=seed)
        seat = last.seat_set.get(number=0)
        assert seat.stood_in
        if seat.place == 1:
            return last
    raise AssertionError(f"no bot of {MOST_GAMES} has won {kind.key}")


def panel(game: Game, number: int | None, language: str = "en") -> str:
    with translation.override(language):
        return frames.own(game, number, user=None)


@every_kind
def test_what_comes_after_a_game_comes_in_this_order(kind: catalogue.GameKind, alice: User) -> None:
    game = finished_game(kind, alice, stays=True)
    order = ("ended", "key-moment", "/rematch", "/replay?at=mine", "share-opener")
    shown = panel(game, 0)
    at = [shown.index(part) for part in order]
    assert at == sorted(at)
    watching = panel(game, None)
    at = [watching.index(part) for part in ("key-moment", "/replay", "share-opener")]
    assert at == sorted(at)
    assert 'class="ended' not in watching and "/rematch" not in watching


@every_kind
def test_the_key_moment_is_one_of_the_highlights(kind: catalogue.GameKind, alice: User) -> None:
    game = finished_game(kind, alice, stays=True)
    found = kind.replay.highlights(game)
    [key] = [each for each in found if each.is_key]
    told = highlights.key_moment(game, None)
    assert told is not None
    assert told["url"] == f"/games/{game.code}/replay/{key.moment}"
    assert told["url"] in [each["url"] for each in highlights.shown(game)]
    page = replay_page.page(game, key.moment)
    assert page and game.seat_set.get(number=key.seat).name in page["moment"]["narration"]
    assert f'href="{told["url"]}"' in panel(game, 0)


def test_a_running_game_and_one_without_highlights_have_no_key_moment(
    alice: User, client: Client
) -> None:
    kind = catalogue.of("perudo")
    running = quick_game(kind, alice)
    assert highlights.key_moment(running, 0) is None
    game = finished_game(kind, alice)  # which its player left at once, with its first bid
    assert kind.replay.highlights(game) == []
    assert highlights.key_moment(game, None) is None
    assert "key-moment" not in panel(game, None)


@every_kind
def test_the_reader_of_a_key_moment_is_you(kind: catalogue.GameKind, alice: User) -> None:
    game = finished_game(kind, alice, stays=True)
    [key] = [each for each in kind.replay.highlights(game) if each.is_key]
    name = game.seat_set.get(number=key.seat).name
    to_them, to_others = (highlights.key_moment(game, who) for who in (key.seat, None))
    assert to_them and to_others
    assert to_them["words"].startswith("you ") and name not in to_them["words"]
    assert to_others["words"].startswith(f"{name} ")


@every_kind
def test_a_win_that_a_bot_played_is_told_as_that_below_the_winners_face(
    kind: catalogue.GameKind, alice: User, client: Client
) -> None:
    game = won_by_a_stand_in(kind, alice)
    own, table = panel(game, 0), frames.table(game)
    assert "You won: a bot played for you at the end." in own
    assert "confetti" not in own and "is-won" not in own and "You won!" not in own
    assert "A bot played for you at the end." in table
    assert re.search(r"A bot played for\s+(<[^>]+>)?alice(</\w+>)? at the end\.", table)
    assert "A bot played for alice at the end." in re.findall(r'data-narration="([^"]*)"', table)[0]
    count = len(kind.replay.moments(game))
    before, last = (replay_page.page(game, number) for number in (count - 1, count))
    assert before and last
    [faces] = re.findall(r'<p class="winners">(.*?)</p>', table, re.DOTALL)
    assert re.findall(r'class="avatar is-(\w+)', faces) == [alice.avatar["cloth"]]
    sentence = "alice wins the game. A bot played for alice at the end."
    assert last["moment"]["narration"].endswith(sentence)
    assert sentence not in before["moment"]["narration"]
    replay = client.get(f"/games/{game.code}/replay/{count}").content.decode()
    assert 'class="stood-in"' in replay


@every_kind
def test_a_player_who_did_not_win_is_told_of_their_stand_in_too(
    kind: catalogue.GameKind, alice: User
) -> None:
    told = "A bot played for you at the end."
    for seed in range(MOST_GAMES):
        *_, game = played_on(quick_game(kind, alice), seed=seed)
        seat = game.seat_set.get(number=0)
        if seat.place != 1:
            break
    assert seat.stood_in and seat.place != 1
    own = panel(game, 0)
    assert own.index("</h2>") < own.index(told) < own.index('class="after"')
    assert told not in panel(game, None)
    game.seat_set.filter(number=0).update(asleep=False)
    versioned_lru.clear_all()
    assert told not in panel(game, 0)


def test_it_is_told_in_every_language(alice: User) -> None:
    game = won_by_a_stand_in(catalogue.of("perudo"), alice)
    told = {
        language: re.findall(r'<h2 class="ended">\s*(.*?)\s*</h2>', panel(game, 0, language))
        for language in LANGUAGES
    }
    assert told["en"] == ["You won: a bot played for you at the end."]
    assert all("bot" in words for [words] in told.values())
    assert len({words for [words] in told.values()}) == len(LANGUAGES)
