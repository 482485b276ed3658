"""What the log and the metrics say of whole games: words of the program, never a hand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import httpx
import pytest
from django.urls import get_resolver
from prometheus_client.parser import text_string_to_metric_families

from games import words
from perudo_site import VERSION
from tests.support.deployments import QUICK, run_deployment
from tests.support.live_site import LiveSite, free_port
from tests.wire.games import PECO_PECO, PERUDO, WireGame
from tests.wire.watching import WatchedGame, play_and_watch

pytestmark = pytest.mark.real_server
EVENTS = "admin:games_factrow_changelist"  # asked for, and refused


@dataclass
class NotedGame:
    """A game, all that was logged about it, and the numbers at its end."""

    watched: WatchedGame
    log: str
    numbers: str


NOTED = [(PERUDO, "text"), (PERUDO, "json"), (PECO_PECO, "text")]


@pytest.fixture(scope="module", params=NOTED, ids=lambda noted: f"{noted[0].key}-{noted[1]}")
def noted(
    request: pytest.FixtureRequest, prepared_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> NotedGame:
    game, log_format = request.param
    port = free_port()
    talkative = {"LOG_LEVEL": "DEBUG", "LOG_FORMAT": log_format, "METRICS_PORT": str(port)}
    folder = tmp_path_factory.mktemp("noted") / "site"
    with run_deployment([LiveSite.of(prepared_folder, folder, **QUICK | talkative)]) as deployment:
        watched = play_and_watch(game, deployment, seed=3)
        numbers = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        return NotedGame(watched, deployment.log, numbers)


def test_no_hand_is_ever_logged(noted: NotedGame) -> None:
    assert f"game={noted.watched.code}" in noted.log or "{" in noted.log[:1]
    assert noted.log.count("answered") > 50
    assert noted.watched.of.leaks.in_text(noted.log, noted.watched.secrets) == []


def test_what_was_chosen_or_said_is_not_logged_with_a_move(noted: NotedGame) -> None:
    lines = [line for line in noted.log.splitlines() if "games.play.move_log" in line]
    assert len(lines) > 10
    for line in lines:
        assert not re.search(noted.watched.of.in_move_log, line), line


def labels_of(game: WireGame) -> dict[str, set[str]]:
    """All that a number may be labelled with: words of the program."""
    reasons = import_module(f"games.{game.key}.words.reasons")
    return {
        "do": set(game.moves),
        "result": {"done", "refused", "failed", "beaten", "not due", "set aside"},
        "kind": {"table", "talk", "lobby"},
        "part": {"table", "story", "watching", "seat", "lobby"},
        "reason": {*reasons.RULES, *reasons.PLAY, *words.SITE},
        "method": {"GET", "HEAD", "POST", "other"},
        "status": {"1xx", "2xx", "3xx", "4xx", "5xx", "open", "playing", "failing"},
        "version": {VERSION},
    }


def test_numbers_are_labelled_with_words_of_the_program_alone(noted: NotedGame) -> None:
    routes = {f"games:{name}" for name in get_resolver("games.urls").reverse_dict}
    routes |= {*get_resolver().reverse_dict}
    allowed = labels_of(noted.watched.of) | {
        "route": routes | {"static", "unmatched", "admin:index", "admin:login"}
    }
    allowed["route"].add(EVENTS)
    seen: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(noted.numbers):
        if family.name.startswith("perudo_"):
            for sample in family.samples:
                for label, value in sample.labels.items():
                    seen.setdefault(label, set()).add(value)
    assert seen.pop("le")
    assert set(seen) == set(allowed)
    assert {label: values - allowed[label] for label, values in seen.items()} == dict.fromkeys(
        seen, set()
    )
