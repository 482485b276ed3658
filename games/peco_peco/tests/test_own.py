"""What a seat's own fragment adds at a real table: the only card chosen, why a seat is out, what it
has won, and that it has won.
"""

from __future__ import annotations

import re

import pytest

from games.peco_peco.rules.moves import Accuse, Declare
from games.peco_peco.tests.arranged import Table, game_with_stakes, person
from games.table import frames

pytestmark = pytest.mark.django_db


def own(table: Table, seat: int | None) -> str:
    """The fragment of this seat alone, as its socket is sent it."""
    html = frames.frame(table.game, seat, user=None).html
    return html[html.index('<section id="own"') :]


def chosen(html: str) -> list[str]:
    inputs = re.findall(r'<input type="radio"[^>]*>', html)
    return [re.findall(r'value="(\w+)"', one)[0] for one in inputs if " checked" in one]


def test_the_only_card_that_can_be_played_is_chosen(subtests: pytest.Subtests) -> None:
    for hand, expected in [
        ("E C C M", ["E"]),
        ("E E C C", ["E"]),  # two of the same are one choice
        ("Es C C M", ["Es"]),
        ("E Eb C C", []),
        ("C C M M", []),
    ]:
        with subtests.test(hand=hand):
            table = Table([person() for _ in range(4)], ["F03"])
            table.start_round({0: hand}, top="C")
            assert chosen(own(table, 0)) == expected
            for other in (1, 2, 3, None):
                html = frames.frame(table.game, other, user=None).html
                assert chosen(html) == [], "nobody else is told, nor the table they share"


def test_no_card_is_chosen_while_others_play() -> None:
    table = Table([person() for _ in range(4)], ["F03"])
    table.start_round({1: "E C C M"}, top="C")
    assert chosen(own(table, 1)) == []


def test_a_player_who_is_out_reads_who_plays_on_for_what_and_when_they_are_back() -> None:
    table = Table([person(name) for name in ("Ana", "Ben", "Cleo", "Dan")], ["F13"])
    table.start_round({0: "E E C C"}, top="E")
    table.move(0, Declare())
    table.move(1, Accuse())
    assert table.state.out == {1}
    html = " ".join(own(table, 1).split())
    assert "No mercy: you had to discard your hand." in html
    assert "Still playing for 1 onigiri: Ana, Cleo, Dan." in html
    assert "You get new cards in the next round." in html
    assert "Still playing" not in own(table, 0) + own(table, 2)


def test_of_many_who_play_on_only_the_number_is_told() -> None:
    table = Table([person() for _ in range(6)], ["F13"])
    table.start_round({0: "E E C C"}, top="E")
    table.move(0, Declare())
    table.move(1, Accuse())
    assert "Still playing for 1 onigiri: 5 players." in " ".join(own(table, 1).split())


def test_who_has_just_been_thrown_out_is_told_apart_from_who_was_out_before() -> None:
    """Only the first sees it with the verdict; the second looks on all the time."""
    table = Table([person() for _ in range(4)], ["F13"])
    table.start_round({0: "E E C C", 1: "C C C M"}, top="E")
    table.move(0, Declare())
    table.move(1, Accuse())
    assert "is-out is-just-out" in own(table, 1)
    table.move(2, Declare())
    assert "is-out is-just-out" not in own(table, 1) and "is-out" in own(table, 1)


def test_between_rounds_a_player_reads_what_they_have_won_and_still_need() -> None:
    table = game_with_stakes(4, {"F12": 0, "F13": 2})
    told = {seat: " ".join(re.sub("<[^>]+>", " ", own(table, seat)).split()) for seat in range(4)}
    assert "3 points For all three dishes you still need: maki, onigiri." in told[0]
    assert "1 point For all three dishes you still need: maki, sushi." in told[2]
    assert "0 points For all three dishes you still need: maki, sushi, onigiri." in told[1]
    assert "still need" not in own(table, None)
    table.all_continue({}, top="E")
    assert "still need" not in own(table, 0)


def test_the_partners_need_and_win_together() -> None:
    """A ribbon for both, the table marks both seats, and confetti falls on it."""
    table = game_with_stakes(4, {"F12": 0, "F13": 2}, "F01", teams="on")
    for seat in (0, 2):
        html = " ".join(own(table, seat).split())
        assert "For all three dishes you still need: maki." in html
    table.all_continue({}, top="E")
    table.play_until_won_by(2)
    for seat in range(4):
        won = seat % 2 == 0
        assert ("You won!" in own(table, seat)) is won
    board = frames.frame(table.game, None, user=None).html
    assert 'class="confetti"' in board
    assert re.findall(r'is-winner[^"]*"\s+data-seat="(\d)"', board) == ["0", "2"]
