"""A declaration costs the same whether it is true or false (Q13, C4.6): the same queries and calls."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.core.chance import SeededChance
from games.models import Event, Game
from games.peco_peco import rules
from games.peco_peco.rules.cards import DECK
from games.peco_peco.rules.moves import Accuse, Declare
from games.peco_peco.rules.turns import is_bluff
from games.play import commands
from games.rendering import frames
from games.store import event_log, versioned_lru
from tests.conftest import signed_in
from tests.games.contract.random_games import seeded
from tests.games.peco_peco.playing import EVENING, running_game

pytestmark = pytest.mark.django_db
CODE = Path(rules.__file__).parents[2]
PLAYABLE, UNPLAYABLE = ["E", "E", "C", "C"], ["C", "C", "M", "M"]
Trace = list[tuple[str, int, str]]  # file, line and name of each function called


def deal(game: Game, hand: list[str], top: str) -> None:
    """The seat on turn holds these cards, and this one is on the discard."""
    seat = event_log.public_state(game).turn
    rest = [card for card in DECK if "b" not in card]
    for card in [*hand, top]:
        rest.remove(card)  # type: ignore[arg-type]
    random.Random(1).shuffle(rest)  # noqa: S311
    pile: list[Any] = []
    for event in Event.unsealed.filter(game=game, seq__gt=game.deal_seq - 1).order_by("seq"):
        if event.kind == "hand_received":
            size = len(event.data["cards"])
            mine = event.data["seat"] == seat
            event.data["cards"] = hand if mine else sorted(rest.pop() for _ in range(size))
            pile += event.data["cards"]
        elif event.kind == "card_turned":
            event.data["card"] = top
            pile += [top]
        else:
            continue
        Event.unsealed.filter(pk=event.pk).update(data=event.data)
    shuffled = Event.unsealed.get(game=game, kind="pile_shuffled")
    shuffled.data["cards"] = pile + rest + [card for card in DECK if "b" in card]
    Event.unsealed.filter(pk=shuffled.pk).update(data=shuffled.data)
    versioned_lru.clear_all()


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Somebody opens the first round; four cards in each hand (the first stake is F01)."""
    return running_game(alice, bob, User.objects.create_user("carl"), "easy")


def traced(call: Any) -> tuple[Trace, list[str]]:
    """The functions of this project that are called, and the queries, in their order."""
    calls: Trace = []

    def note(frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(CODE)):
            calls.append((code.co_filename, code.co_firstlineno, code.co_qualname))

    with CaptureQueriesContext(connection) as asked:
        sys.setprofile(note)
        try:
            call()
        finally:
            sys.setprofile(None)
    return calls, [query["sql"] for query in asked]
