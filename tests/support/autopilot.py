"""Games played from what the screens offer: people who choose at random, or who mean to lose."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from games.perudo.tests.page_player import Controls, random_action
from tests.support.http_client import View
from tests.support.live_site import PATIENCE
from tests.support.page_players import Action
from tests.support.players import HttpPlayer, wait_for

# What people hear whose screen was a moment behind the table.
_LATE = ("moved on", "nothing to confirm")


def seeded(seed: float) -> random.Random:
    """Choices that are the same in every run; the dice are the server's own."""
    return random.Random(seed)  # noqa: S311


def play(
    code: str,
    people: Sequence[HttpPlayer],
    *,
    until: Callable[[], bool],
    choose: Callable[[View, random.Random], Action | None] = random_action,
    rng: random.Random,
    after_each: Callable[[HttpPlayer], None] = lambda person: None,
) -> None:
    """Everyone acts on what their own screen shows, until `until` is true."""
    acted = dict.fromkeys(people, -1)

    def news() -> bool:
        return until() or any(acted[one] < one.view(code).seq for one in people)

    while not until():
        for person in people:
            view = person.view(code)
            if view.seq <= acted[person]:
                continue
            acted[person] = view.seq
            action = choose(view, rng)
            if action is not None:
                words = person.move(code, seen=view.seq, **action)  # type: ignore[arg-type]
                assert words == "" or any(late in words for late in _LATE), (action, words)
                after_each(person)
        # Who has nothing to do, or whose move came too late, waits for the clock of a turn.
        wait_for(news, f"something new at {code}", patience=PATIENCE)


def lose_every_round(loser: int) -> Callable[[View, random.Random], Action | None]:
    """A company in which the seat `loser` loses a die in every round.

    It bids more dice than there are and is doubted; the others bid as little as they can.
    """

    def choose(view: View, rng: random.Random) -> Action | None:
        if view.must_confirm:
            return {"do": "confirm"}
        if not view.my_turn:
            return None
        if "dudo" in view.moves and view.html.count("is-bidder") and _bidder(view) == loser:
            return {"do": "dudo"}
        faces = Controls.of(view).faces
        face = min(faces, key=lambda face: (faces[face][0], face))
        quantity = faces[face][-1 if view.seat == loser else 0]
        if view.seat == loser:
            face, counts = max(faces.items(), key=lambda offer: offer[1][-1])
            quantity = counts[-1]
        return {"do": "bid", "face": face, "quantity": quantity}

    return choose


def _bidder(view: View) -> int:
    at = view.html.index("is-bidder")
    return int(view.html[at:].split('data-seat="', 1)[1].split('"', 1)[0])
