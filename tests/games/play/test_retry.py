"""Trying again from a moment: what begins there, who may, its limits, and that nothing counts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.conf import settings as site
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.contract import catalogue
from games.core.chance import SeededChance
from games.core.game_record import from_json
from games.errors import Refused
from games.lobby import home_page
from games.models import FactRow, Game, GameReview, Result, ReviewedPlay, Tally
from games.peco_peco.tests.fast_games import played_game
from games.play import commands, retry
from games.store import event_log, public_tables, record_export
from games.study.questions import choosing
from games.study.questions import question_links as questions
from games.study.review import jobs, reviews
from games.words import reason
from perudo_site import deletion
from tests.games.contract.kinds import played_on
from tests.support.fast_games import START, finished_game, running_game
from tests.support.fixtures import signed_in
from tests.support.game_driver import DUDO, LEAVE, bid, deal_game, refusal_of

pytestmark = pytest.mark.django_db

HANDS = ([4, 4, 2, 6, 5], [3, 3, 2, 2, 6], [1, 5, 5, 6, 6])


def over(
    alice: User, bob: User | str, charlie: User, hands: Sequence[Sequence[int]] = HANDS, **how: Any
) -> Game:
    """Alice opens with 3 × 4, Bob says 4 × 4, Charlie doubts; then the others leave."""
    driver = deal_game(alice, bob, charlie, hands=hands, **how)
    driver.move(0, bid("3x4"))
    driver.move(1, bid("4x4"))
    driver.move(2, DUDO)
    driver.move(1, LEAVE)
    driver.move(2, LEAVE)
    assert driver.game.status == Game.Status.FINISHED
    return driver.game


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    return over(alice, bob, charlie)


def tried(game: Game, number: int, person: User, seed: int = 1) -> Game:
    begun = retry.begin(game, number, person, now=START, chance=SeededChance(seed))
    return Game.objects.get(pk=begun.pk)


def address(game: Game, number: int) -> str:
    return reverse("games:try-again", args=[game.code, number])


def to_the_end(game: Game) -> Game:
    *_, last = played_on(game, seed=1)
    return last


# --- what begins ----------------------------------------------------------------------------------


def test_a_table_begins_at_exactly_that_moment_on_that_seat(game: Game, charlie: User) -> None:
    again = tried(game, 4, charlie)
    known = event_log.seat_view(again, 2)
    assert known.hands == (None, None, (1, 5, 5, 6, 6))
    assert (known.turn, known.number, known.opener, known.dice) == (2, 1, 0, (5, 5, 5))
    assert known.bids == ((0, bid("3x4")), (1, bid("4x4")))
    assert again.options == game.options and again.turn_seconds == game.turn_seconds
    assert again.solo and again.origin == Game.Origin.AGAIN
    assert not again.listed and not again.chat and not again.rated
    assert (again.from_game, again.from_moment) == (game, 4)
    assert [(seat.user, seat.bot) for seat in again.seat_set.all()] == [
        (None, "expert"),
        (None, "expert"),
        (charlie, ""),
    ]
    assert again.turn_ends_at == START + timedelta(seconds=45)


def test_a_bot_keeps_its_level_and_who_did_not_play_sits_where_the_decision_was(
    alice: User, bob: User
) -> None:
    game = finished_game(alice, bob, "steady", seed=2)
    moments = catalogue.of("perudo").replay.moments(game)
    number = next(n for n, each in enumerate(moments, 1) if each.move and each.move.seat == 1)
    stranger = User.objects.create_user("stranger")
    again = tried(game, number, stranger)
    assert [(seat.user, seat.bot) for seat in again.seat_set.all()] == [
        (None, "expert"),
        (stranger, ""),
        (None, "steady"),
    ]


def log_of(game: Game) -> list[Any]:
    rows = FactRow.unsealed.filter(game=game).order_by("seq")
    return list(rows.values_list("seq", "audience", "kind", "data"))


def test_no_byte_of_it_depends_on_what_others_held(alice: User, bob: User, charlie: User) -> None:
    """Games that differ in the hands of the others, tried with the same seed, are the same."""
    for number, seat in ((2, 0), (3, 1), (4, 2)):
        logs = []
        for other in ([2, 2, 2, 3, 3], [4, 4, 4, 1, 1], [6, 5, 6, 5, 6]):
            hands = [HANDS[seat] if each == seat else other for each in range(3)]
            again = tried(over(alice, bob, charlie, hands), number, alice)
            logs.append(log_of(again))
            close(again)
        assert logs[0] == logs[1] == logs[2]
    assert logs[0] != log_of(tried(over(alice, bob, charlie), 4, charlie, seed=2))


def test_every_decision_of_a_whole_game_can_be_tried(alice: User, bob: User) -> None:
    game = finished_game(alice, bob, "steady", calza="on", seed=2)
    kind = catalogue.of(game.kind_key)
    moments = kind.replay.moments(game)
    numbers = [n for n in range(1, len(moments) + 1) if retry.has_decision(kind, moments, n)]
    assert len(numbers) > 20
    for number in numbers[::5]:
        before, move = moments[number - 2].state, moments[number - 1].move
        assert move is not None
        again = tried(game, number, bob)
        known = event_log.seat_view(again, move.seat)
        assert (known.dice, known.bids, known.number) == (before.dice, before.bids, before.number)
        assert known.hand(move.seat) == before.hand(move.seat)
        assert commands.move(again.code, move.seat, _first(kind, known, move.seat), **SEEN)
        close(again)


SEEN: dict[str, Any] = {"seen": None, "now": START + timedelta(minutes=1)}


def _first(kind: Any, known: Any, seat: int) -> Any:
    return kind.rules.legal_moves(known, seat)[0]


def close(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(status=Game.Status.CLOSED)
    game.seat_set.update(live=False)


def test_it_is_played_to_its_end_and_shown_like_any_other(game: Game, charlie: User) -> None:
    again = to_the_end(tried(game, 4, charlie))
    assert again.status == Game.Status.FINISHED
    kind, client = catalogue.of(again.kind_key), signed_in(charlie)
    moments = kind.replay.moments(again)
    for number in (1, 2, 3, len(moments)):
        answer = client.get(reverse("games:moment", args=[again.code, number]))
        assert answer.status_code == 200
    record = from_json(kind.rules, record_export.as_json(again))
    assert record.facts[1].kind == "started_midway"
    text = client.get(reverse("games:record-text", args=[again.code])).content.decode()
    assert "Starts in the middle, at round 1: A 5 B 5 C 5" in text
    made = [each.move for each in moments if each.move][:2]
    assert [move.seat for move in made] == [0, 1]


def test_one_that_begins_later_tells_no_rounds_before_it(alice: User, bob: User) -> None:
    game = finished_game(alice, bob, "steady", lost_dice_visible=True, seed=2)
    kind = catalogue.of(game.kind_key)
    moments = kind.replay.moments(game)
    number = next(n for n, each in enumerate(moments, 1) if each.move and each.round == 3)
    again = tried(game, number, alice)
    assert kind.presenter.last_earlier_round(again) == 0
    assert kind.presenter.earlier_rounds(again) == []
    last = to_the_end(again)
    told = [row.number for row in kind.presenter.earlier_rounds(last)]
    assert told[-1] == 3 and told == sorted(told, reverse=True)


def test_what_was_done_before_is_nobodys_error_in_its_review(alice: User, bob: User) -> None:
    """Its copied moves count as the clock's, or as bots'."""
    game = finished_game(alice, bob, "steady", seed=2)
    kind = catalogue.of(game.kind_key)
    moments = kind.replay.moments(game)
    number = next(
        n
        for n, each in enumerate(moments, 1)
        if each.move
        and (seat := each.move.seat) in (0, 1)
        and seat in [who for who, _ in moments[n - 2].state.bids]
    )
    move = moments[number - 1].move
    assert move is not None
    copied = len(moments[number - 2].state.bids)
    again = to_the_end(tried(game, number, alice))
    reviews.make(again, now=START)
    found = reviews.of_game(again)
    assert found is not None
    first = found.content["decisions"][:copied]
    assert {each["by"] for each in first} == {"bot", "clock"}
    assert not any(each["label"] for each in first)
    assert not ReviewedPlay.objects.filter(game=again).exists()
    answer = signed_in(alice).get(reverse("games:review", args=[again.code]))
    assert answer.status_code == 200


# --- nothing counts -------------------------------------------------------------------------------


def test_nothing_counts_it(game: Game, charlie: User, settings: Any) -> None:
    """Not one row is another that counts games, and no list has it."""
    User.objects.update(lends_decisions=True)

    def counted() -> dict[str, Any]:
        person = User.objects.get(pk=charlie.pk)
        known = home_page.known(person, now=START)
        html = signed_in(charlie).get("/players/charlie").content.decode()
        return {
            "results": list(Result.objects.order_by("pk").values()),
            "tallies": list(Tally.objects.order_by("pk").values()),
            "plays": list(ReviewedPlay.objects.order_by("pk").values()),
            "home": known and known.played,
            "lists": [each.code for each in public_tables.finished_tables()],
            "profile": re.sub(r'csrfmiddlewaretoken" value="\w+', "", html.split("<main")[1]),
            "to review": list(reviews.unreviewed().values_list("code", flat=True)),
            "to ask": [each.code for each in choosing._willing_games("perudo", START)],
        }

    before = counted()
    again = to_the_end(tried(game, 4, charlie))
    assert again.status == Game.Status.FINISHED and again.holder == ""
    assert counted() == before
    reviews.make(again, now=START)
    assert counted() == before | {"to review": before["to review"]}
    assert GameReview.objects.filter(game=again).exists()
    assert jobs.next_game(again.finished_at or START) != again
    assert again.pack_at is not None


def test_its_decisions_can_be_asked_of_friends_by_its_player_alone(
    game: Game, charlie: User, bob: User
) -> None:
    again = to_the_end(tried(game, 4, charlie))
    kind = catalogue.of(again.kind_key)
    moments = kind.replay.moments(again)
    own = next(
        n for n, each in enumerate(moments, 1) if each.move and each.move.seat == 2
    )  # the first is the moment that was tried
    found = questions.ask(again, own, charlie, named=True, now=START)
    assert Client().get(reverse("games:question", args=[found.word])).status_code == 200
    asked = refusal_of(lambda: questions.ask(again, own, bob, named=True, now=START))
    assert asked == "private_game"


# --- who may --------------------------------------------------------------------------------------


def test_what_cannot_be_tried_is_refused_and_changes_nothing(
    game: Game, alice: User, bob: User, charlie: User
) -> None:
    private = over(alice, bob, charlie, public=False)
    running = running_game(alice, bob)
    stranger = User.objects.create_user("stranger")
    before = Game.objects.count()
    for where, number, person, code in (
        (running, 2, alice, "not_over"),
        (private, 4, stranger, "private_moment"),
        (game, 1, alice, "nothing_to_decide"),
        (game, 5, alice, "nothing_to_decide"),
        (game, 99, alice, "nothing_to_decide"),
        (game, 0, alice, "nothing_to_decide"),
    ):
        assert refusal_of(lambda: tried(where, number, person)) == code  # noqa: B023
        html = signed_in(person).post(address(where, number), follow=True).content.decode()
        assert reason(code) in unescape(html)
    assert Game.objects.count() == before
    assert tried(private, 4, bob) and tried(game, 4, stranger)


@pytest.mark.slow
def test_peco_peco_goes_on_from_a_moment_to_its_end(alice: User) -> None:
    game = played_game(alice, "easy", "easy", "easy")
    kind = catalogue.of("peco_peco")
    moments = kind.replay.moments(game)
    mine = [
        number
        for number in range(2, len(moments) + 1)
        if retry.has_decision(kind, moments, number) and moments[number - 1].move.seat == 0  # type: ignore[union-attr]
    ]
    for number in (mine[0], mine[len(mine) // 2], mine[-1]):
        again = tried(game, number, alice)
        shown = signed_in(alice).get(reverse("games:table", args=[again.code]))
        assert shown.status_code == 200
        state = kind.replay.moments(game)[number - 2].state
        assert event_log.seat_view(again, 0).hands[0] == state.hands[0]  # type: ignore[attr-defined]
        assert kind.presenter.last_earlier_round(again) == 0
        over = to_the_end(again)
        assert over.status == Game.Status.FINISHED
        record = from_json(kind.rules, record_export.as_json(over))
        assert "started_midway" in [fact.kind for fact in record.facts]
        page = signed_in(alice).get(reverse("games:moment", args=[again.code, 1]))
        assert "in the middle of another game" in unescape(page.content.decode())


@pytest.mark.slow
def test_a_game_that_cannot_start_there_says_so(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = replace(catalogue.of("peco_peco"), try_again=None)
    monkeypatch.setitem(catalogue._kinds, "peco_peco", without)
    game = played_game(alice, "easy", "easy", "easy")
    assert not retry.is_offered(game, alice)
    assert refusal_of(lambda: tried(game, 2, alice)) == "nothing_to_decide"
    html = signed_in(alice).get(reverse("games:moment", args=[game.code, 2])).content.decode()
    assert 'id="try-again"' not in html


def test_a_visitor_becomes_a_guest_and_sits_there(game: Game, client: Client) -> None:
    answer = client.post(address(game, 4), follow=True)
    again = Game.objects.get(origin=Game.Origin.AGAIN)
    assert answer.redirect_chain == [(reverse("games:table", args=[again.code]), 302)]
    seat = again.seat_set.get(number=2)
    assert seat.user is not None and seat.user.is_guest
    html = unescape(answer.content.decode())
    assert "You're trying again from a finished game: this one doesn't count." in html
    assert f'href="{reverse("games:moment", args=[game.code, 4])}"' in html


def test_a_visitor_of_a_private_game_is_refused_and_becomes_nobody(
    game: Game, client: Client
) -> None:
    Game.objects.filter(pk=game.pk).update(listed=False, visibility=Game.Visibility.LINK)
    before = User.objects.count()
    html = client.post(address(game, 4), follow=True).content.decode()
    assert reason("private_moment") in unescape(html)
    assert User.objects.count() == before


def test_who_watches_a_private_table_is_not_led_to_the_game_before(
    alice: User, bob: User, charlie: User, client: Client
) -> None:
    private = over(alice, bob, charlie, public=False)
    again = tried(private, 4, charlie)
    assert (
        private.code not in client.get(reverse("games:table", args=[again.code])).content.decode()
    )
    to_the_end(again)
    assert (
        private.code not in client.get(reverse("games:table", args=[again.code])).content.decode()
    )


# --- the pages ------------------------------------------------------------------------------------


def test_a_replay_offers_it_at_decisions_and_says_what_it_means(game: Game, client: Client) -> None:
    html = client.get(reverse("games:moment", args=[game.code, 4])).content.decode()
    [form] = re.findall(r'<form id="try-again".*?</form>', html, re.DOTALL)
    assert f'action="{address(game, 4)}"' in form and "hidden>" not in form.split("\n")[0]
    assert "Bots play the other seats" in form and "nothing counts" in form
    deal = client.get(reverse("games:moment", args=[game.code, 1])).content.decode()
    assert re.search(r'<form id="try-again"[^>]*hidden', deal)


def test_a_review_offers_it_beside_each_decision_on_a_turn(alice: User, bob: User) -> None:
    game = finished_game(alice, bob, "steady", calza="on", seed=2)
    reviews.make(game, now=START)
    kind = catalogue.of(game.kind_key)
    moments = kind.replay.moments(game)
    there = [n for n in range(1, len(moments) + 1) if retry.has_decision(kind, moments, n)]
    here = reverse("games:review", args=[game.code])
    html = Client().get(here, headers={"HX-Request": "true"}).content.decode()
    found = re.findall(r'formaction="(/games/\w+/replay/(\d+)/try)"', html)
    assert found == [(address(game, number), str(number)) for number in there]
    page = Client().get(f"{here}?at={there[0]}").content.decode()
    assert '<form id="try-again"' in page and f'formaction="{address(game, there[0])}"' in page
    Game.objects.filter(pk=game.pk).update(listed=False, visibility=Game.Visibility.LINK)
    assert "/try" not in Client().get(here, headers={"HX-Request": "true"}).content.decode()


def test_its_end_leads_to_another_try_and_to_the_review(game: Game, charlie: User) -> None:
    again = to_the_end(tried(game, 4, charlie))
    html = signed_in(charlie).get(reverse("games:table", args=[again.code])).content.decode()
    assert f'formaction="{address(game, 4)}"' in html
    assert f'href="{reverse("games:review", args=[game.code])}?at=4"' in html
    assert reverse("games:rematch", args=[again.code]) not in html
    answer = signed_in(charlie).post(address(game, 4), headers={"HX-Request": "true"})
    newest = Game.objects.latest("pk")
    assert newest.origin == Game.Origin.AGAIN and newest != again
    assert answer["HX-Redirect"] == reverse("games:table", args=[newest.code])


# --- limits ---------------------------------------------------------------------------------------


def limits(*, person: int = 1_000, address: int = 1_000) -> dict[str, Any]:
    return site.ACCOUNT_RATE_LIMITS | {"open_table": f"{person}/10m/user,{address}/10m/ip"}


def outcomes(clients: Iterator[Client], path: str) -> list[str]:
    """What each of them is told; "" at the table of a new game."""
    said = []
    for client in clients:
        answer = client.post(path, follow=True, REMOTE_ADDR="192.0.2.7")
        ended = answer.redirect_chain[-1][0]
        said.append("" if "/replay/" not in ended else str([*answer.context["messages"]][-1]))
    return said


def test_who_tries_very_often_is_refused_like_who_plays_very_often(
    game: Game, alice: User, bob: User
) -> None:
    mine = signed_in(alice)

    def again() -> Iterator[Client]:
        for _ in range(6):
            yield mine
            Game.objects.filter(status="playing").update(status="closed")
            alice.seat_set.update(live=False)

    with override_settings(ACCOUNT_RATE_LIMITS=limits(person=4)):
        said = outcomes(again(), address(game, 4))
        assert said == [""] * 4 + [reason("too_many_games")] * 2
        answer = mine.post("/play-now", {"bots": "2"}, follow=True)
        assert reason("too_many_games") in unescape(answer.content.decode())
        other = signed_in(bob).post(address(game, 4), REMOTE_ADDR="192.0.2.8")
    assert "/replay/" not in other["Location"]


def test_one_holds_as_many_as_of_games_against_bots(game: Game, alice: User, bob: User) -> None:
    mine = signed_in(alice)
    with override_settings(ACCOUNT_RATE_LIMITS=limits(), BOT_GAMES_PER_ADDRESS=3):
        said = outcomes((mine for _ in range(6)), address(game, 4))
        assert said == [""] * 3 + [reason("too_many_here")] * 3
        other = signed_in(bob).post(address(game, 4), REMOTE_ADDR="192.0.2.8")
    assert "/replay/" not in other["Location"]
    assert Game.objects.filter(status=Game.Status.PLAYING).count() == 4


def test_many_guests_of_one_address_hold_no_more_than_one_person(game: Game, bob: User) -> None:
    rates = limits() | {"guest": "1000/h/ip"}
    with override_settings(ACCOUNT_RATE_LIMITS=rates, BOT_GAMES_PER_ADDRESS=3):
        said = outcomes((Client() for _ in range(6)), address(game, 4))
        assert said == [""] * 3 + [reason("too_many_here")] * 3
        other = signed_in(bob).post(address(game, 4), REMOTE_ADDR="192.0.2.8")
    assert "/replay/" not in other["Location"]


def test_a_refusal_leaves_not_a_row(game: Game, alice: User) -> None:
    before = Game.objects.count(), FactRow.unsealed.count()
    with override_settings(RUNNING_GAMES=0), pytest.raises(Refused):
        retry.begin(game, 4, alice, now=timezone.now())
    assert (Game.objects.count(), FactRow.unsealed.count()) == before


def test_it_stays_when_its_person_goes_and_is_in_their_data(game: Game, charlie: User) -> None:
    again = to_the_end(tried(game, 4, charlie))
    [_, mine] = json.loads(b"".join(signed_in(charlie).get(reverse("my-data"))))["games"]
    assert mine["code"] == again.code
    assert mine["tried_again"] == {"game": game.code, "moment": 4}
    deletion.delete_account(charlie, now=START)
    assert Game.objects.filter(pk=again.pk, from_game=game).exists()
