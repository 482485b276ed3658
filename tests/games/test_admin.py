"""Staff may look at every game and change none; no hidden die of a running game is in any page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Event, Game, Round, Seat
from tests.games.playing import running_game

pytestmark = pytest.mark.django_db

MODELS = (Game, Seat, Round, Event)


@pytest.fixture
def staff(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("keeper", password="a toucan keeps watch"))
    return client


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    return running_game(alice, bob, charlie, rounds=1, bids=1)


def address(model: type, page: str, *arguments: object) -> str:
    return reverse(f"admin:games_{model._meta.model_name}_{page}", args=arguments)


def addresses(game: Game, *people: User) -> Iterator[str]:
    """Every page of the admin that is about games, with the searches and filters staff can try."""
    yield reverse("admin:index")
    yield reverse("admin:app_list", args=["games"])
    for model in MODELS:
        listing = address(model, "changelist")
        yield listing
        for query in (game.code, "rolled", "dice", "sealed", "[1,"):
            yield f"{listing}?q={query}"
        for row in model._default_manager.filter(**{"pk" if model is Game else "game": game.pk}):
            yield address(model, "change", row.pk)
            yield address(model, "history", row.pk)
    for row in Event.unsealed.filter(game=game, only__isnull=False):
        yield address(Event, "change", row.pk)
        yield address(Event, "history", row.pk)
    yield f"{address(Event, 'changelist')}?only=0"
    yield f"{address(Event, 'changelist')}?kind=rolled"
    yield f"{address(Event, 'changelist')}?all="
    for person in people:
        yield reverse("admin:accounts_user_change", args=[person.pk])
        yield reverse("admin:accounts_user_delete", args=[person.pk])


def pages(client: Client, game: Game, *people: User) -> dict[str, str]:
    """What staff read, without what differs from visit to visit."""
    read = {}
    for place in addresses(game, *people):
        answer = client.get(place, follow=True)
        assert answer.status_code in (200, 400), place
        text = re.sub(r'csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())
        read[place] = text
    return read


def hands_of(game: Game) -> list[list[int]]:
    sealed = Event.unsealed.filter(game=game, kind="rolled", seq__gt=game.deal_seq)
    return [row.data["dice"] for row in sealed]


def written(hand: list[int]) -> tuple[str, ...]:
    return str(hand), json.dumps(hand, separators=(",", ":"))


def test_no_hidden_die_is_in_any_page(
    staff: Client, game: Game, alice: User, bob: User, charlie: User
) -> None:
    hands = hands_of(game)
    assert len(hands) == 3
    shown = [row.hands for row in game.round_set.all()]  # the cups went up on these
    hidden = [hand for hand in hands if not any(hand in round_ for round_ in shown)]
    assert hidden
    for place, text in pages(staff, game, alice, bob, charlie).items():
        for hand in hidden:
            assert not any(form in text for form in written(hand)), place


def test_the_same_search_finds_the_dice_once_the_cups_were_up(staff: Client, game: Game) -> None:
    row = game.round_set.get(number=1)
    text = staff.get(address(Round, "change", row.pk)).content.decode()
    assert all(any(form in text for form in written(hand)) for hand in row.hands)


def test_no_page_depends_on_the_hidden_dice(
    staff: Client, game: Game, alice: User, bob: User, charlie: User
) -> None:
    before = pages(staff, game, alice, bob, charlie)
    for row in Event.unsealed.filter(game=game, kind="rolled", seq__gt=game.deal_seq):
        row.data = {**row.data, "dice": [7 - die for die in row.data["dice"]]}
        row.save(update_fields=["data"])
    assert pages(staff, game, alice, bob, charlie) == before


def test_a_sealed_fact_cannot_be_opened_by_its_number(staff: Client, game: Game) -> None:
    sealed = Event.unsealed.filter(game=game, only__isnull=False).first()
    assert sealed is not None
    answer = staff.get(address(Event, "change", sealed.pk))
    assert (answer.status_code, answer["Location"]) == (302, reverse("admin:index"))
    public = Event.objects.filter(game=game).first()
    assert public is not None
    assert staff.get(address(Event, "change", public.pk)).status_code == 200


@pytest.mark.parametrize(
    ("model", "question"),
    [
        (Game, "event__data__dice__contains=1"),
        (Game, "event__data__icontains=dice"),
        (Game, "event__only=0"),
        (Seat, "game__event__data__icontains=dice"),
        (Round, "game__event__data__icontains=dice"),
        (Event, "game__event__data__icontains=dice"),
        (Event, "game__event__only=0"),
    ],
)
def test_staff_cannot_ask_about_dice_through_the_address(
    staff: Client, game: Game, model: type, question: str
) -> None:
    """The joins behind such a question would pass the manager by, so it must not be answered."""
    assert staff.get(f"{address(model, 'changelist')}?{question}").status_code == 400


def test_people_cannot_be_sifted_by_their_dice(staff: Client, game: Game) -> None:
    place = reverse("admin:accounts_user_changelist")
    question = "seat__game__event__data__icontains=dice"
    assert staff.get(f"{place}?{question}").status_code == 400


@pytest.mark.parametrize("app", ["games", "games.Event"])
def test_dumpdata_leaves_hidden_dice_out(game: Game, app: str) -> None:
    out = StringIO()
    call_command("dumpdata", app, stdout=out)
    dumped = [row for row in json.loads(out.getvalue()) if row["model"] == "games.event"]
    assert len(dumped) == Event.objects.count() > 0
    assert all(row["fields"]["only"] is None for row in dumped)
    assert "rolled" not in {row["fields"]["kind"] for row in dumped}


@pytest.mark.parametrize("model", MODELS)
def test_nothing_can_be_added_changed_or_deleted(staff: Client, game: Game, model: type) -> None:
    row = model._default_manager.filter(**{"pk" if model is Game else "game": game.pk}).first()
    assert staff.get(address(model, "add")).status_code == 403
    assert staff.post(address(model, "change", row.pk), {}).status_code == 403
    assert staff.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    doomed = {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"}
    staff.post(address(model, "changelist"), doomed)
    assert model._default_manager.filter(pk=row.pk).exists()


def test_staff_find_a_game_by_its_code_and_by_its_host(staff: Client, game: Game) -> None:
    for words in (game.code, "alice"):
        text = staff.get(f"{address(Game, 'changelist')}?q={words}").content.decode()
        assert address(Game, "change", game.pk) in text
    text = staff.get(f"{address(Game, 'changelist')}?q=nobody").content.decode()
    assert address(Game, "change", game.pk) not in text


@pytest.mark.parametrize("model", MODELS)
def test_players_do_not_get_in(alice_client: Client, game: Game, model: type) -> None:
    answer = alice_client.get(address(model, "changelist"))
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("admin:login"))
