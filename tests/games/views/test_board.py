"""A table on a big screen: the same spectator's page for everybody, in every state of the table."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from accounts import lifecycle
from accounts.models import User
from games.models import Game, Seat
from games.peco_peco.tests import fast_games as peco_peco
from games.play import before_start, open_pages
from games.social.chat import rendering
from games.store import event_log, queries
from games.table import frames
from tests.support.cases import untouched
from tests.support.fast_games import START, finished_game, open_table
from tests.support.fixtures import signed_in
from tests.support.game_driver import DUDO, bid, deal_game

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5))
# What is another one in each answer: the time and the token of forms.
ONCE = re.compile(r'data-now="\d+"|"x-csrftoken": "\w+"')


def room(alice: User, bob: User) -> Game:
    """One seat is free."""
    game = open_table(alice, bob, "steady")
    before_start.remove(game.code, alice, number=2, now=START)
    return Game.objects.get(pk=game.pk)


def turn(alice: User, bob: User) -> Game:
    return deal_game(alice, bob, hands=HANDS).game


def reveal(alice: User, bob: User) -> Game:
    driver = deal_game(alice, bob, hands=HANDS)
    driver.move(0, bid("3x3"))
    driver.move(1, DUDO)
    return driver.game


def closed(alice: User, bob: User) -> Game:
    game = open_table(alice, bob)
    before_start.close(game.code, alice, now=START)
    return Game.objects.get(pk=game.pk)


def turn_of_the_other_game(alice: User, bob: User) -> Game:
    return peco_peco.running_game(alice, bob, "easy", "easy")


STATES = (room, turn, reveal, finished_game, closed, turn_of_the_other_game)


def page(client: Client, game: Game, ending: str = "/board") -> str:
    response = client.get(f"/games/{game.code}{ending}")
    assert response.status_code == 200
    return ONCE.sub("", response.content.decode())


def test_a_player_gets_the_same_page_as_a_stranger(
    alice: User, bob: User, charlie: User, subtests: pytest.Subtests
) -> None:
    for arrange in STATES:
        with subtests.test(arrange=arrange.__name__), untouched():
            game = arrange(alice, bob)
            strangers = page(Client(), game)
            for person in (alice, bob, charlie, lifecycle.guest()):
                assert page(signed_in(person), game) == strangers
            assert frames.table(game) in strangers
            assert frames.own(game, None, user=AnonymousUser()) in strangers


def test_nothing_on_it_can_be_pressed_for_a_seat_and_nothing_is_the_persons(
    alice: User, bob: User, subtests: pytest.Subtests
) -> None:
    for arrange in STATES:
        with subtests.test(arrange=arrange.__name__), untouched():
            game = arrange(alice, bob)
            html = page(signed_in(alice), game)
            for of_a_person in ("<form", "data-session", "data-me", 'id="talk"', 'class="my-dice'):
                assert of_a_person not in html
            if arrange is not closed:  # where nobody has anything left
                seat = queries.seat_of(game, alice)
                assert seat is not None
                assert frames.own(game, seat.number, user=alice) not in html
            # The same words are on the table's page of this person.
            assert "<form" in page(signed_in(alice), game, "")
            assert "data-session" in page(signed_in(alice), game, "")


def test_other_hidden_dice_make_no_other_board(alice: User, bob: User) -> None:
    pages = set()
    for hands in (HANDS, ((1, 1, 1, 1, 1), (6, 6, 6, 6, 6))):
        game = deal_game(alice, bob, hands=hands).game
        assert event_log.seat_view(game, 0).hands[0] == hands[0]
        pages.add(page(signed_in(alice), game).replace(game.code, "code"))
    assert len(pages) == 1


def test_the_code_to_join_is_there_until_the_game_begins(alice: User, bob: User) -> None:
    game = room(alice, bob)
    html = page(Client(), game)
    assert 'class="join-here"' in html and f"/games/{game.code}</p>" in html
    before_start.start(game.code, alice, now=START)
    assert "join-here" not in page(Client(), game)


def test_it_has_a_socket_and_a_look_of_its_own(alice: User, bob: User) -> None:
    game = turn(alice, bob)
    html = page(signed_in(alice), game)
    heard = rendering.etag(rendering.reactions(game))
    assert (
        f'ws-connect="/ws/games/{game.code}/board?seen={game.seq}&amp;heard={heard}&amp;lang=en"'
        in html
    )
    assert f'data-look="/games/{game.code}/board/now"' in html


def test_a_look_of_a_player_is_a_spectators(alice: User, bob: User) -> None:
    game = turn(alice, bob)
    seen = list(Seat.objects.filter(game=game).values_list("seen_at", "present_at"))
    client = signed_in(alice)
    answer = client.get(f"/games/{game.code}/board/now?lang=en&as=another")
    seen_by_all = frames.frame(game, None, user=AnonymousUser()).html
    assert answer.content.decode() == seen_by_all + rendering.reactions(game)
    tag = answer["ETag"]
    again = client.get(f"/games/{game.code}/board/now?lang=en", headers={"If-None-Match": tag})
    assert again.status_code == 304
    assert not open_pages.is_in_view(game.code, alice.pk)
    assert list(Seat.objects.filter(game=game).values_list("seen_at", "present_at")) == seen
    # They stay signed in.
    assert client.get("/inbox").status_code == 200


def test_the_players_of_a_private_table_are_offered_it(
    alice: User, bob: User, charlie: User
) -> None:
    game = open_table(alice, bob, public=False)
    address = f'href="/games/{game.code}/board" target="_blank"'
    for _ in ("in the room", "at the table"):
        assert address in page(signed_in(alice), game, "")
        assert address in page(signed_in(bob), game, "")
        assert address not in page(signed_in(charlie), game, "")
        assert address not in page(Client(), game, "")
        if game.status == Game.Status.OPEN:
            before_start.start(game.code, alice, now=START)
            game = Game.objects.get(pk=game.pk)
    assert game.status == Game.Status.PLAYING


def test_at_a_public_table_it_is_not_offered_and_works(alice: User, bob: User) -> None:
    game = open_table(alice, bob)
    assert "/board" not in page(signed_in(alice), game, "")
    assert "join-here" in page(signed_in(alice), game)


@pytest.mark.django_db
def test_there_is_no_board_of_a_table_that_never_was(client: Client) -> None:
    assert client.get("/games/nothing/board").status_code == 404
    assert client.get("/games/nothing/board/now").status_code == 404
