"""The replay: every step of a finished game, every hand open, and nothing of a running one."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import lifecycle
from accounts.models import User
from games.models import Game, Seat
from games.perudo import replay
from games.perudo.replay import Moment, moments
from games.perudo.rules.events import BidMade, CalzaClaimed, Left, Revealed, RoundStarted
from games.perudo.rules.moves import Calza, Leave
from games.play import before_start, commands
from games.store import event_log
from tests.games.playing import (
    EVENING,
    finish,
    finished_game,
    open_table,
    play_until,
    running_game,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    return finished_game(alice, bob, charlie, calza="on")


@pytest.fixture
def duel(alice: User, bob: User) -> Game:
    return finished_game(alice, bob)


def steps_of(game: Game) -> list[Moment]:
    return moments(event_log.unsealed_facts(game))


def leave(game: Game, number: int) -> Game:
    now = event_log.latest_public_facts(game)[-1].at
    commands.move(game.code, number, Leave(), seen=None, now=now)
    game.refresh_from_db()
    return game


# --- the moments ---------------------------------------------------------------------------------


def test_the_moments_are_every_deal_bid_and_reveal_and_the_end(game: Game) -> None:
    kinds = [type(each.fact) for each in event_log.unsealed_facts(game)]
    remembered = sum(kinds.count(kind) for kind in (RoundStarted, BidMade, Revealed))
    assert len(steps_of(game)) == remembered + 1


def test_moments_come_in_the_order_of_the_clock(game: Game) -> None:
    times = [step.at for step in steps_of(game)]
    assert times == sorted(times)
    assert times[0] == EVENING
    assert times[-1] == game.finished_at


def test_every_hand_lies_open_from_the_deal_on(game: Game) -> None:
    hands = {row.number: row.hands for row in game.round_set.all()}
    for step in steps_of(game):
        assert [list(hand or ()) for hand in step.state.hands] == hands[step.state.number]


def test_the_dice_that_count_for_the_bid_are_marked_before_the_reveal(game: Game) -> None:
    counts = {row.number: row for row in game.round_set.all()}
    for number, step in enumerate(steps_of(game), start=1):
        page = replay.page(game, number)
        assert page is not None
        lit = sum(die["matches"] for seat in page["t"]["seats"] for die in seat["hand"])
        row = counts[step.state.number]
        last = step.state.last_bid
        if last is None:
            assert lit == 0
        elif (last.quantity, last.face) == (row.quantity, row.face):
            assert lit == row.count


def test_the_last_reveal_comes_before_the_ranking(game: Game) -> None:
    *_, reveal, end = steps_of(game)
    assert isinstance(reveal.facts[0], Revealed)
    assert (reveal.state.phase, end.state.phase) == ("reveal", "over")
    winner = game.seat_set.get(place=1)
    last = replay.page(game, len(steps_of(game)))
    assert last is not None
    assert last["moment"]["told"] == f"{winner.name} wins the game."
    assert [entry["place"] for entry in last["t"]["ranking"]] == [1, 2, 3]


def test_a_claim_shows_on_the_bid_it_was_about(alice: User, bob: User, charlie: User) -> None:
    game = running_game(alice, bob, charlie, calza="on", bids=1)
    state = event_log.public_state(game)
    claimant = state.left_of(state.turn)
    now = event_log.latest_public_facts(game)[-1].at
    commands.move(game.code, claimant, Calza(), seen=game.seq, now=now)
    claim = steps_of(finish(game))[1]
    assert [type(fact) for fact in claim.facts] == [BidMade, CalzaClaimed]
    assert claim.state.claims == (claimant,)


def test_who_has_seen_the_dice_is_left_out(game: Game) -> None:
    assert not any(step.state.confirmed for step in steps_of(game))


def test_rolls_for_the_opening_show_on_the_first_deal(alice: User, bob: User) -> None:
    game = finished_game(alice, bob, preset="web_fr")
    page = replay.page(game, 1)
    assert page is not None
    assert page["t"]["starter_rolls"]
    assert "Rolls to decide who starts" in page["moment"]["told"]
    assert "Round 1: " in page["moment"]["told"]


# --- those who leave -----------------------------------------------------------------------------


def test_a_leaver_sits_there_until_leaving(alice: User, bob: User, charlie: User) -> None:
    game = finish(leave(running_game(alice, bob, charlie, rounds=1, bids=1), 1))
    steps = steps_of(game)
    left = next(n for n, step in enumerate(steps, 1) if any(type(f) is Left for f in step.facts))
    before, after = replay.page(game, left - 1), replay.page(game, left)
    assert before is not None
    assert after is not None
    assert [seat["gone"] for seat in before["t"]["seats"]] == [False, False, False]
    assert [seat["gone"] for seat in after["t"]["seats"]] == [False, True, False]


def test_a_game_that_all_others_left_ends_with_the_departure(alice: User, bob: User) -> None:
    game = leave(running_game(alice, bob, rounds=1, bids=1), 1)
    assert game.status == Game.Status.FINISHED
    steps = steps_of(game)
    page = replay.page(game, len(steps))
    assert page is not None
    told = "bob left the game. bob is out. alice wins the game."
    assert page["moment"]["told"] == told
    assert isinstance(steps[-2].facts[0], BidMade)
    assert steps[-2].state.phase == "turn"


def test_a_game_left_during_a_reveal_ends_with_the_departure(alice: User, bob: User) -> None:
    game = running_game(alice, bob, rounds=1)
    game = leave(play_until(game, lambda state: state.phase == "reveal"), 0)
    *_, reveal, end = steps_of(game)
    assert isinstance(reveal.facts[0], Revealed)
    assert reveal.state.phase == "reveal"
    assert isinstance(end.facts[0], Left)
    assert end.state.phase == "over"


# --- the pages -----------------------------------------------------------------------------------


def test_every_moment_has_its_own_address(duel: Game, client: Client) -> None:
    for number in range(1, len(steps_of(duel)) + 1):
        answer = client.get(f"/games/{duel.code}/replay/{number}")
        assert answer.status_code == 200
        assert answer.context["moment"]["index"] == number


def test_the_replay_begins_at_the_first_moment(game: Game, client: Client) -> None:
    answer = client.get(reverse("games:replay", args=[game.code]))
    moment = answer.context["moment"]
    assert (moment["index"], moment["url_prev"], moment["url_first"]) == (1, None, None)
    assert moment["url_next"] == f"/games/{game.code}/replay/2"


def test_following_the_links_on_and_back_visits_every_moment(duel: Game, client: Client) -> None:
    there = [reverse("games:moment", args=[duel.code, 1])]
    while address := client.get(there[-1]).context["moment"]["url_next"]:
        there.append(address)
    assert len(there) == len(steps_of(duel))
    back = [there[-1]]
    while address := client.get(back[-1]).context["moment"]["url_prev"]:
        back.append(address)
    assert back == there[::-1]


def test_a_jump_to_a_round_lands_on_its_deal(game: Game, client: Client) -> None:
    rounds = client.get(reverse("games:replay", args=[game.code])).context["rounds"]
    assert [row["number"] for row in rounds] == list(range(1, game.round_set.count() + 1))
    for row in rounds:
        context = client.get(row["url"]).context
        assert (context["t"]["round"], context["t"]["bids"]) == (row["number"], [])


def test_the_page_shows_every_die_of_the_moment(game: Game, client: Client) -> None:
    answer = client.get(reverse("games:replay", args=[game.code]))
    assert answer.content.decode().count('<p class="hand">') == 3
    assert [len(seat["hand"]) for seat in answer.context["t"]["seats"]] == [5, 5, 5]


def test_numbers_of_dice_are_open_even_where_the_table_hid_them(alice: User, bob: User) -> None:
    game = finished_game(alice, bob, lost_dice_visible=False)
    for number, step in enumerate(steps_of(game), start=1):
        page = replay.page(game, number)
        assert page is not None
        assert [seat["dice"] for seat in page["t"]["seats"]] == list(step.state.dice)


@pytest.mark.parametrize("moment", ["0", "-1", "9999", "9" * 40, "two", "1.5", "1/2"])
def test_a_moment_that_is_none_is_not_found(game: Game, client: Client, moment: str) -> None:
    assert client.get(f"/games/{game.code}/replay/{moment}").status_code == 404


def test_a_moment_one_past_the_end_is_not_found(game: Game, client: Client) -> None:
    past = len(steps_of(game)) + 1
    assert client.get(reverse("games:moment", args=[game.code, past])).status_code == 404


def test_anyone_with_the_link_may_watch_a_private_game(alice: User, bob: User) -> None:
    game = finished_game(alice, bob, public=False)
    assert Client().get(reverse("games:replay", args=[game.code])).status_code == 200


def test_a_deleted_player_has_no_name_in_a_replay(game: Game, client: Client, bob: User) -> None:
    lifecycle.forget(bob)
    page = client.get(reverse("games:replay", args=[game.code])).content.decode()
    assert "deleted player" in page
    assert "bob" not in page
    assert f"deleted-{bob.pk}" not in page


def test_a_stranger_can_only_look(game: Game, client: Client) -> None:
    assert client.post(reverse("games:replay", args=[game.code])).status_code == 405


# --- where one sits ------------------------------------------------------------------------------


def test_the_replay_seats_its_players_where_they_sat(
    alice: User, bob: User, bob_client: Client, charlie_client: Client, client: Client
) -> None:
    game = finished_game(alice, bob)
    for visitor, me in ((bob_client, "1"), (charlie_client, ""), (client, "")):
        for address in ("replay", "replay/2"):
            assert (
                f'data-me="{me}"' in visitor.get(f"/games/{game.code}/{address}").content.decode()
            )


# --- what is not over ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["games:replay", "games:moment"])
def test_a_running_game_sends_its_visitor_to_the_table(
    alice: User, bob: User, client: Client, name: str
) -> None:
    game = running_game(alice, bob, rounds=1, bids=1)
    arguments = [game.code, 1] if name == "games:moment" else [game.code]
    answer = client.get(reverse(name, args=arguments))
    assert answer.status_code == 302
    assert answer["Location"] == f"/games/{game.code}"
    assert answer.content == b""
    assert "watch the replay when it ends" in client.get(answer["Location"]).content.decode()


def test_the_players_of_a_running_game_see_no_replay_either(
    alice_client: Client, alice: User, bob: User
) -> None:
    game = running_game(alice, bob)
    assert alice_client.get(reverse("games:replay", args=[game.code])).status_code == 302


def test_the_log_of_a_running_game_stays_sealed(alice: User, bob: User) -> None:
    with pytest.raises(ValueError, match="stays sealed"):
        event_log.unsealed_facts(running_game(alice, bob))


def test_an_open_table_has_no_replay(alice: User, bob: User, client: Client) -> None:
    game = open_table(alice, bob)
    answer = client.get(reverse("games:replay", args=[game.code]))
    assert answer["Location"] == reverse("games:table", args=[game.code])


def test_a_closed_table_has_no_replay(alice: User, bob: User, client: Client) -> None:
    game = open_table(alice, bob)
    before_start.close(game.code, alice, now=EVENING)
    assert client.get(reverse("games:replay", args=[game.code])).status_code == 404


def test_a_table_that_never_was_has_no_replay(client: Client) -> None:
    assert client.get("/games/nowhere/replay").status_code == 404


# --- the price -----------------------------------------------------------------------------------


def test_a_long_game_asks_the_database_no_more_than_a_short_one(
    alice: User, bob: User, charlie: User, client: Client
) -> None:
    long = finished_game(alice, bob, charlie, calza="on")
    short = leave(running_game(alice, bob), 0)
    asked = []
    for game in (long, short):
        for _ in range(2):
            with CaptureQueriesContext(connection) as queries:
                assert client.get(reverse("games:replay", args=[game.code])).status_code == 200
            asked.append(len(queries))
    assert asked == [6, 2, 6, 2]  # the second time the moment is kept
    assert Seat.objects.filter(game=long).count() != Seat.objects.filter(game=short).count()
