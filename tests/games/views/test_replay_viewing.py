"""Whose hands a replay shows, whose decisions it lists, and what was said by then."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from accounts import lifecycle
from accounts.models import User
from games.models import ChatMessage, Game
from games.perudo import replay
from games.perudo.moments import Moment
from games.social.chat import talk
from games.table import second_person
from tests.support.fast_games import finished_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    return finished_game(alice, bob, charlie)


def at(game: Game, number: int, query: str = "") -> str:
    return reverse("games:moment", args=[game.code, number]) + query


def first_bid(game: Game) -> tuple[int, Moment]:
    moments = enumerate(replay.moments(game), start=1)
    return next((number, each) for number, each in moments if each.move)


# --- whose hands ----------------------------------------------------------------------------------


def test_all_hands_are_open_unless_the_address_names_a_seat(game: Game, client: Client) -> None:
    number, _ = first_bid(game)
    everything = client.get(at(game, number)).content.decode()
    own = client.get(at(game, number, "?seat=1")).content.decode()
    opened = client.get(at(game, number, "?seat=1&open=1")).content.decode()
    assert [page.count('<p class="hand">') for page in (everything, own, opened)] == [3, 1, 3]
    assert ["Show all hands" in page for page in (everything, own, opened)] == [False, True, False]


def test_the_way_on_keeps_whose_eyes_and_closes_the_cups_again(game: Game, client: Client) -> None:
    number, _ = first_bid(game)
    for query in ("?seat=1", "?seat=1&open=1"):
        bar = client.get(at(game, number, query)).context["bar"]
        assert bar.url_next == at(game, number + 1, "?seat=1")
        assert bar.url_prev == at(game, number - 1, "?seat=1")
    assert client.get(at(game, number)).context["bar"].url_next == at(game, number + 1)


def test_the_reveal_opens_the_cups_for_a_seat_as_it_did_at_the_table(
    game: Game, client: Client
) -> None:
    number = next(n for n, each in enumerate(replay.moments(game), start=1) if each.opens)
    page = client.get(at(game, number, "?seat=1"))
    assert [len(seat.hand) for seat in page.context["t"].seats] == [5, 5, 5]
    first, second, *_ = page.context["rounds"]
    assert first.told.call
    assert (second.number, second.told) == (2, None)


def test_a_seat_that_is_none_is_not_found(game: Game, client: Client) -> None:
    wrong = [
        query
        for query in [
            "?seat=3",
            "?seat=-1",
            "?seat=x",
            "?only=9",
            "?seat=",
            "?seat=1&only=",
            "?seat=01",
        ]
        if client.get(at(game, 1, query)).status_code != 404
    ]
    assert wrong == []


def test_an_address_opens_nothing_where_nothing_is_closed(game: Game, client: Client) -> None:
    number, _ = first_bid(game)
    with_it, without = (client.get(at(game, number, query)) for query in ("?open=1", ""))
    assert with_it.context["t"] == without.context["t"]
    assert with_it.context["bar"].url_next == without.context["bar"].url_next


# --- the lists ------------------------------------------------------------------------------------


def test_the_list_of_moves_marks_the_one_that_is_shown(game: Game, client: Client) -> None:
    number, moment = first_bid(game)
    page = client.get(at(game, number))
    [row] = [row for row in page.context["moves"].rows if row.is_shown]
    assert moment.move is not None and row.seat == moment.move.seat
    assert f'<a href="{at(game, number)}" aria-current="step">' in page.content.decode()


def test_the_list_of_rounds_names_bidder_caller_and_loser(game: Game, client: Client) -> None:
    page = client.get(at(game, 1))
    listed = page.content.decode().partition('class="round-list"')[2].partition("</ol>")[0]
    rows = listed.split("</li>")[:-1]
    assert len(rows) == game.round_set.count()
    for row, played in zip(rows, game.round_set.order_by("number"), strict=True):
        assert played.bidder.name in row and f"{played.caller.name} called" in row
        assert played.loser is not None
        assert f"{second_person.named(played.loser.number, played.loser.name)}: −1 die" in row


def test_a_deleted_player_has_no_name_in_the_lists(game: Game, client: Client, bob: User) -> None:
    lifecycle.forget(bob)
    page = client.get(at(game, 1, "?only=1")).content.decode()
    assert "Decisions: deleted player" in page and "bob" not in page


# --- what was said --------------------------------------------------------------------------------


def say(game: Game, by: User, text: str, *, moment: int) -> ChatMessage:
    when = replay.moments(game)[moment - 1].at + timedelta(milliseconds=1)
    return ChatMessage.objects.create(game=game, by=by, at=when, text=text)


def test_a_message_shows_from_the_moment_at_which_it_was_said(
    game: Game, client: Client, bob: User
) -> None:
    say(game, bob, "never nine", moment=3)
    shown = ["never nine" in client.get(at(game, n)).content.decode() for n in (1, 2, 3, 4)]
    assert shown == [False, False, True, True]
    assert "never nine" in client.get(at(game, len(replay.moments(game)))).content.decode()


def test_what_was_said_after_the_end_belongs_to_the_end(
    game: Game, client: Client, bob: User
) -> None:
    last = len(replay.moments(game))
    say(game, bob, "well played", moment=last)
    assert "well played" in client.get(at(game, last)).content.decode()
    assert "well played" not in client.get(at(game, last - 2)).content.decode()


def test_mutes_removals_and_deletions_hold_in_a_replay(
    game: Game, client: Client, alice_client: Client, alice: User, bob: User, charlie: User
) -> None:
    said = say(game, bob, "never nine", moment=1)
    say(game, charlie, "ten it is", moment=1)
    talk.mute(alice, bob, block=False)
    page = alice_client.get(at(game, 2)).content.decode()
    assert "never nine" not in page and "ten it is" in page
    assert "never nine" in client.get(at(game, 2)).content.decode()
    talk.hide(ChatMessage.objects.filter(pk=said.pk))
    assert "never nine" not in client.get(at(game, 2)).content.decode()
    talk.forget(charlie)
    lifecycle.forget(charlie)
    page = client.get(at(game, 2)).content.decode()
    assert "ten it is" not in page and "(deleted)" in page


def test_a_game_in_which_nobody_spoke_shows_no_chat(game: Game, client: Client) -> None:
    assert 'id="talk"' not in client.get(at(game, 2)).content.decode()
