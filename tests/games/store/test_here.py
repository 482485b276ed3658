"""Numbers of people count who is here: no host, guest or player whose pages are closed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.core.moves import Leave
from games.lobby import home_page, lobby_frame, table_list
from games.lobby.matching import button, searches
from games.lobby.standing.standing_page import shown as standing_page
from games.models import Game, Search, Seat
from games.play import commands
from games.store import here, public_tables
from tests.support import at_home
from tests.support.consumer_socket import ConsumerSocket, run_async
from tests.support.fast_games import open_table, running_game
from tests.support.fixtures import signed_in

HOUR = timedelta(hours=1)
A_MOMENT = here.BELIEVED_FOR - timedelta(seconds=1)


@pytest.fixture
def now(db: None) -> datetime:
    return timezone.now()


def lobby(now: datetime) -> dict[str, Any]:
    return table_list.tables(now=now)


def row_of(game: Game, now: datetime) -> dict[str, Any]:
    rows = lobby(now).open_tables
    return next(each for each in rows if each.code == game.code)


def test_a_table_counts_its_host_while_a_page_of_theirs_is_open(
    alice: User, bob: User, now: datetime
) -> None:
    """Then it says that they are away and stands last, behind full ones too."""
    ghosts = open_table(alice, "sharp", now=now - HOUR)
    Game.objects.filter(pk=ghosts.pk).update(size=4)
    full = open_table(bob, "sharp", now=now - A_MOMENT)
    found = lobby(now)
    assert [each.code for each in found.open_tables] == [full.code, ghosts.code]
    assert [each.is_away for each in found.open_tables] == [False, True]
    assert [each.people for each in found.open_tables] == [1, 0]
    assert found.people_waiting == 1
    html = lobby_frame.lobby()
    assert "1 person waiting" in html and html.count("<span>away</span>") == 1
    assert "Nobody is waiting" not in html
    Seat.objects.update(seen_at=now - HOUR)
    html = lobby_frame.lobby()
    assert "Nobody is waiting" in html and "people waiting" not in html
    assert f"/games/{ghosts.code}/sit-as-guest" in html  # who comes back finds them
    Seat.objects.filter(game=full).update(seen_at=now - A_MOMENT)
    later = now + timedelta(seconds=2)
    assert lobby(later).people_waiting == 0 and row_of(full, later).is_away


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("page", ["/ws/games/{code}?lang=en", "/ws/lobby?lang=en", "/ws/person"])
def test_any_open_page_of_a_person_shows_that_they_are_here(
    alice: User, bob: User, page: str
) -> None:
    """Each of the two writes into rows, which every process reads."""
    now = timezone.now()
    game = open_table(alice, bob, now=now - HOUR)

    async def scene() -> None:
        socket = ConsumerSocket(page.format(code=game.code), client)
        await socket.open()
        await socket.frames()
        await socket.disconnect()

    client = signed_in(alice)
    run_async(scene)
    row = row_of(game, timezone.now())
    assert (row.people, row.is_away) == (1, False)
    assert [each.is_away for each in row.seated] == [False, True]
    assert row_of(game, timezone.now() + here.BELIEVED_FOR).people == 0


def test_a_page_that_no_socket_reaches_shows_it_too(alice: User, now: datetime) -> None:
    game = open_table(alice, "sharp", now=now - HOUR)
    for path in ("/now", "/inbox/now"):
        Seat.objects.update(present_at=None)
        assert signed_in(alice).get(path).status_code == 200
        assert not row_of(game, timezone.now()).is_away, path


def test_the_condition_of_a_query_is_the_same(
    alice: User, bob: User, charlie: User, now: datetime
) -> None:
    long_ago, just_now = now - HOUR, now - A_MOMENT
    times: list[datetime | None] = [None, long_ago, just_now]
    game = open_table(alice, bob, charlie)
    for seen in times:
        for present in times:
            game.seat_set.filter(number=0).update(seen_at=seen, present_at=present)
            [found] = public_tables.open_tables(now=now)
            assert found.host_here == here.host_is_here(found, now=now)
            assert found.people == len(here.people(found, now=now))
            assert here.host_is_here(found, now=now) == (just_now in (seen, present))


def test_a_running_game_counts_who_plays_or_watches(
    alice: User, bob: User, charlie: User, now: datetime
) -> None:
    game = running_game(alice, bob, charlie, "sharp", now=now - HOUR)
    playing = lambda: lobby(now).people_playing  # noqa: E731
    assert playing() == 3
    Seat.objects.filter(game=game, user=bob).update(asleep=True)
    assert playing() == 2  # a bot plays for Bob
    Seat.objects.filter(game=game, user=charlie).update(seen_at=now - HOUR)
    assert playing() == 1  # who is out of it, and has closed the page
    Seat.objects.filter(game=game, user=charlie).update(seen_at=now)
    assert playing() == 2
    number = game.seat_set.get(user=charlie).number
    commands.move(game.code, number, Leave(), seen=None, now=now)
    assert playing() == 1


def test_who_looks_for_people_counts_while_a_page_is_open(
    alice: User, bob: User, client: Client, now: datetime
) -> None:
    searches.press(alice, choice="perudo", holder="alice", now=now)
    Search.objects.update(seen_at=now - HOUR)
    for reader in (alice, bob):
        shown = button.context(reader, now=now)
        assert shown.waiting == 0 and {each.waiting for each in shown.choices} == {0}
    assert lobby(now).in_line == 0 and "looking for a game" not in lobby_frame.lobby()
    Search.objects.update(seen_at=now)
    assert button.context(bob, now=now).waiting == 1 == lobby(now).in_line
    assert button.context(alice, now=now).waiting == 0
    assert signed_in(alice).get("/play").status_code == 200
    seen = Search.objects.get().seen_at
    Search.objects.update(seen_at=now - HOUR)
    signed_in(alice).get("/play")  # which loads itself again where there are no scripts
    assert Search.objects.get().seen_at >= seen


def test_the_home_page_counts_nobody_who_is_away(alice: User, bob: User, now: datetime) -> None:
    at_home.befriend(alice, bob, now=now)
    game = at_home.invited(alice, bob, now=now)
    at_home.group(alice, bob, now=now)

    def said() -> tuple[str, str, bool]:
        known = home_page.known(alice, now=now)
        assert known is not None
        mine = table_list.of(alice, known.mine, now=now)
        found = home_page.shown(known, mine, bound=False, is_asked=False, now=now)
        [group] = [*found.standing] or [found.step.standing]
        return found.step.invitation.waiting, group.state, group.meets

    assert said() == ("1 person waiting", "open", True)
    Seat.objects.update(seen_at=now - HOUR)
    assert said() == ("away", "empty", False)
    assert game.status == Game.Status.OPEN


def test_ones_own_table_counts_its_reader(alice: User, now: datetime) -> None:
    """Their first page after an hour is open now."""
    open_table(alice, "sharp", now=now - HOUR)
    [mine] = table_list.my_games(alice, now=now).waiting
    assert (mine.people, mine.is_away) == (1, False)


def test_a_standing_table_says_who_is_away(alice: User, bob: User, now: datetime) -> None:
    game = at_home.group(alice, bob, now=now - HOUR)
    assert game.standing is not None
    away = [each["is_away"] for each in standing_page(game.standing, alice, now=now)["seats"]]
    assert away == [True]
    assert "away</small>" in signed_in(alice).get(f"/t/{game.standing.word}").text
