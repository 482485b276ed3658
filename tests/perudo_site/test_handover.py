"""A guest who signs in to an account takes everything along, or is asked first."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts import addresses, handover, lifecycle
from accounts.models import User
from games.core.moves import Leave
from games.models import (
    Belief,
    ChatBan,
    ChatMessage,
    DailyAnswer,
    DailyRound,
    FriendLink,
    Game,
    InboxEntry,
    Mark,
    MistakeAnswer,
    Mute,
    NextSeat,
    Presence,
    PushChoice,
    Question,
    Report,
    Result,
    ReviewedPlay,
    Search,
    Seat,
    StandingTable,
    Tally,
    Tie,
)
from games.play import before_start, commands
from games.social.inbox import entries as inbox
from games.social.inbox import kinds
from perudo_site import handover as of_site
from tests.accounts.test_codes_by_mail import ask, mailed
from tests.accounts.test_two_factor import code_now, set_up
from tests.support.emails import send_due_emails
from tests.support.expected_tallies import THROWN, thrown_in
from tests.support.fast_games import finished_game, open_table, running_game
from tests.support.fixtures import PASSWORD, signed_in

NOW = timezone.now()
PAGE = "/account/hand-over/"


@pytest.fixture
def guest(db: None) -> User:
    return lifecycle.guest("Gast")


@pytest.fixture
def browser(guest: User) -> Client:
    """Of a guest, in a browser that knows no account."""
    return signed_in(guest)


def know(browser: Client, person: User) -> None:
    """Let this browser have used the account before."""
    other = Client()
    other.post("/account/login/", {"login": person.username, "password": PASSWORD})
    name = settings.KNOWN_BROWSER_COOKIE_NAME
    browser.cookies[name] = other.cookies[name].value


def who(browser: Client) -> str:
    assert browser.get("/account/").status_code == 200
    return User.objects.get(pk=browser.session["_auth_user_id"]).username


def by_password(browser: Client, person: User) -> Any:
    form = {"login": person.username, "password": PASSWORD, "next": "/rules"}
    return browser.post("/account/login/", form)


def by_code(browser: Client, person: User) -> Any:
    addresses.confirm(person)
    ask(browser, person.username)
    return browser.post("/account/code/enter/", {"code": mailed(), "next": "/rules"})


def by_new_password(browser: Client, person: User) -> Any:
    browser.post("/account/password/reset/", {"email": person.email, "next": "/rules"})
    [letter] = send_due_emails()
    [link] = re.findall(r"https?://[^/\s]+(/account/password/reset/key/\S+)", str(letter.body))
    form = browser.get(link, follow=True).redirect_chain[-1][0]
    return browser.post(form, {"password1": "an owl on a lamp", "password2": "an owl on a lamp"})


def by_app(browser: Client, person: User) -> Any:
    secret = set_up(signed_in(person))
    browser.post("/account/login/", {"login": person.username, "password": PASSWORD})
    return browser.post("/account/two-factor/enter/", {"code": code_now(secret, later=1)})


DOORS: dict[str, Callable[[Client, User], Any]] = {
    each.__name__: each for each in (by_password, by_code, by_new_password, by_app)
}


@pytest.mark.parametrize("door", DOORS)
def test_a_running_seat_comes_along_through_every_door(
    guest: User, browser: Client, alice: User, bob: User, door: str
) -> None:
    game = running_game(guest, bob)
    seq = game.seq
    know(browser, alice)
    answer = DOORS[door](browser, alice)
    assert answer.status_code == 302 and answer.headers["Location"] != PAGE
    assert who(browser) == "alice"
    game.refresh_from_db()
    assert [seat.user for seat in game.seat_set.all()] == [alice, bob]
    assert (game.seq, game.seats_seq, game.host) == (seq + 1, seq + 1, alice)
    page = browser.get(f"/games/{game.code}").content.decode()
    assert re.search(r'id="own"[^>]*data-seat="0"', page)
    guest.refresh_from_db()
    assert not guest.is_active


@pytest.mark.parametrize("door", DOORS)
def test_a_browser_that_never_used_the_account_is_asked(
    guest: User, browser: Client, alice: User, bob: User, door: str
) -> None:
    game = running_game(guest, bob)
    answer = DOORS[door](browser, alice)
    assert answer.headers["Location"] == PAGE
    assert who(browser) == "Gast", "nothing has happened yet"
    page = browser.get(PAGE).content.decode()
    assert "Gast" in page and "alice" in page and 'name="sure"' in page
    assert 'data-seat="0"' in browser.get(f"/games/{game.code}").content.decode()
    browser.post(PAGE, {"do": "take"})
    assert who(browser) == "alice"
    assert Seat.objects.get(game=game, number=0).user == alice


def test_who_leaves_it_behind_leaves_the_tables(
    guest: User, browser: Client, alice: User, bob: User
) -> None:
    game = running_game(guest, bob)
    by_password(browser, alice)
    answer = browser.post(PAGE, {"do": "leave"})
    assert answer.headers["Location"] == "/rules"
    assert who(browser) == "alice"
    seat = Seat.objects.get(game=game, number=0)
    assert (seat.user, seat.gone) == (guest, True)


def test_who_stays_a_guest_has_changed_nothing(
    guest: User, browser: Client, alice: User, bob: User
) -> None:
    running_game(guest, bob)
    by_password(browser, alice)
    assert browser.post(PAGE, {"do": "stay"}).headers["Location"] == "/rules"
    assert who(browser) == "Gast"
    assert browser.post(PAGE, {"do": "take"}).headers["Location"] == "/account/login/"
    assert who(browser) == "Gast"


def test_nothing_is_asked_where_there_is_nothing(browser: Client, alice: User) -> None:
    assert by_password(browser, alice).headers["Location"] == "/rules"
    assert who(browser) == "alice"


def test_the_page_is_nobody_elses(client: Client, alice_client: Client) -> None:
    for each in (client, alice_client):
        assert each.post(PAGE, {"do": "take"}).headers["Location"] == "/account/login/"


def test_an_account_that_sits_there_is_asked_and_sees_no_other_dice(
    guest: User, browser: Client, alice: User
) -> None:
    game = running_game(guest, alice)
    know(browser, alice)
    before = signed_in(alice).get(f"/games/{game.code}").content.decode()
    assert by_password(browser, alice).headers["Location"] == PAGE
    assert "already has a seat at one of your tables" in browser.get(PAGE).content.decode()
    browser.post(PAGE, {"do": "take"})
    assert who(browser) == "alice"
    seats = list(game.seat_set.all())
    assert [seat.user_id for seat in seats] == [guest.pk, alice.pk]
    assert seats[0].gone
    assert re.search(r'id="own"[^>]*data-seat="1"', before)
    after = browser.get(f"/games/{game.code}").content.decode()
    assert not re.search(r'id="own"[^>]*data-seat="0"', after)


def test_limits_of_the_account_are_kept(
    guest: User, browser: Client, alice: User, bob: User
) -> None:
    mine = [open_table(alice, bob) for _ in range(3)]
    theirs = [open_table(guest, bob) for _ in range(2)]
    know(browser, alice)
    assert by_password(browser, alice).headers["Location"] == PAGE
    assert "too many games" in browser.get(PAGE).content.decode()
    browser.post(PAGE, {"do": "take"})
    assert Game.objects.filter(host=alice, status=Game.Status.OPEN).count() == len(mine)
    for game in theirs:
        game.refresh_from_db()
        assert game.host == bob, "who stays is the host"


def test_a_place_in_line_comes_along(guest: User, browser: Client, alice: User) -> None:
    browser.post("/play", {})
    search = Search.objects.get(pk=guest.pk)
    table = search.table
    know(browser, alice)
    by_password(browser, alice)
    found = Search.objects.get(pk=alice.pk)
    assert (found.table, found.state) == (table, search.state)
    assert table is not None and table.seat_set.get().user == alice
    assert Seat.objects.filter(user=alice, game__origin=Game.Origin.WARM_UP).exists()
    assert not Seat.objects.filter(user=guest).exists()


def tallies(person: User) -> dict[str, int]:
    return dict(Tally.objects.filter(user=person).values_list("counter", "value"))


def test_finished_games_count_for_the_account(guest: User, alice: User, bob: User) -> None:
    finished_game(guest, bob)
    once = tallies(guest)
    finished_game(alice, bob)
    theirs = tallies(alice)
    of_site.take_along(guest, alice, now=NOW)
    assert Result.objects.filter(user=alice).count() == 2
    assert tallies(alice) == {
        each: once.get(each, 0) + theirs.get(each, 0) for each in {*once, *theirs}
    }
    assert not tallies(guest)


def test_a_game_of_both_stays_as_it_was_played(guest: User, alice: User, bob: User) -> None:
    both, once = finished_game(guest, alice), finished_game(guest, bob, seed=2)
    before = tallies(alice), tallies(guest)
    of_site.take_along(guest, alice, now=NOW)
    assert [seat.user for seat in both.seat_set.all()] == [guest, alice]
    assert [seat.user for seat in once.seat_set.all()] == [alice, bob]
    assert Result.objects.filter(user=guest).count() == 1
    together = {
        each: before[0].get(each, 0) + before[1].get(each, 0) for each in {*before[0], *before[1]}
    }
    after = {each: tallies(alice).get(each, 0) + tallies(guest).get(each, 0) for each in together}
    assert after == together
    places = sum(value for counter, value in tallies(guest).items() if counter.startswith("place"))
    assert places + tallies(guest).get("left", 0) == 1
    kept = {each: times for each, times in tallies(guest).items() if each in THROWN}
    assert kept == thrown_in(both, 0), "the dice of its own seat there"


def test_what_both_were_told_is_told_once(guest: User, alice: User) -> None:
    for person in (guest, alice):
        inbox.put(person.pk, kinds.TURN, "abc", now=NOW)
    inbox.put(guest.pk, kinds.TURN, "def", now=NOW)
    of_site.take_along(guest, alice, now=NOW)
    told = InboxEntry.objects.filter(user=alice)
    assert sorted(told.values_list("about", flat=True)) == ["abc", "def"]
    assert inbox.of(alice.pk).unread == 2


def test_a_days_first_answer_is_the_only_one(guest: User, alice: User) -> None:
    """And the row of days goes on: an answer of another day is the account's."""
    days = [
        DailyRound.objects.create(
            day=f"2026-03-0{number}", kind_key="perudo", size=2, facts=[], moment=1, created_at=NOW
        )
        for number in (1, 2)
    ]

    def answer(person: User, day: DailyRound, choice: str) -> None:
        DailyAnswer.objects.create(
            round=day, person=person, choice=choice, in_time=True, counted=True, answered_at=NOW
        )

    answer(alice, days[0], "dudo")
    answer(guest, days[0], "calza")
    answer(guest, days[1], "calza")
    of_site.take_along(guest, alice, now=NOW)
    answered = DailyAnswer.objects.order_by("round__day").values_list("person", "choice")
    assert list(answered) == [(alice.pk, "dudo"), (alice.pk, "calza")]


# --- the kind: whatever names a person -----------------------------------------------------------


def _makers(guest: User, other: User, game: Game) -> dict[str, Callable[[], object]]:
    """How a row that names the guest is made, of each relation that moves."""
    message = ChatMessage.objects.create(game=game, by=other, at=NOW, text="hello")

    def daily(**more: Any) -> DailyRound:
        number = DailyRound.objects.count() + 1
        return DailyRound.objects.create(
            day=f"2026-04-{number:02}", kind_key="perudo", size=2, facts=[], moment=1,
            created_at=NOW, **more,
        )  # fmt: skip

    first, second = sorted((guest, other), key=lambda each: each.pk)
    return {
        "games.ChatMessage.by": lambda: ChatMessage.objects.create(
            game=game, by=guest, at=NOW, text="hello"
        ),
        "games.Mute.by": lambda: Mute.objects.create(by=guest, whom=other),
        "games.Mute.whom": lambda: Mute.objects.create(by=other, whom=guest),
        "games.ChatBan.whom": lambda: ChatBan.objects.create(whom=guest),
        "games.Report.by": lambda: Report.objects.create(
            by=guest, whom=other, message=message, reason="spam", at=NOW
        ),
        "games.Report.whom": lambda: Report.objects.create(
            by=other, whom=guest, reason="spam", at=NOW
        ),
        "games.StandingTable.owner": lambda: StandingTable.objects.create(
            word="a-word", owner=guest, settings={}, created_at=NOW
        ),
        "games.Tie.first": lambda: Tie.objects.create(
            first=first, second=second, asked_by=guest, asked_at=NOW
        ),
        "games.Game_removed.user": lambda: game.removed.add(guest),
        "games.Game.host": lambda: Game.objects.filter(pk=game.pk).update(host=guest),
        "games.Game.acting_host": lambda: Game.objects.filter(pk=game.pk).update(acting_host=guest),
        "games.Seat.user": lambda: running_game(guest, other),
        "games.InboxEntry.user": lambda: inbox.put(guest.pk, kinds.TURN, "abc", now=NOW),
        "games.Search.user": lambda: Search.objects.create(
            user=guest, state="left", holder="", changed_at=NOW, seen_at=NOW
        ),
        "games.NextSeat.user": lambda: NextSeat.objects.create(game=game, user=guest),
        "games.PushChoice.user": lambda: PushChoice.objects.create(user=guest),
        "games.Question.asked_by": lambda: Question.objects.create(
            game=game, moment=1, named=True, asked_by=guest, created_at=NOW
        ),
        "games.DailyRound.decided_by": lambda: daily(decided_by=guest),
        "games.DailyAnswer.person": lambda: DailyAnswer.objects.create(
            round=daily(), person=guest, choice="d", in_time=True, counted=True, answered_at=NOW
        ),
        "games.MistakeAnswer.person": lambda: MistakeAnswer.objects.create(
            person=guest, game=game, moment=1, right=True, answered_at=NOW
        ),
        "games.Belief.person": lambda: Belief.objects.create(
            person=guest, game=game, moment=1, pressed_at=NOW
        ),
        "games.Mark.user": lambda: Mark.objects.create(
            user=guest, kind_key="perudo", key="first_win", game=game, moment=1, at=NOW
        ),
        "games.Result.user": lambda: finished_game(guest, other),
        "games.Tally.user": lambda: Tally.objects.add("perudo", {guest.pk: {"place_1": 1}}),
        "games.ReviewedPlay.user": lambda: ReviewedPlay.objects.create(
            user=guest, game=game, kind_key="perudo", judge="j", finished_at=NOW, judged=False,
            decisions=0, inaccuracies=0, mistakes=0, blunders=0,
        ),
    }  # fmt: skip


# Of a tie, one row has all three: its order is kept by the database, and guests have none.
TIES = {"games.Tie.first", "games.Tie.second", "games.Tie.asked_by"}


def test_every_row_that_names_a_guest_is_handed_over_or_named_as_left(
    guest: User, alice: User, bob: User
) -> None:
    game = finished_game(alice, bob)
    makers = _makers(guest, bob, game)
    labels = {handover.label(field) for field in handover.relations()}
    assert of_site.STAYS.keys() <= labels
    assert makers.keys() | TIES == labels - of_site.STAYS.keys(), "a new column that names people"
    for label, make in makers.items():
        if label not in TIES:
            make()
    moved = [each for each in handover.relations() if handover.label(each) in makers.keys() - TIES]
    assert all(handover.rows(field, guest).exists() for field in moved)
    of_site.take_along(guest, alice, now=NOW)
    left = {handover.label(field) for field in moved if handover.rows(field, guest).exists()}
    assert left == set()
    assert all(handover.rows(field, alice).exists() for field in moved)


def test_what_stays_is_erased_with_the_guest(guest: User, alice: User) -> None:
    Presence.objects.create(user=guest, seen_at=NOW)
    FriendLink.objects.create(owner=guest, word="some-word")
    of_site.take_along(guest, alice, now=NOW)
    guest.refresh_from_db()
    assert guest.is_deleted
    assert not Presence.objects.filter(user=guest).exists()
    assert not FriendLink.objects.exists()
    assert lifecycle.guest("Gast").username == "Gast", "the name of a guest is not held"


def test_the_seat_of_a_game_that_goes_on_can_be_left_and_played(
    guest: User, alice: User, bob: User
) -> None:
    game = running_game(guest, bob)
    of_site.take_along(guest, alice, now=NOW)
    commands.move(game.code, 0, Leave(), seen=None, now=NOW)
    assert Seat.objects.get(game=game, number=0).user == alice


def test_tried_again_it_goes_on(guest: User, alice: User, bob: User) -> None:
    running_game(guest, bob)
    before_start.leave_everything(bob, now=NOW)
    of_site.take_along(guest, alice, now=NOW)
    of_site.take_along(guest, alice, now=NOW)
    assert User.objects.get(pk=guest.pk).is_deleted
