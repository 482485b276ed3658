"""What the replay pages of all games have in common: the way through the moments, and the seats."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.urls import reverse

from games import catalogue
from games.catalogue import Moment
from games.models import Game, Seat
from games.rendering import highlights, replay_bar, replay_moves
from games.rendering.common import rules_in_words
from games.rendering.replay_viewing import Viewing

ALL_HANDS = Viewing()


def whole(game: Game, viewing: Viewing = ALL_HANDS, tag: str = "") -> dict[str, Any]:
    """What the pages of all moments show alike; `finished` keeps it. `tag`: see `replay_bar`."""
    kind = catalogue.of(game.kind_key)
    replay = kind.replay
    moments = replay.moments(game)
    seats = replay.scene(game, moments[0], seat=viewing.sealed)["seats"]
    names = [seat["name"] for seat in seats]

    def at(place: int) -> str:
        return address(game, place, viewing)

    return {
        "rules": rules_in_words(game),
        "bar": replay_bar.of_game(game, kind, moments, names, viewing, tag),
        "rounds": _with_addresses(moments, replay.rounds(game, seats), at),
        "downloads": {
            "text_url": reverse("games:record-text", args=[game.code]),
            "json_url": reverse("games:record-json", args=[game.code]),
        },
    }


def page(
    game: Game,
    number: int,
    viewing: Viewing = ALL_HANDS,
    alike: dict[str, Any] | None = None,
) -> dict[str, Any] | None:
    """The context of `games/replay.html` for the moment `number`, from 1; None when there is none.

    `alike` is what `whole` gives, if that is known. `t`, `rounds` and `moves` are for
    `_replay_table.html`; each round has the address of its deal.
    """
    kind = catalogue.of(game.kind_key)
    moments = kind.replay.moments(game)
    if not 1 <= number <= len(moments):
        return None
    if alike is None:
        alike = whole(game, viewing)
    moment, count = moments[number - 1], len(moments)
    table = kind.replay.scene(game, moment, seat=viewing.sealed)

    def at(place: int) -> str:
        return address(game, place, viewing)

    return alike | {
        "game": game,
        "t": table | {"game": game, "seq": game.seq},
        "moment": {
            "index": number,
            "url": at(number),
            "count": count,
            "round": moment.round,
            "at": moment.at,
            "until": moments[number].at if number < count else None,
            "narration": table["narration"],
        },
        "bar": alike["bar"] | replay_bar.of_moment(game, alike["bar"], number, at),
        "moves": replay_moves.of_page(kind, moments, table["seats"], number, viewing, at),
        "whose": _whose(game, number, table["seats"], viewing),
        "rounds": _told(alike["rounds"], _rounds_over(moments, number), viewing),
        "highlights": highlights.shown(game) if number == count and viewing.sealed is None else [],
    }


def _with_addresses(
    moments: Sequence[Moment], rounds: Iterable[dict[str, Any]], at: Callable[[int], str]
) -> list[dict[str, Any]]:
    """The rounds, each with the address of its first moment."""
    deals: dict[int, int] = {}
    for place, moment in enumerate(moments, start=1):
        deals.setdefault(moment.round, place)
    return [row | {"url": at(deals[row["number"]])} for row in rounds]


def _rounds_over(moments: Sequence[Moment], number: int) -> int:
    """How many rounds are over at this moment: its own only with the last moment of it."""
    here = moments[number - 1].round
    is_last = number == len(moments) or moments[number].round != here
    return here if is_last else here - 1


def _told(
    rounds: Sequence[dict[str, Any]], last: int, viewing: Viewing
) -> Sequence[dict[str, Any]]:
    """The rounds; for who is still to guess without how those after the `last` end."""
    if viewing.sealed is None:
        return rounds
    return [
        row if row["number"] <= last else {"number": row["number"], "url": row["url"]}
        for row in rounds
    ]


def _whose(
    game: Game, number: int, seats: Sequence[dict[str, Any]], viewing: Viewing
) -> dict[str, Any]:
    """Whose view this is, with the addresses of the same moment in every other."""
    seat, only = viewing.seat, viewing.only
    return {
        "name": None if seat is None else seats[seat]["name"],
        "is_sealed": viewing.sealed is not None,
        "url_all": address(game, number, replace(viewing, seat=None, opened=False)),
        "url_round": address(game, number, replace(viewing, only=None)),
        "url_open": f"{address(game, number)}{viewing.opening()}",
        "seats": [
            {
                "number": place,
                "name": each["name"],
                "is_seen": place == seat,
                "is_only": place == only,
                "url_seat": address(game, number, Viewing(place, False, only)),
                "url_only": address(game, number, Viewing(seat, viewing.opened, place)),
            }
            for place, each in enumerate(seats)
        ],
    }


def address(game: Game, number: int, viewing: Viewing = ALL_HANDS) -> str:
    """The address of a moment, from 1, as it is looked at."""
    return reverse("games:moment", args=[game.code, number]) + viewing.query()


def has_moment(game: Game, number: int) -> bool:
    return 1 <= number <= len(catalogue.of(game.kind_key).replay.moments(game))


def decision(game: Game, seat: int | None = None) -> int:
    """The number of the moment at which the last round begins, which decided the game.

    With a seat the last reveal that this seat brought about, or that put its move to the test.
    """
    moments = catalogue.of(game.kind_key).replay.moments(game)

    def took_part(place: int) -> bool:
        around = moments[max(0, place - 1) : place + 1]
        return any(each.move is not None and each.move.seat == seat for each in around)

    own = [place for place, each in enumerate(moments) if each.opens and took_part(place)]
    rounds = [moment.round for moment in moments]
    return (own[-1] if own else rounds.index(rounds[-1])) + 1


def show_as_then(
    views: Iterable[dict[str, Any]], seats: Sequence[Seat], *, gone: Container[int]
) -> None:
    """Change what a presenter shows of these seats: the rows tell how the game ended for them.

    `gone` are the seats that had left by then. Nobody is linked who has no page any more.
    """
    for view, seat in zip(views, seats, strict=True):
        view["gone"] = seat.number in gone
        view["asleep"] = view["away"] = False
        if seat.user is not None and not seat.user.is_active:
            view["username"] = None
