"""The test of the tests: leaks of every kind are planted in a site with holes, and found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from games.perudo.tests import leaks as dice
from games.perudo.tests.leak_forms import FORMS
from tests.support.deployments import QUICK, Deployment, run_deployment
from tests.support.live_site import LiveSite
from tests.support.players import Received, player_factory, start_table, wait_for
from tests.support.site_database import LogEntry
from tests.wire.games import GAMES, PERUDO, WireGame

pytestmark = pytest.mark.real_server
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


@dataclass
class LeakingGame:
    """What a site with holes sent to sockets and pages, by the form of the leak."""

    log: list[LogEntry]
    received: dict[str, list[Received]]


@pytest.fixture(scope="module")
def site_with_holes(
    prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Deployment]:
    folder = tmp_path_factory.mktemp("leaky") / "site"
    leaky = {"DJANGO_SETTINGS_MODULE": "tests.wire.leaking_settings"}
    with run_deployment([LiveSite.of(prepared_folder, folder, **QUICK | leaky)]) as deployment:
        yield deployment


_leaking: dict[tuple[str, int], LeakingGame] = {}


@pytest.fixture
def leaking(site_with_holes: Deployment, game: WireGame) -> LeakingGame:
    """A game that has just begun: for every form of leak somebody who is told so."""
    key = game.key, id(site_with_holes)
    if key not in _leaking:
        _leaking[key] = listened_to(game, site_with_holes)
    return _leaking[key]


def listened_to(game: WireGame, deployment: Deployment) -> LeakingGame:
    site = deployment.site
    with player_factory() as new_player:
        people = [new_player(site) for _ in range(game.player.SEATS)]
        code = start_table(people, **game.still_table)
        listener = new_player(site, stranger=True)
        # Every frame that is rendered leaks in the next form; visitors at once would share one.
        for _ in game.forms.EVERY:
            socket = listener.listen(f"/ws/games/{code}")
            wait_for(lambda socket=socket: socket.frames, "its frame")
        told = {
            one.text.split("told: ")[1].split("<")[0]: one for one in listener.received if one.view
        }
        everybody = {f"{form} in a frame": [one] for form, one in told.items()}
        for form in (*game.forms.EVERY, "header"):
            reader = new_player(site, stranger=True)
            reader.get(f"/account/login/?leak={form.replace(' ', '+')}&of={code}")
            everybody[f"{form} in a page"] = reader.received
        return LeakingGame(deployment.database.log(code), everybody)


def is_found(game: WireGame, leaking: LeakingGame, leak: str) -> bool:
    secrets = game.leaks.secrets_of(leaking.log)
    found = game.leaks.search(leaking.received[leak], secrets, None).found
    whose = {seat for seat in range(game.player.SEATS) if any(f"seat {seat}" in it for it in found)}
    return bool(found and (whose or "pile" in leak))


@every_game
def test_every_planted_leak_is_found(game: WireGame, leaking: LeakingGame) -> None:
    forms = game.forms.EVERY
    leaks = [f"{form} in a frame" for form in forms]
    leaks += [f"{form} in a page" for form in (*forms, "header")]
    assert [leak for leak in leaks if not is_found(game, leaking, leak)] == []


@every_game
def test_a_single_planted_die_or_card_is_out_of_place(
    game: WireGame, leaking: LeakingGame, subtests: pytest.Subtests
) -> None:
    """No search could tell it from a bid, or from a card that was played."""
    secrets = game.leaks.secrets_of(leaking.log)
    [frame] = leaking.received["drawn in a frame"]
    assert frame.view
    whole = frame.view.html
    assert game.leaks.misplaced([replace(frame, text=whole)], secrets, None) == []
    for html in game.forms.SINGLE:
        with subtests.test(html=html):
            cut = whole.replace("</section>", html + "</section>", 1)
            assert cut != whole
            assert len(game.leaks.misplaced([replace(frame, text=cut)], secrets, None)) >= 1


@pytest.mark.parametrize("game", [PERUDO], ids=["perudo"])
def test_a_hand_among_the_earlier_rounds_that_was_in_none_is_found(
    game: WireGame, leaking: LeakingGame
) -> None:
    """The story of a table shows hands; one that lies under a cup cannot hide there."""
    secrets = dice.secrets_of(leaking.log)
    [frame] = leaking.received["drawn in a frame"]
    assert frame.view
    drawn = "".join(f'<svg><use href="#die-{face}"/></svg>' for face in secrets[0].dice)
    cut = f'{frame.view.html}<span class="hand-of">Ana {drawn}</span>'
    assert len(dice.misplaced([replace(frame, text=cut)], secrets, None)) == 1
    assert dice.search([replace(frame, text=cut)], secrets, None).found


@pytest.mark.parametrize("game", [PERUDO], ids=["perudo"])
def test_a_hand_in_a_log_would_be_found_in_every_form(game: WireGame, leaking: LeakingGame) -> None:
    secrets = dice.secrets_of(leaking.log)
    start = "2026-01-01 12:30:41,526 INFO games: oops"
    lines = {form: f"{start} {written(list(secrets[0].dice))}" for form, written in FORMS.items()}
    assert [form for form, line in lines.items() if not dice.in_text(line, secrets)] == []
