"""Mutes, blocks, reports, bans from the chat, and what a deleted account leaves."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts import lifecycle
from accounts.models import User
from games.errors import Refused
from games.models import ChatMessage, Game, Mute, Report
from games.play import before_start, rematches
from games.social.chat import rendering, talk
from tests.support.cases import untouched
from tests.support.fast_games import START, finished_game, open_table
from tests.support.fixtures import PASSWORD, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    return open_table(alice, bob, charlie)


def says(game: Game, person: User, text: str) -> ChatMessage:
    talk.say(game, person, text=text, now=START)
    return ChatMessage.objects.get(game=game, by=person, text=text)


def chat_html(game: Game, viewer: User | AnonymousUser) -> str:
    return rendering.messages(game, user=viewer)


def about(person: User) -> str:
    return reverse("games:person", args=[person.username])


def about_message(message: ChatMessage) -> str:
    return reverse("games:message", args=[message.game.code, message.pk])


def do(client: Client, place: str, what: str, **form: str) -> str:
    """Press a button on that page; returns the page that follows."""
    answer = client.post(place, {"do": what, **form}, follow=True)
    return answer.content.decode()


def test_the_addresses_and_the_button_of_once_still_do_what_they_did(
    alice: User, bob: User, alice_client: Client, game: Game
) -> None:
    message = says(game, bob, "Hello.")
    for old, place in (
        (f"/players/{bob.username}/company", about(bob)),
        (f"/games/{game.code}/sayings/{message.pk}", about_message(message)),
    ):
        do(alice_client, place, "mute")
        answer = alice_client.post(old, {"do": "hear"})
        assert (answer.status_code, answer["Location"]) == (308, place)
        do(alice_client, place, "hear")
        assert not Mute.objects.exists()


# --- muting --------------------------------------------------------------------------------------


def test_a_mute_hides_messages_from_the_muter_only(
    game: Game, alice: User, bob: User, charlie: User, alice_client: Client
) -> None:
    says(game, bob, "Said before.")
    assert "You've muted bob" in do(alice_client, about(bob), "mute")
    says(game, bob, "Said after.")
    says(game, charlie, "Still here.")
    html = chat_html(game, alice)
    assert "Said" not in html and "Still here." in html
    page = alice_client.get(f"/games/{game.code}").content.decode()
    assert "Said" not in page and "Still here." in page
    for viewer in (bob, charlie, AnonymousUser()):
        assert "Said before." in chat_html(game, viewer) and "Said after." in chat_html(
            game, viewer
        )


def test_a_player_can_be_unmuted(game: Game, alice: User, bob: User, alice_client: Client) -> None:
    says(game, bob, "Sorry for that.")
    do(alice_client, about(bob), "mute")
    do(alice_client, about(bob), "unmute")
    assert "Sorry for that." in chat_html(game, alice)
    assert not Mute.objects.exists()


def test_muted_players_are_listed_and_can_be_unmuted_there(
    alice: User, bob: User, charlie: User, alice_client: Client
) -> None:
    talk.mute(alice, bob, block=False)
    talk.mute(alice, charlie, block=True)
    page = alice_client.get("/muted").content.decode()
    assert "Unmute bob" in page and "Unmute charlie" in page
    alice_client.post("/muted", {"name": "bob"})
    assert "Unmute bob" not in alice_client.get("/muted").content.decode()
    assert list(Mute.objects.values_list("whom", flat=True)) == [charlie.pk]


def test_a_muted_player_sees_no_difference(game: Game, alice: User, bob: User) -> None:
    before = chat_html(game, bob)
    talk.mute(alice, bob, block=True, at=game)
    assert chat_html(game, bob) == before


def test_muting_twice_changes_nothing(alice: User, bob: User) -> None:
    for _ in range(2):
        talk.mute(alice, bob, block=False)
    assert Mute.objects.count() == 1


def test_nobody_can_mute_or_report_themselves(alice: User, alice_client: Client) -> None:
    for what in ("mute", "block", "report"):
        answer = alice_client.post(about(alice), {"do": what, "reason": "other"})
        assert answer.status_code == 422
        assert "You can&#x27;t do this to yourself." in answer.content.decode()
    with pytest.raises(IntegrityError), transaction.atomic():
        Mute.objects.create(by=alice, whom=alice)
    assert not Mute.objects.exists() and not Report.objects.exists()


def test_an_anonymous_visitor_must_sign_in_first(game: Game, bob: User, client: Client) -> None:
    message = says(game, bob, "Hello, all.")
    for place in (about(bob), about_message(message), "/muted"):
        assert client.get(place).headers["Location"].startswith("/account/login/")
    answer = client.get(about_message(message), headers={"HX-Request": "true"})
    assert answer.headers["HX-Redirect"].startswith("/account/login/")


def test_an_unknown_action_is_a_bad_request(bob: User, alice_client: Client) -> None:
    assert alice_client.post(about(bob), {"do": "ban"}).status_code == 400
    assert alice_client.post(about(bob), {}).status_code == 400


# --- blocking ------------------------------------------------------------------------------------


def test_a_blocked_player_cannot_join_the_blockers_tables(
    alice: User, bob: User, alice_client: Client, bob_client: Client
) -> None:
    do(alice_client, about(bob), "block")
    table = open_table(alice, "steady", "steady")
    before_start.remove(table.code, alice, number=2, now=START)
    answer = bob_client.post(f"/games/{table.code}/sit", headers={"HX-Request": "true"})
    assert "You can&#x27;t join this table." in answer.content.decode()
    assert not table.seat_set.filter(user=bob).exists()


def test_a_block_also_mutes(game: Game, alice: User, bob: User, alice_client: Client) -> None:
    says(game, bob, "Hear me.")
    assert "You've blocked bob" in do(alice_client, about(bob), "block")
    assert "Hear me." not in chat_html(game, alice)


def test_a_mute_does_not_block(alice: User, bob: User) -> None:
    talk.mute(alice, bob, block=True)
    talk.mute(alice, bob, block=False)
    table = open_table(alice, "steady", "steady")
    before_start.remove(table.code, alice, number=2, now=START)
    before_start.sit(table.code, bob, now=START)
    assert table.seat_set.filter(user=bob).exists()


def test_a_block_does_not_affect_other_hosts_tables(alice: User, bob: User, charlie: User) -> None:
    talk.mute(alice, bob, block=True)
    table = open_table(charlie, alice, bob)  # alice plays there, but is not the host
    assert table.seat_set.count() == 3


def test_a_blocked_player_cannot_join_the_blockers_rematch(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    talk.mute(alice, bob, block=True)
    rematches.rematch(game.code, alice, now=START)
    with pytest.raises(Refused, match="blocked"):
        rematches.rematch(game.code, bob, now=START)


# --- reporting -----------------------------------------------------------------------------------


def test_a_message_can_be_reported(
    game: Game, alice: User, bob: User, alice_client: Client
) -> None:
    message = says(game, bob, "Something rude.")
    place = about_message(message)
    assert "Something rude." in alice_client.get(place).content.decode()
    page = do(alice_client, place, "report", reason="insult", words="They said it twice.")
    assert "Thanks for your report." in page
    report = Report.objects.get()
    assert (report.by, report.whom, report.message, report.game) == (alice, bob, message, game)
    assert (report.reason, report.words, report.handled) == ("insult", "They said it twice.", False)


def test_a_guest_can_report_a_player(bob: User) -> None:
    guest = lifecycle.guest()
    do(signed_in(guest), about(bob), "report", reason="name")
    report = Report.objects.get()
    assert (report.by, report.whom, report.message, report.game) == (guest, bob, None, None)


def test_each_user_can_report_a_message_once(
    game: Game, bob: User, alice_client: Client, charlie_client: Client
) -> None:
    place = about_message(says(game, bob, "Something rude."))
    for client in (alice_client, charlie_client, alice_client):
        answer = client.post(place, {"do": "report", "reason": "insult"})
    assert answer.status_code == 422
    assert "You&#x27;ve already reported this." in answer.content.decode()
    assert Report.objects.count() == 2


def test_each_message_of_a_player_can_be_reported(
    game: Game, bob: User, alice_client: Client
) -> None:
    for text in ("Rude.", "Ruder."):
        do(alice_client, about_message(says(game, bob, text)), "report", reason="insult")
    do(alice_client, about(bob), "report", reason="spam")
    assert Report.objects.count() == 3


def test_a_player_can_be_reported_again_once_the_report_is_handled(
    bob: User, alice_client: Client
) -> None:
    do(alice_client, about(bob), "report", reason="name")
    assert "already reported" in do(alice_client, about(bob), "report", reason="spam")
    talk.settle(Report.objects.get(), outcome="nothing")
    do(alice_client, about(bob), "report", reason="spam")
    assert list(Report.objects.values_list("reason", flat=True)) == ["name", "spam"]


def test_a_report_needs_a_reason_and_a_short_text(
    bob: User, alice_client: Client, subtests: pytest.Subtests
) -> None:
    for form in [{}, {"reason": "boring"}, {"reason": "other", "words": "x" * 501}]:
        with subtests.test(form=form), untouched():
            answer = alice_client.post(about(bob), {"do": "report", **form})
            assert answer.status_code == 422
            assert 'aria-invalid="true"' in answer.content.decode()
            assert not Report.objects.exists()


def test_a_user_can_send_ten_reports_an_hour(game: Game, bob: User, alice_client: Client) -> None:
    messages = [says(game, bob, f"Rude {number}.") for number in range(11)]
    pages = [do(alice_client, about_message(each), "report", reason="spam") for each in messages]
    assert "You&#x27;ve sent a lot of reports lately." in pages[-1]
    assert Report.objects.count() == 10


def test_a_message_is_found_only_with_the_code_of_its_table(
    game: Game, alice: User, bob: User, alice_client: Client
) -> None:
    message = says(game, bob, "Between us.")
    other = open_table(alice, "steady")
    place = reverse("games:message", args=[other.code, message.pk])
    assert alice_client.get(place).status_code == 404


# --- moderators ----------------------------------------------------------------------------------


@pytest.fixture
def report(game: Game, alice: User, bob: User) -> Report:
    message = says(game, bob, "Something rude.")
    talk.report(alice, bob, reason="insult", words="Look.", about=message, now=START)
    return Report.objects.get()


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ("acted", "Thank you. Our staff reviewed your report and took action."),
        ("nothing", "Thank you. Our staff reviewed your report. No rules were broken."),
        ("", "Thank you. Our staff reviewed your report.\n"),
    ],
)
def test_the_reporter_sees_the_outcome(
    report: Report, alice_client: Client, bob_client: Client, outcome: str, said: str
) -> None:
    assert "Our staff hasn't reviewed it yet." in alice_client.get("/reports").content.decode()
    assert talk.settle(report, outcome=outcome)
    page = alice_client.get("/reports").content.decode()
    assert said in page and "bob" in page and "Look." in page
    assert "You haven't reported anyone." in bob_client.get("/reports").content.decode()


def test_a_report_is_closed_once(report: Report) -> None:
    assert talk.settle(report, outcome="acted")
    assert not talk.settle(report, outcome="nothing")
    report.refresh_from_db()
    assert (report.handled, report.outcome) == (True, "acted")


def test_a_hidden_message_is_shown_to_nobody(
    report: Report, game: Game, alice: User, bob: User, alice_client: Client
) -> None:
    message = report.message
    assert message is not None
    assert talk.hide(ChatMessage.objects.filter(pk=message.pk)) == 1
    for viewer in (alice, bob, AnonymousUser()):
        assert "Something rude." not in chat_html(game, viewer)
    assert alice_client.get(about_message(message)).status_code == 404
    assert talk.hide(ChatMessage.objects.filter(pk=message.pk)) == 0


# --- bans from the chat --------------------------------------------------------------------------


def test_a_banned_user_can_post_neither_texts_nor_phrases(game: Game, bob: User) -> None:
    talk.ban_from_chat(bob, until=None)
    for said in ({"text": "Hm."}, {"phrase": "hello"}):
        with pytest.raises(Refused) as refused:
            talk.say(game, bob, now=START, **said)
        assert refused.value.code == "silenced"
    assert talk.lift_chat_ban(bob)
    talk.say(game, bob, text="Hm.", now=START)
    assert not talk.lift_chat_ban(bob)


def test_a_ban_ends_at_its_time(game: Game, bob: User) -> None:
    end = START + timedelta(days=1)
    talk.ban_from_chat(bob, until=end)
    with pytest.raises(Refused):
        talk.say(game, bob, text="Hm.", now=end - timedelta(seconds=1))
    talk.say(game, bob, text="Hm.", now=end)


def test_a_banned_user_is_told_when_the_ban_ends(game: Game, bob: User, bob_client: Client) -> None:
    talk.ban_from_chat(bob, until=datetime(2126, 3, 2, 20, 30, tzinfo=UTC))
    answer = bob_client.post(f"/games/{game.code}/say", {"phrase": "hello"}, follow=True)
    said = "banned from chat until Mar 2, 2126, 8:30\u202fPM\xa0UTC. You can still play."
    assert said in answer.content.decode()
    copy = json.loads(bob_client.get("/account/data").getvalue())
    assert copy["silenced"] == {"until": "2126-03-02T20:30:00+00:00"}


# --- personal data -------------------------------------------------------------------------------


def test_deleting_an_account_erases_its_texts(
    game: Game, alice: User, bob: User, charlie: User
) -> None:
    says(game, bob, "My secret.")
    talk.say(game, bob, phrase="good_luck", now=START)
    talk.report(bob, alice, reason="other", words="My words.", about=None, now=START)
    talk.mute(bob, alice, block=True)
    talk.mute(charlie, bob, block=False)
    client = signed_in(bob)
    client.post("/account/delete", {"password": PASSWORD})
    assert User.objects.get(pk=bob.pk).is_deleted
    html = chat_html(game, alice)
    assert "My secret." not in html and "(deleted)" in html and "deleted player" in html
    assert "Good luck!" in html and "bob" not in html
    assert Report.objects.get().words == ""
    assert not Mute.objects.exists()


def test_a_deleted_user_cannot_be_muted_or_reported(
    game: Game, bob: User, alice_client: Client
) -> None:
    message = says(game, bob, "Gone soon.")
    talk.forget(bob)
    lifecycle.forget(bob)
    assert alice_client.get(about(bob)).status_code == 404
    assert alice_client.get(about_message(message)).status_code == 404


def test_my_data_contains_my_messages_mutes_and_reports(
    game: Game, alice: User, bob: User, alice_client: Client
) -> None:
    says(game, alice, "Mine.")
    says(game, bob, "Not mine.")
    talk.say(game, alice, phrase="thanks", now=START)
    talk.mute(alice, bob, block=True)
    talk.report(alice, bob, reason="spam", words="Too much.", about=None, now=START)
    talk.report(bob, alice, reason="name", words="", about=None, now=START)
    copy = json.loads(alice_client.get("/account/data").getvalue())
    assert [said["said"] for said in copy["messages"]] == ["Mine.", "Thanks!"]
    assert copy["messages"][0]["game"] == game.code
    assert copy["mutes"] == [{"whom": "bob", "blocked": True}]
    [mine] = copy["reports"]
    assert (mine["whom"], mine["reason"], mine["words"]) == ("bob", "spam", "Too much.")


def test_a_deactivated_user_is_signed_out_and_cannot_write(
    game: Game, bob: User, bob_client: Client
) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)
    answer = bob_client.post(f"/games/{game.code}/say", {"phrase": "hello"})
    assert answer.headers["Location"].startswith("/account/login/")
    assert not ChatMessage.objects.exists()
