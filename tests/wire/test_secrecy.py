"""Every byte that a real server sends to anybody, searched for what they must not know yet."""

from __future__ import annotations

import base64
import re
from dataclasses import replace

import pytest

from games.core import proof
from games.core.contract import fold
from games.perudo import rules
from games.perudo.rules.bids import FACES, legal_counts
from games.perudo.rules.state import State
from games.perudo.rules.turns import why_no_calza
from games.perudo.tests.page_player import Controls
from tests.support.deployments import Deployment
from tests.support.players import Received
from tests.wire import addresses
from tests.wire.games import PECO_PECO, PERUDO
from tests.wire.watching import WatchedGame, play_and_watch

pytestmark = pytest.mark.real_server


@pytest.fixture(scope="module")
def open_game(one_process: Deployment) -> WatchedGame:
    """Perudo where lost dice lie open (P44), and every seat reads the odds it could work out."""
    settings = {"lost_dice_visible": "on", "show_odds": "on"}
    return play_and_watch(PERUDO, one_process, seed=1, **settings)


@pytest.fixture(scope="module")
def closed_game(one_process: Deployment) -> WatchedGame:
    """Perudo where lost dice are hidden (P45)."""
    return play_and_watch(PERUDO, one_process, seed=2, lost_dice_visible="")


@pytest.fixture(scope="module")
def card_game(one_process: Deployment) -> WatchedGame:
    """Peco Peco in teams, with the call."""
    return play_and_watch(PECO_PECO, one_process, seed=1)


@pytest.fixture(params=["open_game", "closed_game", "card_game"])
def watched(request: pytest.FixtureRequest) -> WatchedGame:
    played: WatchedGame = request.getfixturevalue(request.param)
    return played


def test_nobody_is_sent_anothers_hand(watched: WatchedGame) -> None:
    assert {entry.fact.kind for entry in watched.log} >= watched.of.until
    for seat, heard in watched.received.items():
        result = watched.of.leaks.search(heard, watched.secrets, seat)
        assert result.found == []
        assert result.looked_for > 50


def written(value: bytes) -> list[str]:
    """Every way in which a program might write this down."""
    plain = base64.b64encode(value).decode()
    ways = [value.hex(), value.hex().upper(), plain, base64.urlsafe_b64encode(value).decode()]
    ways += [
        str(list(value)),
        repr(value),
        str(int.from_bytes(value, "big")),
        value.decode("latin-1"),
    ]
    return [way.rstrip("=") for way in ways] + [",".join(map(str, value)), value.hex(" ")]


def test_nobody_is_sent_what_a_game_draws_from(watched: WatchedGame) -> None:
    """Neither secret, key nor salts, before the last fact: after it, the record tells them."""
    end = watched.log[-1].at
    sent = [one.text for one in watched.everything() if not watched.is_over or one.at < end]
    assert len(sent) > 100
    told = [way for value in watched.drawn_from for way in written(value)]
    assert len(set(told)) >= 16
    assert [way for way in told if any(way in text for text in sent)] == []
    commitment = proof.commitment(watched.code, watched.drawn_from[0]).hex()
    assert any(commitment in text for text in sent)  # the search finds what is there


def test_every_die_and_card_on_a_screen_belongs_there(watched: WatchedGame) -> None:
    for seat, heard in watched.received.items():
        assert watched.of.leaks.misplaced(heard, watched.secrets, seat) == []


def test_everyone_sees_their_own_hand_and_nobody_elses_place(watched: WatchedGame) -> None:
    leaks = watched.of.leaks
    for seat, heard in watched.received.items():
        views = [one.view for one in heard if one.view and one.view.phase and not is_board(one)]
        assert {view.seat for view in views} == {seat}
        shown = {leaks.hand_shown(view) for view in views if view.phase == "turn"} - {()}
        had = leaks.hands_of(watched.secrets, seat)
        assert bool(shown) == (seat is not None) and shown <= had
        assert shown == had or not watched.of.sees_every_hand


def test_on_a_big_screen_everyone_is_a_spectator(watched: WatchedGame) -> None:
    for seat in (0, None):  # who have asked for everything
        heard = watched.received[seat]
        views = [one.view for one in heard if one.view and one.view.phase and is_board(one)]
        assert {view.seat for view in views} == {None}
        assert not any(watched.of.leaks.hand_shown(view) for view in views)
        assert not any(view.moves or view.my_turn for view in views)


def is_board(one: Received) -> bool:
    return bool(re.search(r"/board\b", one.what))


def test_the_search_covers_every_kind_of_thing_that_is_sent(watched: WatchedGame) -> None:
    kinds = {one.what.split(watched.code)[0] for one in watched.everything()}
    assert {"frame of /ws/games/", "frame of /ws/lobby", "handshake of /ws/games/"} <= kinds
    assert {"GET /games/", "POST /games/", "GET /account/data", "GET /admin/", "GET /"} <= kinds
    for viewer in (0, None):
        heard = watched.received[viewer]
        assert addresses.unanswered(heard, watched.code, watched.ana) == []


def test_a_game_that_runs_has_no_replay_and_no_record(watched: WatchedGame) -> None:
    replays = [
        one for one in watched.everything() if re.search(r"/(replay|record\.\w+)$", one.what)
    ]
    assert replays
    if not watched.is_over:
        assert not any(one.text.startswith("200") for one in replays)


def test_an_address_that_is_no_more_is_noticed(watched: WatchedGame) -> None:
    """The list comes from the URL configuration; one that nobody asks is missing."""
    heard = [one for one in watched.received[None] if not one.what.endswith("/rounds")]
    assert addresses.unanswered(heard, watched.code, watched.ana) == ["rounds"]
    gone = [replace(one, text="404\n") for one in watched.received[None]]
    found = addresses.unanswered(gone, watched.code, watched.ana)
    assert set(found) == set(addresses.about("x", "y")) - addresses.NOT_THERE


def test_nothing_breaks_under_nosy_questions(watched: WatchedGame) -> None:
    assert [one.what for one in watched.everything() if re.match(r"5\d\d\b", one.text)] == []


def test_the_answer_to_a_call_does_not_tell_whether_it_was_right(watched: WatchedGame) -> None:
    """Nor does the answer to a declaration tell whether it was true (Q13)."""
    calls = {f"POST /games/{watched.code}/move ({call})" for call in watched.of.calls}
    answers = [
        re.sub(r"(?im)^date:.*\n", "", one.text)
        for seat, heard in watched.received.items()
        if seat is not None
        for one in heard
        if one.what in calls and one.text.startswith("200") and one.text.endswith("\n\n")
    ]
    assert len(answers) > 1
    assert len(set(answers)) == 1


# --- what only Perudo offers and hides -----------------------------------------------------------


@pytest.fixture(params=["open_game", "closed_game"])
def perudo_game(request: pytest.FixtureRequest) -> WatchedGame:
    played: WatchedGame = request.getfixturevalue(request.param)
    return played


def state_at(game: WatchedGame, seq: int) -> State:
    """What everybody knew when the table stood at `seq`."""
    public = (entry for entry in game.log if entry.fact.audience is None and entry.seq <= seq)
    state: State = fold(rules, (entry.fact for entry in public))
    return state


def test_with_hidden_lost_dice_no_screen_counts_anothers_dice(closed_game: WatchedGame) -> None:
    for one in closed_game.screens("turn", "claims"):
        assert one.view
        assert not re.search(r"tally|lost|in.play|\d (die|dice)\b", one.view.table), one.view.table


def test_with_visible_lost_dice_the_same_words_are_there(open_game: WatchedGame) -> None:
    screens = open_game.screens("turn")
    assert screens and all("tally" in one.text and "in-play" in one.text for one in screens)


def test_what_a_seat_is_offered_follows_from_what_everybody_knows(perudo_game: WatchedGame) -> None:
    for one in perudo_game.screens("turn", "claims"):
        view = one.view
        assert view
        state, faces = state_at(perudo_game, view.seq), Controls.of(view).faces
        if view.seat is None or not state.dice[view.seat]:
            assert not (faces or view.moves & {"dudo", "calza"})
            continue
        speaks = state.turn == view.seat
        assert ("calza" in view.moves) == (why_no_calza(state, view.seat) is None)
        assert ("dudo" in view.moves) == (speaks and bool(state.bids))
        assert faces == _ranges(state), "also before one's turn, to choose ahead"


def _ranges(state: State) -> dict[int, range]:
    counts = {
        face: legal_counts(
            state.last_bid,
            face,
            options=state.options,
            palifico=state.palifico is not None,
            most=state.most,
        )
        for face in FACES
    }
    return {face: allowed for face, allowed in counts.items() if allowed}
