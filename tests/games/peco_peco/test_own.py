"""What a seat's own fragment adds at a real table: the only card chosen, and why a seat is out."""

from __future__ import annotations

import re

import pytest

from games.peco_peco.rules.moves import Accuse, Declare
from games.rendering import frames
from tests.games.peco_peco.arranged import Table, person

pytestmark = pytest.mark.django_db


def own(table: Table, seat: int | None) -> str:
    """The fragment of this seat alone, as its socket is sent it."""
    html = frames.frame(table.game, seat, user=None)
    return html[html.index('<section id="own"') :]


def chosen(html: str) -> list[str]:
    inputs = re.findall(r'<input type="radio"[^>]*>', html)
    return [re.findall(r'value="(\w+)"', one)[0] for one in inputs if " checked" in one]


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("E C C M", ["E"]),
        ("E E C C", ["E"]),  # two of the same are one choice
        ("Es C C M", ["Es"]),
        ("E Eb C C", []),
        ("C C M M", []),
    ],
)
def test_the_only_card_that_can_be_played_is_chosen(hand: str, expected: list[str]) -> None:
    table = Table([person() for _ in range(4)], ["F03"])
    table.starts({0: hand}, top="C")
    assert chosen(own(table, 0)) == expected
    for other in (1, 2, 3, None):
        html = frames.frame(table.game, other, user=None)
        assert chosen(html) == [], "nobody else is told, nor the table they share"


def test_no_card_is_chosen_while_others_play() -> None:
    table = Table([person() for _ in range(4)], ["F03"])
    table.starts({1: "E C C M"}, top="C")
    assert chosen(own(table, 1)) == []


def test_a_player_who_is_out_reads_who_plays_on_for_what_and_when_they_are_back() -> None:
    table = Table([person(name) for name in ("Ana", "Ben", "Cleo", "Dan")], ["F13"])
    table.starts({0: "E E C C"}, top="E")
    table.says(0, Declare())
    table.says(1, Accuse())
    assert table.state.out == {1}
    html = " ".join(own(table, 1).split())
    assert "No mercy: you had to discard your hand." in html
    assert "Still playing for 1 onigiri: Ana, Cleo, Dan." in html
    assert "You get new cards in the next round." in html
    assert "Still playing" not in own(table, 0) + own(table, 2)


def test_of_many_who_play_on_only_the_number_is_told() -> None:
    table = Table([person() for _ in range(6)], ["F13"])
    table.starts({0: "E E C C"}, top="E")
    table.says(0, Declare())
    table.says(1, Accuse())
    assert "Still playing for 1 onigiri: 5 players." in " ".join(own(table, 1).split())
