"""How often people leave rated games: what they read, what a host reads, and what follows."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.lobby.matching import jobs, searches
from games.models import Game, Seat
from games.store import manners
from tests.support.fast_games import open_table, played_game

pytestmark = pytest.mark.django_db

NOW = timezone.now()


@pytest.fixture
def leaver(bob: User, charlie: User) -> User:
    """Bob, who has left two of ten rated games."""
    for seed in range(1, 11):
        played_game(bob, charlie, rated=True, seed=seed % 3, now=NOW - timedelta(days=seed))
    for seat in Seat.objects.filter(user=bob).order_by("pk")[:2]:
        Seat.objects.filter(pk=seat.pk).update(gone=True)
    return bob


def test_they_are_counted_among_the_latest_rated_games(leaver: User, charlie: User) -> None:
    found = manners.of(leaver)
    assert (found.left, found.games, found.leaves_often) == (2, 10, True)
    assert manners.of(charlie) == manners.Manners(0, 10)
    played_game(leaver, charlie)  # counts for nothing
    assert manners.of(leaver).games == 10


def test_nothing_is_said_of_somebody_after_a_few_games() -> None:
    assert not manners.Manners(9, 9).leaves_often
    assert not manners.Manners(1, 10).leaves_often


def test_they_read_it_on_their_own_page_and_nobody_else_does(
    leaver: User, bob_client: Client, alice_client: Client
) -> None:
    said = "You left 2 of your latest 10 rated games."
    page = " ".join(bob_client.get("/players/bob").content.decode().split())
    assert said in page and "who opens a rated table sees it" in page
    assert said not in " ".join(alice_client.get("/players/bob").content.decode().split())


def test_the_host_of_a_rated_table_reads_it_and_others_do_not(
    alice: User, leaver: User, charlie: User, alice_client: Client, charlie_client: Client
) -> None:
    said = "bob left 2 of their latest 10 rated games."
    rated = open_table(alice, leaver, charlie, rated=True)
    assert said in alice_client.get(f"/games/{rated.code}").content.decode()
    assert said not in charlie_client.get(f"/games/{rated.code}").content.decode()
    other = open_table(alice, leaver)
    assert said not in alice_client.get(f"/games/{other.code}").content.decode()


def test_they_wait_a_little_longer_for_the_next_one(
    alice: User, leaver: User, charlie: User
) -> None:
    first = searches.press(alice, holder="a", now=NOW)
    late = searches.press(leaver, holder="b", now=NOW)
    assert late.table != first.table
    assert searches.press(charlie, holder="c", now=NOW).table in (first.table, late.table)
    assert Game.objects.filter(origin="quick").count() == 2


def test_and_are_brought_together_with_who_waits_alone(alice: User, leaver: User) -> None:
    first = searches.press(alice, holder="a", now=NOW)
    late = searches.press(leaver, holder="b", now=NOW)
    jobs.tidy(now=NOW + timedelta(seconds=5))
    late.refresh_from_db()
    assert late.table == first.table
