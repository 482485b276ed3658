"""Whom one does not want to hear, who is reported or silenced, and what leaving takes."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts import people
from accounts.models import User
from games import company, lobby
from games.models import Game, Mute, Report, Saying
from games.refusal import Refused
from games.screens import talk
from tests.conftest import PASSWORD, signed_in
from tests.games.playing import EVENING, finished_game, open_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    return open_table(alice, bob, charlie)


def says(game: Game, person: User, text: str) -> Saying:
    company.say(game, person, text=text, now=EVENING)
    return Saying.objects.get(game=game, by=person, text=text)


def heard(game: Game, viewer: User | AnonymousUser) -> str:
    return talk.sayings(game.code, user=viewer)


def about(person: User) -> str:
    return reverse("games:person", args=[person.username])


def about_saying(saying: Saying) -> str:
    return reverse("games:saying", args=[saying.game.code, saying.pk])


def do(client: Client, place: str, what: str, **form: str) -> str:
    """Press a button of that page; the page that follows."""
    answer = client.post(place, {"do": what, **form}, follow=True)
    return answer.content.decode()


# --- muting --------------------------------------------------------------------------------------


def test_who_is_muted_is_not_heard_by_the_muter_and_by_all_others(
    game: Game, alice: User, bob: User, charlie: User, alice_client: Client
) -> None:
    says(game, bob, "Said before.")
    assert "You have muted bob" in do(alice_client, about(bob), "mute")
    says(game, bob, "Said after.")
    says(game, charlie, "Still here.")
    html = heard(game, alice)
    assert "Said" not in html and "Still here." in html
    page = alice_client.get(f"/games/{game.code}").content.decode()
    assert "Said" not in page and "Still here." in page
    for viewer in (bob, charlie, AnonymousUser()):
        assert "Said before." in heard(game, viewer) and "Said after." in heard(game, viewer)


def test_a_muted_person_is_heard_again(
    game: Game, alice: User, bob: User, alice_client: Client
) -> None:
    says(game, bob, "Sorry for that.")
    do(alice_client, about(bob), "mute")
    do(alice_client, about(bob), "hear")
    assert "Sorry for that." in heard(game, alice)
    assert not Mute.objects.exists()


def test_the_muted_are_listed_and_heard_again_from_there(
    alice: User, bob: User, charlie: User, alice_client: Client
) -> None:
    company.mute(alice, bob, block=False)
    company.mute(alice, charlie, block=True)
    page = alice_client.get("/muted").content.decode()
    assert "Hear bob again" in page and "Hear charlie again" in page
    alice_client.post("/muted", {"name": "bob"})
    assert "Hear bob again" not in alice_client.get("/muted").content.decode()
    assert list(Mute.objects.values_list("whom", flat=True)) == [charlie.pk]


def test_nobody_is_told_who_muted_him(game: Game, alice: User, bob: User) -> None:
    before = heard(game, bob)
    company.mute(alice, bob, block=True, at=game)
    assert heard(game, bob) == before


def test_muting_twice_changes_nothing(alice: User, bob: User) -> None:
    for _ in range(2):
        company.mute(alice, bob, block=False)
    assert Mute.objects.count() == 1


def test_nobody_mutes_or_reports_himself(alice: User, alice_client: Client) -> None:
    for what in ("mute", "block", "report"):
        answer = alice_client.post(about(alice), {"do": what, "reason": "other"})
        assert answer.status_code == 422
        assert "You cannot do this to yourself." in answer.content.decode()
    with pytest.raises(IntegrityError), transaction.atomic():
        Mute.objects.create(by=alice, whom=alice)
    assert not Mute.objects.exists() and not Report.objects.exists()


def test_a_stranger_signs_in_first(game: Game, bob: User, client: Client) -> None:
    saying = says(game, bob, "Hello, all.")
    for place in (about(bob), about_saying(saying), "/muted"):
        assert client.get(place).headers["Location"].startswith("/account/login/")
    answer = client.get(about_saying(saying), headers={"HX-Request": "true"})
    assert answer.headers["HX-Redirect"].startswith("/account/login/")


def test_an_unknown_wish_is_no_page(bob: User, alice_client: Client) -> None:
    assert alice_client.post(about(bob), {"do": "ban"}).status_code == 400
    assert alice_client.post(about(bob), {}).status_code == 400


# --- blocking ------------------------------------------------------------------------------------


def test_who_is_blocked_does_not_sit_down_where_the_blocker_hosts(
    alice: User, bob: User, alice_client: Client, bob_client: Client
) -> None:
    do(alice_client, about(bob), "block")
    table = open_table(alice, "steady", "steady")
    lobby.remove(table.code, alice, number=2, now=EVENING)
    answer = bob_client.post(f"/games/{table.code}/sit", headers={"HX-Request": "true"})
    assert "This table is not open to you." in answer.content.decode()
    assert not table.seat_set.filter(user=bob).exists()


def test_a_block_is_a_mute_too(game: Game, alice: User, bob: User, alice_client: Client) -> None:
    says(game, bob, "Hear me.")
    assert "You have blocked bob" in do(alice_client, about(bob), "block")
    assert "Hear me." not in heard(game, alice)


def test_a_mute_is_no_block(alice: User, bob: User) -> None:
    company.mute(alice, bob, block=True)
    company.mute(alice, bob, block=False)
    table = open_table(alice, "steady", "steady")
    lobby.remove(table.code, alice, number=2, now=EVENING)
    lobby.sit(table.code, bob, now=EVENING)
    assert table.seat_set.filter(user=bob).exists()


def test_a_block_shuts_no_other_table(alice: User, bob: User, charlie: User) -> None:
    company.mute(alice, bob, block=True)
    table = open_table(charlie, alice, bob)  # alice sits there, and does not host
    assert table.seat_set.count() == 3


def test_a_rematch_of_the_blocker_is_not_open_to_the_blocked(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    company.mute(alice, bob, block=True)
    lobby.rematch(game.code, alice, now=EVENING)
    with pytest.raises(Refused, match="blocked"):
        lobby.rematch(game.code, bob, now=EVENING)


# --- reporting -----------------------------------------------------------------------------------


def test_a_saying_is_reported(game: Game, alice: User, bob: User, alice_client: Client) -> None:
    saying = says(game, bob, "Something rude.")
    place = about_saying(saying)
    assert "Something rude." in alice_client.get(place).content.decode()
    page = do(alice_client, place, "report", reason="insult", words="He said it twice.")
    assert "You have reported this." in page
    report = Report.objects.get()
    assert (report.by, report.whom, report.saying, report.game) == (alice, bob, saying, game)
    assert (report.reason, report.words, report.handled) == ("insult", "He said it twice.", False)


def test_a_guest_reports_a_player(bob: User) -> None:
    guest = people.guest()
    do(signed_in(guest), about(bob), "report", reason="name")
    report = Report.objects.get()
    assert (report.by, report.whom, report.saying, report.game) == (guest, bob, None, None)


def test_the_same_thing_is_reported_once_by_each(
    game: Game, bob: User, alice_client: Client, charlie_client: Client
) -> None:
    place = about_saying(says(game, bob, "Something rude."))
    for client in (alice_client, charlie_client, alice_client):
        answer = client.post(place, {"do": "report", "reason": "insult"})
    assert answer.status_code == 422
    assert "You have already reported this." in answer.content.decode()
    assert Report.objects.count() == 2


def test_another_saying_of_the_same_person_is_another_thing(
    game: Game, bob: User, alice_client: Client
) -> None:
    for text in ("Rude.", "Ruder."):
        do(alice_client, about_saying(says(game, bob, text)), "report", reason="insult")
    do(alice_client, about(bob), "report", reason="spam")
    assert Report.objects.count() == 3


def test_a_person_is_reported_again_once_the_staff_is_done(bob: User, alice_client: Client) -> None:
    do(alice_client, about(bob), "report", reason="name")
    assert "already reported" in do(alice_client, about(bob), "report", reason="spam")
    company.settle(Report.objects.get(), outcome="nothing")
    do(alice_client, about(bob), "report", reason="spam")
    assert list(Report.objects.values_list("reason", flat=True)) == ["name", "spam"]


@pytest.mark.parametrize(
    "form", [{}, {"reason": "boring"}, {"reason": "other", "words": "x" * 501}]
)
def test_a_report_needs_a_reason_and_few_words(
    bob: User, alice_client: Client, form: dict[str, str]
) -> None:
    answer = alice_client.post(about(bob), {"do": "report", **form})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.content.decode()
    assert not Report.objects.exists()


def test_nobody_reports_more_than_ten_things_an_hour(
    game: Game, bob: User, alice_client: Client
) -> None:
    sayings = [says(game, bob, f"Rude {number}.") for number in range(11)]
    pages = [do(alice_client, about_saying(each), "report", reason="spam") for each in sayings]
    assert "You have reported a lot lately." in pages[-1]
    assert Report.objects.count() == 10


def test_a_saying_is_found_only_with_the_code_of_its_table(
    game: Game, alice: User, bob: User, alice_client: Client
) -> None:
    saying = says(game, bob, "Between us.")
    other = open_table(alice, "steady")
    place = reverse("games:saying", args=[other.code, saying.pk])
    assert alice_client.get(place).status_code == 404


# --- the staff -----------------------------------------------------------------------------------


@pytest.fixture
def report(game: Game, alice: User, bob: User) -> Report:
    saying = says(game, bob, "Something rude.")
    company.report(alice, bob, reason="insult", words="Look.", about=saying, now=EVENING)
    return Report.objects.get()


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ("acted", "the staff looked at it and did something about it."),
        ("nothing", "the staff looked at it and found nothing against the rules."),
        ("", "Thank you: the staff looked at it."),
    ],
)
def test_whoever_reported_reads_how_it_came_out(
    report: Report, alice_client: Client, bob_client: Client, outcome: str, said: str
) -> None:
    assert "has not looked at it yet" in alice_client.get("/reports").content.decode()
    assert company.settle(report, outcome=outcome)
    page = alice_client.get("/reports").content.decode()
    assert said in page and "bob" in page and "Look." in page
    assert "You have reported nobody." in bob_client.get("/reports").content.decode()


def test_a_report_is_answered_once(report: Report) -> None:
    assert company.settle(report, outcome="acted")
    assert not company.settle(report, outcome="nothing")
    report.refresh_from_db()
    assert (report.handled, report.outcome) == (True, "acted")


def test_what_staff_hid_is_seen_by_nobody(
    report: Report, game: Game, alice: User, bob: User, alice_client: Client
) -> None:
    saying = report.saying
    assert saying is not None
    assert company.hide(Saying.objects.filter(pk=saying.pk)) == 1
    for viewer in (alice, bob, AnonymousUser()):
        assert "Something rude." not in heard(game, viewer)
    assert alice_client.get(about_saying(saying)).status_code == 404
    assert company.hide(Saying.objects.filter(pk=saying.pk)) == 0


# --- silence -------------------------------------------------------------------------------------


def test_who_is_silenced_says_neither_words_nor_phrases(game: Game, bob: User) -> None:
    company.silence(bob, until=None)
    for said in ({"text": "Hm."}, {"phrase": "hello"}):
        with pytest.raises(Refused) as refused:
            company.say(game, bob, now=EVENING, **said)
        assert refused.value.code == "silenced"
    assert company.let_talk(bob)
    company.say(game, bob, text="Hm.", now=EVENING)
    assert not company.let_talk(bob)


def test_a_silence_ends_by_itself(game: Game, bob: User) -> None:
    end = EVENING + timedelta(days=1)
    company.silence(bob, until=end)
    with pytest.raises(Refused):
        company.say(game, bob, text="Hm.", now=end - timedelta(seconds=1))
    company.say(game, bob, text="Hm.", now=end)


def test_who_is_silenced_is_told_until_when_he_must_wait(
    game: Game, bob: User, bob_client: Client
) -> None:
    company.silence(bob, until=datetime(2126, 3, 2, 20, 30, tzinfo=UTC))
    answer = bob_client.post(f"/games/{game.code}/say", {"phrase": "hello"}, follow=True)
    said = "The staff lets you talk again on Mar 2, 2126, 8:30\u202fPM (UTC). You can play on."
    assert said in answer.content.decode()
    copy = json.loads(bob_client.get("/account/data").getvalue())
    assert copy["silenced"] == {"until": "2126-03-02T20:30:00+00:00"}


# --- leaving -------------------------------------------------------------------------------------


def test_who_is_deleted_takes_the_words_along(
    game: Game, alice: User, bob: User, charlie: User
) -> None:
    says(game, bob, "My secret.")
    company.say(game, bob, phrase="good_luck", now=EVENING)
    company.report(bob, alice, reason="other", words="My words.", about=None, now=EVENING)
    company.mute(bob, alice, block=True)
    company.mute(charlie, bob, block=False)
    client = signed_in(bob)
    client.post("/account/delete", {"password": PASSWORD})
    assert User.objects.get(pk=bob.pk).is_deleted
    html = heard(game, alice)
    assert "My secret." not in html and "(deleted)" in html and "deleted player" in html
    assert "Good luck!" in html and "bob" not in html
    assert Report.objects.get().words == ""
    assert not Mute.objects.exists()


def test_nobody_can_be_muted_any_more_who_is_deleted(
    game: Game, bob: User, alice_client: Client
) -> None:
    saying = says(game, bob, "Gone soon.")
    company.forget(bob)
    people.forget(bob)
    assert alice_client.get(about(bob)).status_code == 404
    assert alice_client.get(about_saying(saying)).status_code == 404


def test_my_data_holds_what_i_said_muted_and_reported(
    game: Game, alice: User, bob: User, alice_client: Client
) -> None:
    says(game, alice, "Mine.")
    says(game, bob, "Not mine.")
    company.say(game, alice, phrase="thanks", now=EVENING)
    company.mute(alice, bob, block=True)
    company.report(alice, bob, reason="spam", words="Too much.", about=None, now=EVENING)
    company.report(bob, alice, reason="name", words="", about=None, now=EVENING)
    copy = json.loads(alice_client.get("/account/data").getvalue())
    assert [said["said"] for said in copy["sayings"]] == ["Mine.", "Thanks!"]
    assert copy["sayings"][0]["game"] == game.code
    assert copy["mutes"] == [{"whom": "bob", "blocked": True}]
    [mine] = copy["reports"]
    assert (mine["whom"], mine["reason"], mine["words"]) == ("bob", "spam", "Too much.")


def test_who_is_made_inactive_is_signed_out_and_speaks_no_more(
    game: Game, bob: User, bob_client: Client
) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)
    answer = bob_client.post(f"/games/{game.code}/say", {"phrase": "hello"})
    assert answer.headers["Location"].startswith("/account/login/")
    assert not Saying.objects.exists()
