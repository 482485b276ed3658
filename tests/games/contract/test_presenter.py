"""What presenters and replays return is plain and, of a running game, open to who looks."""

from __future__ import annotations

import json
from dataclasses import is_dataclass
from itertools import islice
from typing import Any

import pytest
from django.db import transaction
from django.utils import translation

from accounts.models import User
from games.contract import catalogue
from games.contract.shown import context as shown_values
from games.core.contract import may_know
from games.models import FactRow, Game
from games.store import event_log, versioned_lru
from games.table.common import look_at
from tests.games.contract.kinds import LANGUAGES, every_kind, finished_game, played_on, quick_game

MOST_STEPS = 60
PLAIN = (str, int, bool, type(None))


def unplain(value: Any, path: str = "") -> list[str]:
    """Where in a value something is not plain; a sentence must be said, not promised (lazy)."""
    if is_dataclass(value) and not isinstance(value, type):
        assert value.__dataclass_params__.frozen  # type: ignore[attr-defined]
        return unplain(shown_values(value), path)
    if isinstance(value, dict):
        odd = [f"{path}.{key!r}" for key in value if type(key) not in (str, int)]
        return odd + [each for key in value for each in unplain(value[key], f"{path}.{key}")]
    if isinstance(value, list | tuple):
        return [each for at, one in enumerate(value) for each in unplain(one, f"{path}[{at}]")]
    return [] if type(value) in PLAIN else [f"{path}: {type(value).__name__}"]


def shown_to(kind: catalogue.GameKind, game: Game, viewer: int | None) -> dict[str, Any]:
    """Everything that this viewer is shown of this state."""
    look = look_at(game)
    return {
        "table": kind.presenter.table(look),
        "own": kind.presenter.own(look, viewer),
        "rounds": kind.presenter.earlier_rounds(game),
    }


def shown_without_secrets(
    kind: catalogue.GameKind, game: Game, viewer: int | None
) -> dict[str, Any]:
    """The same, where everything that this viewer may not know is gone from the log."""
    with transaction.atomic():
        facts = ((row.pk, event_log._read(game, row)) for row in FactRow.unsealed.filter(game=game))
        hidden = [pk for pk, fact in facts if not may_know(fact, viewer)]
        assert hidden
        FactRow.unsealed.filter(pk__in=hidden).delete()
        versioned_lru.clear_all()
        shown = shown_to(kind, game, viewer)
        transaction.set_rollback(True)
    versioned_lru.clear_all()
    return shown


@pytest.mark.slow
@every_kind
@pytest.mark.parametrize("seed", range(4))
def test_what_viewers_are_shown_is_plain(
    kind: catalogue.GameKind, seed: int, alice: User, settings: Any
) -> None:
    settings.CALZA_DELAY_MS = 0
    phases = set()
    games = played_on(quick_game(kind, alice, seed=seed), seed=seed)
    for step, game in enumerate(islice(games, MOST_STEPS)):
        with translation.override(LANGUAGES[step % 4]):
            for viewer in (None, *range(game.size)):
                shown = shown_to(kind, game, viewer)
                assert unplain(shown) == []
                json.dumps(shown, default=shown_values)
        phases.add(event_log.public_state(game).phase)
    assert {"turn", "reveal"} <= phases or "over" in phases


@every_kind
def test_no_viewer_is_shown_what_they_may_not_know(kind: catalogue.GameKind, alice: User) -> None:
    compared = set()
    for game in islice(played_on(quick_game(kind, alice), seed=2), 0, MOST_STEPS, 6):
        if game.status == Game.Status.PLAYING:
            for viewer in (None, *range(game.size)):
                here = shown_to(kind, game, viewer)
                assert here == shown_without_secrets(kind, game, viewer)
            compared.add(event_log.public_state(game).phase)
    assert "turn" in compared


@every_kind
def test_what_a_replay_shows_is_plain(kind: catalogue.GameKind, alice: User) -> None:
    game = finished_game(kind, alice)
    for moment in kind.replay.moments(game):
        scene = kind.replay.scene(game, moment)
        assert unplain(scene) == []
        assert unplain(list(kind.replay.rounds(game, scene.seats))) == []
