"""A true and a false declaration are the same work: the same queries and calls (Q13, C4.6)."""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.core.chance import SeededChance
from games.models import FactRow, Game
from games.peco_peco import rules
from games.peco_peco.rules.cards import DECK
from games.peco_peco.rules.moves import Accuse, Declare
from games.peco_peco.rules.turns import is_bluff
from games.peco_peco.tests.fast_games import START, running_game
from games.play import commands
from games.store import event_log, versioned_lru
from games.table import frames
from tests.games.contract.random_games import seeded
from tests.support.fixtures import rolled_back, signed_in

pytestmark = pytest.mark.django_db
CODE = Path(rules.__file__).parents[2]
FALSE, TRUE = ["C", "C", "E", "E"], ["C", "C", "M", "M"]  # to say so on a cat
Trace = list[tuple[str, int, str]]  # file, line and name of each function called


def deal(game: Game, hand: list[str], top: str) -> None:
    """The seat on turn holds these cards, and this one is on the discard.

    Whether TRUE or FALSE is dealt, the other hands are the same.
    """
    seat = event_log.public_state(game).turn
    rest = [card for card in DECK if "b" not in card]
    for card in [*TRUE, *FALSE, top]:
        rest.remove(card)  # type: ignore[arg-type]
    random.Random(1).shuffle(rest)  # noqa: S311
    pile: list[Any] = []
    for event in FactRow.unsealed.filter(game=game, seq__gt=game.deal_seq - 1).order_by("seq"):
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
        FactRow.unsealed.filter(pk=event.pk).update(data=event.data)
    shuffled = FactRow.unsealed.get(game=game, kind="pile_shuffled")
    dealt = Counter(pile)
    shuffled.data["cards"] = pile + list((Counter(DECK) - dealt).elements())
    FactRow.unsealed.filter(pk=shuffled.pk).update(data=shuffled.data)
    versioned_lru.clear_all()


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    """Somebody opens the first round; four cards in each hand (the first stake is F01)."""
    return running_game(alice, bob, charlie, User.objects.create_user("dora"))


def traced(call: Any) -> tuple[Trace, list[str]]:
    """The functions of this project that are called, and the queries, in their order."""
    calls: Trace = []

    def note(frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        file = code.co_filename
        if event == "call" and file.startswith(str(CODE)) and "/tests/" not in file:
            calls.append((file, code.co_firstlineno, code.co_qualname))

    with CaptureQueriesContext(connection) as asked:
        sys.setprofile(note)
        try:
            call()
        finally:
            sys.setprofile(None)
    return calls, [query["sql"] for query in asked]


def declared(game: Game, hand: list[str]) -> tuple[bool, str, Trace, list[str]]:
    """A declaration as the browser sends it, from these cards: whether it is a bluff, what is
    answered, and what the server does until every other screen shows it. Then it is undone."""
    with rolled_back():
        deal(game, hand, "C")
        game = Game.objects.get(pk=game.pk)
        seats = list(game.seat_set.select_related("user").order_by("number"))
        number = event_log.public_state(game).turn
        bluff = is_bluff(event_log.unsealed(game), number)
        client = signed_in(seats[number].user)
        for seat in (None, *range(4)):
            frames.frame(game, seat, user=None)
        answers: list[str] = []

        def declare() -> None:
            fields = {"do": "declare", "seen": game.seq}
            answer = client.post(
                reverse("games:move", args=[game.code]), fields, headers={"HX-Request": "true"}
            )
            answers.append(f"{answer.status_code} {answer.headers} {answer.content!r}")
            after = Game.objects.get(pk=game.pk)
            for seat in (None, *range(4)):
                if seat != number:
                    answers.append(without_moments(frames.frame(after, seat, user=None).html))

        calls, queries = traced(declare)
        assert len(event_log.latest_public_facts(Game.objects.get(pk=game.pk))) == 1
    versioned_lru.clear_all()
    return bluff, "\n".join(answers), calls, [without_moments(query) for query in queries]


def without_moments(text: str) -> str:
    """A query or a screen without the time of day and the session."""
    return re.sub(r"_x\d+|\d{4}-\d\d-\d\d[T ][\d:.]+|\b\d{13}\b|'[a-z0-9]{32}'", "", text)


def test_a_true_and_a_false_declaration_are_the_same_work(game: Game) -> None:
    declared(game, TRUE)  # templates and translations are read once
    honest, *of_truth = declared(game, TRUE)
    bluff, *of_bluff = declared(game, FALSE)
    assert (honest, bluff) == (False, True)
    answers, calls, queries = zip(of_truth, of_bluff, strict=True)
    assert answers[0] == answers[1]
    assert queries[0] == queries[1] and len(queries[0]) > 3
    assert calls[0] == calls[1] and len(calls[0]) > 100


def test_the_trace_notices_other_work(game: Game) -> None:
    """An accusation looks at the cards: a bluff is less work than an honest hand."""

    def accused(hand: list[str]) -> Trace:
        with rolled_back():
            deal(game, hand, "C")
            at = Game.objects.get(pk=game.pk)
            number = event_log.public_state(at).turn
            commands.move(at.code, number, Declare(), seen=None, now=START)
            at.refresh_from_db()
            accuser = event_log.public_state(at).turn
            chance = SeededChance(seeded(1))
            calls, _ = traced(
                lambda: commands.move(
                    at.code, accuser, Accuse(), seen=None, now=START, chance=chance
                )
            )
        versioned_lru.clear_all()
        return calls

    accused(TRUE)
    assert accused(TRUE) != accused(FALSE)
