"""The page of a table, for everybody who may come by, in every state of the table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from accounts import lifecycle
from accounts.models import User
from games.models import Game
from games.perudo import presenter
from games.perudo.tests.tables import table
from games.play import before_start
from games.store import queries, row_cache
from games.table import common as told
from games.table import frames
from games.table.common import look_at
from games.table.second_person import of_seat
from tests.support.cases import untouched
from tests.support.fast_games import START, finished_game, open_table
from tests.support.fixtures import signed_in
from tests.support.game_driver import CALZA, CONFIRM, DUDO, bid, deal_game

HANDS = ((2, 3, 4, 5, 6), (1, 2, 2, 5, 5), (3, 3, 4, 4, 6))
STATES = ("open", "turn", "claims", "reveal", "over", "closed")


def arranged(state: str, alice: User, bob: User) -> Game:
    """A table of Alice, Bob and a bot in one of its states."""
    match state:
        case "open":
            return open_table(alice, bob, "steady")
        case "closed":
            game = open_table(alice, bob, "steady")
            before_start.close(game.code, alice, now=START)
            return Game.objects.get(pk=game.pk)
        case "over":
            return finished_game(alice, bob, "steady")
    driver = deal_game(alice, "steady", bob, hands=HANDS, calza="on")
    if state != "turn":
        driver.move(0, bid("3x3"))
        driver.move(2, CALZA)
    if state == "reveal":
        driver.run_due()
    assert driver.state.phase == state
    return driver.game


def page(client: Client, game: Game) -> str:
    response = client.get(reverse("games:table", args=[game.code]))
    assert response.status_code == 200
    return response.content.decode()


def test_seats_spectators_guests_and_strangers_get_the_page_of_any_table(
    alice: User, bob: User, charlie: User, subtests: pytest.Subtests
) -> None:
    for state in STATES:
        with subtests.test(state=state), untouched():
            game = arranged(state, alice, bob)
            for client in (
                signed_in(alice),
                signed_in(charlie),
                signed_in(lifecycle.guest()),
                Client(),
            ):
                html = page(client, game)
                assert html.count('id="table"') == html.count('id="own"') == 1


def test_the_page_holds_the_fragments_that_a_socket_would_send(
    alice: User, bob: User, charlie: User, subtests: pytest.Subtests
) -> None:
    for state in STATES:
        with subtests.test(state=state), untouched():
            game = arranged(state, alice, bob)
            for person in (alice, bob, charlie):
                seat = queries.seat_of(game, person)
                html = page(signed_in(person), game)
                assert frames.table(game) in html
                assert frames.own(game, seat and seat.number, user=person) in html
            assert frames.own(game, None, user=AnonymousUser()) in page(Client(), game)


def test_the_socket_continues_where_the_page_ends(
    alice: User, bob: User, subtests: pytest.Subtests
) -> None:
    for state in STATES:
        with subtests.test(state=state), untouched():
            game = arranged(state, alice, bob)
            address = re.search(r'ws-connect="([^"]+)"', page(Client(), game))
            assert address is not None
            assert address[1].startswith(f"/ws/games/{game.code}?seen={game.seq}&amp;")
            assert address[1].endswith("lang=en")


def test_the_page_knows_whose_seat_is_nearest(
    alice: User, bob: User, charlie: User, subtests: pytest.Subtests
) -> None:
    for state in STATES:
        with subtests.test(state=state), untouched():
            game = arranged(state, alice, bob)
            seat = queries.seat_of(game, bob)
            assert seat is not None
            assert f'data-me="{seat.number}"' in page(signed_in(bob), game)
            assert 'data-me=""' in page(signed_in(charlie), game)


def test_nobody_on_the_way_keeps_a_copy(alice: User, bob: User, subtests: pytest.Subtests) -> None:
    for state in STATES:
        with subtests.test(state=state), untouched():
            game = arranged(state, alice, bob)
            response = signed_in(alice).get(reverse("games:table", args=[game.code]))
            assert (
                "no-store" in response["Cache-Control"] and "private" in response["Cache-Control"]
            )
            assert {"Cookie", "Accept-Language"} <= set(re.split(r",\s*", response["Vary"]))


def test_a_table_can_be_looked_at_only(
    alice: User, bob: User, alice_client: Client, subtests: pytest.Subtests
) -> None:
    for state in STATES:
        with subtests.test(state=state), untouched():
            game = arranged(state, alice, bob)
            address = reverse("games:table", args=[game.code])
            assert alice_client.head(address).status_code == 200
            assert (
                alice_client.post(address).status_code
                == alice_client.delete(address).status_code
                == 405
            )


def test_there_is_no_page_for_a_table_that_never_was(alice_client: Client) -> None:
    assert alice_client.get(reverse("games:table", args=["nothing"])).status_code == 404


def test_a_person_removed_from_a_table_may_watch_and_not_sit_down_again(
    alice: User, bob: User, bob_client: Client
) -> None:
    game = open_table(alice, bob)
    before_start.remove(game.code, alice, number=1, now=START)
    html = page(bob_client, game)
    assert 'data-me=""' in html
    assert reverse("games:sit", args=[game.code]) not in html


def test_a_stranger_sits_down_as_a_guest_with_one_press(client: Client, alice: User) -> None:
    game = open_table(alice, "steady")
    Game.objects.update(size=3)
    address = reverse("games:sit-as-guest", args=[game.code])
    html = page(client, game)
    assert f'id="as-guest" method="post" action="{address}"' in html
    assert client.post(address)["Location"] == f"/games/{game.code}"
    seat = game.seat_set.get(number=2)
    assert seat.user is not None and seat.user.is_guest
    assert 'data-me="2"' in page(client, game)


def test_no_guest_is_made_for_a_table_that_never_was(client: Client, db: None) -> None:
    assert client.post(reverse("games:sit-as-guest", args=["nowhere"])).status_code == 404
    assert not User.objects.exists()


def test_a_guest_reads_at_the_end_that_the_games_can_be_kept(alice: User, bob: User) -> None:
    guest = lifecycle.guest()
    game = finished_game(alice, guest)
    keep = f'href="{reverse("keep-account")}?next=/games/{game.code}"'
    assert [keep in frames.own(game, seat, user=None) for seat in (0, 1, None)] == [
        False, True, False
    ]  # fmt: skip


def test_only_the_host_is_offered_what_a_host_does(
    alice_client: Client, bob_client: Client, alice: User, bob: User
) -> None:
    game = open_table(alice, bob)
    game.size += 1  # a seat for a bot
    game.save(update_fields=["size"])
    for action in ("start", "add-bot", "close", "remove"):
        address = f'formaction="{reverse(f"games:{action}", args=[game.code])}"'
        assert address in page(alice_client, game)
        assert address not in page(bob_client, game)


# --- what a seat is offered ----------------------------------------------------------------------


def test_the_player_on_turn_is_offered_every_legal_bid_and_one_that_fits_their_dice(
    alice: User, bob: User
) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2])
    driver.move(0, bid("3x5"))
    own = presenter.own(look_at(driver.game), 1)
    ranges = {face.face: (face.min, face.max) for face in own.controls.faces}
    assert ranges == {
        2: (None, None), 3: (None, None), 4: (None, None), 5: (4, 10), 6: (3, 3), 1: (2, 10)
    }  # fmt: skip
    assert (own.my_turn, own.controls.can_dudo, own.controls.quantity) == (True, True, 4)
    # The player holds two fives and a paco: one more five is likelier than three sixes.
    assert [face.face for face in own.controls.faces if face.checked] == [5]


def test_the_bid_that_is_ready_goes_by_the_hand_of_the_seat_alone(
    alice: User, bob: User, charlie: User
) -> None:
    """P45: nor by how many dice the others have left, where that is hidden."""

    def ready(*hands: Sequence[int], **settings: Any) -> tuple[int, list[int]]:
        state = table(hands, bid="3x4", bidder=2, **settings)
        can = presenter.choices(state, 0)
        return can.controls.quantity, [face.face for face in can.controls.faces if face.checked]

    mine = (1, 2, 2, 2, 2)
    assert ready(mine, (3,), (5,)) == ready(mine, (1,), (1,)) == (2, [1])
    assert ready(mine, (3,) * 5, (5,) * 5) == (3, [5])
    hidden = {"lost_dice_visible": False}
    assert ready(mine, (3,), (5,), **hidden) == ready(mine, (3,) * 5, (5,) * 5, **hidden)


def test_the_numbers_under_the_values_are_explained_to_the_eye(
    alice: User, bob: User, alice_client: Client
) -> None:
    html = page(alice_client, deal_game(alice, bob, hands=HANDS[:2]).game)
    signs = html.split('class="signs"')[1].split("</p>")[0]
    assert "4+ means 4 or more, 3 exactly 3, – not possible." in signs


def test_who_is_not_to_speak_is_offered_no_move_but_may_prepare_a_bid(
    alice: User, bob: User
) -> None:
    own = presenter.own(look_at(deal_game(alice, bob, hands=HANDS[:2]).game), 1)
    can = own.controls
    assert not (own.my_turn or can.can_bid or can.can_dudo or can.can_calza)
    assert can.can_prepare


@pytest.mark.parametrize("hand", [(3, 3, 3, 3, 3), (2, 2, 2, 2, 2)])
def test_calza_is_offered_whatever_the_hand(
    alice: User, bob: User, charlie: User, hand: tuple[int, ...]
) -> None:
    driver = deal_game(alice, bob, charlie, hands=(HANDS[0], HANDS[1], hand), calza="on")
    driver.move(0, bid("3x3"))
    assert [presenter.own(look_at(driver.game), seat).controls.can_calza for seat in range(3)] == [
        False,
        True,
        True,
    ]


def test_who_has_looked_reads_how_many_still_look(alice: User, bob: User, charlie: User) -> None:
    driver = deal_game(alice, bob, charlie, hands=HANDS)
    driver.move(0, bid("3x3"))
    driver.move(1, DUDO)
    driver.move(0, CONFIRM)
    own = presenter.own(look_at(driver.game), 0)
    assert (own.must_confirm, own.confirmed, own.waiting) == (False, True, 2)


def test_the_round_being_counted_is_not_listed_among_the_earlier_ones(
    alice: User, bob: User
) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2], lost_dice_visible=True)
    driver.move(0, bid("9x3"))
    driver.move(1, DUDO)
    assert presenter.earlier_rounds(driver.game) == []
    driver.run_due(rolls=[2] * 9)
    assert [row.number for row in presenter.earlier_rounds(driver.game)] == [1]


def test_a_table_as_it_was_lists_no_later_round(alice: User, bob: User) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2], lost_dice_visible=True)
    past = driver.game
    driver.move(0, bid("9x3"))
    driver.move(1, DUDO)
    driver.run_due(rolls=[2] * 9)
    assert presenter.earlier_rounds(past) == []


def test_earlier_rounds_stand_in_the_page_and_are_fetched_when_there_are_more(
    alice: User, bob: User
) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2], lost_dice_visible=True)
    address = reverse("games:rounds", args=[driver.game.code])
    bidder = of_seat(0, "bid by alice.", "bid by you.")
    told = f"{bidder} {of_seat(1, 'bob called dudo: 2', 'You called dudo: 2')}."
    assert "hidden>" in story_of(page(Client(), driver.game))
    driver.move(0, bid("9x4"))
    driver.move(1, DUDO)
    driver.run_due(rolls=[2] * 9)
    assert told in story_of(page(Client(), driver.game))
    assert "hidden>" not in story_of(page(Client(), driver.game))
    assert told not in frames.frame(driver.game, 0, user=alice).html
    assert told in Client().get(address, headers={"HX-Request": "true"}).content.decode()
    assert Client().get(address).headers["Location"] == f"/games/{driver.game.code}"


def test_an_earlier_round_shows_every_hand_with_the_dice_that_counted(
    alice: User, bob: User
) -> None:
    driver = deal_game(alice, bob, hands=((1, 3, 3, 5, 6), (2, 2, 4, 4, 6)), lost_dice_visible=True)
    driver.move(0, bid("9x3"))
    driver.move(1, DUDO)
    assert "die" not in frames.story(driver.game)
    driver.run_due(rolls=[2] * 9)
    [row] = presenter.earlier_rounds(driver.game)
    shown = [(hand.name, [(die.face, die.matches) for die in hand.dice]) for hand in row.hands]
    assert shown == [
        ("alice", [(1, True), (3, True), (3, True), (5, False), (6, False)]),
        ("bob", [(2, False), (2, False), (4, False), (4, False), (6, False)]),
    ]
    html = frames.story(driver.game)
    assert (html.count('class="die lit"'), html.count('class="die dim"')) == (3, 7)


def test_where_lost_dice_are_hidden_no_hand_is_listed_while_the_game_runs(
    alice: User, bob: User
) -> None:
    driver = deal_game(alice, bob, hands=HANDS[:2], lost_dice_visible=False)
    driver.move(0, bid("9x3"))
    driver.move(1, DUDO)
    driver.run_due(rolls=[2] * 9)
    assert "die" not in frames.story(driver.game)


def test_who_looked_in_before_the_start_leaves_nothing_behind(
    alice: User, bob: User, charlie: User
) -> None:
    game = open_table(alice, bob)
    page(signed_in(alice), game)
    row_cache.seats(game)
    before_start.stand(game.code, bob, now=START)
    before_start.sit(game.code, charlie, now=START)
    before_start.start(game.code, alice, now=START)
    table = frames.table(Game.objects.get(pk=game.pk))
    assert "charlie" in table and "bob" not in table


def story_of(html: str) -> str:
    found = re.search(r'<details id="story".*?</details>', html, re.DOTALL)
    assert found is not None
    return re.sub(r"\s+", " ", found[0]).replace(" >", ">")


def test_a_name_that_goes_is_gone_from_the_screens_soon(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = finished_game(alice, bob)
    assert "bob" in frames.table(game)
    lifecycle.forget(bob)
    monkeypatch.setattr(told, "FRESH_SECONDS", 0)
    assert "bob" not in frames.table(game)
