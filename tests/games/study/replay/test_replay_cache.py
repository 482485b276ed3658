"""What is kept of a finished game: its moments and its record, never a page of a person."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts import lifecycle
from accounts.models import User
from games.models import Game
from games.store import event_log
from tests.support.fast_games import finished_game
from tests.support.fixtures import signed_in

NAMES = ("games:replay", "games:record-text", "games:record-json")
Visit = Callable[..., str]


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return finished_game(alice, bob, "steady")


@pytest.fixture(params=NAMES)
def visit(request: pytest.FixtureRequest, game: Game, client: Client) -> Visit:
    def visit(**headers: str) -> str:
        return client.get(
            reverse(request.param, args=[game.code]), headers=headers
        ).content.decode()

    return visit


def test_the_log_is_read_once(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    first = visit()
    monkeypatch.setattr(event_log, "unsealed_facts", lambda game: pytest.fail("read again"))
    assert len(visit()) == len(first)


def test_a_new_name_shows_at_once(visit: Visit, bob: User) -> None:
    assert "bob" in visit()
    User.objects.filter(pk=bob.pk).update(username="Rodrigo")
    assert "Rodrigo" in visit() and "bob" not in visit()


def test_nobody_is_named_after_a_deletion(visit: Visit, bob: User) -> None:
    assert "bob" in visit()
    lifecycle.forget(bob)
    assert "bob" not in visit() and "deleted player" in visit()


def test_each_language_has_its_own(game: Game, client: Client) -> None:
    def told(language: str) -> str:
        address = reverse("games:replay", args=[game.code])
        answer = client.get(address, headers={"Accept-Language": language})
        return str(answer.context["moment"].narration)

    assert len({told(language) for language in ("en", "fr", "it", "es")}) == 4
    assert told("fr") == told("fr") != told("en")


def test_what_concerns_one_viewer_is_not_kept(
    game: Game, alice: User, bob: User, client: Client
) -> None:
    pages = [
        visitor.get(reverse("games:replay", args=[game.code])).content.decode()
        for visitor in (signed_in(alice), signed_in(bob), client, signed_in(alice))
    ]
    seats = ['data-me="0"', 'data-me="1"', 'data-me=""', 'data-me="0"']
    assert all(seat in page for seat, page in zip(seats, pages, strict=True))
    assert 'href="/account/"' not in pages[2]


def test_a_moment_that_does_not_exist_is_not_kept(game: Game, client: Client) -> None:
    address = reverse("games:moment", args=[game.code, 9999])
    assert [client.get(address).status_code for _ in range(2)] == [404, 404]
