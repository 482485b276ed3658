"""The staff closes a table, or sends a person away: at once, for everybody, with nothing shown."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts import lifecycle
from accounts.models import User
from games.errors import Refused
from games.models import FactRow, Game, Seat
from games.perudo.rules.moves import Dudo
from games.play import announce, before_start, close_by_staff, due
from games.store import event_log, queries
from games.study.players.statistics import statistics
from tests.support.consumer_socket import ConsumerSocket, in_thread, run_async
from tests.support.fast_games import START, end_downtime, finished_game, open_table
from tests.support.fixtures import signed_in
from tests.support.game_driver import GameDriver, bid, deal_game

pytestmark = pytest.mark.django_db(transaction=True)
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
TOLD = "Our staff closed this table."
ENDED = "The game ends here and doesn't count."


@pytest.fixture
def driver(alice: User, bob: User) -> GameDriver:
    driver = deal_game(alice, bob, hands=HANDS)
    driver.move(0, bid("2x5"))
    return driver


def closed(game: Game) -> Game:
    assert close_by_staff.close(game.code)
    game.refresh_from_db()
    return game


def path(game: Game) -> str:
    return f"/ws/games/{game.code}?seen={game.seq}&lang=en"


def test_everybody_at_the_table_sees_it_at_once(driver: GameDriver, alice: User) -> None:
    game, clients = driver.game, [signed_in(alice), Client()]

    async def scene() -> None:
        sockets = [ConsumerSocket(path(game), client) for client in clients]
        for socket in sockets:
            await socket.open()
            assert await socket.frames() == []
        await in_thread(closed, game)
        for socket in sockets:
            [frame] = await socket.frames()
            assert TOLD in frame and ENDED in frame and "#die-" not in frame
            await socket.disconnect()

    run_async(scene)


def test_the_lobby_shows_it_no_more(driver: GameDriver) -> None:
    game = driver.game

    async def scene() -> None:
        socket = ConsumerSocket("/ws/lobby?lang=en")
        await socket.open()
        assert game.code in await socket.frame()
        await in_thread(closed, game)
        assert game.code not in await socket.frame()
        await socket.disconnect()

    run_async(scene)


def test_an_open_table_says_that_it_was_the_staff(alice: User, bob_client: Client) -> None:
    game = closed(open_table(alice, "steady"))
    assert (game.status, game.due_at) == (Game.Status.CLOSED, None)
    page = bob_client.get(f"/games/{game.code}").content.decode()
    assert TOLD in page and ENDED not in page  # none had begun


def test_a_table_closed_by_its_host_does_not_mention_the_staff(alice: User, client: Client) -> None:
    game = open_table(alice, "steady")
    before_start.close(game.code, alice, now=START)
    page = client.get(f"/games/{game.code}").content.decode()
    assert "This table was closed." in page and TOLD not in page


def test_what_is_over_is_not_closed(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    assert not close_by_staff.close(game.code)
    game.refresh_from_db()
    assert (game.status, game.closed_by_staff) == (Game.Status.FINISHED, False)


def test_nobody_moves_speaks_sits_or_wins_any_more(
    driver: GameDriver, bob: User, bob_client: Client
) -> None:
    game = closed(driver.game)
    with pytest.raises(Refused) as refused:
        driver.move(1, Dudo())
    assert refused.value.code == "not_playing"
    answer = bob_client.post(f"/games/{game.code}/say", {"phrase": "hello"}, follow=True)
    assert "This table was closed." in answer.text
    for action in ("sit", "start", "rematch", "back"):
        bob_client.post(f"/games/{game.code}/{action}")
    assert not Seat.objects.filter(place__isnull=False).exists()
    assert Game.objects.get().status == Game.Status.CLOSED
    assert statistics(bob) == []


def test_it_keeps_nobody_from_sitting_down_elsewhere(
    driver: GameDriver, alice: User, bob: User
) -> None:
    assert [queries.seats_in_progress(one).count() for one in (alice, bob)] == [1, 1]
    closed(driver.game)
    closed(open_table(alice, bob))
    assert [queries.seats_in_progress(one).count() for one in (alice, bob)] == [0, 0]


def test_closing_takes_the_number_a_move_would_claim_and_writes_no_fact(driver: GameDriver) -> None:
    """A move that was read before it cannot be written after it."""
    before = Game.objects.get()
    facts = event_log.public_facts(before, after=0, upto=before.seq)
    assert closed(driver.game).seq == before.seq + 1
    assert event_log.public_facts(Game.objects.get(), after=0, upto=99) == facts


def test_the_clock_leaves_it_alone(driver: GameDriver) -> None:
    game = closed(driver.game)
    late = START.replace(year=START.year + 1)
    assert due.find(now=late).codes == []
    end_downtime(late - START, now=late)
    due.run_due(game.code, now=late)
    after = Game.objects.get()
    assert (after.status, after.seq) == (Game.Status.CLOSED, game.seq)


def test_what_lies_under_the_cups_stays_there(
    driver: GameDriver, alice: User, alice_client: Client, client: Client
) -> None:
    assert "#die-2" in alice_client.get(f"/games/{driver.code}").content.decode()
    game = closed(driver.game)
    assert FactRow.unsealed.filter(game=game, audience__isnull=False).count() == 2
    with pytest.raises(ValueError):
        event_log.unsealed_facts(game)
    for reader in (alice_client, client):
        page = reader.get(f"/games/{game.code}").content.decode()
        assert "#die-" not in page.replace("#die-1", "", 1)  # the site's logo is a paco
        for rest in ("replay", "replay/1"):
            assert reader.get(f"/games/{game.code}/{rest}")["Location"] == f"/games/{game.code}"
        for rest in (f"replay/{game.seq}/from/1?in=en", "record.txt", "record.json"):
            assert reader.get(f"/games/{game.code}/{rest}").status_code == 404


# --- a person ------------------------------------------------------------------------------------


def test_who_is_sent_away_hears_nothing_more_and_the_others_do(
    driver: GameDriver, alice: User, bob: User
) -> None:
    game, clients = driver.game, [signed_in(alice), signed_in(bob), Client()]

    def ban(person: User) -> None:
        lifecycle.ban(person)
        before_start.send_away(person, now=START)

    async def scene() -> None:
        hers, his, strangers = [ConsumerSocket(path(game), client) for client in clients]
        lobbys = [ConsumerSocket("/ws/lobby?lang=en", client) for client in clients]
        for socket in (hers, his, strangers, *lobbys):
            await socket.open()
            await socket.frames()
        await in_thread(ban, bob)
        for socket in (his, lobbys[1]):
            assert await socket.close_code() == 4401
        for socket in (hers, strangers):
            assert "alice wins" in (await socket.frames())[-1]
            await socket.disconnect()

    run_async(scene)


def test_players_with_valid_sessions_stay_connected(driver: GameDriver, alice: User) -> None:
    game, clients = driver.game, [signed_in(alice), Client()]

    async def scene() -> None:
        sockets = [ConsumerSocket(path(game), client) for client in clients]
        for socket in sockets:
            await socket.open()
        await in_thread(announce.sessions_ended, alice.pk)
        for socket in sockets:
            assert await socket.frames() == []
        await in_thread(driver.move, 1, bid("3x5"))
        for socket in sockets:
            assert await socket.frames()
            await socket.disconnect()

    run_async(scene)


def test_of_two_who_are_banned_at_once_neither_stays(
    driver: GameDriver, alice: User, bob: User
) -> None:
    """Messages of one kind may be heard as one, so none of them says whom it is about."""
    game, clients = driver.game, [signed_in(alice), signed_in(bob)]

    def ban() -> None:
        for person in (alice, bob):
            lifecycle.ban(person)
        for person in (alice, bob):
            before_start.send_away(person, now=START)

    async def scene() -> None:
        sockets = [ConsumerSocket(path(game), client) for client in clients]
        for socket in sockets:
            await socket.open()
        await in_thread(ban)
        for socket in sockets:
            assert await socket.close_code() == 4401

    run_async(scene)


def test_a_post_on_its_way_seats_nobody_who_is_banned(alice: User, bob: User) -> None:
    game = open_table(alice, "steady")
    lifecycle.ban(bob)
    for action in (
        lambda: before_start.sit(game.code, bob, now=START),
        lambda: open_table(bob, "steady"),
    ):
        with pytest.raises(Refused) as refused:
            action()
        assert refused.value.code == "account_closed"
