"""What a bid costs: queries that do not grow with the game, one rendering for all who watch."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.template import Template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from benchmarks.load import perudo as tables
from games.models import Game, InboxEntry
from games.perudo import presenter
from games.play import announce, recent_moves
from games.store import event_log
from games.table import fragment_cache, frames
from games.table.common import look_at
from tests.support.consumer_socket import ConsumerSocket, in_thread, run_async
from tests.support.fast_games import running_game
from tests.support.fixtures import signed_in
from tests.support.game_driver import bid, deal_game

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each template was rendered from now on."""
    counted: Counter[str] = Counter()
    real = Template.render

    def count(template: Template, context: object) -> str:
        counted[str(template.name)] += 1
        return real(template, context)

    monkeypatch.setattr(Template, "render", count)
    return counted


def cost_of_a_bid(game: Game, clients: list[Client]) -> list[str]:
    """The queries of posting the smallest legal bid, once the screens show what came before."""
    game.refresh_from_db()
    speaker = event_log.public_state(game).turn
    quantity, face = next(
        (each.min, each.face)
        for each in presenter.own(look_at(game), speaker).controls.faces
        if each.checked
    )
    fields = {"do": "bid", "quantity": quantity, "face": face, "seen": game.seq}
    with CaptureQueriesContext(connection) as asked:
        answer = clients[speaker].post(
            reverse("games:move", args=[game.code]), fields, headers={"HX-Request": "true"}
        )
    assert answer.content.strip() == b"", answer.content
    return [query["sql"] for query in asked]


@pytest.mark.django_db(transaction=True)
def test_a_bid_costs_six_statements_however_long_the_game(alice: User, bob: User) -> None:
    """Session and person; then from BEGIN to COMMIT the fact, and the claim of the number. The
    table and who sits there are known, and no hidden die is read: a bid is judged without."""
    clients = [signed_in(alice), signed_in(bob)]
    early = running_game(alice, bob)
    late = running_game(alice, bob, rounds=5)
    costs = [cost_of_a_bid(game, clients) for game in (early, late)]
    assert len(costs[0]) == len(costs[1]) == 6, "\n".join(costs[1])


@pytest.mark.django_db(transaction=True)
def test_that_people_are_told_of_their_turn_costs_a_bid_nothing(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is only noted, in memory, that the game has moved; a job looks once it stands still."""
    monkeypatch.setattr(announce, "_loop", SimpleNamespace(is_running=lambda: False))
    clients = [signed_in(alice), signed_in(bob)]
    game = running_game(alice, bob)
    recent_moves.take(still=0)
    assert len(cost_of_a_bid(game, clients)) == 6
    assert recent_moves.take(still=0) == [game.code]
    assert not InboxEntry.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_frame_is_as_long_after_forty_rounds_as_after_two(
    alice: User, bob: User, charlie: User, settings: Any
) -> None:
    settings.CALZA_DELAY_MS = 0
    people = [alice, bob, charlie]
    codes = [tables.table(people, rounds=rounds) for rounds in (2, 40)]
    early, late = (Game.objects.get(code=code) for code in codes)
    assert frames.story(late).count("<li>") == 20 * frames.story(early).count("<li>") == 40
    lengths = [len(frames.table(game)) for game in (early, late)]
    assert lengths[1] == pytest.approx(lengths[0], rel=0.01), lengths


# --- those who only watch ------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_push_is_rendered_once_for_all_spectators_and_they_ask_the_database_once(
    alice: User, bob: User, rendered: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = deal_game(alice, bob, hands=HANDS)
    game = driver.game
    looked: list[str] = []
    real = frames.frame

    def look(*given: object, **named: object) -> frames.Frame:
        looked.append("")
        return real(*given, **named)  # type: ignore[arg-type]

    async def scene() -> None:
        sockets = [ConsumerSocket(f"/ws/games/{game.code}?lang=en") for _ in range(12)]
        for socket in sockets:
            await socket.open()
            await socket.frame()
        rendered.clear()
        monkeypatch.setattr(frames, "frame", look)
        await in_thread(driver.move, 0, bid("3x3"))
        assert len({await socket.frame() for socket in sockets}) == 1
        assert len(looked) == 1, "one of them looks, the others have it at hand"
        assert rendered["perudo/_table.html"] == 1
        assert rendered["perudo/_own.html"] == 0, "for them it says what it said before"
        for socket in sockets:
            await socket.disconnect()

    run_async(scene)


def test_a_seats_frame_renders_its_own_part_and_shares_the_rest(
    alice: User, bob: User, rendered: Counter[str]
) -> None:
    game = deal_game(alice, bob, hands=HANDS).game
    for number, person in enumerate((alice, bob)):
        frames.frame(game, number, user=person)
    assert (rendered["perudo/_table.html"], rendered["perudo/_own.html"]) == (1, 2)


def test_each_language_is_rendered_once(alice: User, bob: User, rendered: Counter[str]) -> None:
    game = deal_game(alice, bob, hands=HANDS).game
    for language in ("en", "fr", "en", "fr"):
        with translation.override(language):
            frames.table(game)
    assert rendered["perudo/_table.html"] == 2


def test_a_frame_costs_the_same_however_long_the_game(alice: User, bob: User) -> None:
    def queries(game: Game) -> int:
        fragment_cache._shared.clear()
        event_log.public_state(game)
        with CaptureQueriesContext(connection) as asked:
            frames.frame(game, 0, user=alice)
        return len(asked)

    early = running_game(alice, bob, rounds=1, lost_dice_visible=True)
    late = running_game(alice, bob, rounds=5, lost_dice_visible=True)
    assert queries(early) == queries(late) <= 6


def test_only_so_many_parts_are_kept(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fragment_cache._shared, "most", 3)
    for _ in range(5):
        last = deal_game(alice, bob, hands=HANDS).game
        frames.table(last)
    assert len(fragment_cache._shared) == 3
    assert ("table", last.code, "en") in fragment_cache._shared
