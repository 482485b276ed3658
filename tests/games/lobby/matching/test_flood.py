"""A stranger who presses, sits and leaves a thousand times slows and blocks nobody."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.lobby.matching import queue
from games.models import Game, Search
from tests.games.lobby.matching.test_searches import states, warm_up
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db
STRANGER, ELSEWHERE = {"REMOTE_ADDR": "203.0.113.9"}, {"REMOTE_ADDR": "198.51.100.4"}
GUESTS, PRESSES = 40, 25


@pytest.mark.slow
def test_who_presses_and_leaves_a_thousand_times_is_the_only_one_refused(
    alice: User, bob: User
) -> None:
    """Alone with alice in line, under forty names; she is called eight times, and then no more."""
    waits = signed_in(alice)
    waits.post("/play", **ELSEWHERE)
    playing, calls = warm_up(alice), 0
    for _ in range(GUESTS):
        stranger = Client()
        for _ in range(PRESSES):
            page = stranger.post("/play", **STRANGER)["Location"]
            calls += states(alice) == ["asked"]
            if page != "/play":  # not refused
                stranger.post("/play/answer", {"do": "stop"}, **STRANGER)
    assert calls == queue.LEAVES_PER_ADDRESS
    assert states(alice) == ["waiting"] and warm_up(alice) == playing
    assert Game.objects.filter(status__in=("open", "playing")).count() == 2
    assert Game.objects.count() <= settings.TABLES_PER_ADDRESS
    assert Search.objects.count() <= queue.LEAVES_PER_ADDRESS + 1
    signed_in(bob).post("/play", **ELSEWHERE)
    assert states(alice, bob) == ["asked", "ready"]
    waits.post("/play/answer", {"do": "start"}, **ELSEWHERE)
    assert states(alice, bob) == ["seated", "seated"]


def test_those_who_let_others_down_again_and_again_are_passed_over(alice: User) -> None:
    """Their tables stand in nobody's way, however many of them wait there and never answer."""
    ghosts = [User.objects.create_user(f"ghost-{number}") for number in range(3)]
    for ghost in ghosts:
        signed_in(ghost).post("/play", **STRANGER)
    often = {"leaves": queue.LEAVES_PER_ADDRESS // 2, "left_at": timezone.now()}
    Search.objects.filter(user__in=ghosts[:2]).update(**often)
    signed_in(alice).post("/play", **ELSEWHERE)
    assert states(alice) == ["waiting"]
