"""The page of an inbox, the badge in the head of every page, and pages without a socket."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.play import open_pages
from games.social.inbox import entries
from tests.support.cases import untouched
from tests.support.fast_games import START, running_game

pytestmark = pytest.mark.django_db


def test_the_page_lists_what_its_reader_was_told_with_links(
    alice: User, bob: User, bob_client: Client
) -> None:
    game = running_game(alice, bob)
    entries.put(bob.pk, "turn", game.code, now=START)
    entries.put(bob.pk, "of a newer version", "thing", now=START)
    page = bob_client.get("/inbox").content.decode()
    assert page.count("turn at alice&#x27;s table") == 2  # in the head too
    assert reverse("games:table", args=[game.code]) in page
    assert 'name="until" value="2"' in page


def test_an_empty_inbox_says_so(alice_client: Client) -> None:
    page = alice_client.get("/inbox").content.decode()
    assert "You have no notifications." in page
    assert "until" not in page


def test_reading_marks_as_read_what_the_page_showed(alice: User, alice_client: Client) -> None:
    entries.put(alice.pk, "turn", "one", now=START)
    entries.put(alice.pk, "turn", "two", now=START)
    answer = alice_client.post("/inbox/read", {"until": "1"}, headers={"HX-Request": "true"})
    assert (answer.status_code, answer.content) == (204, b"")
    assert entries.of(alice.pk).unread == 1
    assert alice_client.post("/inbox/read", {"until": "2"}).headers["Location"] == "/inbox"
    assert entries.of(alice.pk).unread == 0


def test_a_number_that_is_none_changes_nothing(
    alice: User, alice_client: Client, subtests: pytest.Subtests
) -> None:
    for until in ["", "-1", "x", "9" * 30]:
        with subtests.test(until=until), untouched():
            entries.put(alice.pk, "turn", "one", now=START)
            assert alice_client.post("/inbox/read", {"until": until}).status_code == 400
            assert entries.of(alice.pk).unread == 1


def test_strangers_are_asked_to_sign_in(client: Client) -> None:
    assert client.get("/inbox").status_code == client.post("/inbox/read").status_code == 302
    assert 'id="inbox"' not in client.get("/rules").content.decode()
    assert "/ws/person" not in client.get("/rules").content.decode()


def test_every_page_of_a_signed_in_person_has_one_socket(
    alice_client: Client, subtests: pytest.Subtests
) -> None:
    for path in ["/", "/rules", "/account/", "/inbox", "/no-such-page"]:
        with subtests.test(path=path):
            page = alice_client.get(path).content.decode()
            assert page.count("ws-connect=") == page.count('id="inbox"') == 1


def test_a_table_has_one_socket_too_which_stays_with_a_player(
    alice: User, bob: User, bob_client: Client, charlie_client: Client
) -> None:
    path = reverse("games:table", args=[running_game(alice, bob).code])
    for client, stays in ((bob_client, True), (charlie_client, False)):
        page = client.get(path).content.decode()
        assert page.count("ws-connect=") == page.count('id="inbox"') == 1
        assert ("data-stays" in page) == stays


@pytest.mark.parametrize("place", ["/games/{}/now", "/now", "/inbox/now"])
def test_a_page_without_a_socket_is_told_the_same(
    alice: User, bob: User, bob_client: Client, place: str
) -> None:
    game = running_game(alice, bob)
    path = place.format(game.code)
    first = bob_client.get(path)
    assert first.status_code == 200
    etag = first.headers["ETag"]
    assert bob_client.get(path, headers={"If-None-Match": etag}).status_code == 304
    entries.put(bob.pk, "turn", "gone", now=START)
    second = bob_client.get(path, headers={"If-None-Match": etag})
    assert second.status_code == 200
    assert b'id="inbox"' in second.content and b"<section" not in second.content
    again = bob_client.get(path, headers={"If-None-Match": second.headers["ETag"]})
    assert again.status_code == 304


def test_who_is_not_signed_in_has_no_inbox_to_look_at(client: Client) -> None:
    assert client.get("/inbox/now").status_code == 404
    assert b'id="inbox"' not in client.get("/now").content


def test_a_player_who_looks_by_request_has_the_table_in_view(
    alice: User, bob: User, bob_client: Client, charlie_client: Client
) -> None:
    game = running_game(alice, bob)
    entries.put(bob.pk, "turn", game.code, now=START)
    bob_client.get(f"/games/{game.code}/now")
    assert open_pages.is_in_view(game.code, bob.pk)
    assert entries.of(bob.pk).unread == 0
    open_pages.forget_all()
