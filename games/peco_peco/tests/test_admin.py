"""The staff may look at running games of Peco Peco, and are shown nothing that is hidden."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import FactRow, Game
from games.peco_peco.models import Round
from games.peco_peco.rules.stakes import STAKES
from games.peco_peco.tests.fast_games import play_until, running_game
from games.store import event_log
from tests.support.fixtures import PASSWORD, signed_in_as_staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User, charlie: User) -> Game:
    game = running_game(alice, bob, charlie, "easy", seed=3)
    return play_until(game, lambda state: state.number == 3, seed=3)


@pytest.fixture
def staff() -> Client:
    return signed_in_as_staff(User.objects.create_superuser("keeper", password=PASSWORD))


def test_the_rounds_tell_what_everyone_saw(staff: Client, game: Game) -> None:
    pages = staff.get(reverse("admin:peco_peco_round_changelist")).content.decode()
    assert pages.count(game.code) >= 2
    turned = {row.stake for row in Round.objects.all()} | {event_log.public_state(game).stake_id}
    still_hidden = STAKES.keys() - turned
    for row in Round.objects.all():
        page = staff.get(reverse("admin:peco_peco_round_change", args=[row.pk])).content.decode()
        assert not any(f">{stake}<" in page for stake in still_hidden)
        shown = dict(re.findall(r'<label>(\w+):</label>\s*<div class="readonly">(.*?)</div>', page))
        assert (shown["Stake"], shown["Hands"], shown["Bluffs"]) == (row.stake, "–", "–")


def test_the_hidden_facts_of_a_running_game_have_no_page(staff: Client, game: Game) -> None:
    hidden = FactRow.unsealed.filter(game=game, audience__isnull=False)
    assert hidden.count() > 4
    facts = staff.get(reverse("admin:games_factrow_changelist"), {"all": ""}).content.decode()
    assert "round_started" in facts
    for row in hidden:
        assert f">{row.kind}<" not in facts
        page = staff.get(reverse("admin:games_factrow_change", args=[row.pk]))
        assert page.status_code == 302 and page["Location"] == reverse("admin:index")
