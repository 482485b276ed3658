"""The question of the day: choosing it, answering it, days in a row, and what goes with whom."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from http import HTTPStatus
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import lifecycle
from accounts.models import User
from games.contract import catalogue
from games.core.codec import key_of
from games.models import DailyAnswer, DailyRound, Game, Question
from games.perudo.rules.bids import Bid
from games.perudo.rules.moves import Dudo
from games.study.questions import choosing, daily, days, decisions, question_page
from perudo_site import data_export, deletion
from tests.games.contract import kinds
from tests.games.study.questions.test_questions import HANDS, over
from tests.support.cases import untouched
from tests.support.fast_games import START
from tests.support.fixtures import signed_in
from tests.support.game_driver import DUDO, LEAVE, bid, deal_game

FRIDAY = datetime(2026, 11, 27, 12, tzinfo=UTC)
LENT = ([4, 4, 2, 6, 5], [3, 1, 2, 2, 6], [1, 5, 5, 5, 5])
DAY = timedelta(days=1)
MONDAY = START + DAY  # after the games of these tests


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def chosen_on(now: datetime) -> DailyRound:
    assert choosing.run(now, 0.5) is False
    return DailyRound.objects.get(day=days.day_of(now), withdrawn_at=None)


def chosen_from_dice(now: datetime) -> DailyRound:
    """As on a weekday, whatever day it is."""
    assert choosing.choose(catalogue.of("perudo"), days.day_of(now), now=now)
    return DailyRound.objects.get(day=days.day_of(now), withdrawn_at=None)


def dudo(asked: DailyRound, person: User, now: datetime, *, counted: bool = True) -> DailyAnswer:
    move = daily.decision_of(asked).moves[0]
    return daily.answer(asked, person, move, counted=counted, now=now)


def lent_game(alice: User, bob: User, charlie: User) -> Game:
    """A game whose three people agreed, with one undecided moment: that there are five fours is
    44 % for Charlie, who has one. To raise to five fives is clearly better than to doubt.
    """
    User.objects.update(lends_decisions=True)
    return over(alice, bob, charlie, LENT, raised="5x4")


# --- what is kept of a decision ------------------------------------------------------------------


@pytest.mark.slow
@kinds.every_kind
def test_a_round_shows_the_same_decision_as_its_game(kind: Any, alice: User) -> None:
    """What it leaves out, from the times to everything after the round, changes nothing shown."""
    game = kinds.finished_game(kind, alice, stays=True)
    moments = kind.replay.moments(game)
    compared = 0
    for number in range(1, len(moments) + 1):
        found = decisions.of_game(game, number)
        if found is None:
            continue
        read = daily.read(kind.key, choosing.facts_of(found, moments), number)
        assert read is not None
        assert (read.seat, read.known, read.moves) == (found.seat, found.known, found.moves)
        assert read.before.state == found.before.state
        assert [each.state for each in read.since] == [each.state for each in found.since]
        for each in ("code", "values", "chance"):
            assert getattr(read.made, each) == getattr(found.made, each)
        compared += 1
    assert compared > 10


@pytest.mark.slow
@kinds.every_kind
def test_the_set_that_ships_can_be_asked_whole(kind: Any) -> None:
    """Undecided by plain odds, no first bid, each another, and with an opening or an end after."""
    rounds = choosing.shipped(kind.questions.SHIPPED)
    assert len(rounds) >= 52
    seen = set()
    for each in rounds:
        judged = {"judgement"} if kind.judgement is not None else set()
        assert set(each) == {"size", "moment", "facts"} | judged
        found = daily.read(kind.key, each["facts"], each["moment"])
        assert found is not None
        doubt = kind.questions.doubt(found.known, found.seat)
        assert doubt is not None and 0.3 <= doubt <= 0.7
        assert each["size"] == len(found.known.hands) in kind.rules.SEATS
        assert len(found.moves) >= 2 and found.since
        seen.add((repr(found.known), found.seat))
    assert len(seen) == len(rounds)


def test_plain_odds_of_the_last_bid_say_what_is_undecided(game_of_three: Game) -> None:
    """Charlie holds 1 5 5 6 6 and doubts four fours: three more of ten dice, each one in three.

    Before the first bid there is nothing to doubt.
    """
    found = decisions.of_game(game_of_three, 4)
    assert found is not None
    doubt = found.part.doubt(found.known, found.seat)
    exact = 1 - sum(
        [1 * (2 / 3) ** 10, 10 * (1 / 3) * (2 / 3) ** 9, 45 * (1 / 3) ** 2 * (2 / 3) ** 8]
    )
    assert doubt == pytest.approx(exact, abs=1e-12)
    opening = decisions.of_game(game_of_three, 2)
    assert opening is not None and opening.part.doubt(opening.known, opening.seat) is None


@pytest.fixture
def game_of_three(alice: User, bob: User, charlie: User) -> Game:
    return over(alice, bob, charlie, HANDS)


# --- choosing ------------------------------------------------------------------------------------


def test_a_fresh_site_has_a_question_from_the_first_minute(db: None) -> None:
    asked = chosen_on(FRIDAY)
    assert (asked.kind_key, asked.shipped, asked.game) == ("perudo", "0", None)
    assert daily.newest(FRIDAY) == asked
    assert choosing.run(FRIDAY + timedelta(minutes=1), 0.5) is False
    assert DailyRound.objects.count() == 1


def test_sundays_are_of_the_other_game(db: None) -> None:
    week = [chosen_on(FRIDAY + DAY * ahead).kind_key for ahead in range(8)]
    assert week == ["perudo", "perudo", "peco_peco", *["perudo"] * 5]


def test_a_day_begins_at_the_same_moment_for_everybody(settings: Any) -> None:
    settings.DAILY_HOUR = 4
    before, after = datetime(2026, 11, 27, 3, 59, 59), datetime(2026, 11, 27, 4)
    assert days.day_of(before.replace(tzinfo=UTC)) == date(2026, 11, 26)
    assert days.day_of(after.replace(tzinfo=UTC)) == date(2026, 11, 27)
    assert days.begins(date(2026, 11, 27)) == after.replace(tzinfo=UTC)


@pytest.mark.slow
def test_nothing_of_the_set_comes_twice_before_all_of_it_was_asked(db: None) -> None:
    kind = catalogue.of("peco_peco")
    assert kind.questions is not None
    count = len(choosing.shipped(kind.questions.SHIPPED))
    first = days.day_of(FRIDAY)
    for ahead in range(count + 2):
        assert choosing.choose(kind, first + DAY * ahead, now=FRIDAY)
    names = list(DailyRound.objects.order_by("day").values_list("shipped", flat=True))
    assert sorted(names[:count], key=int) == [str(each) for each in range(count)]
    assert names[count:] == names[:2]


@kinds.every_kind
def test_what_was_taken_out_of_the_set_never_comes_again(kind: Any, db: None) -> None:
    """Neither on its own day nor when all of the set was asked, and it longest ago."""
    first = days.day_of(FRIDAY)

    def choose(day: date) -> str:
        assert choosing.choose(kind, day, now=FRIDAY)
        return DailyRound.objects.get(day=day, withdrawn_at=None).shipped

    assert choose(first) == "0"
    daily.withdraw(DailyRound.objects.all(), now=FRIDAY)
    assert choose(first) == "1"
    rest = range(2, len(choosing.shipped(kind.questions.SHIPPED)))
    DailyRound.objects.bulk_create(
        DailyRound(
            day=first + number * DAY, kind_key=kind.key, shipped=str(number), size=2, moment=1,
            facts=[], created_at=FRIDAY,
        )
        for number in rest
    )  # fmt: skip
    assert choose(first + rest.stop * DAY) == "1"


def test_a_game_whose_people_agreed_comes_first_and_once(
    alice: User, bob: User, charlie: User
) -> None:
    game = lent_game(alice, bob, charlie)
    asked = chosen_on(MONDAY)
    assert (asked.game, asked.shipped, asked.size) == (game, "", 3)
    assert asked.decided_by == charlie
    assert chosen_on(MONDAY + DAY).game is None


@pytest.mark.parametrize("who", ["alice", "charlie"])
def test_one_who_did_not_agree_keeps_the_whole_game_out(
    alice: User, bob: User, charlie: User, who: str
) -> None:
    lent_game(alice, bob, charlie)
    User.objects.filter(username=who).update(lends_decisions=False)
    assert chosen_on(MONDAY).game is None


@pytest.mark.parametrize("by", ["Charlie", "the clock", "a stand-in"])
def test_a_move_that_the_clock_or_a_stand_in_made_is_never_asked_about(
    alice: User, bob: User, charlie: User, by: str
) -> None:
    """The same decision of the player's own, whether there are five fours, is."""
    driver = deal_game(alice, bob, charlie, hands=LENT)
    User.objects.update(lends_decisions=True)
    driver.move(0, bid("3x4"))
    driver.move(1, bid("5x4"))
    if by == "Charlie":
        driver.move(2, DUDO)
    else:
        if by == "a stand-in":
            driver.hand_to_bots(2)
        driver.run_due(rolls=None)
    driver.move(1, LEAVE)
    driver.move(2, LEAVE)
    while driver.game.status != Game.Status.FINISHED:
        driver.run_due(rolls=None)
    game = driver.game
    moments = catalogue.of(game.kind_key).replay.moments(game)
    decision = decisions.of_game(game, 4)
    assert decision is not None and decision.seat == 2
    asked = [each.number for each in choosing.undecided(game.kind_key, moments)]
    assert (4 in asked, decision.made.automatic) == ((by == "Charlie"), by != "Charlie")
    assert (chosen_on(MONDAY).game is not None) == (by == "Charlie")


def test_nobody_has_agreed_who_was_not_asked(game_of_three: Game) -> None:
    assert chosen_on(MONDAY).game is None


def test_private_games_and_old_ones_are_never_chosen(alice: User, bob: User, charlie: User) -> None:
    lent_game(alice, bob, charlie)
    Game.objects.update(listed=False, visibility=Game.Visibility.LINK)
    assert chosen_on(MONDAY).game is None
    lent_game(alice, bob, charlie)
    assert chosen_on(START + timedelta(days=37)).game is None


def test_who_takes_back_their_word_while_it_is_chosen_is_not_asked_about(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    lent_game(alice, bob, charlie)
    found = choosing.facts_of

    def meanwhile(*given: Any) -> Any:
        User.objects.filter(pk=alice.pk).update(lends_decisions=False)
        return found(*given)

    monkeypatch.setattr(choosing, "facts_of", meanwhile)
    assert chosen_on(MONDAY).game is None


def test_the_second_of_two_that_choose_at_once_leaves_the_first(db: None) -> None:
    """Its own look at the database was a moment earlier."""
    first = chosen_on(FRIDAY)
    kind = catalogue.of("peco_peco")
    assert choosing.choose(kind, first.day, now=FRIDAY)
    assert DailyRound.objects.get() == first


# --- answering -----------------------------------------------------------------------------------


def test_the_first_choice_stays_and_counts_once(alice: User) -> None:
    asked = chosen_on(FRIDAY)
    moves = daily.decision_of(asked).moves
    for move in (moves[0], moves[1], moves[0]):
        daily.answer(asked, alice, move, counted=True, now=FRIDAY)
    assert daily.tally(asked) == {key_of(moves[0]): 1}


def test_one_person_counts_once_in_a_day_whatever_clocks_and_tabs_do(
    today: DailyRound, alice: User, bob: User
) -> None:
    """Two tabs of two browsers, and processes whose clocks are days apart."""
    tabs = [signed_in(alice), signed_in(alice)]
    for tab in (*tabs, *tabs):
        assert tab.post(address(today), a_choice(today)).status_code == HTTPStatus.FOUND
    moves = daily.decision_of(today).moves
    for number, ahead in enumerate((0, -2, 1, 5, -1, 0)):
        now = timezone.now() + DAY * ahead
        daily.answer(today, alice, moves[number % len(moves)], counted=True, now=now)
        chosen_on(now)  # each clock finds its day's question, or makes one
    assert daily.tally(today).total() == 1
    assert DailyRound.objects.filter(day=today.day).count() == 1
    dudo(today, bob, timezone.now())
    assert daily.tally(today).total() == 2


def test_what_others_chose_counts_those_who_count(alice: User, bob: User, charlie: User) -> None:
    asked = chosen_on(FRIDAY)
    first, second = daily.decision_of(asked).moves[:2]
    daily.answer(asked, alice, first, counted=True, now=FRIDAY)
    daily.answer(asked, bob, first, counted=False, now=FRIDAY)
    daily.answer(asked, charlie, second, counted=True, now=FRIDAY)
    assert daily.tally(asked) == {key_of(first): 1, key_of(second): 1}


def row_of(person: User, answered: str) -> int:
    """The days in a row after days of which each letter tells: x answered that day, l a day late,
    L two days late, - never, . the site was not there, o the question was taken out unanswered,
    w taken out after an answer. Today is the last.
    """
    now = FRIDAY
    late: list[tuple[datetime, DailyRound]] = []
    for ahead, letter in enumerate(answered):
        now = FRIDAY + DAY * ahead
        if letter == ".":
            continue
        asked = chosen_on(now)
        for when, one in late:
            if when == now:
                dudo(one, person, now)
        if letter in "xw":
            dudo(asked, person, now)
        if letter in "lL":
            late.append((now + DAY * (1 + (letter == "L")), asked))
        if letter in "ow":
            daily.withdraw(DailyRound.objects.filter(pk=asked.pk), now=now)
    return daily.in_a_row(person, now)


ROWS: dict[str, dict[str, int]] = {
    # Today's may still come, and yesterday's too.
    "answered or not": {"x": 1, "-": 0, "xxx": 3, "xx-": 2, "xx--": 2, "xx---": 0, "x-xxx": 3},
    # A day late is in time, two days late is not.
    "late": {"xlx": 3, "x-Lxx": 2, "xLxx": 2},
    # No question, no gap; the last two were taken out.
    "no question": {"xx..xx": 4, "xx......x": 3, "x..-": 1, "xoxx": 3, "xwxx": 4},
}


@pytest.mark.slow
@pytest.mark.parametrize("rows", ROWS.values(), ids=list(ROWS))
def test_days_in_a_row(alice: User, rows: dict[str, int], subtests: pytest.Subtests) -> None:
    for answered, row in rows.items():
        with subtests.test(answered=answered), untouched():
            assert row_of(alice, answered) == row


def test_an_evening_without_the_site_ends_no_row(alice: User) -> None:
    """Down from the evening to two days later: the last question still counts then."""
    first = chosen_on(FRIDAY)
    dudo(first, alice, FRIDAY)
    evening = chosen_on(FRIDAY + DAY)
    back = FRIDAY + 4 * DAY
    chosen_on(back)
    assert daily.in_a_row(alice, back) == 1
    assert dudo(evening, alice, back).in_time
    assert daily.in_a_row(alice, back) == 2


def test_a_clock_that_jumps_ahead_and_back_ends_no_row(alice: User) -> None:
    """It makes a question too early, which nobody sees before its day."""
    for ahead in range(3):
        dudo(chosen_on(FRIDAY + DAY * ahead), alice, FRIDAY + DAY * ahead)
    now = FRIDAY + 2 * DAY
    wrong = now + 30 * DAY
    early = chosen_on(wrong)
    assert daily.newest(now) != early and daily.of_day(early.day, now) is None
    assert daily.in_a_row(alice, now) == 3
    late = dudo(chosen_on(now + DAY), alice, now + DAY)
    assert late.in_time and daily.in_a_row(alice, now + DAY) == 4
    # Back by a day: what was answered ahead of time does not vanish either.
    assert daily.in_a_row(alice, now - DAY) == 2
    assert daily.in_a_row(alice, now + DAY) == 4


def test_a_replaced_question_asks_for_no_second_answer(alice: User) -> None:
    now = FRIDAY + DAY
    dudo(chosen_on(FRIDAY), alice, FRIDAY)
    first = chosen_on(now)
    dudo(first, alice, now)
    daily.withdraw(DailyRound.objects.filter(pk=first.pk), now=now)
    second = chosen_on(now)
    assert second.pk != first.pk and second.day == first.day
    assert daily.in_a_row(alice, now + 3 * DAY) == 2
    dudo(second, alice, now)
    assert daily.in_a_row(alice, now) == 2


# --- pages ---------------------------------------------------------------------------------------


@pytest.fixture
def today(db: None) -> DailyRound:
    now = timezone.now()
    choosing.run(now, 0.5)
    found = daily.newest(now)
    assert found is not None
    return found


def address(asked: DailyRound) -> str:
    return f"/daily/{asked.day.isoformat()}"


def a_choice(asked: DailyRound) -> dict[str, str]:
    """The fields of a form that its player could have sent."""
    moves = daily.decision_of(asked).moves
    if Dudo() in moves:
        return {"do": "dudo"}
    assert asked.kind_key == "peco_peco"
    return {"do": "declare"}


def test_the_question_of_today_has_an_address(today: DailyRound, client: Client) -> None:
    answer = client.get("/daily")
    assert answer.status_code == HTTPStatus.FOUND and answer["Location"] == address(today)
    html = client.get(address(today)).content.decode()
    assert 'id="move-form"' in html and "Question of the day" in html


def test_before_the_first_question_the_site_says_so(db: None, client: Client) -> None:
    assert client.get("/daily").status_code == HTTPStatus.NOT_FOUND
    archive = client.get("/daily/archive")
    assert archive.status_code == HTTPStatus.OK and b"no question yet" in archive.content


def test_a_day_without_a_question_is_a_page_that_says_so(
    db: None, client: Client, subtests: pytest.Subtests
) -> None:
    for day in ["2026-11-26", "9999-12-31", "20261127", "nonsense", "0001-01-01", "x" * 300]:
        with subtests.test(day=day), untouched():
            for answer in (
                client.get(f"/daily/{day}"),
                client.post(f"/daily/{day}", {"do": "dudo"}),
            ):
                assert answer.status_code == HTTPStatus.NOT_FOUND
                assert b"No question here" in answer.content
            assert client.get(f"/daily/{day}/preview.png").status_code == HTTPStatus.NOT_FOUND
            assert not User.objects.exists()


def test_a_visitor_chooses_and_is_a_guest_who_keeps_the_answer(
    today: DailyRound, client: Client
) -> None:
    here = address(today)
    answer = client.post(here, a_choice(today))
    assert answer.status_code == HTTPStatus.FOUND and answer["Location"] == here
    guest = User.objects.get()
    assert guest.is_guest
    html = client.get(here).content.decode()
    assert "What others chose" in html and "1-day streak" in html
    lifecycle.keep(guest, name="grace", password="correct horse 9", email="", site="", now=FRIDAY)
    guest.refresh_from_db()
    assert not guest.is_guest and daily.answers_of(guest, [today])


def test_a_choice_that_is_not_possible_is_refused_where_it_is_read_and_makes_nobody(
    today: DailyRound, client: Client
) -> None:
    for fields in ({"do": "nonsense"}, {"do": "leave"}, {}, {"do": "bid", "quantity": "1" * 5000}):
        answer = client.post(address(today), fields)
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert b"is-refused" in answer.content and b'id="move-form"' in answer.content
    assert not User.objects.exists() and not DailyAnswer.objects.exists()


_OF_A_PAGE = re.compile(rb'csrfmiddlewaretoken" value="\w+"|x-csrftoken": "\w+|data-now="\d+')


def told_before(seen: int, people: tuple[User, User, User], client: Client) -> list[set[bytes]]:
    """All that anybody can fetch of a question before a choice, of games that differ in the hands
    of the others, in what came next and in who played: a set for each address.
    """
    now, seat = timezone.now(), seen - 2
    others = ([2, 2, 2, 3, 3], [4, 4, 4, 1, 1], [6, 5, 6, 5, 6])
    found: dict[str, set[bytes]] = {}
    for turn, other in enumerate(others):
        hands = [HANDS[seat] if each == seat else other for each in range(3)]
        game = over(*people[turn:], *people[:turn], hands)
        decision = decisions.of_game(game, seen)
        assert decision is not None
        DailyRound.objects.all().delete()
        asked = DailyRound.objects.create(
            day=days.day_of(now),
            kind_key="perudo",
            size=3,
            facts=choosing.facts_of(decision, catalogue.of("perudo").replay.moments(game)),
            moment=seen,
            game=game,
            created_at=now,
        )
        here = address(asked)
        refused = client.post(here, {"do": "nonsense"})
        assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        paths = (here, f"{here}/preview.png", "/daily", "/daily/archive")
        fetched = {path: client.get(path) for path in paths}
        for path, answer in (fetched | {"refused": refused}).items():
            head = "".join(f"{name}: {value}\n" for name, value in answer.headers.items())
            body = _OF_A_PAGE.sub(b"", answer.content)
            assert not re.search(b"alice|bob|charlie", body) and game.code.encode() not in body
            found.setdefault(path, set()).add(head.encode() + body)
        home = _OF_A_PAGE.sub(b"", client.get("/").content)
        [stage] = re.findall(rb'<section id="stage".*?</section>', home, re.DOTALL)
        assert b"<button" in stage and not re.search(b"alice|bob|charlie", stage)
        found.setdefault("home", set()).add(stage)
    return list(found.values())


@pytest.mark.parametrize("seen", [3, 4])
def test_before_a_choice_no_byte_depends_on_what_the_player_did_not_know(
    alice: User, bob: User, charlie: User, client: Client, seen: int
) -> None:
    told = told_before(seen, (alice, bob, charlie), client)
    assert [len(each) for each in told] == [1] * 6


@pytest.mark.parametrize("leak", ["words", "length", "order", "picture"])
def test_a_planted_leak_is_found(
    alice: User, bob: User, charlie: User, client: Client, leak: str, monkeypatch: Any
) -> None:
    part = catalogue.of("perudo").questions
    assert part is not None
    plain, summary = question_page.asked, part.summary

    def leaking(decision: Any, seats: Any) -> dict[str, Any]:
        context, hidden = plain(decision, seats), decision.before.state.hands[2]
        table = context["t"]
        if leak == "words":
            context["t"] = replace(table, narration=str(hidden))
        elif leak == "length":
            context["t"] = replace(table, narration=" " * sum(hidden))
        elif leak == "order" and hidden[0] == 2:
            context["t"] = replace(table, seats=table.seats[::-1])
        return context

    monkeypatch.setattr(question_page, "asked", leaking)
    if leak == "picture":
        asked = daily.decision_of

        def telling(shown: DailyRound) -> Any:
            found = asked(shown)
            hidden = sum(found.before.state.hands[2])
            monkeypatch.setattr(part, "summary", lambda *at: (summary(*at)[0], f"{hidden}"))
            return found

        monkeypatch.setattr(daily, "decision_of", telling)
    assert max(map(len, told_before(3, (alice, bob, charlie), client))) > 1


def test_after_it_neither_a_name_nor_the_game_is_told(
    alice: User, bob: User, charlie: User, client: Client
) -> None:
    game = lent_game(alice, bob, charlie)
    Game.objects.update(finished_at=timezone.now())
    asked = chosen_from_dice(timezone.now())
    assert asked.game == game
    client.post(address(asked), {"do": "dudo"})
    html = client.get(address(asked)).content.decode()
    assert "What happened" in html
    assert not re.search("alice|bob|charlie", html) and game.code not in html


def test_what_is_shared_gives_nothing_away(today: DailyRound, alice: User, bob: User) -> None:
    client, here = signed_in(alice), address(today)
    move = daily.decision_of(today).parse(a_choice(today))
    daily.answer(today, bob, move, counted=True, now=FRIDAY)
    client.post(here, a_choice(today))
    html = client.get(here).content.decode()
    [text] = re.findall(r"<textarea[^>]*>([^<]*)</textarea>", html)
    known = daily.decision_of(today)
    assert known.part.signs(known.known, known.seat) in text and "1-day streak" in text
    assert f"http://testserver{here}" in text and "%" not in text
    chosen = re.search(r"Your choice: ([^<]*)</b>", html)
    assert chosen and chosen[1] not in text


def test_a_shown_answer_costs_the_same_however_many_there_are(
    today: DailyRound, alice: User
) -> None:
    client, here = signed_in(alice), address(today)
    client.post(here, a_choice(today))
    client.get(here)

    def queries() -> int:
        with CaptureQueriesContext(connection) as made:
            assert client.get(here).status_code == HTTPStatus.OK
        return len(made)

    few = queries()
    key = key_of(daily.decision_of(today).moves[0])
    crowd = User.objects.bulk_create(
        User(username=f"crowd{each}", name_key=f"crowd{each}", password="!") for each in range(500)
    )
    DailyAnswer.objects.bulk_create(
        DailyAnswer(
            round=today,
            person=each,
            choice=key,
            in_time=True,
            counted=True,
            answered_at=FRIDAY,
        )
        for each in crowd
    )
    assert queries() == few
    assert queries() == few - 1  # what many chose is counted now and then


# --- limits --------------------------------------------------------------------------------------


def test_guests_of_one_address_cannot_fill_the_bars(today: DailyRound) -> None:
    """A school that answers is let in; only so many of it are in what others chose."""
    for _ in range(25):
        answer = Client(REMOTE_ADDR="192.0.2.7").post(address(today), a_choice(today))
        assert answer.status_code == HTTPStatus.FOUND
    assert DailyAnswer.objects.count() == 25
    assert daily.tally(today).total() == 20
    elsewhere = Client(REMOTE_ADDR="192.0.2.8").post(address(today), a_choice(today))
    assert elsewhere.status_code == HTTPStatus.FOUND
    assert daily.tally(today).total() == 21


def test_a_flood_of_answers_is_refused_to_the_flooder_alone(
    today: DailyRound, alice: User, settings: Any
) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {
        "daily_answer": "2/h/user,5/h/ip"
    }
    flooder = signed_in(alice)
    answers = [flooder.post(address(today), a_choice(today)).status_code for _ in range(3)]
    assert answers == [HTTPStatus.FOUND, HTTPStatus.FOUND, HTTPStatus.TOO_MANY_REQUESTS]
    other = Client(REMOTE_ADDR="192.0.2.9").post(address(today), a_choice(today))
    assert other.status_code == HTTPStatus.FOUND


# --- the archive ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_archive_lists_every_day_a_page_at_a_time(db: None, client: Client) -> None:
    now = timezone.now()
    for ago in range(25):
        chosen_on(now - DAY * ago)
    first = client.get("/daily/archive").content.decode()
    listed = re.findall(r'href="/daily/(\d{4}-\d\d-\d\d)"', first)
    assert listed == [(days.day_of(now) - DAY * ago).isoformat() for ago in range(20)]
    [older] = re.findall(r"\?before=(\d{4}-\d\d-\d\d)", first)
    second = client.get("/daily/archive", {"before": older}).content.decode()
    listed += re.findall(r'href="/daily/(\d{4}-\d\d-\d\d)"', second)
    assert len(set(listed)) == 25 and ">Older<" in first and ">Older<" not in second


def test_any_address_of_the_archive_is_a_page(db: None, client: Client) -> None:
    wrong = [
        before
        for before in ["nonsense", "9999-99-99", "' or 1", "0001-01-01"]
        if client.get("/daily/archive", {"before": before}).status_code != HTTPStatus.OK
    ]
    assert wrong == []


# --- people --------------------------------------------------------------------------------------


def test_lending_decisions_is_said_once_and_can_be_taken_back(alice: User) -> None:
    client = signed_in(alice)
    assert client.post("/daily/agree").status_code == HTTPStatus.FOUND
    alice.refresh_from_db()
    assert alice.lends_decisions
    client.post("/account/", {"username": "alice", "language": "en", "games_shown_to": "everybody"})
    alice.refresh_from_db()
    assert not alice.lends_decisions


def test_a_deleted_account_takes_its_decision_and_its_answers_along(
    alice: User, bob: User, charlie: User, client: Client
) -> None:
    now = timezone.now()
    lent_game(alice, bob, charlie)
    Game.objects.update(finished_at=now)
    asked = chosen_from_dice(now)
    person = asked.decided_by
    assert person is not None
    dudo(asked, person, now)
    other = next(each for each in (alice, bob, charlie) if each != person)
    dudo(asked, other, now)
    deletion.delete_account(person, now=now)
    asked.refresh_from_db()
    assert asked.withdrawn_at == now and asked.facts == [] and asked.decided_by is None
    assert client.get(address(asked)).status_code == HTTPStatus.NOT_FOUND
    assert client.get(f"{address(asked)}/preview.png").status_code == HTTPStatus.NOT_FOUND
    assert [each.person for each in DailyAnswer.objects.all()] == [other]
    assert chosen_on(now).game is None
    person.refresh_from_db()
    assert not person.lends_decisions


def test_my_data_has_answers_and_what_was_asked_about_me(
    alice: User, bob: User, charlie: User
) -> None:
    lent_game(alice, bob, charlie)
    asked = chosen_on(MONDAY)
    person = asked.decided_by
    assert person is not None
    dudo(asked, person, MONDAY)
    data = data_export.everything_about(User.objects.get(pk=person.pk))
    [row] = data["questions_of_the_day"]
    assert row["day"] == asked.day.isoformat() and row["choice"]["kind"] and row["counted"]
    assert data["questions_of_the_day_about_me"] == [asked.day.isoformat()]
    assert data["account"]["lends_decisions"] is True


def test_a_game_that_is_gone_leaves_the_round(alice: User, bob: User, charlie: User) -> None:
    game = lent_game(alice, bob, charlie)
    asked = chosen_on(MONDAY)
    Game.objects.filter(pk=game.pk).delete()
    asked.refresh_from_db()
    assert asked.game is None and daily.decision_of(asked).moves


def test_keys_of_moves_tell_all_of_them_apart(game_of_three: Game) -> None:
    found = decisions.of_game(game_of_three, 4)
    assert found is not None
    keys = {key_of(move) for move in found.moves}
    assert len(keys) == len(found.moves) and max(map(len, keys)) <= 100
    assert key_of(Bid(5, 4)) == '{"face":4,"kind":"bid","quantity":5}'
    assert not Question.objects.exists()
