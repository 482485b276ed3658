"""Which sections of a home page are open."""

from __future__ import annotations

from games.lobby.home_folding import opened


def test_few_things_that_wait_are_open() -> None:
    assert opened({"invitations": 0, "here": 2, "news": 2}, step=False, running=0) == [
        "here",
        "news",
    ]


def test_what_takes_more_than_half_a_screen_is_folded_from_the_last() -> None:
    rows = {"invitations": 1, "here": 2, "standing": 2, "news": 3}
    assert opened(rows, step=False, running=0) == ["invitations", "here"]
    assert opened(rows, step=True, running=0) == ["invitations"]
    assert opened(rows, step=False, running=5) == []
