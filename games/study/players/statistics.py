"""Statistics of a person's finished games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.models import User
from games import regional_formats, words
from games.contract import catalogue
from games.models import Tally
from games.play import throws


def shares(
    shown: Iterable[tuple[Any, str, str]], counted: Mapping[str, int]
) -> list[tuple[str, str]]:
    """Figures such as ("Rounds won", "3 of 10"), for `catalogue.Statistics.figures`.

    `shown` has the label, the counter, and the counter of which it is a part. Figures whose two
    counters are both 0 are left out.
    """
    number = regional_formats.number
    return [
        (
            str(label),
            gettext("%(part)s of %(all)s")
            % {"part": number(counted.get(part, 0)), "all": number(counted.get(whole, 0))},
        )
        for label, part, whole in shown
        if counted.get(part) or counted.get(whole)
    ]


def counters(person: User) -> dict[str, dict[str, int]]:
    """All counters of this person, by game and counter; running games do not count.

    This reads a few rows, however many games there were. What was thrown is left out, because it
    includes games that count for nothing else.
    """
    tallies = Tally.objects.filter(user=person).exclude(counter__startswith=throws.PREFIX)
    return _by_game(tallies)


def export(person: User) -> dict[str, object]:
    """All counters of this person, ready for JSON."""
    return {"tallies": _by_game(Tally.objects.filter(user=person))}


def _by_game(tallies: QuerySet[Tally]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for kind_key, counter, value in tallies.values_list("kind_key", "counter", "value"):
        found.setdefault(kind_key, {})[counter] = value
    return found


def statistics(person: User) -> list[dict[str, Any]]:
    """The figures on the page, for each kind of game that the person has finished."""
    found = counters(person)
    return [of_game(kind, found[kind.key]) for kind in catalogue.every() if kind.key in found]


def of_game(kind: catalogue.GameKind, counted: dict[str, int]) -> dict[str, Any]:
    """The numbers of games, wins and places, and the figures that the game itself adds.

    The win rate is in whole percent; None without games.
    """
    places = sorted(
        (int(counter.removeprefix("place_")), times)
        for counter, times in counted.items()
        if counter.startswith("place_")
    )
    left = counted.get("left", 0)
    games, won = left + sum(times for _, times in places), counted.get("place_1", 0)
    return {
        "game": kind.key,
        "game_mark": words.game_mark(kind.key),
        "games": games,
        "won": won,
        "win_rate": round(100 * won / games) if games else None,
        "left": left,
        "places": [(place, words.ordinal(place), times) for place, times in places],
        "figures": kind.stats.figures(counted),
    }
