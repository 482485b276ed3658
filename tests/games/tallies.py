"""What the logs of a person's games say of him, told from the facts instead of from the rows."""

from __future__ import annotations

from collections import Counter
from typing import Any

from games import log
from games.models import Game, Seat
from games.rules.perudo.events import BidMade, Revealed, RoundStarted

COUNTED = ("doubts", "doubts_right", "calzas", "calzas_exact", "bids_challenged", "bids_true")


def told_by_the_log(user: int) -> dict[str, Any]:
    """The tally of a person as the facts of all the finished games tell it."""
    places: Counter[int] = Counter()
    sums: Counter[str] = Counter()
    for seat in Seat.objects.filter(user=user, game__status=Game.Status.FINISHED):
        places[seat.place or 0] += 1
        bid = None
        for fact in (each.fact for each in log.unsealed_facts(seat.game)):
            match fact:
                case RoundStarted():
                    bid = None
                case BidMade():
                    bid = fact
                case Revealed(call, caller, _, count):
                    assert bid is not None
                    number, quantity = seat.number, bid.bid.quantity
                    sums["doubts"] += call == "dudo" and caller == number
                    sums["doubts_right"] += call == "dudo" and caller == number and count < quantity
                    sums["calzas"] += call == "calza" and caller == number
                    sums["calzas_exact"] += (
                        call == "calza" and caller == number and count == quantity
                    )
                    sums["bids_challenged"] += call == "dudo" and bid.seat == number
                    sums["bids_true"] += call == "dudo" and bid.seat == number and count >= quantity
    return {
        "places": [places[place] for place in range(1, max(places, default=0) + 1)],
        **{name: sums[name] for name in COUNTED},
    }
