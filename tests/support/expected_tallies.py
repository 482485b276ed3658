"""The tallies of a person, derived from the facts of their games instead of from the rows."""

from __future__ import annotations

from collections import Counter
from typing import Any

from games.models import Game, Seat, Tally
from games.perudo.rules.events import BidMade, Revealed, Rolled, RoundStarted, StarterRolled
from games.store import event_log

COUNTED = ("doubts", "doubts_right", "calzas", "calzas_exact", "bids_challenged", "bids_true")
THROWN = tuple(f"thrown_{face}" for face in range(1, 7))


def stored_tally(user: int) -> dict[str, Any]:
    """The tally of a person as the rows have it, in the same form."""
    rows = Tally.objects.filter(user=user, kind_key="perudo").values_list("counter", "value")
    counted = dict(rows)
    assert all(counted.values()), "what never happened has no row"
    places = {int(name[6:]): counted.pop(name) for name in list(counted) if name[:6] == "place_"}
    assert set(counted) <= {"left", *COUNTED, *THROWN}
    return {
        "left": counted.get("left", 0),
        "places": [places.get(place, 0) for place in range(1, max(places, default=0) + 1)],
        **{name: counted.get(name, 0) for name in (*COUNTED, *THROWN)},
    }


def tally_from_log(user: int) -> dict[str, Any]:
    """The tally of a person as the facts of all the finished games tell it."""
    places: Counter[int] = Counter()
    sums: Counter[str] = Counter()
    left = 0
    for seat in Seat.objects.filter(user=user, game__status=Game.Status.FINISHED):
        if seat.left:
            left += 1
        else:
            places[seat.place or 0] += 1
        sums += thrown_in(seat.game, seat.number)
        bid = bidder = None
        for told in event_log.unsealed_facts(seat.game):
            match told.fact:
                case RoundStarted():
                    bid = None
                case BidMade():
                    bid, bidder = told.fact.bid, None if told.automatic else told.fact.seat
                case Revealed(call, caller, _, count):
                    assert bid is not None
                    called = caller == seat.number and not told.automatic
                    dudo = call == "dudo"
                    sums["doubts"] += dudo and called
                    sums["doubts_right"] += dudo and called and count < bid.quantity
                    sums["calzas"] += not dudo and called
                    sums["calzas_exact"] += not dudo and called and count == bid.quantity
                    sums["bids_challenged"] += dudo and bidder == seat.number
                    sums["bids_true"] += dudo and bidder == seat.number and count >= bid.quantity
    return {
        "left": left,
        "places": [places[place] for place in range(1, max(places, default=0) + 1)],
        **{name: sums[name] for name in (*COUNTED, *THROWN)},
    }


def thrown_in(game: Game, *seats: int) -> Counter[str]:
    """How often these seats threw each face, as the facts of a finished game tell it."""
    dice: list[int] = []
    for told in event_log.unsealed_facts(game):
        match told.fact:
            case Rolled(only, hand) if only in seats:
                dice += hand
            case StarterRolled(rolls):
                dice += [die for seat, hand in rolls if seat in seats for die in hand]
    return Counter(f"thrown_{die}" for die in dice)


def thrown_on_the_site() -> Counter[str]:
    """How often each face was thrown in all finished games, by anybody."""
    games = Game.objects.filter(status=Game.Status.FINISHED, kind_key="perudo")
    return sum((thrown_in(game, *range(game.size)) for game in games), Counter[str]())
