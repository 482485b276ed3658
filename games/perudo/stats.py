"""What Perudo keeps of finished rounds and games, and shows of a person.

The counters are of what people did themselves: a move that the clock or a bot made for somebody
counts for nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db.models import Prefetch
from django.utils.translation import gettext_lazy as _

from games.contract.game_values import ResultFilter
from games.models import Game, Seat
from games.perudo.models import Round
from games.perudo.rules.events import BidMade, Revealed
from games.perudo.rules.options import PRESETS, Options
from games.perudo.rules.state import RoundResult
from games.store import event_log
from games.study.players.statistics import shares

CALZA: Final = "calza"  # the variant of games in which a bid may be called exact

presets: Final = tuple(PRESETS)

filters: Final = (
    ResultFilter(
        name="calza",
        label=_("Calza"),
        choices={"on": (_("With calza"), CALZA), "off": (_("Without calza"), "")},
    ),
)

# What is shown: its label, the counter, and the counter of which it is a part.
_SHOWN: Final = (
    (_("Successful dudos"), "doubts_right", "doubts"),
    (_("Bids that survived a dudo"), "bids_true", "bids_challenged"),
    (_("Successful calzas"), "calzas_exact", "calzas"),
)


def variant(game: Game) -> str:
    return CALZA if game.options["calza"] == "on" else ""


def figures(counters: Mapping[str, int]) -> list[tuple[str, str]]:
    return shares(_SHOWN, counters)


# --- rounds --------------------------------------------------------------------------------------


def write_round(game: Game, seats: Sequence[Seat], finished: RoundResult, *, seq: int) -> None:
    round_row(game, seats, finished, seq=seq).save(force_insert=True)


def round_row(game: Game, seats: Sequence[Seat], finished: RoundResult, *, seq: int) -> Round:
    """The row of a round, not saved; `finished` is what the rules say of it, `seq` the fact that
    lifted the cups."""

    def seat(number: int | None) -> Any:
        return None if number is None else seats[number]

    return Round(
        game=game,
        number=finished.number,
        seq=seq,
        opener=seat(finished.opener),
        palifico=seat(finished.palifico),
        bidder=seat(finished.bidder),
        quantity=finished.bid.quantity,
        face=finished.bid.face,
        call=finished.call,
        caller=seat(finished.caller),
        count=finished.count,
        loser=seat(finished.loser),
        gainer=seat(finished.gainer),
        hands=finished.hands,
    )


# --- counters ------------------------------------------------------------------------------------


def count_game(game: Game, seats: Sequence[Seat]) -> dict[int, Mapping[str, int]]:
    rounds = list(Round.objects.filter(game=game))
    if event_log.has_automatic_moves(game):
        _mark_automatic(game, rounds)
    return {seat.number: count_rounds(seat, rounds) for seat in seats}


def _mark_automatic(game: Game, rounds: Iterable[Round]) -> None:
    """Mark each round whose last bid or call was made for a person, according to the log."""
    by_seq = {row.seq: row for row in rounds}
    marked, bid_automatic = [], False
    for told in event_log.public_facts(game, after=0, upto=game.seq):
        if isinstance(told.fact, BidMade):
            bid_automatic = told.automatic
        elif isinstance(told.fact, Revealed) and (bid_automatic or told.automatic):
            row = by_seq[told.seq]
            row.bid_automatic, row.call_automatic = bid_automatic, told.automatic
            marked.append(row)
    Round.objects.bulk_update(marked, ["bid_automatic", "call_automatic"])


def count_rounds(seat: Seat, rounds: Iterable[Round]) -> Mapping[str, int]:
    """The counters of this seat in the rounds of its game, automatic moves left out."""
    counted: Counter[str] = Counter()
    for row in rounds:
        dudo = row.call == Round.Call.DUDO
        if row.caller_id == seat.pk and not row.call_automatic:
            if dudo:
                counted["doubts"] += 1
                counted["doubts_right"] += row.count < row.quantity
            else:
                counted["calzas"] += 1
                counted["calzas_exact"] += row.count == row.quantity
        if dudo and row.bidder_id == seat.pk and not row.bid_automatic:
            counted["bids_challenged"] += 1
            counted["bids_true"] += row.count >= row.quantity
    return counted


# --- the person's own copy -----------------------------------------------------------------------


def export_rows() -> Prefetch[str]:
    return Prefetch("game__round_set", queryset=Round.objects.order_by("number"))


def export_rounds(seat: Seat, company: Sequence[Seat]) -> list[dict[str, Any]]:
    """Only the person's own dice are told, and only once the cups went up.

    Of a game that still runs with lost dice hidden, no round: its log is closed until the end
    (P45).
    """
    game = seat.game
    running_closed = not Options.from_json(game.options).lost_dice_visible
    if game.status != Game.Status.FINISHED and running_closed:
        return []
    numbers = {each.pk: each.number for each in company}
    return [
        _export_round(row, row.hands[seat.number], numbers=numbers)
        for row in game.round_set.all()
        if row.hands[seat.number]
    ]


def _export_round(row: Round, hand: list[int], *, numbers: Mapping[int, int]) -> dict[str, Any]:
    return {
        "number": row.number,
        "my_dice": hand,
        "bid": {"seat": numbers[row.bidder_id], "quantity": row.quantity, "face": row.face},
        "call": {"seat": numbers[row.caller_id], "what": row.call},
        "count": row.count,
        "lost_a_die": row.loser_id and numbers[row.loser_id],
        "regained_a_die": row.gainer_id and numbers[row.gainer_id],
    }
