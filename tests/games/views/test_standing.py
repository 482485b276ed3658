"""The pages of standing tables, for each kind of visitor and in each state."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts import lifecycle
from accounts.models import User
from games.lobby.standing import ownership
from games.models import Game, NextSeat, StandingTable, TableSettings
from games.play import before_start, standing_games
from tests.support.fast_games import START, finish_game, finished_game, open_table, running_game
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db

UNPROCESSABLE = 422


@pytest.fixture
def table(alice: User, bob: User) -> StandingTable:
    settings = TableSettings.of(open_table(alice, bob))
    Game.objects.all().delete()
    return ownership.make(alice, settings, now=START)


def page(table: StandingTable, client: Client | None = None) -> str:
    answer = (client or Client()).get(f"/t/{table.word}")
    assert answer.status_code == 200
    return answer.content.decode()


def main(html: str) -> str:
    return html.split("<main")[1].split("</main>")[0]


def test_a_visitor_gives_a_name_and_sits_in_one_step(table: StandingTable) -> None:
    client = Client()
    html = main(page(table, client))
    assert "Nobody is here yet" in html and "Take a seat" in html
    assert html.count("primary") == 1
    assert not Game.objects.exists()  # to look opens nothing
    answer = client.post(f"/t/{table.word}/play", {"username": "Bruno"})
    game = Game.objects.get()
    assert answer.headers["Location"] == f"/games/{game.code}"
    [seat] = game.seat_set.all()
    assert seat.user is not None and (seat.user.username, seat.user.is_guest) == ("Bruno", True)
    html = main(page(table, client))
    assert "Go to the table" in html and "Take a seat" not in html
    html = main(page(table))
    assert "Bruno" in html and "Take a seat" in html


def test_the_proposed_name_is_free_and_can_be_taken_as_it_is(table: StandingTable) -> None:
    html = page(table)
    name = html.split('id="guest-name"')[1].split('value="')[1].split('"')[0]
    assert name and User.named(name) is None
    assert Client().post(f"/t/{table.word}/play", {"username": name}).status_code == 302
    assert User.named(name) is not None


def test_a_name_that_is_taken_is_said_on_the_same_page(table: StandingTable) -> None:
    answer = Client().post(f"/t/{table.word}/play", {"username": "alice"})
    assert answer.status_code == UNPROCESSABLE
    html = answer.content.decode()
    assert "taken" in html.split('id="guest-name-errors"')[1].split("</div>")[0]
    assert 'value="alice2"' in html
    assert not Game.objects.exists()


def test_while_a_game_is_played_one_can_watch_or_ask_for_the_next(
    table: StandingTable, bob: User, charlie: User
) -> None:
    for person in (bob, charlie):
        game = standing_games.join(table, person, now=START)
    before_start.start(game.code, bob, now=START)
    client = Client()
    html = main(page(table, client))
    assert "A game is in progress" in html and "Watch" in html and "Take a seat" not in html
    assert "Go to the table" in main(page(table, signed_in(bob)))
    answer = client.post(f"/t/{table.word}/play", {"username": "Bruno"})
    assert answer.headers["Location"] == f"/games/{game.code}"
    assert [wish.user.username for wish in NextSeat.objects.all()] == ["Bruno"]
    assert game.seat_set.count() == 2
    answer = signed_in(bob).post(f"/t/{table.word}/play")
    assert answer.headers["Location"] == f"/games/{game.code}"


def test_at_a_full_table_there_is_no_seat(table: StandingTable, bob: User, charlie: User) -> None:
    for person in (bob, charlie):
        game = standing_games.join(table, person, now=START)
    assert game.size == 2
    html = main(page(table))
    assert "All seats are taken" in html and "Take a seat" not in html


def test_it_says_who_played_last_and_leads_to_the_replay_for_those_who_may_see_it(
    table: StandingTable, alice: User, bob: User, charlie: User
) -> None:
    ownership.change(table, TableSettings.of(private_game(alice, bob)))
    for person in (bob, charlie):
        game = standing_games.join(table, person, now=START)
    before_start.start(game.code, bob, now=START)
    finish_game(Game.objects.get(pk=game.pk))
    address = f"/games/{game.code}/replay"
    assert address in page(table, signed_in(bob))
    for other in (Client(), signed_in(alice)):
        html = page(table, other)
        assert "Last game" in html and "bob, charlie" in html
        assert game.code not in html


def private_game(*people: User) -> Game:
    game = open_table(*people)
    Game.objects.filter(pk=game.pk).update(visibility="link", listed=False)
    return Game.objects.get(pk=game.pk)


def test_the_replay_of_a_public_game_is_for_everybody(
    table: StandingTable, bob: User, charlie: User
) -> None:
    for person in (bob, charlie):
        game = standing_games.join(table, person, now=START)
    before_start.start(game.code, bob, now=START)
    finish_game(Game.objects.get(pk=game.pk))
    assert f"/games/{game.code}/replay" in page(table)


def test_only_its_owner_changes_renews_and_deletes_it(
    table: StandingTable, alice_client: Client, bob_client: Client
) -> None:
    assert "This table is yours" in page(table, alice_client)
    assert "This table is yours" not in page(table, bob_client)
    for what in ("rules", "renew", "delete"):
        assert bob_client.post(f"/t/{table.word}/{what}").status_code == 404
    former = table.word
    answer = alice_client.post(f"/t/{former}/renew", follow=True)
    table.refresh_from_db()
    assert table.word != former and table.word in answer.content.decode()
    gone = bob_client.get(f"/t/{former}")
    assert gone.status_code == 410 and "Ask alice for the new one." in gone.content.decode()
    assert table.word not in gone.content.decode()
    assert table.word in alice_client.get(f"/t/{former}").content.decode()
    assert bob_client.post(f"/t/{former}/play").status_code == 410
    alice_client.post(f"/t/{table.word}/delete")
    gone = bob_client.get(f"/t/{table.word}")
    assert gone.status_code == 404 and "No table has this link" in gone.content.decode()
    assert bob_client.get(f"/t/{former}").status_code == 404


def test_the_form_shows_the_rules_as_they_are(table: StandingTable, alice_client: Client) -> None:
    """Sent as it stands, it changes nothing."""
    for chosen in (
        {"kind": "standard", "seats": "3", "tempo": "fast", "visibility": "public", "chat": "on"},
        {"kind": "calza", "seats": "5", "tempo": "relaxed", "pace": "90", "visibility": "link"},
        {
            **{"kind": "custom", "preset": "web_fr", "calza": "on", "lost_dice_visible": "on"},
            **{"show_odds": "on", "seats": "6", "pace": "", "visibility": "link"},
        },
        {"game": "peco_peco", "kind": "teams", "seats": "4", "pace": "60", "visibility": "link"},
    ):
        answer = alice_client.post(f"/t/{table.word}/rules", chosen)
        assert answer.status_code == 302, answer.content.decode()
        table.refresh_from_db()
        kept = dict(table.settings)
        form = alice_client.get(f"/t/{table.word}/rules").context["form"]
        shown = {name: form[name].value() for name in form.fields}
        sent = {name: value for name, value in shown.items() if value not in (None, False)}
        assert alice_client.post(f"/t/{table.word}/rules", sent).status_code == 302
        table.refresh_from_db()
        assert table.settings == kept


def test_rules_that_are_wrong_change_nothing(table: StandingTable, alice_client: Client) -> None:
    kept = dict(table.settings)
    answer = alice_client.post(f"/t/{table.word}/rules", {"seats": "99", "visibility": "link"})
    assert answer.status_code == UNPROCESSABLE
    table.refresh_from_db()
    assert table.settings == kept


def test_a_game_is_kept_with_its_rules_and_its_people_find_it(
    alice: User, bob: User, alice_client: Client
) -> None:
    game = finished_game(alice, bob, preset="web_fr")
    html = main(alice_client.get(f"/t/new?from={game.code}").content.decode())
    assert "Keep this table" in html and 'name="seats"' not in html
    assert not StandingTable.objects.exists()
    answer = alice_client.post("/t/new", {"from": game.code}, follow=True)
    table = StandingTable.objects.get()
    assert table.settings["preset"] == "web_fr"
    assert "The table is yours." in answer.content.decode()
    assert "alice, bob" in answer.content.decode()  # played last


def test_a_table_is_made_with_other_rules(alice: User, alice_client: Client) -> None:
    html = main(alice_client.get("/t/new?game=peco_peco").content.decode())
    assert 'value="peco_peco"' in html
    form = {"game": "peco_peco", "kind": "standard", "seats": "4", "visibility": "link"}
    assert alice_client.post("/t/new", form).status_code == 302
    table = StandingTable.objects.get()
    assert (table.settings["kind_key"], table.settings["visibility"]) == ("peco_peco", "link")
    assert f"/t/{table.word}" in alice_client.get("/t").content.decode()


@pytest.mark.parametrize("path", ["/t/new?game=none", "/t/new?from=none"])
def test_there_is_no_table_like_nothing(path: str, alice_client: Client) -> None:
    assert alice_client.get(path).status_code == 404


def test_a_guest_chooses_a_password_first_and_comes_back(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    client = signed_in(lifecycle.guest())
    answer = client.get(f"/t/new?from={game.code}")
    assert answer.headers["Location"] == f"/account/keep?next=%2Ft%2Fnew%3Ffrom%3D{game.code}"


def test_no_more_than_three_and_it_says_so(alice: User, alice_client: Client) -> None:
    form = {"kind": "standard", "seats": "4", "visibility": "link"}
    for _each in range(ownership.TABLES_EACH):
        assert alice_client.post("/t/new", form).status_code == 302
    answer = alice_client.post("/t/new", form)
    assert answer.status_code == UNPROCESSABLE
    assert "You already have 3 tables." in answer.content.decode()
    assert "Delete one to make another" in alice_client.get("/t").content.decode()


def test_tables_cannot_be_made_and_renewed_for_ever(
    table: StandingTable, alice_client: Client
) -> None:
    for _each in range(20):
        alice_client.post(f"/t/{table.word}/renew")
        table.refresh_from_db()
    last = table.word
    answer = alice_client.post(f"/t/{last}/renew", follow=True)
    assert "changed your tables a lot" in answer.content.decode()
    table.refresh_from_db()
    assert table.word == last


def test_games_opened_by_a_link_count_like_others(
    table: StandingTable, bob: User, bob_client: Client, settings: Any
) -> None:
    for _each in range(settings.TABLES_PER_PERSON):
        bob_client.post(f"/t/{table.word}/play")
        game = Game.objects.get(status=Game.Status.OPEN)
        before_start.close(game.code, bob, now=START + timedelta(minutes=1))
    answer = bob_client.post(f"/t/{table.word}/play", follow=True)
    assert "started a lot of games" in answer.content.decode()
    assert not Game.objects.filter(status=Game.Status.OPEN).exists()


def test_a_guesser_learns_nothing_and_writes_nothing(table: StandingTable) -> None:
    """Guesses are pages like others: the limits of pages hold, and there are 49 bits to guess."""
    client = Client()
    answers = {
        (answer.status_code, main(answer.content.decode()))
        for word in ("bodikamu-renalofi", "no-word", "new1", "x" * 300)
        for answer in (client.get(f"/t/{word}"), client.post(f"/t/{word}/play"))
    }
    assert len(answers) == 1
    assert not User.objects.filter(is_guest=True).exists()


def test_its_preview_names_nobody(table: StandingTable) -> None:
    head = page(table).split("</head>")[0]
    assert 'property="og:title" content="A standing table: Perudo"' in head
    assert f"/t/{table.word}/preview.png" in head
    assert "alice" not in head.split("og:type")[1]
    assert 'name="robots" content="noindex"' in head


def test_a_seat_is_offered_in_the_language_of_the_reader(table: StandingTable) -> None:
    html = Client().get(f"/t/{table.word}", headers={"Accept-Language": "fr"}).content.decode()
    assert '<html lang="fr"' in html


def test_a_running_game_can_be_kept(alice: User, bob: User, alice_client: Client) -> None:
    game = running_game(alice, bob)
    alice_client.post("/t/new", {"from": game.code})
    table = StandingTable.objects.get()
    assert "A game is in progress" in page(table)


def test_a_waiting_game_of_the_table_shares_its_permanent_link(
    table: StandingTable, bob: User, bob_client: Client
) -> None:
    game = standing_games.join(table, bob, now=START)
    html = bob_client.get(f"/games/{game.code}").content.decode()
    assert f'value="http://testserver/t/{table.word}"' in html
    assert "standing table" in html and "Keep this table" not in html


def test_a_table_is_offered_to_be_kept_while_it_waits_and_at_its_end(
    alice: User, bob: User, alice_client: Client
) -> None:
    game = open_table(alice, bob)
    assert f"/t/new?from={game.code}" in alice_client.get(f"/games/{game.code}").content.decode()
    assert "/t/new" not in Client().get(f"/games/{game.code}").content.decode()
    over = finished_game(alice, bob)
    assert f"/t/new?from={over.code}" in alice_client.get(f"/games/{over.code}").content.decode()
    alice_client.post("/t/new", {"from": over.code})
    word = StandingTable.objects.get().word
    answer = alice_client.get(f"/t/new?from={over.code}")
    assert answer.headers["Location"] == f"/t/{word}"
