"""Bold claims of a finished game, which other players of it would have believed too.

No secret is involved, as every hand of a finished game is open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from accounts.models import User
from accounts.requests import AnyUser
from games.contract import catalogue
from games.models import Belief, Game, Seat
from games.study.replay import bold_claims, replay_page
from games.table.common import seats_of
from games.words import percent


@dataclass(frozen=True, slots=True)
class Claim:
    """The values of `games/_claim.html` and `games/_claim_here.html`.

    `press_url` is for readers who may believe it, else "".
    """

    number: int
    url: str
    round: int
    name: str
    avatar: object
    words: str
    chance: str
    believers: int
    is_mine: bool  # whether the reader is one of them
    press_url: str


def of_game(game: Game, reader: AnyUser) -> list[Claim]:
    """The boldest claims of people in the order of the game; empty if nobody else could believe."""
    seats = seats_of(game)
    numbers = bold_claims.numbers(game, seats)
    if not numbers:
        return []
    pressed: dict[int, set[int]] = {number: set() for number in numbers}
    rows = Belief.objects.filter(game=game, moment__in=numbers)
    for moment, person in rows.values_list("moment", "person"):
        pressed[moment].add(person)
    return [_claim(game, seats, number, pressed[number], reader) for number in numbers]


def find(game: Game, number: int, reader: AnyUser) -> Claim | None:
    """The claim at this moment; None if it is none of `of_game`."""
    return next((each for each in of_game(game, reader) if each.number == number), None)


def _claim(
    game: Game, seats: Sequence[Seat], number: int, pressed: set[int], reader: AnyUser
) -> Claim:
    kind = catalogue.of(game.kind_key)
    moment = kind.replay.moments(game)[number - 1]
    assert moment.move is not None  # noqa: S101  # see _numbers
    seat = seats[moment.move.seat]
    chance = moment.move.chance
    others = {each.user_id for each in seats} - {None, seat.user_id}
    may_press = reader.is_authenticated and reader.pk in others
    return Claim(
        number=number,
        url=replay_page.address(game, number),
        round=moment.round,
        name=seat.name,
        avatar=seat.avatar,
        words=kind.words.move(moment.move),
        chance="" if chance is None else percent(chance),
        believers=len(pressed),
        is_mine=reader.pk in pressed,
        press_url=reverse("games:believe", args=[game.code, number]) if may_press else "",
    )


def press(game: Game, number: int, person: User, *, believes: bool, now: datetime) -> None:
    """Store that this person would have believed a claim that they may believe, or take it back."""
    if believes:
        Belief.objects.get_or_create(
            person=person, game=game, moment=number, defaults={"pressed_at": now}
        )
    else:
        Belief.objects.filter(person=person, game=game, moment=number).delete()


# --- personal data -------------------------------------------------------------------------------


def forget(person: User) -> None:
    Belief.objects.filter(person=person).delete()


def export(person: User) -> Mapping[str, Any]:
    """The claims that this person would have believed, ready for JSON."""
    found = Belief.objects.filter(person=person).select_related("game")
    return {
        "believed_claims": [
            {
                "game": each.game.code,
                "moment": each.moment,
                "pressed": each.pressed_at.isoformat(),
            }
            for each in found
        ]
    }
