"""The socket of a big screen: a spectator's, whoever opened it."""

from __future__ import annotations

from math import inf

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from accounts.models import User
from games.live import base_consumer
from games.models import Game, Seat
from games.peco_peco.tests import fast_games as peco_peco
from games.play import before_start, open_pages
from games.social.chat import rendering, talk
from games.store import versioned_lru
from games.table import frames
from tests.support.consumer_socket import ConsumerSocket, in_thread, run_async
from tests.support.fast_games import START, open_table
from tests.support.fixtures import signed_in
from tests.support.game_driver import DUDO, GameDriver, bid, deal_game

pytestmark = pytest.mark.django_db(transaction=True)
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


@pytest.fixture
def driver(alice: User, bob: User) -> GameDriver:
    return deal_game(alice, bob, hands=HANDS)


def board(game: Game, client: Client | None) -> ConsumerSocket:
    return ConsumerSocket(f"/ws/games/{game.code}/board?seen=&lang=en", client)


def spectators(code: str) -> str:
    """What anybody without a seat would be sent now, without caches."""
    versioned_lru.clear_all()
    return frames.frame(Game.objects.get(code=code), None, user=AnonymousUser()).html


def test_a_player_is_sent_the_spectators_frames_from_the_room_to_the_reveal(
    alice: User, bob: User
) -> None:
    game = open_table(alice, bob)
    client = signed_in(alice)

    async def both(screen: ConsumerSocket, hand: ConsumerSocket) -> None:
        shown = await screen.frame()
        assert shown == await in_thread(spectators, game.code)
        assert shown != await hand.frame()

    async def scene() -> None:
        screen, hand = board(game, client), ConsumerSocket(f"/ws/games/{game.code}?lang=en", client)
        for socket in (screen, hand):
            await socket.open()
        for start in (None, lambda: before_start.start(game.code, alice, now=START)):
            if start is not None:
                await in_thread(start)
            await both(screen, hand)
        driver = await in_thread(lambda: GameDriver(Game.objects.get(pk=game.pk)))
        for move in (bid("2x2"), DUDO):
            await in_thread(lambda move=move: driver.move(driver.state.turn, move))
            await both(screen, hand)
        for socket in (screen, hand):
            await socket.disconnect()

    run_async(scene)


def test_in_the_other_game_too(alice: User, bob: User) -> None:
    game = peco_peco.running_game(alice, bob, "easy", "easy")
    client = signed_in(alice)

    async def scene() -> None:
        screen = board(game, client)
        await screen.open()
        shown = await screen.frame()
        assert shown == await in_thread(spectators, game.code)
        assert 'class="hand"' not in shown
        await screen.disconnect()

    run_async(scene)


def test_it_is_nobody_at_the_table(driver: GameDriver, alice: User) -> None:
    """Neither this person nor their seat is noted as being there, however often it looks."""
    game, client = driver.game, signed_in(alice)

    def noted() -> list[object]:
        return list(Seat.objects.filter(game=game).values_list("seen_at", "present_at"))

    async def scene() -> None:
        before = await in_thread(noted)
        screen = board(game, client)
        await screen.open()
        while not screen.is_checked:  # a socket that is not current yet answers nothing
            await screen.receive_from()
        for said in (base_consumer.HIDDEN, base_consumer.SHOWN, base_consumer.LOOK):
            await screen.send_to(text_data=said)
        assert await screen.frame() == await in_thread(spectators, game.code)
        assert not open_pages.is_in_view(game.code, alice.pk)
        assert await in_thread(noted) == before
        await screen.disconnect()

    run_async(scene)


def test_of_the_chat_it_is_sent_the_reactions_and_nothing_written(
    driver: GameDriver, alice: User, bob: User
) -> None:
    game, client = driver.game, signed_in(alice)

    def say(phrase: str = "", text: str = "") -> None:
        talk.say(game, bob, phrase=phrase, text=text, now=START)

    async def scene() -> None:
        screen = board(game, client)
        await screen.open()
        await screen.frame()
        empty = await in_thread(rendering.reactions_of, game.code, since=inf)
        for said in ({"phrase": "hello"}, {"text": "psst"}, {"phrase": "tears"}):
            await in_thread(lambda said=said: say(**said))
        while 'id="reactions"' not in (text := await screen.receive_from()) or "<li" not in text:
            assert 'id="talk"' not in text
        shown = await in_thread(rendering.reactions_of, game.code, since=inf)
        assert text.startswith(shown) and shown != empty
        assert shown.count("<li") == 1 and "#tears" in shown and 'data-seat="1"' in shown
        assert not any(words in shown for words in ("bob", "psst", "Hello", "Tears"))
        await screen.disconnect()

    run_async(scene)


def test_it_stays_when_its_person_signs_out(driver: GameDriver, alice: User) -> None:
    game, client = driver.game, signed_in(alice)

    async def scene() -> None:
        screen = board(game, client)
        await screen.open()
        await screen.frame()
        await in_thread(client.post, "/account/logout/", {"sure": "yes"})
        await in_thread(driver.move, 0, bid("2x2"))
        assert await screen.frame() == await in_thread(spectators, game.code)
        await screen.disconnect()

    run_async(scene)
