"""Staff actions: each asks for a reason, needs its permission, and is logged."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts import lifecycle
from accounts.models import User
from games.errors import Refused
from games.models import (
    ChatBan,
    ChatMessage,
    Club,
    DailyRound,
    Game,
    RatedSeat,
    Rating,
    Report,
    Seat,
)
from games.play import before_start
from games.play.ratings import correcting
from games.social.chat import talk
from games.study.questions import choosing
from games.study.ratings import odd_results
from games.views.holder import home_of
from tests.support.fast_games import START, open_table, played_game, running_game
from tests.support.fixtures import PASSWORD, signed_in, signed_in_as_staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def keeper(db: None) -> User:
    return User.objects.create_superuser("keeper", password=PASSWORD)


@pytest.fixture
def staff(keeper: User) -> Client:
    return signed_in_as_staff(keeper)


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    return running_game(alice, bob, charlie)


@pytest.fixture
def report(game: Game, alice: User, bob: User) -> Report:
    talk.say(game, bob, text="Something rude.", now=START)
    message = ChatMessage.objects.get()
    talk.report(alice, bob, reason="insult", words="Look.", about=message, now=START)
    return Report.objects.get()


Use = Callable[..., str]


@pytest.fixture
def use(staff: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> Use:
    """Use a tool on a row as the keeper, or as `by`; the page that follows."""

    def use(row: Any, tool: str, *, by: Client = staff, **form: str) -> str:
        place = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_changelist")
        with django_capture_on_commit_callbacks(execute=True):
            sent = {"action": tool, "_selected_action": row.pk, **form}
            return by.post(place, sent, follow=True).content.decode()

    return use


def record() -> str:
    """The one thing that was written down."""
    [entry] = LogEntry.objects.all()
    return f"{entry.user}: {entry.object_repr}: {entry.get_change_message()}"


# --- why -----------------------------------------------------------------------------------------


def test_nothing_is_done_without_a_reason(use: Use, game: Game) -> None:
    for reason in ({}, {"reason": ""}, {"reason": " "}):
        page = use(game, "close", **reason)
        assert game.code in page and "Reason" in page and "can&#x27;t be resumed" in page, reason
        game.refresh_from_db()
        assert game.status == Game.Status.PLAYING, reason
        assert not LogEntry.objects.exists(), reason


def test_an_action_shows_in_the_staff_log_and_the_history(
    use: Use, staff: Client, game: Game
) -> None:
    assert "Done and logged." in use(game, "close", reason="They <cheat>.")
    assert record() == f"keeper: {game.code}: Close the table: They <cheat>."
    for place in ("/admin/admin/logentry/", f"/admin/games/game/{game.pk}/history/"):
        assert "They &lt;cheat&gt;." in staff.get(place).content.decode()


def test_the_staff_log_is_read_only(use: Use, staff: Client, game: Game) -> None:
    use(game, "close", reason="Because.")
    row = LogEntry.objects.get()
    place = f"/admin/admin/logentry/{row.pk}"
    assert staff.get("/admin/admin/logentry/add/").status_code == 403
    assert staff.post(f"{place}/change/", {"change_message": "x"}).status_code == 403
    assert staff.post(f"{place}/delete/", {"post": "yes"}).status_code == 403
    doomed = {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"}
    staff.post("/admin/admin/logentry/", doomed)
    assert record().endswith("Because.")


def test_an_action_takes_at_most_a_hundred_rows(
    use: Use, staff: Client, game: Game, bob: User
) -> None:
    ChatMessage.objects.bulk_create(
        ChatMessage(game=game, by=bob, at=START, text=f"{number}") for number in range(101)
    )
    every = [str(pk) for pk in ChatMessage.objects.values_list("pk", flat=True)]
    form = {"action": "hide", "_selected_action": every, "reason": "Flood."}
    assert (
        "Too many rows selected." in staff.post("/admin/games/chatmessage/", form, follow=True).text
    )
    assert not ChatMessage.objects.filter(hidden=True).exists()
    staff.post("/admin/games/chatmessage/", form | {"_selected_action": every[:100]})
    assert ChatMessage.objects.filter(hidden=True).count() == 100 == LogEntry.objects.count()


# --- who may -------------------------------------------------------------------------------------

TOOLS = [
    ("round", "withdraw", "games.withdraw_dailyround"),
    ("game", "close", "games.close_game"),
    ("message", "hide", "games.change_chatmessage"),
    ("report", "answer", "games.change_report"),
    ("report", "hide_what_was_said", "games.change_chatmessage"),
    ("report", "ban_from_chat", "games.ban_from_chat"),
    ("report", "ban", "accounts.ban_user"),
    ("person", "ban_from_chat", "games.ban_from_chat"),
    ("person", "lift_chat_ban", "games.ban_from_chat"),
    ("person", "ban", "accounts.ban_user"),
    ("person", "lift_ban", "accounts.ban_user"),
    ("rated", "annul_ratings", "games.annul_rating"),
    ("rated_person", "annul_ratings", "games.annul_rating"),
]
FILLED = {"reason": "Because.", "days": "7", "outcome": "acted"}


@pytest.mark.parametrize(("what", "tool", "needed"), [*TOOLS, ("person", "remove_two_factor", "")])
def test_each_action_needs_its_own_permission(
    use: Use, report: Report, game: Game, bob: User, what: str, tool: str, needed: str
) -> None:
    """Staff with every permission but the one it needs are refused."""
    helper = User.objects.create_user("helper", password=PASSWORD, is_staff=True)
    codename = needed.partition(".")[2]
    helper.user_permissions.set(Permission.objects.exclude(codename=codename))
    if not needed:
        signed_in_as_staff(bob)
    talk.ban_from_chat(bob, until=None)
    assert report.message is not None
    choosing.run(START, 0.5)
    rows = {"message": report.message, "report": report, "round": DailyRound.objects.get()}
    if what.startswith("rated"):
        rows |= {
            "rated": played_game(bob, User.objects.get(username="alice"), rated=True),
            "rated_person": bob,
        }
    row = (rows | {"game": game, "person": bob})[what]
    if tool == "lift_ban":
        lifecycle.ban(bob)
    client = signed_in_as_staff(helper)
    assert "Done" not in use(row, tool, by=client, **FILLED)
    assert not LogEntry.objects.exists()
    helper.user_permissions.set(Permission.objects.all())
    helper.is_superuser = not needed
    helper.save(update_fields=["is_superuser"])
    assert "Done and logged." in use(row, tool, by=client, **FILLED)
    assert record().startswith("helper: ")


def test_only_superusers_may_act_on_staff(use: Use) -> None:
    helper = User.objects.create_user("helper", password=PASSWORD, is_staff=True)
    helper.user_permissions.set(Permission.objects.all())
    other = User.objects.create_user("other", password=PASSWORD, is_staff=True)
    talk.ban_from_chat(other, until=None)
    client = signed_in_as_staff(helper)
    for tool in ("ban_from_chat", "lift_chat_ban", "ban", "lift_ban"):
        assert "One row wasn&#x27;t changed" in use(other, tool, by=client, **FILLED), tool
        assert not LogEntry.objects.exists(), tool


def test_nobody_may_act_on_themselves(use: Use, keeper: User) -> None:
    for tool in ("ban_from_chat", "ban", "remove_two_factor"):
        assert "One row wasn&#x27;t changed" in use(keeper, tool, **FILLED), tool
        keeper.refresh_from_db()
        assert keeper.is_active and not ChatBan.objects.exists(), tool


# --- tables --------------------------------------------------------------------------------------


def test_a_closed_game_is_over_for_all_and_counts_for_nobody(
    use: Use, game: Game, alice_client: Client, client: Client
) -> None:
    use(game, "close", reason="They cheat.")
    game.refresh_from_db()
    assert (game.status, game.due_at) == (Game.Status.CLOSED, None)
    assert not Seat.objects.filter(place__isnull=False).exists()
    for reader in (alice_client, client):
        page = reader.get(f"/games/{game.code}").content.decode()
        assert "Our staff closed this table." in page and "They cheat." not in page
    assert "One row wasn&#x27;t changed" in use(game, "close", reason="Again.")


# --- questions of the day ------------------------------------------------------------------------


def test_an_annulled_game_counts_for_nobody_any_more(
    use: Use, alice: User, bob: User, client: Client
) -> None:
    game = played_game(alice, bob, rated=True)
    before = Rating.objects.get(user=alice).mu
    use(game, "annul_ratings", reason="One person played both.")
    correcting.run(timezone.now(), 1.0)
    assert Rating.objects.get(user=alice).mu != before
    assert {each.games for each in Rating.objects.all()} == {0}
    assert record() == f"keeper: {game.code}: Annul for ratings: One person played both."
    assert "One row wasn&#x27;t changed" in use(game, "annul_ratings", reason="Again.")


def test_staff_see_results_that_stand_out_with_their_numbers(
    staff: Client, alice: User, bob: User, charlie: User
) -> None:
    for seed in range(1, 13):
        game = played_game(alice, bob, rated=True, seed=seed)
        RatedSeat.objects.filter(game=game, rating__user=alice).update(place=1)
        RatedSeat.objects.filter(game=game, rating__user=bob).update(place=2)
    played_game(alice, charlie, rated=True)
    found = odd_results.found(now=START + timedelta(days=1))
    [pair] = found.pairs
    assert (pair.winner, pair.loser, pair.games, pair.before) == ("alice", "bob", 12, 12)
    assert 3 < pair.expected < 9
    page = staff.get("/admin/games/rating/odd/").content.decode()
    assert "Results that stand out" in page
    assert "Results that stand out" in staff.get("/admin/games/rating/").content.decode()
    assert odd_results.found(now=START + timedelta(days=60)).pairs == []


def test_two_of_a_table_with_guests_are_compared_too(alice: User, bob: User) -> None:
    """Of four at a table of cards, two count: no table of two was ever measured."""
    parts = [
        RatedSeat(
            rating=Rating(user=person, kind_key="peco_peco"),
            place=place,
            places=2,
            mu_before=1500.0,
            sigma_before=80.0,
        )
        for place, person in enumerate((alice, bob), start=1)
    ]
    assert odd_results._chance_before(*parts) == pytest.approx(0.5)


def test_a_club_is_named_by_its_address_of_which_no_page_and_no_row_keeps_a_digit(
    staff: Client,
) -> None:
    sent = {"name": "The Toucan", "address": "203.0.113.9"}
    staff.post("/admin/games/club/add/", sent)
    club = Club.objects.get()
    assert club.home == home_of("203.0.113.9")
    page = staff.get(f"/admin/games/club/{club.pk}/change/").content.decode()
    assert "The Toucan" in page and "203.0.113" not in page and club.home not in page
    assert (
        "There is a club with this address."
        in staff.post("/admin/games/club/add/", sent).content.decode()
    )
    assert Club.objects.count() == 1


def test_a_question_of_the_day_is_taken_out_for_good_and_replaced(
    use: Use, client: Client, keeper: User
) -> None:
    now = timezone.now()
    choosing.run(now, 0.5)
    asked = DailyRound.objects.get()
    assert "facts" not in use(asked, "withdraw", reason="A known game.")
    assert record().endswith("Take out: A known game.")
    asked.refresh_from_db()
    assert asked.withdrawn_at and asked.facts == []
    assert client.get(f"/daily/{asked.day.isoformat()}").status_code == 404
    assert "One row wasn&#x27;t changed" in use(asked, "withdraw", reason="Again.")
    choosing.run(now, 0.5)
    assert client.get(f"/daily/{asked.day.isoformat()}").status_code == 200
    assert DailyRound.objects.filter(withdrawn_at=None).get().shipped == "1"


def test_staff_find_no_hand_in_questions_of_the_day(keeper: User) -> None:
    choosing.run(timezone.now(), 0.5)
    asked = DailyRound.objects.get()
    staff = signed_in_as_staff(keeper)
    for place in ("/admin/games/dailyround/", f"/admin/games/dailyround/{asked.pk}/change/"):
        page = staff.get(place)
        assert page.status_code == 200 and asked.day.isoformat()[:4] in page.text
        assert "bid_made" not in page.text and "game_started" not in page.text


# --- people --------------------------------------------------------------------------------------


def test_silencing_a_player_for_a_week(use: Use, game: Game, bob: User, bob_client: Client) -> None:
    use(bob, "ban_from_chat", days="7", reason="Floods.")
    assert record() == "keeper: bob: Ban from chat, 1 week: Floods."
    left = ChatBan.objects.get().until
    assert left is not None and 6.9 < (left - timezone.now()).total_seconds() / 86_400 <= 7
    answer = bob_client.post(f"/games/{game.code}/say", {"phrase": "hello"}, follow=True)
    assert "banned from chat until" in answer.content.decode()
    use(bob, "lift_chat_ban", reason="Sorry.")
    bob_client.post(f"/games/{game.code}/say", {"phrase": "hello"})
    assert ChatMessage.objects.filter(by=bob).count() == 1


def test_silencing_a_player_for_good(use: Use, game: Game, bob: User, bob_client: Client) -> None:
    use(bob, "ban_from_chat", days="0", reason="Threats.")
    assert record() == "keeper: bob: Ban from chat, permanent: Threats."
    answer = bob_client.post(f"/games/{game.code}/say", {"text": "Hm."}, follow=True)
    assert "You&#x27;ve been banned from chat. You can still play." in answer.text


def test_a_ban_ends_sessions_and_frees_seats(
    use: Use, game: Game, bob: User, bob_client: Client, alice: User
) -> None:
    waiting = open_table(alice, bob)
    own = open_table(bob, "steady")
    use(bob, "ban", reason="Threats.")
    assert record() == "keeper: bob: Suspend: Threats."
    assert bob_client.get("/account/").status_code == 302
    again = Client().post("/account/login/", {"login": "bob", "password": PASSWORD}, follow=True)
    assert "This account has been suspended" in again.text
    assert not waiting.seat_set.filter(user=bob).exists()
    assert Game.objects.get(pk=own.pk).status == Game.Status.CLOSED
    assert game.seat_set.get(user=bob).gone
    with pytest.raises(Refused) as refused:  # a post that was on its way
        before_start.sit(waiting.code, bob, now=START)
    assert refused.value.code == "account_closed"


def test_a_banned_guest_is_signed_out_and_can_be_unbanned(use: Use, db: None) -> None:
    guest = lifecycle.guest()
    client = signed_in(guest)
    use(guest, "ban", reason="Threats.")
    assert client.get("/account/").status_code == 302
    use(guest, "lift_ban", reason="A mistake.")
    assert client.get("/account/").status_code == 200


def test_a_deleted_account_cannot_be_unbanned(use: Use, bob: User) -> None:
    lifecycle.forget(bob)
    assert "One row wasn&#x27;t changed" in use(bob, "lift_ban", reason="Who?")
    bob.refresh_from_db()
    assert not bob.is_active


def test_a_superuser_can_reset_two_factor(use: Use, bob: User) -> None:
    signed_in_as_staff(bob)
    use(bob, "remove_two_factor", reason="He came by.")
    assert record() == "keeper: bob: Reset two-factor authentication: He came by."
    answer = Client().post("/account/login/", {"login": "bob", "password": PASSWORD})
    assert answer.headers["Location"] == "/"


# --- reports -------------------------------------------------------------------------------------


def test_a_report_is_answered(
    use: Use, staff: Client, report: Report, alice_client: Client
) -> None:
    page = staff.get("/admin/games/report/").content.decode()
    assert "Something rude." in page and "Look." in page
    use(report, "answer", outcome="acted", reason="Talked to him.")
    assert record() == f"keeper: {report}: Answer, acted: Talked to him."
    page = alice_client.get("/reports").content.decode()
    assert (
        "Our staff reviewed your report and took action." in page and "Talked to him." not in page
    )


def test_the_reported_message_can_be_hidden(use: Use, report: Report, game: Game) -> None:
    use(report, "hide_what_was_said", reason="Rude.")
    assert ChatMessage.objects.get().hidden
    assert f"(report {report.pk}): Rude." in record()


def test_the_reported_player_can_be_banned_from_chat_or_suspended(
    use: Use, report: Report, bob: User
) -> None:
    use(report, "ban_from_chat", days="1", reason="Rude.")
    assert (
        record()
        == f"keeper: bob: Ban the reported player from chat, 1 day (report {report.pk}): Rude."
    )
    assert ChatBan.objects.get().whom == bob
    use(report, "ban", reason="Rude.")
    bob.refresh_from_db()
    assert not bob.is_active
