"""One address can't hold the site: its share is limited, and on a full site its games make room."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.conf import settings as site
from django.test import Client, override_settings
from django.utils import timezone

from accounts.models import User
from games.core.moves import Leave
from games.models import Game, Result
from games.play import abandoned, before_start, commands, due, pausing, presence
from games.views.holder import holder
from games.words import reason
from tests.games.views.test_lobby import TABLE
from tests.support.fast_games import end_downtime, open_table, running_game
from tests.support.fixtures import signed_in
from tests.support.game_driver import DUDO, GameDriver, bid, deal_game, refusal_of

pytestmark = pytest.mark.django_db
NOW = timezone.now()
MINUTE = timedelta(minutes=1)
GREEDY, ELSEWHERE, THIRD = "192.0.2.1", "192.0.2.2", "192.0.2.3"
TOO_MANY_HERE, BUSY = reason("too_many_here"), reason("site_busy")
UNLIMITED = dict.fromkeys(site.ACCOUNT_RATE_LIMITS, False)
HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))


@pytest.fixture(autouse=True)
def eight_bot_games(settings: Any) -> Iterator[None]:
    """A site of eight games with bots, of which an address may hold two."""
    settings.RUNNING_GAMES_WITH_BOTS, settings.BOT_GAMES_PER_ADDRESS = 8, 2
    settings.RUNNING_GAMES, settings.GAMES_PER_ADDRESS = 20, 5
    with override_settings(ACCOUNT_RATE_LIMITS=UNLIMITED):
        yield


def plays_now(address: str, client: Client | None = None) -> str:
    """What a visitor from there is told who presses Play now; "" at the table of a new game."""
    client = client or Client()
    answer = client.post("/play-now", {"bots": "1"}, follow=True, REMOTE_ADDR=address)
    if answer.redirect_chain[-1][0].startswith("/games/"):
        return ""
    return " ".join(map(str, answer.context["messages"]))


def playing(**how: Any) -> list[Game]:
    return list(Game.objects.filter(status=Game.Status.PLAYING, **how).order_by("pk"))


def takes(address: str, games: int) -> None:
    """So many games of guests from there, whatever one address may hold."""
    with override_settings(BOT_GAMES_PER_ADDRESS=1_000):
        assert [plays_now(address) for _ in range(games)] == [""] * games


# --- what an address holds -----------------------------------------------------------------------


def test_an_address_holds_a_quarter_of_the_games_with_bots_by_default() -> None:
    from perudo_site.ratelimit import settings as defaults

    assert defaults.BOT_GAMES_PER_ADDRESS == defaults.RUNNING_GAMES_WITH_BOTS // 4 == 50
    assert defaults.GAMES_PER_ADDRESS == defaults.RUNNING_GAMES // 4


def test_one_address_takes_all_it_can_and_others_still_play() -> None:
    """With as many guests as it likes, it gets its share; everybody else gets a game at once."""
    assert [plays_now(GREEDY) for _ in range(20)] == ["", ""] + [TOO_MANY_HERE] * 18
    assert [plays_now(f"198.51.100.{number}") for number in range(6)] == [""] * 6
    assert len(playing()) == 8


def test_it_counts_what_is_held_not_what_was_opened() -> None:
    guest = Client()
    for _ in range(5):
        assert plays_now(GREEDY, guest) == ""
        [game] = playing()
        guest.post(f"/games/{game.code}/move", {"do": "leave"})
        assert playing() == []


def test_a_game_held_for_hours_still_counts() -> None:
    takes(GREEDY, 2)
    Game.objects.update(created_at=NOW - timedelta(days=1), started_at=NOW - timedelta(days=1))
    assert plays_now(GREEDY) == TOO_MANY_HERE


def test_games_of_several_people_count_apart(alice: User, bob: User) -> None:
    takes(GREEDY, 2)
    host, address = signed_in(alice), {"REMOTE_ADDR": GREEDY}
    codes = []
    for _ in range(4):
        game = open_table(alice, bob, "steady", now=NOW)
        codes.append(game.code)
        told = host.post(f"/games/{game.code}/start", follow=True, **address)
    assert TOO_MANY_HERE in unescape(told.content.decode()), "with bots no more than its share"
    assert len(playing(solo=False)) == 2
    before_start.close(codes[2], alice, now=NOW)
    game = open_table(alice, bob, now=NOW)
    host.post(f"/games/{game.code}/start", **address)
    assert len(playing(solo=False)) == 3, "people alone still play"


def test_an_ipv6_network_is_one_address() -> None:
    told = [plays_now(f"2001:db8::{number}") for number in range(3)]
    assert told == ["", "", TOO_MANY_HERE]
    assert plays_now("2001:db8:0:1::1") == ""


def test_open_tables_are_limited_per_address(settings: Any) -> None:
    settings.OPEN_TABLES_PER_ADDRESS = 3
    people = [User.objects.create_user(f"host-{number}") for number in range(2)]

    def opens(host: User, address: str) -> int:
        return signed_in(host).post("/games/new", TABLE, REMOTE_ADDR=address).status_code

    assert [opens(people[0], GREEDY), opens(people[0], GREEDY)] == [302, 302]
    assert [opens(people[1], GREEDY), opens(people[1], GREEDY)] == [302, 422]
    assert opens(people[1], ELSEWHERE) == 302
    code = Game.objects.filter(host=people[0]).latest("pk").code
    before_start.close(code, people[0], now=NOW)
    assert opens(people[1], GREEDY) == 302


def test_the_address_is_not_stored_and_what_is_goes_with_the_game(alice: User, rf: Any) -> None:
    takes(GREEDY, 1)
    [game] = playing()

    def asks(address: str) -> Any:
        request = rf.get("/", REMOTE_ADDR=address)
        request.user = alice
        return request

    request = asks(GREEDY)
    assert game.holder == holder(request) and GREEDY not in str(Game.objects.values().get())
    with override_settings(SECRET_KEY="another" * 10):  # noqa: S106
        assert holder(request) != game.holder
    assert holder(asks(ELSEWHERE)) != game.holder
    commands.move(game.code, 0, Leave(), seen=None, now=timezone.now())
    assert Game.objects.get().holder == ""


@pytest.mark.parametrize("ends", ["close", "stand"])
def test_a_closed_table_counts_for_nobody(alice: User, ends: str) -> None:
    code = open_table(alice, "steady", now=NOW).code
    assert Game.objects.get().holder == f"person-{alice.pk}", "the address is unknown here"
    getattr(before_start, ends)(code, alice, now=NOW)
    assert Game.objects.get().holder == ""


# --- who makes room ------------------------------------------------------------------------------


def full(**games: int) -> None:
    """A full site: so many games of each address, all of them watched a moment ago."""
    for number, count in enumerate(games.values(), start=1):
        takes(f"192.0.2.{number}", count)
    Game.objects.update(watched_at=timezone.now())


def test_on_a_full_site_the_least_watched_game_of_the_greediest_is_paused() -> None:
    full(first=5, second=3)
    mine = playing()[2]
    Game.objects.filter(pk=mine.pk).update(watched_at=timezone.now() - MINUTE)
    other = playing()[6]
    Game.objects.filter(pk=other.pk).update(watched_at=timezone.now() - 2 * MINUTE)
    assert plays_now(THIRD) == ""
    assert playing(paused_at__isnull=False) == [mine]
    mine.refresh_from_db()
    assert mine.due_at and mine.due_at > timezone.now() + 9 * MINUTE


def test_nobody_is_refused_because_one_address_was_greedy() -> None:
    full(first=8)
    assert [plays_now(f"198.51.100.{number}") for number in range(6)] == [""] * 6
    assert len(playing(paused_at=None)) == 8


def test_nobody_is_paused_for_somebody_who_has_as_much(settings: Any) -> None:
    settings.BOT_GAMES_PER_ADDRESS = 8
    full(first=4, second=4)
    assert plays_now(GREEDY) == BUSY, "it holds most itself"
    assert plays_now(THIRD) == ""
    assert plays_now(THIRD) == ""
    assert plays_now(THIRD) == BUSY, "2 beside 3 and 3"
    assert len(playing(paused_at=None)) == 8


def test_a_game_that_nobody_looks_at_makes_room_for_anybody() -> None:
    full(**{f"address{number}": 1 for number in range(8)})
    assert plays_now("198.51.100.1") == BUSY, "each of them is being played"
    unwatched = playing()[3]
    Game.objects.filter(pk=unwatched.pk).update(watched_at=timezone.now() - 3 * MINUTE)
    assert plays_now("198.51.100.1") == ""
    assert playing(paused_at__isnull=False) == [unwatched]


def test_games_of_several_people_never_make_room(alice: User, bob: User, settings: Any) -> None:
    settings.RUNNING_GAMES_WITH_BOTS = 2
    for _ in range(2):
        running_game(alice, bob, "steady")
    assert plays_now(ELSEWHERE) == BUSY
    assert playing(paused_at__isnull=False) == []


def test_a_table_of_people_and_bots_finds_room_too(alice: User, bob: User) -> None:
    full(first=8)
    game = open_table(alice, bob, "steady", now=NOW)
    signed_in(alice).post(f"/games/{game.code}/start", REMOTE_ADDR=ELSEWHERE)
    assert len(playing(solo=False)) == 1 and len(playing(paused_at__isnull=False)) == 1


# --- a paused game -------------------------------------------------------------------------------


@pytest.fixture
def paused(alice: User, bob: User, settings: Any) -> GameDriver:
    """A game of Alice's, paused so that Bob can play; one may run."""
    driver = deal_game(alice, "steady", hands=HANDS)
    settings.RUNNING_GAMES_WITH_BOTS = 1
    driver.now = driver.now + 5 * MINUTE
    assert pausing.displace(holder="somebody", now=driver.now)
    deal_game(bob, "steady", hands=HANDS)
    assert driver.game.paused_at == driver.now
    return driver


def frees_the_place(bob: User) -> None:
    game = Game.objects.get(host=bob)
    commands.move(game.code, 0, Leave(), seen=None, now=timezone.now())


def test_nothing_happens_in_a_paused_game(paused: GameDriver) -> None:
    assert paused.times == (None, None, 600)
    assert refusal_of(lambda: paused.move(0, bid("2x3"))) == "paused"
    assert refusal_of(lambda: paused.come_back(0)) == "paused"
    assert refusal_of(lambda: commands.skip_to_the_end(paused.code, 0, now=paused.now)) == "paused"
    end_downtime(MINUTE, now=paused.now)
    assert paused.game.paused_at is not None


def test_it_goes_on_when_its_person_looks_and_there_is_room(paused: GameDriver, bob: User) -> None:
    then = paused.now + MINUTE
    presence.record(paused.game, 0, now=then)
    assert paused.game.due_at == then
    due.run_due(paused.code, now=then)
    assert paused.game.paused_at is not None, "there is no room"
    assert paused.game.due_at == then + pausing.LOOK_EVERY, "it is tried again while they wait"
    frees_the_place(bob)
    then += pausing.LOOK_EVERY
    due.run_due(paused.code, now=then)
    game = paused.game
    assert game.paused_at is None
    assert game.turn_ends_at == then + timedelta(seconds=45), "the whole time again"
    paused.now = then
    paused.move(0, bid("2x3"))
    assert paused.state.bidder == 0


def test_a_spectator_does_not_wait_for_it(paused: GameDriver) -> None:
    before = paused.game.due_at
    presence.record(paused.game, None, now=paused.now)
    assert paused.game.due_at == before


def test_it_is_not_looked_for_room_while_its_person_is_away(paused: GameDriver) -> None:
    presence.record(paused.game, 0, now=paused.now)
    then = paused.now + pausing.WAITS_FOR
    due.run_due(paused.code, now=then)
    assert paused.game.due_at == paused.now + abandoned.UNWATCHED_AT_MOST


def test_it_ends_ten_minutes_after_its_person_last_looked(paused: GameDriver, alice: User) -> None:
    presence.record(paused.game, 0, now=paused.now + 5 * MINUTE)
    due.run_due(paused.code, now=paused.now + 5 * MINUTE)
    due.run_due(paused.code, now=paused.now + 10 * MINUTE)
    assert paused.game.status == Game.Status.PLAYING
    due.run_due(paused.code, now=paused.now + 15 * MINUTE)
    game = paused.game
    assert (game.status, game.paused_at, game.holder) == (Game.Status.FINISHED, None, "")
    assert Result.objects.get(user=alice).left


def test_its_person_may_leave_it(paused: GameDriver) -> None:
    paused.move(0, Leave(), seen=None)
    assert paused.game.status == Game.Status.FINISHED


def test_a_move_made_at_the_same_instant_is_not_paused(alice: User) -> None:
    driver = deal_game(alice, "steady", hands=HANDS)
    stale = driver.game
    driver.move(0, bid("2x3"))
    before = Game.objects.values().get()
    assert not pausing._pause(stale, now=driver.now)
    assert Game.objects.values().get() == before


def test_the_page_says_what_is_and_a_page_without_a_socket_looks_by_its_move(
    paused: GameDriver, alice: User
) -> None:
    client = signed_in(alice)
    page = client.get(f"/games/{paused.code}").content.decode()
    assert ">Paused<" in page and 'name="quantity"' not in page
    soon = timezone.now()
    Game.objects.filter(code=paused.code).update(due_at=soon + 9 * MINUTE)
    post = {"do": "bid", "quantity": "2", "face": "3", "seen": str(paused.game.seq)}
    told = client.post(f"/games/{paused.code}/move", post, follow=True)
    assert reason("paused") in unescape(told.content.decode())
    due = paused.game.due_at
    assert due is not None and due < soon + MINUTE


def test_a_game_is_paused_in_the_middle_of_a_reveal_and_goes_on_there(alice: User) -> None:
    driver = deal_game(alice, "steady", hands=HANDS)
    driver.move(0, bid("5x2"))
    driver.run_due(rolls=None)
    while driver.state.phase != "reveal":
        if driver.state.turn == 0:
            driver.move(0, DUDO)
        else:
            driver.run_due(rolls=None)
    driver.now += 5 * MINUTE
    assert pausing.displace(holder="somebody", now=driver.now)
    client = signed_in(alice)
    assert ">Paused<" in client.get(f"/games/{driver.code}").content.decode()
    presence.record(driver.game, 0, now=driver.now)
    due.run_due(driver.code, now=driver.now)
    assert driver.game.paused_at is None and driver.state.phase == "reveal"
    assert driver.game.due_at is not None and driver.game.due_at > driver.now
