"""What the strip of a search says of the others."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from accounts.models import User
from games.lobby.matching import searches, strip
from games.models import Seat
from tests.support.cases import untouched

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


def test_it_names_as_many_as_fit_and_counts_the_others(
    alice: User, subtests: pytest.Subtests
) -> None:
    for names, said in [
        (["Ben"], "Ben"),
        (["Ben", "Cleo", "Dan"], "Ben, Cleo, Dan"),
        (["Ben", "Cleo", "Maximilian-Marce-001"], "Ben, Cleo +1"),
        ([f"Maximilian-Marce-{number:03}" for number in range(4)], "Maximilian-Marce-000 +3"),
    ]:
        with subtests.test(names=names), untouched():
            searches.press(alice, holder="alice", now=NOW)
            for name in names:
                searches.press(User.objects.create_user(name), holder=name, now=NOW)
            shown = strip.shown(alice.pk)
            assert (shown["state"], shown["who"]) == ("asked", said)


def test_a_game_that_has_begun_is_named_on_its_own_page_too_until_its_player_leaves(
    alice: User, bob: User
) -> None:
    for user in (alice, bob):
        searches.press(user, holder=user.username, now=NOW)
    table = searches.answer(alice, now=NOW).table
    assert table is not None
    address = f"/games/{table.code}"
    elsewhere, there = strip.shown(alice.pk), strip.shown(alice.pk, here=table.code)
    assert (elsewhere["state"], elsewhere["go"]) == ("seated", address)
    assert (there["state"], there["go"]) == ("", address)
    Seat.objects.filter(game=table, user=alice).update(gone=True)
    assert strip.shown(alice.pk)["state"] == ""
