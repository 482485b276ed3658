"""What was thrown in finished games is counted once: as a game ends, or later by a job."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.contract import catalogue
from games.core.chance import SeededChance
from games.models import FactRow, Game, Result, SiteTally, Tally
from games.peco_peco.tests import fast_games as cards
from games.play import before_start, commands, retry, throws
from games.store import archive
from perudo_site import jobs
from tests.games.contract.kinds import played_on
from tests.games.play.test_finish import assert_the_past_is_true
from tests.games.play.test_races import at_once
from tests.support.expected_tallies import THROWN, thrown_in
from tests.support.fast_games import START, finish_game, finished_game, open_table, running_game
from tests.support.fixtures import signed_in
from tests.support.game_driver import LEAVE

pytestmark = pytest.mark.django_db
PAGE = "/rules/perudo/fair"


def of(person: User) -> dict[str, int]:
    """How often this person threw each face, as it is stored."""
    rows = Tally.objects.filter(user=person, counter__in=THROWN)
    return dict(rows.values_list("counter", "value"))


def on_the_site() -> dict[str, int]:
    return SiteTally.objects.counted("perudo")


def forget_throws() -> None:
    """As if all games had ended before they were counted."""
    Game.objects.update(throws_counted=None)
    Tally.objects.filter(counter__startswith=throws.PREFIX).delete()
    SiteTally.objects.all().delete()


def make_up() -> bool:
    return throws.make_up(START, 60.0)


# --- the end of a game ----------------------------------------------------------------------------


@pytest.mark.parametrize("bots", [1, 3])
@pytest.mark.parametrize("visible", [True, False])
def test_the_end_of_a_game_counts_its_dice_for_people_and_all_seats_for_the_site(
    alice: User, bots: int, visible: bool
) -> None:
    game = finished_game(alice, *["steady"] * bots, lost_dice_visible=visible, seed=4)
    assert game.throws_counted
    assert of(alice) == thrown_in(game, 0)
    assert on_the_site() == thrown_in(game, *range(bots + 1))
    assert sum(on_the_site().values()) > sum(of(alice).values()) > 10
    assert_the_past_is_true()


def test_a_game_in_progress_changes_no_number(alice: User, bob: User) -> None:
    """Nor does a table that is closed."""
    finished_game(alice, bob)
    readers = (signed_in(alice), signed_in(bob), Client())

    def shown() -> list[str]:
        pages = [reader.get(PAGE).content.decode() for reader in readers]
        return [page[page.index("<main") : page.index("</main")] for page in pages]

    before, rows = shown(), (of(alice), of(bob), on_the_site())
    for rounds in range(3):
        game = running_game(alice, bob, rounds=rounds, bids=2, seed=3)
        assert game.throws_counted is None
        make_up()
        assert shown() == before and (of(alice), of(bob), on_the_site()) == rows
    before_start.close(open_table(alice, bob).code, alice, now=START)
    make_up()
    assert shown() == before
    finish_game(game, seed=3)
    assert all(now != then for now, then in zip(shown(), before, strict=True))


def test_a_warm_up_counts_its_dice_and_nothing_else(alice: User) -> None:
    game = running_game(alice, "steady", rounds=1)
    Game.objects.filter(pk=game.pk).update(origin=Game.Origin.WARM_UP)
    game = finish_game(Game.objects.get(pk=game.pk))
    assert of(alice) == thrown_in(game, 0) and game.throws_counted
    assert set(Tally.objects.values_list("counter", flat=True)) <= set(THROWN)
    assert not Result.objects.exists()
    page = signed_in(alice).get("/players/alice").content.decode()
    assert "No finished games yet" in page


def test_a_game_that_is_tried_again_counts_nothing(alice: User, bob: User) -> None:
    """Its hands are given in part."""
    game = finished_game(alice, bob)
    before = of(alice), on_the_site()
    kind = catalogue.of(game.kind_key)
    there = kind.replay.moments(game)
    number = next(each for each in range(1, 9) if retry.has_decision(kind, there, each))
    begun = retry.begin(game, number, alice, now=START, chance=SeededChance(1))
    *_, last = played_on(Game.objects.get(pk=begun.pk), seed=1)
    assert (last.status, last.throws_counted) == (Game.Status.FINISHED, True)
    assert (of(alice), on_the_site()) == before
    Game.objects.filter(pk=last.pk).update(throws_counted=None)
    make_up()
    assert (of(alice), on_the_site()) == before


def test_games_that_end_together_seldom_write_the_same_rows(alice: User, bob: User) -> None:
    games = [finished_game(alice, bob, seed=seed) for seed in (1, 2, 3)]
    parts = set(SiteTally.objects.values_list("part", flat=True))
    assert parts == {game.pk % SiteTally.PARTS for game in games} and len(parts) == 3


# --- games that ended before ----------------------------------------------------------------------


def test_the_job_counts_older_games_packed_or_not_once(
    alice: User, bob: User, charlie: User
) -> None:
    games = [
        finished_game(alice, bob, seed=1, lost_dice_visible=True),
        finished_game(alice, charlie, "sharp", seed=2, preset="web_fr"),
        cards.played_game(alice, bob, charlie, "easy"),
    ]
    assert games[0].pack_at is not None
    archive.pack(games[0].code, now=games[0].pack_at + timedelta(days=1))
    before = of(alice), of(bob), of(charlie), on_the_site()
    forget_throws()
    assert on_the_site() == {} and not of(alice)
    for _ in range(2):
        assert not make_up()
        assert (of(alice), of(bob), of(charlie), on_the_site()) == before
    assert set(Game.objects.values_list("throws_counted", flat=True)) == {True}


def test_the_job_stops_when_its_share_of_the_time_is_used(alice: User, bob: User) -> None:
    for seed in (1, 2):
        finished_game(alice, bob, seed=seed)
    forget_throws()
    assert throws.make_up(START, 0.0), "more is to be done"
    assert Game.objects.filter(throws_counted=True).count() == 1
    assert throws.make_up(START, 0.0) and not throws.make_up(START, 0.0)
    assert_the_past_is_true()


def test_a_game_that_cannot_be_read_is_set_aside(
    alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:

    def failures() -> list[str]:
        return [each.getMessage() for each in caplog.records if each.name == throws.__name__]

    broken, whole = finished_game(alice, bob), finished_game(alice, bob, seed=2)
    forget_throws()
    FactRow.unsealed.filter(game=broken, kind="rolled").update(data={})
    assert not make_up()
    assert failures() == [f"counting failed game={broken.code}"]
    for game, counted in ((broken, False), (whole, True)):
        game.refresh_from_db()
        assert game.throws_counted is counted
    assert on_the_site() == thrown_in(whole, 0, 1)
    make_up()
    assert len(failures()) == 1, "it is not tried again"


@pytest.mark.django_db(transaction=True)
def test_processes_that_count_one_game_count_it_once(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    forget_throws()
    assert at_once(*[partial(throws.count, game)] * 3) == ["done"] * 3
    assert_the_past_is_true()


def test_a_running_game_is_not_read(alice: User, bob: User) -> None:
    with pytest.raises(ValueError, match="sealed"):
        throws.count(running_game(alice, bob))


def test_with_nothing_to_do_the_job_asks_one_index(alice: User, bob: User) -> None:
    finished_game(alice, bob)
    with CaptureQueriesContext(connection) as asked:
        assert not make_up()
    [query] = asked.captured_queries
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {'QUERY PLAN ' * (connection.vendor == 'sqlite')}{query['sql']}")
        plan = str(cursor.fetchall())
    assert "game_throws" in plan or connection.vendor != "sqlite", plan


def test_the_job_is_in_the_list_of_the_site() -> None:
    assert throws.make_up in [each.run for each in jobs.IN_THE_BACKGROUND]


# --- numbers of a person --------------------------------------------------------------------------


def test_a_person_who_leaves_keeps_the_dice_of_their_seat(alice: User, bob: User) -> None:
    running = running_game(alice, bob, rounds=2)
    commands.move(running.code, 0, LEAVE, seen=None, now=START + timedelta(hours=1))
    game = Game.objects.get(pk=running.pk)
    assert game.status == Game.Status.FINISHED
    assert of(alice) == thrown_in(game, 0) and of(bob) == thrown_in(game, 1)
