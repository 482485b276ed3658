"""The replay: every step of a finished game, every hand open, and nothing of a running one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from html import unescape
from urllib.parse import urlencode

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import lifecycle
from accounts.models import User
from games.core.contract import Fact
from games.core.moves import Leave
from games.models import Game, Seat
from games.perudo import moments as perudo_moments
from games.perudo import replay
from games.perudo.moments import Moment
from games.perudo.rules.events import (
    BidMade,
    CalzaClaimed,
    Left,
    Revealed,
    RevealSeen,
    RoundStarted,
)
from games.perudo.rules.moves import Calza
from games.perudo.rules.state import State
from games.play import before_start, commands, rematches
from games.store import event_log
from games.store import moments as store_moments
from games.study.replay import replay_page
from games.study.review import reviews
from games.study.review.reviews import StoredReview
from tests.support.fast_games import (
    START,
    finish_game,
    finished_game,
    open_table,
    play_until,
    running_game,
)
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    return finished_game(alice, bob, charlie, calza="on")


@pytest.fixture
def duel(alice: User, bob: User) -> Game:
    return finished_game(alice, bob)


def steps_of(game: Game) -> Sequence[Moment]:
    return replay.moments(game)


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
    assert times[0] == START
    assert times[-1] == game.finished_at


def test_every_hand_lies_open_from_the_deal_on(game: Game) -> None:
    hands = {row.number: row.hands for row in game.round_set.all()}
    for step in steps_of(game):
        assert [list(hand or ()) for hand in step.state.hands] == hands[step.state.number]


def test_the_dice_that_count_for_the_bid_are_marked_before_the_reveal(game: Game) -> None:
    counts = {row.number: row for row in game.round_set.all()}
    for number, step in enumerate(steps_of(game), start=1):
        page = replay_page.page(game, number)
        assert page is not None
        lit = sum(die.matches for seat in page.t.seats for die in seat.hand)
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
    last = replay_page.page(game, len(steps_of(game)))
    assert last is not None
    assert last.moment.narration == f"{winner.name} wins the game."
    assert [entry.place for entry in last.t.ranking] == [1, 2, 3]


def test_a_claim_shows_on_the_bid_it_was_about(alice: User, bob: User, charlie: User) -> None:
    game = running_game(alice, bob, charlie, calza="on", bids=1)
    state = event_log.public_state(game)
    claimant = state.left_of(state.turn)
    now = event_log.latest_public_facts(game)[-1].at
    commands.move(game.code, claimant, Calza(), seen=game.seq, now=now)
    claim = steps_of(finish_game(game))[1]
    assert [type(fact) for fact in claim.facts] == [BidMade, CalzaClaimed]
    assert claim.state.claims == (claimant,)


def test_who_has_seen_the_dice_is_left_out(game: Game) -> None:
    assert not any(step.state.confirmed for step in steps_of(game))


def test_rolls_for_the_opening_show_on_the_first_deal(alice: User, bob: User) -> None:
    game = finished_game(alice, bob, preset="web_fr")
    page = replay_page.page(game, 1)
    assert page is not None
    assert page.t.starter_rolls
    assert "Rolls to decide who starts" in page.moment.narration
    assert "Round 1: " in page.moment.narration


# --- those who leave -----------------------------------------------------------------------------


def test_a_leaver_sits_there_until_leaving(alice: User, bob: User, charlie: User) -> None:
    game = finish_game(leave(running_game(alice, bob, charlie, rounds=1, bids=1), 1))
    steps = steps_of(game)
    left = next(n for n, step in enumerate(steps, 1) if any(type(f) is Left for f in step.facts))
    before, after = replay_page.page(game, left - 1), replay_page.page(game, left)
    assert before is not None
    assert after is not None
    assert [seat.gone for seat in before.t.seats] == [False, False, False]
    assert [seat.gone for seat in after.t.seats] == [False, True, False]


def test_a_game_that_all_others_left_ends_with_the_departure(alice: User, bob: User) -> None:
    game = leave(running_game(alice, bob, rounds=1, bids=1), 1)
    assert game.status == Game.Status.FINISHED
    steps = steps_of(game)
    page = replay_page.page(game, len(steps))
    assert page is not None
    told = "bob left the game. bob is out. alice wins the game."
    assert page.moment.narration == told
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
        assert answer.context["moment"].index == number


def test_the_replay_begins_at_the_first_moment(game: Game, client: Client) -> None:
    answer = client.get(reverse("games:replay", args=[game.code]))
    bar = answer.context["bar"]
    assert (answer.context["moment"].index, bar.at_start, bar.at_end) == (1, True, False)
    assert bar.url_prev == f"/games/{game.code}/replay/1"
    assert bar.url_next == f"/games/{game.code}/replay/2"


@pytest.mark.slow
def test_following_the_links_on_and_back_visits_every_moment(duel: Game, client: Client) -> None:
    there = [reverse("games:moment", args=[duel.code, 1])]
    while not (bar := client.get(there[-1]).context["bar"]).at_end:
        there.append(bar.url_next)
    assert len(there) == len(steps_of(duel))
    back = [there[-1]]
    while not (bar := client.get(back[-1]).context["bar"]).at_start:
        back.append(bar.url_prev)
    assert back == there[::-1]


def test_the_outer_buttons_lead_from_reveal_to_reveal(game: Game, client: Client) -> None:
    steps = steps_of(game)
    reveals = [number for number, step in enumerate(steps, start=1) if step.opens]
    there = [1]
    while there[-1] != len(steps):
        bar = client.get(f"/games/{game.code}/replay/{there[-1]}").context["bar"]
        there.append(int(bar.url_next_open.rpartition("/")[2]))
    assert there == [1, *reveals, len(steps)]
    bar = client.get(f"/games/{game.code}/replay/{len(steps)}").context["bar"]
    assert bar.url_prev_open.endswith(f"/{reveals[-1]}")


def test_a_player_comes_from_the_end_to_the_last_reveal_they_had_a_part_in(
    game: Game, client: Client, alice_client: Client, alice: User
) -> None:
    steps = steps_of(game)
    address = reverse("games:replay", args=[game.code])

    def leads_to(visitor: Client) -> int:
        return int(visitor.get(address, {"at": "decision"})["Location"].rpartition("/")[2])

    seat = game.seat_set.get(user=alice).number
    part = [
        place
        for place, step in enumerate(steps)
        if step.opens
        and seat in [each.move and each.move.seat for each in steps[place - 1 : place + 1]]
    ]
    assert leads_to(alice_client) == part[-1] + 1
    assert leads_to(client) == replay_page.decision(game)  # who did not play
    # From a list of games too, whatever happened after they were out.
    out = [n for n, step in enumerate(steps, start=1) if not step.state.dice[seat]]
    assert not out or leads_to(alice_client) <= out[0]


def test_a_player_comes_to_the_moment_that_their_review_says_decided_it(
    game: Game,
    client: Client,
    alice_client: Client,
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, mine = reverse("games:replay", args=[game.code]), game.seat_set.get(user=alice).number
    before = [each.get(address, {"at": "decision"})["Location"] for each in (client, alice_client)]

    def errors(*, cost: float, luck: float) -> StoredReview:
        error = {"by": "person", "label": "blunder"}
        changes = [luck if seat == mine else 0.5 for seat in range(game.size)]
        content = {
            "decisions": [
                {"number": 3, "seat": mine, "cost": 0.1, **error},
                {"number": 5, "seat": mine, "cost": cost, **error},
                {"number": 6, "seat": (mine + 1) % game.size, "cost": 0.9, **error},
            ],
            "lucky": [[4, changes]],
        }
        return StoredReview("a judge", START, content)

    for review, leads_to in (
        (errors(cost=0.3, luck=-0.2), 5),
        (errors(cost=0.15, luck=-0.2), 4),
        (errors(cost=0.0, luck=0.01), 3),
    ):
        monkeypatch.setattr(reviews, "of_game", lambda _, review=review: review)
        there = alice_client.get(address, {"at": "decision"})["Location"]
        assert there == f"{address}/{leads_to}"
        assert client.get(address, {"at": "decision"})["Location"] == before[0]
        assert alice_client.get(f"{address}/2", {"at": "decision"}).status_code == 200
    nothing = StoredReview("a judge", START, {"decisions": [], "lucky": []})
    monkeypatch.setattr(reviews, "of_game", lambda _: nothing)
    assert alice_client.get(address, {"at": "decision"})["Location"] == before[1]


def test_no_review_is_asked_for_before_the_game_is_over(
    alice: User, bob: User, charlie: User, alice_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = running_game(alice, bob, charlie)
    monkeypatch.setattr(reviews, "of_game", lambda _: pytest.fail("read before the end"))
    answer = alice_client.get(reverse("games:replay", args=[game.code]), {"at": "decision"})
    assert answer["Location"] == reverse("games:table", args=[game.code])


def test_who_left_early_comes_to_what_they_did_last(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = steps_of(game)
    for seat in range(game.size):
        moved = next(n for n, step in enumerate(steps, 1) if step.move and step.move.seat == seat)
        for last, leads_to in ((moved, moved), (moved - 1, 1)):
            shown = steps[:last]
            monkeypatch.setattr(replay, "moments", lambda _, shown=shown: shown)
            assert replay_page.decision(game, seat) == leads_to


# --- what the script fetches ---------------------------------------------------------------------


def batch(game: Game, first: int = 1, **query: str) -> str:
    address = reverse("games:moments", args=[game.code, game.seq, first])
    return f"{address}?{urlencode({'in': 'en'} | query)}"


@pytest.mark.slow
def test_the_moments_of_all_batches_are_those_of_the_pages(game: Game, client: Client) -> None:
    count = len(steps_of(game))
    sent = "".join(
        client.get(batch(game, first)).content.decode() for first in range(1, count + 1, 5)
    )
    found = re.findall(r'<article data-moment="(\d+)">(.*?)</article>', sent, re.DOTALL)
    assert [int(number) for number, _ in found] == list(range(1, count + 1))
    for number, html in found:
        page = client.get(f"/games/{game.code}/replay/{number}").content.decode()
        table, line, _ = re.split(r"<p>\s*(?=<time)|\s*</p>$", html.strip())
        assert table.strip() in page and line in page


def test_a_batch_is_the_same_for_all_and_says_nothing_of_who_asks(
    game: Game, client: Client, alice_client: Client
) -> None:
    mine, theirs = alice_client.get(batch(game)), client.get(batch(game))
    assert mine.content == theirs.content
    for answer in (mine, theirs):
        assert answer["Cache-Control"] == "public, max-age=600"
        assert answer["Vary"] == "Accept-Encoding" and not answer.cookies
        assert b"csrf" not in answer.content


def test_a_page_that_was_open_goes_on_when_a_rematch_is_opened(
    alice: User, bob: User, client: Client
) -> None:
    game = finished_game(alice, bob)
    before = batch(game, 6)
    sent = client.get(before)
    rematches.rematch(game.code, alice, now=game.finished_at)  # type: ignore[arg-type]
    assert Game.objects.get(pk=game.pk).seq > game.seq
    assert client.get(before).content == sent.content
    for seq in (1, game.seq + 9):
        other = reverse("games:moments", args=[game.code, seq, 6])
        assert client.get(f"{other}?in=en").status_code == 404


def test_under_another_name_there_is_another_batch_to_keep(
    alice: User, bob: User, client: Client
) -> None:
    game = finished_game(alice, bob)

    def address() -> str:
        page = client.get(f"/games/{game.code}/replay/1").content.decode()
        return "".join(re.findall(r'data-batch-(?:address|query)="([^"]+)"', page))

    before = address()
    assert address() == before
    User.objects.filter(pk=bob.pk).update(username="bobby", name_key="bobby")
    assert address() != before
    assert "bobby" in client.get(unescape(before).replace("/0?", "/1?")).content.decode()


def test_a_batch_renews_no_session(game: Game, alice_client: Client) -> None:
    Session.objects.update(expire_date=timezone.now() + timedelta(days=1))
    assert not alice_client.get(batch(game)).cookies
    assert alice_client.get(f"/games/{game.code}/replay/1").cookies  # this one is due


def test_a_batch_of_a_private_game_is_kept_by_its_reader_only(
    alice: User, bob: User, client: Client
) -> None:
    answer = client.get(batch(finished_game(alice, bob, public=False)))
    assert answer["Cache-Control"] == "private, max-age=600"


def test_a_batch_speaks_the_language_of_its_address(game: Game, client: Client) -> None:
    french = client.get(batch(game, **{"in": "fr"}), headers={"Accept-Language": "it"})
    assert "tour" in french.content.decode() or "manche" in french.content.decode()
    assert french.content != client.get(batch(game)).content


def test_a_batch_for_one_seat_has_no_other_hand(game: Game, client: Client) -> None:
    open_hands = client.get(batch(game)).content.decode().count('<p class="hand">')
    sealed = client.get(batch(game, seat="0")).content.decode().count('<p class="hand">')
    assert 0 < sealed < open_hands


def test_a_batch_that_is_none_is_not_found(game: Game, client: Client) -> None:
    addresses = {
        "seq": batch(game).replace(f"/{game.seq}/", f"/{game.deal_seq}/"),
        "between": batch(game, 2),
        "past": batch(game, 9996),
        "language": batch(game, **{"in": "xx"}),
        "seat": batch(game, seat="9"),
    }
    found = {name: client.get(address).status_code for name, address in addresses.items()}
    assert found == dict.fromkeys(addresses, 404)


def test_a_running_game_sends_no_batch(alice: User, bob: User, alice_client: Client) -> None:
    game = running_game(alice, bob, rounds=1, bids=1)
    assert alice_client.get(batch(game)).status_code == 404


def test_a_jump_to_a_round_lands_on_its_deal(game: Game, client: Client) -> None:
    rounds = client.get(reverse("games:replay", args=[game.code])).context["rounds"]
    assert [row.number for row in rounds] == list(range(1, game.round_set.count() + 1))
    for row in rounds:
        context = client.get(row.url).context
        assert (context["t"].round, context["t"].bids) == (row.number, [])


def test_the_page_shows_every_die_of_the_moment(game: Game, client: Client) -> None:
    answer = client.get(reverse("games:replay", args=[game.code]))
    assert answer.content.decode().count('<p class="hand">') == 3
    assert [len(seat.hand) for seat in answer.context["t"].seats] == [5, 5, 5]


def test_numbers_of_dice_are_open_even_where_the_table_hid_them(alice: User, bob: User) -> None:
    game = finished_game(alice, bob, lost_dice_visible=False)
    for number, step in enumerate(steps_of(game), start=1):
        page = replay_page.page(game, number)
        assert page is not None
        assert [seat.dice for seat in page.t.seats] == list(step.state.dice)


def test_a_moment_that_is_none_is_not_found(game: Game, client: Client) -> None:
    wrong = [
        moment
        for moment in ["0", "-1", "9999", "9" * 40, "two", "1.5", "1/2"]
        if client.get(f"/games/{game.code}/replay/{moment}").status_code != 404
    ]
    assert wrong == []


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


def test_of_a_closed_table_the_table_tells(alice: User, bob: User, client: Client) -> None:
    game = open_table(alice, bob)
    before_start.close(game.code, alice, now=START)
    for address in (reverse("games:replay", args=[game.code]), f"/games/{game.code}/replay/3"):
        page = client.get(address, follow=True)
        assert page.redirect_chain == [(reverse("games:table", args=[game.code]), 302)]
        assert "This table was closed." in page.content.decode()
        assert "over yet" not in page.content.decode()


def test_only_who_played_is_offered_their_own_decisions(
    alice: User, bob: User, client: Client
) -> None:
    game = finished_game(alice, bob)
    address = f"/games/{game.code}/replay/5"
    offered = f'href="{address}?only=1">My decisions</a>'
    assert offered in signed_in(bob).get(address).content.decode()
    assert "My decisions" not in signed_in(bob).get(f"{address}?only=1").content.decode()
    assert "My decisions" not in client.get(address).content.decode()


def test_a_table_that_never_was_has_no_replay(client: Client) -> None:
    assert client.get("/games/nowhere/replay").status_code == 404


# --- the price -----------------------------------------------------------------------------------


def test_a_game_clicked_through_folds_each_fact_once(
    duel: Game, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = len(steps_of(duel))
    store_moments._kept.clear()
    folded: list[Fact] = []
    evolve = perudo_moments.evolve

    def counted(state: State | None, fact: Fact) -> State:
        folded.append(fact)
        return evolve(state, fact)

    monkeypatch.setattr(perudo_moments, "evolve", counted)
    for number in range(1, count + 1):  # the last one shows the highlights
        assert client.get(f"/games/{duel.code}/replay/{number}").status_code == 200
    facts = [each.fact for each in event_log.unsealed_facts(duel)]
    assert folded == [fact for fact in facts if not isinstance(fact, RevealSeen)]


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
    # The second time the moment is kept; the chat is read anew, by then and of the whole game.
    assert asked == [9, 4, 9, 4]
    assert Seat.objects.filter(game=long).count() != Seat.objects.filter(game=short).count()
