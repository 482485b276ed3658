"""How a game ends on the page: what became of the reader, the game in three frames, what to do
next, and a win that a bot played."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from accounts.models import User
from games.contract import catalogue
from games.contract.game_values import Highlight
from games.models import Game, ReviewedPlay
from games.play import worker
from games.store import versioned_lru
from games.study.replay import replay_page
from games.study.review import reviews
from games.table import frames, highlights
from tests.games.contract.kinds import (
    LANGUAGES,
    every_kind,
    finished_game,
    played_on,
    quick_game,
)
from tests.support import fast_games
from tests.support.fast_games import START
from tests.support.reviewed_play import reviewed

pytestmark = pytest.mark.django_db


MOST_GAMES = 60  # a bot wins one in four, or more


def won_by_a_stand_in(kind: catalogue.GameKind, host: User) -> Game:
    """A finished game whose host missed every turn: a bot played for them and won alone.

    The first deal is real chance, so games are played until one comes out so.
    """
    for seed in range(MOST_GAMES):
        *_, last = played_on(quick_game(kind, host), seed=seed)
        seat = last.seat_set.get(number=0)
        assert seat.stood_in
        if seat.place == 1 and last.seat_set.filter(place=1).count() == 1:
            return last
    raise AssertionError(f"no bot of {MOST_GAMES} has won {kind.key}")


def panel(game: Game, number: int | None, language: str = "en") -> str:
    with translation.override(language):
        return frames.own(game, number, user=None)


@every_kind
def test_what_comes_after_a_game_comes_in_this_order(kind: catalogue.GameKind, alice: User) -> None:
    game = finished_game(kind, alice, stays=True)
    order = ("ended", "frames", "/rematch", "/review", "/replay?at=decision", "share-opener")
    shown = panel(game, 0)
    at = [shown.index(part) for part in order]
    assert at == sorted(at)
    watching = panel(game, None)
    at = [watching.index(part) for part in ("frames", "/review", '/replay"', "share-opener")]
    assert at == sorted(at)
    assert 'class="ended' not in watching and "/rematch" not in watching


@every_kind
def test_the_frames_are_highlights_and_one_is_the_key_moment(
    kind: catalogue.GameKind, alice: User, client: Client
) -> None:
    game = finished_game(kind, alice, stays=True)
    found = kind.replay.highlights(game)
    frames = highlights.frames(game, None)
    assert 0 < len(frames) <= 3
    assert [frame.is_key for frame in frames].count(True) == 1
    assert frames[-1].url == f"/games/{game.code}/replay/{found[-1].moment}"
    shown, own = {each.url for each in highlights.shown(game)}, panel(game, 0)
    for frame in frames:
        assert frame.title and frame.words
        assert frame.url in shown and f'href="{frame.url}"' in own
        assert client.get(frame.url).status_code == 200
    assert own.count("<li>") >= len(frames)


def test_a_running_game_and_one_without_highlights_have_no_frames(
    alice: User, client: Client
) -> None:
    kind = catalogue.of("perudo")
    running = quick_game(kind, alice)
    assert highlights.frames(running, 0) == []
    game = finished_game(kind, alice)  # which its player left at once, with its first bid
    assert kind.replay.highlights(game) == []
    assert highlights.frames(game, None) == []
    assert "frames" not in panel(game, None)


@every_kind
def test_the_reader_of_a_frame_is_you(kind: catalogue.GameKind, alice: User) -> None:
    game = finished_game(kind, alice, stays=True)
    seats = {f"/games/{game.code}/replay/{e.moment}": e.seat for e in kind.replay.highlights(game)}
    for frame in highlights.frames(game, None):
        seat = seats[frame.url]
        name = game.seat_set.get(number=seat).name
        [yours] = [
            each
            for each in highlights.frames(game, seat)
            if (each.url, each.title) == (frame.url, frame.title)
        ]
        assert yours.words.startswith("you ") and name not in yours.words
        assert frame.words.startswith(f"{name} ")


def test_a_long_name_is_shortened_in_a_frame(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    game = finished_game(catalogue.of("perudo"), alice, stays=True)
    User.objects.filter(pk=alice.pk).update(username="Maximilian-Marco-200")
    turn = Highlight(moment=1, seat=0, code="turn", values={"round": 3})
    monkeypatch.setattr(highlights, "_of", lambda game: [turn])
    [frame] = highlights.frames(Game.objects.get(pk=game.pk), None)
    assert frame.words == "Maximilian-… took the lead in round 3"


@pytest.mark.slow
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
    [faces] = re.findall(r'<p class="winners" data-mood="sure">(.*?)</p>', table, re.DOTALL)
    assert re.findall(r'class="avatar is-(\w+)', faces) == [alice.avatar["cloth"]]
    sentence = "alice wins the game. A bot played for alice at the end."
    assert last.moment.narration.endswith(sentence)
    assert sentence not in before.moment.narration
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


# --- what its review says ------------------------------------------------------------------------


def opener(game: Game, number: int | None, language: str = "en") -> str:
    """What the link to the review says."""
    [said] = re.findall(r'<a [^>]*/review"[^>]*>(.*?)</a>', panel(game, number, language))
    return unescape(re.sub("<[^>]*>", "", said))


@every_kind
def test_the_link_to_the_review_says_what_it_found_once_there_is_one(
    kind: catalogue.GameKind, alice: User
) -> None:
    game = finished_game(kind, alice, stays=True)
    assert opener(game, 0) == "Review"
    reviewed(game, alice)
    assert opener(game, 0) == "Review 1 blunder, luck +9%"
    assert opener(game, None) == "Review", "it is nobody else's"


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"blunders": 0, "luck": -0.12}, "3 mistakes, luck −12%"),
        ({"blunders": 0, "mistakes": 0, "luck": 0.0}, "2 inaccuracies, luck 0%"),
        ({"blunders": 0, "mistakes": 0, "inaccuracies": 0}, "no errors, luck +9%"),
        ({"luck": None}, "1 blunder"),
        ({"luck": 1.54}, "1 blunder"),
        ({"judged": False}, ""),
        ({"judge": "another 1"}, ""),
    ],
)
def test_it_names_the_worst_kind_of_errors(
    alice: User, columns: dict[str, object], said: str
) -> None:
    game = finished_game(catalogue.of("perudo"), alice, stays=True)
    reviewed(game, alice, **columns)
    assert opener(game, 0) == f"Review {said}".strip()


def test_what_a_review_found_costs_one_query_and_never_a_review(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "ask", None)
    game = finished_game(catalogue.of("perudo"), alice, stays=True)
    panel(game, 0)
    with CaptureQueriesContext(connection) as asked:
        panel(game, 0)
    [query] = [each["sql"] for each in asked if "reviewedplay" in each["sql"]]
    assert "LIMIT 1" in query
    Game.objects.filter(pk=game.pk).update(origin=Game.Origin.AGAIN)
    game.refresh_from_db()
    with CaptureQueriesContext(connection) as asked:
        panel(game, 0)
    assert not any("reviewedplay" in each["sql"] for each in asked), "it counts for nothing"


def test_what_a_review_found_is_told_in_every_language(alice: User) -> None:
    game = finished_game(catalogue.of("perudo"), alice, stays=True)
    reviewed(game, alice)
    told = {language: opener(game, 0, language) for language in LANGUAGES}
    assert len(set(told.values())) == len(LANGUAGES), told
    assert "1\u202f" not in told["en"] and "9\u202f%" in told["fr"] and "9\u202f%" in told["es"]


# --- after a warm-up -----------------------------------------------------------------------------


def warm_up(person: User) -> Game:
    """A finished warm-up, which leaves no row of its review for its person."""
    game = finished_game(catalogue.of("perudo"), person, stays=True)
    Game.objects.filter(pk=game.pk).update(origin=Game.Origin.WARM_UP)
    game.refresh_from_db()
    return game


def test_the_end_of_a_warm_up_says_what_its_review_found(alice: User) -> None:
    game = warm_up(alice)
    assert opener(game, 0) == "Review"
    account = {"seat": 0, "accuracy": 0.9, "inaccuracies": 2, "mistakes": 0, "blunders": 1}
    other = {**account, "seat": 1, "blunders": 7, "luck": -0.5}
    content = {"accounts": [other, account | {"luck": 0.09}]}
    judge = catalogue.of("perudo").review.JUDGE  # type: ignore[union-attr]
    reviews.write(game.pk, judge, content, now=START)
    assert not ReviewedPlay.objects.exists()
    assert opener(game, 0) == "Review 1 blunder, luck +9%"
    assert opener(game, None) == "Review", "it is nobody else's"
    content = {"accounts": [account | {"luck": None, "accuracy": None}]}
    reviews.write(game.pk, judge, content, now=START)
    assert opener(game, 0) == "Review", "nobody judged it"
    reviews.write(game.pk, "another 1", {"accounts": [account | {"luck": 0.0}]}, now=START)
    assert opener(game, 0) == "Review"


def test_the_end_of_a_warm_up_costs_one_query_and_never_a_review(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "ask", None)
    game = warm_up(alice)
    panel(game, 0)
    with CaptureQueriesContext(connection) as asked:
        panel(game, 0)
    assert len([each for each in asked if "review" in each["sql"]]) == 1


def test_a_real_review_of_a_warm_up_has_a_line(alice: User) -> None:
    game = fast_games.finished_game(alice, "steady", seed=3)
    Game.objects.filter(pk=game.pk).update(origin=Game.Origin.WARM_UP)
    game.refresh_from_db()
    reviews.make(game, now=START)
    assert opener(game, 0).startswith("Review ") and "luck" in opener(game, 0)
