"""The next table begins by itself: with all who stayed, or some seconds after the second came."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts.models import User
from games.core.moves import Leave
from games.models import Game, NextSeat, Seat
from games.play import before_start, commands, next_seats, next_tables, rematches
from games.play.next_tables import COUNTDOWN, THERE_FOR, WAITS_FOR, WISHED_FOR
from games.store import queries
from tests.support.fast_games import START, finish_game, finished_game, running_game
from tests.support.game_driver import refusal_of, seat_names

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)
SOON = START + timedelta(hours=1)
PLAYING, OPEN = Game.Status.PLAYING, Game.Status.OPEN


def there(old: Game, *people: User, now: object = SOON) -> None:
    """These players have the page of the finished game in view."""
    Seat.objects.filter(game=old, user__in=people).update(seen_at=now)


def read(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def names(game: Game) -> list[str | None]:
    """Who sits there, without the free seats."""
    return [name for name in seat_names(game.code) if name is not None]


# --- when it begins ------------------------------------------------------------------------------


def test_it_begins_when_everybody_who_stayed_is_back(alice: User, bob: User, charlie: User) -> None:
    old = finished_game(alice, bob, charlie)
    there(old, bob, charlie)
    new = rematches.rematch(old.code, alice, now=SOON)
    rematches.rematch(old.code, bob, now=SOON + SECOND)
    assert read(new).status == OPEN
    rematches.rematch(old.code, charlie, now=SOON + 2 * SECOND)
    assert read(new).status == PLAYING
    assert seat_names(new.code) == ["alice", "bob", "charlie"]


def test_ten_seconds_after_the_second_it_begins_without_the_others(
    alice: User, bob: User, charlie: User
) -> None:
    old = finished_game(alice, bob, charlie)
    there(old, bob, charlie, now=SOON + COUNTDOWN)
    new = rematches.rematch(old.code, alice, now=SOON)
    second = SOON + 5 * SECOND
    rematches.rematch(old.code, bob, now=second)
    assert queries.begins_at(read(new)) == second + COUNTDOWN
    next_tables.run(now=second + COUNTDOWN - SECOND)
    assert read(new).status == OPEN
    next_tables.run(now=second + COUNTDOWN)
    assert (read(new).status, names(new)) == (PLAYING, ["alice", "bob"])
    assert refusal_of(lambda: rematches.rematch(old.code, charlie, now=SOON)) == "already_begun"


def test_nobody_waits_for_players_who_closed_the_page(
    alice: User, bob: User, charlie: User
) -> None:
    old = finished_game(alice, bob, charlie, "steady")
    there(old, charlie, now=SOON - THERE_FOR)
    new = rematches.rematch(old.code, alice, now=SOON)
    rematches.rematch(old.code, bob, now=SOON)
    assert (read(new).status, names(new)) == (PLAYING, ["alice", "steady", "bob"])


def test_it_begins_as_soon_as_the_last_who_dawdled_goes_away(
    alice: User, bob: User, charlie: User
) -> None:
    old = finished_game(alice, bob, charlie)
    there(old, bob, charlie)
    new = rematches.rematch(old.code, alice, now=SOON)
    rematches.rematch(old.code, bob, now=SOON)
    next_tables.run(now=SOON + SECOND)
    assert read(new).status == OPEN
    Seat.objects.filter(game=old, user=charlie).update(seen_at=None)
    next_tables.run(now=SOON + 2 * SECOND)
    assert read(new).status == PLAYING


def test_nobody_waits_for_somebody_whom_the_host_removed(
    alice: User, bob: User, charlie: User
) -> None:
    """Charlie is shown the door at the next table and still looks at the end of the last game."""
    old = finished_game(alice, bob, charlie)
    there(old, bob, charlie, now=SOON + WAITS_FOR)
    new = rematches.rematch(old.code, alice, now=SOON)
    rematches.rematch(old.code, charlie, now=SOON)
    before_start.remove(new.code, alice, number=1, now=SOON + SECOND)
    next_tables.run(now=SOON + SECOND)
    assert read(new).status == OPEN, "bob may still come"
    rematches.rematch(old.code, bob, now=SOON + 2 * SECOND)
    assert (read(new).status, names(new)) == (PLAYING, ["alice", "bob"])


def test_who_is_alone_waits_longer_for_somebody_who_still_looks_at_the_end(
    alice: User, bob: User
) -> None:
    old = finished_game(alice, bob, "steady")
    there(old, bob, now=SOON + WAITS_FOR)
    new = rematches.rematch(old.code, alice, now=SOON)
    next_tables.run(now=SOON + WAITS_FOR - SECOND)
    assert read(new).status == OPEN
    next_tables.run(now=SOON + WAITS_FOR)
    assert (read(new).status, names(new)) == (PLAYING, ["alice", "steady"])


@pytest.mark.parametrize("public", [True, False])
def test_who_is_alone_without_bots_has_an_open_table_afterwards(
    alice: User, bob: User, charlie: User, public: bool
) -> None:
    old = finished_game(alice, bob, public=public)
    new = rematches.rematch(old.code, alice, now=SOON)
    assert queries.begins_at(read(new)) is None, "no countdown to nothing"
    next_tables.run(now=SOON + COUNTDOWN)
    assert (read(new).status, read(new).seats_kept_until) == (OPEN, None)
    before_start.sit(new.code, charlie, now=SOON + COUNTDOWN)
    assert seat_names(new.code) == ["alice", "charlie"]


def test_a_full_site_leaves_the_table_open(
    alice: User, bob: User, charlie: User, settings: object
) -> None:
    old, solo = finished_game(alice, bob), finished_game(charlie, "steady")
    settings.RUNNING_GAMES = 0  # type: ignore[attr-defined]
    new = rematches.rematch(old.code, alice, now=SOON)
    rematches.rematch(old.code, bob, now=SOON)
    assert (read(new).status, names(new)) == (OPEN, ["alice", "bob"])
    assert refusal_of(lambda: rematches.rematch(solo.code, charlie, now=SOON)) == "site_busy"
    assert next_tables.next_table(read(solo)) is None, "nothing is left of it"


def test_who_comes_and_goes_does_not_put_off_the_beginning(
    alice: User, bob: User, charlie: User
) -> None:
    old = finished_game(alice, bob, charlie, "steady")
    there(old, bob, charlie, now=SOON + WAITS_FOR)
    new = rematches.rematch(old.code, alice, now=SOON)
    for second in range(1, 9):
        rematches.rematch(old.code, bob, now=SOON + second * SECOND)
        before_start.stand(new.code, bob, now=SOON + second * SECOND)
    assert queries.begins_at(read(new)) == SOON + SECOND + COUNTDOWN
    next_tables.run(now=SOON + SECOND + COUNTDOWN)
    assert (read(new).status, names(new)) == (PLAYING, ["alice", "steady"])


# --- seats that were asked for while the game ran ------------------------------------------------


@pytest.fixture
def running(alice: User, bob: User, charlie: User) -> Game:
    """A game in which Charlie, who left it, only watches."""
    game = running_game(alice, bob, charlie)
    commands.move(game.code, 2, Leave(), seen=None, now=game.started_at or START)
    return read(game)


def asked(game: Game, *people: User) -> None:
    for person in people:
        next_seats.ask(game.code, person, now=START)


def ended(game: Game, *seen: User) -> Game:
    """The game is over; these people, players or not, have its page in view."""
    old = finish_game(game)
    NextSeat.objects.filter(game=old).update(seen_at=None)
    NextSeat.objects.filter(game=old, user__in=seen).update(seen_at=SOON)
    there(old, *seen)
    return old


def test_who_still_plays_cannot_ask_and_who_watches_can(
    running: Game, alice: User, charlie: User
) -> None:
    assert refusal_of(lambda: asked(running, alice)) == "still_playing"
    asked(running, charlie, charlie)
    assert NextSeat.objects.count() == 1 and next_seats.has_asked(running, charlie)
    next_seats.take_back(running.code, charlie)
    assert not next_seats.has_asked(running, charlie)


def test_players_come_first_and_then_those_who_asked(
    running: Game, alice: User, bob: User, charlie: User
) -> None:
    dora = User.objects.create_user("dora")
    asked(running, charlie, dora)
    old = ended(running, alice, bob, charlie, dora)
    new = rematches.rematch(old.code, alice, now=SOON)
    next_tables.run(now=SOON + SECOND)
    assert seat_names(new.code) == ["alice", "charlie", None], "a seat is Bob's"
    rematches.rematch(old.code, bob, now=SOON + 2 * SECOND)
    assert (read(new).status, names(new)) == (PLAYING, ["alice", "charlie", "bob"])
    assert not NextSeat.objects.exists()


def test_a_seat_that_no_player_takes_goes_to_who_asked_when_the_wait_is_over(
    running: Game, alice: User, bob: User, charlie: User
) -> None:
    dora = User.objects.create_user("dora")
    asked(running, charlie, dora)
    old = ended(running, alice, bob, charlie, dora)
    new = rematches.rematch(old.code, alice, now=SOON)
    next_tables.run(now=SOON + SECOND)
    next_tables.run(now=SOON + SECOND + COUNTDOWN)
    assert (read(new).status, names(new)) == (PLAYING, ["alice", "charlie", "dora"])


def test_who_went_away_gets_no_seat(running: Game, alice: User, bob: User, charlie: User) -> None:
    asked(running, charlie)
    old = ended(running, alice, bob)
    new = rematches.rematch(old.code, alice, now=SOON)
    next_tables.run(now=SOON + SECOND)
    assert seat_names(new.code) == ["alice", None, None]
    rematches.rematch(old.code, bob, now=SOON + 2 * SECOND)
    assert (read(new).status, names(new)) == (PLAYING, ["alice", "bob"])


def test_who_goes_away_after_getting_a_seat_gives_it_back(
    running: Game, alice: User, bob: User, charlie: User
) -> None:
    asked(running, charlie)
    old = ended(running, alice, bob, charlie)
    new = rematches.rematch(old.code, alice, now=SOON)
    next_tables.run(now=SOON)
    assert "charlie" in seat_names(new.code)
    NextSeat.objects.update(seen_at=None)
    rematches.rematch(old.code, bob, now=SOON + SECOND)
    assert (read(new).status, names(new)) == (PLAYING, ["alice", "bob"])


def test_who_leaves_the_next_table_is_not_seated_there_again(
    running: Game, alice: User, bob: User, charlie: User
) -> None:
    asked(running, charlie)
    old = ended(running, alice, bob, charlie)
    new = rematches.rematch(old.code, alice, now=SOON)
    next_tables.run(now=SOON)
    before_start.stand(new.code, charlie, now=SOON)
    next_tables.run(now=SOON + SECOND)
    assert seat_names(new.code) == ["alice", None, None]


def test_a_player_who_is_out_opens_the_next_table_without_another_press(
    alice: User, bob: User, charlie: User
) -> None:
    old = finished_game(alice, bob, charlie)
    there(old, alice, bob, charlie)
    NextSeat.objects.create(game=old, user=bob, seen_at=SOON)
    next_tables.run(now=SOON)
    new = next_tables.next_table(read(old))
    assert new is not None and (new.host, seat_names(new.code)) == (bob, ["bob", None, None])
    next_tables.run(now=SOON + SECOND)
    assert Game.objects.count() == 2, "once"
    rematches.rematch(old.code, alice, now=SOON + SECOND)
    next_tables.run(now=SOON + SECOND + COUNTDOWN)
    assert (read(new).status, names(new)) == (PLAYING, ["bob", "alice"])


def test_wishes_are_forgotten_where_nobody_opens_a_table(running: Game, charlie: User) -> None:
    asked(running, charlie)
    old = ended(running, charlie)
    assert old.finished_at is not None
    next_tables.run(now=old.finished_at + WISHED_FOR - SECOND)
    assert NextSeat.objects.exists()
    next_tables.run(now=old.finished_at + WISHED_FOR)
    assert not NextSeat.objects.exists() and Game.objects.count() == 1


# --- limits --------------------------------------------------------------------------------------


def test_as_many_may_ask_as_there_are_seats(running: Game) -> None:
    names = ("dora", "emil", "fay", "gil")
    people = [User.objects.create_user(name) for name in names]
    asked(running, *people[:3])
    assert refusal_of(lambda: asked(running, people[3])) == "next_full"
    next_seats.take_back(running.code, people[0])
    asked(running, people[3])
    assert NextSeat.objects.count() == 3


def test_nobody_asks_for_the_seat_of_somebody_who_plays_against_bots(
    alice: User, bob: User
) -> None:
    game = running_game(alice, "steady", "sharp")
    assert refusal_of(lambda: asked(game, bob)) == "next_full"


def test_somebody_may_ask_at_few_games_at_once(alice: User, bob: User, charlie: User) -> None:
    games = [running_game(alice, bob) for _ in range(4)]
    asked(games[0], charlie)
    asked(games[1], charlie)
    asked(games[2], charlie)
    assert refusal_of(lambda: asked(games[3], charlie)) == "too_many_seats"


@pytest.mark.slow
def test_a_thousand_presses_leave_one_wish_and_change_no_game(running: Game, charlie: User) -> None:
    seq = running.seq
    for _ in range(1000):
        next_seats.ask(running.code, charlie, now=START)
        next_seats.take_back(running.code, charlie)
    assert read(running).seq == seq and not NextSeat.objects.exists()


def test_where_one_game_fails_the_others_go_on(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its next table is one like any other then, which somebody starts."""
    broken, sound = finished_game(alice, bob), finished_game(alice, charlie, seed=2)
    for old, other in ((broken, bob), (sound, charlie)):
        there(old, other)
        rematches.rematch(old.code, alice, now=SOON)
    before = read(broken).rematch
    tend = next_tables._tend

    def fail(old: Game, *, now: object) -> None:
        if old.pk == broken.pk:
            raise RuntimeError("a mistake of ours")
        tend(old, now=now)  # type: ignore[arg-type]

    monkeypatch.setattr(next_tables, "_tend", fail)
    next_tables.run(now=SOON + WAITS_FOR)
    waits = [read(old).rematch.seats_kept_until for old in (broken, sound)]  # type: ignore[union-attr]
    assert waits == [None, None]
    assert read(broken).rematch.seq == before.seq + 1  # type: ignore[union-attr]  # its pages show it
    assert read(broken).rematch.status == read(sound).rematch.status == OPEN  # type: ignore[union-attr]
