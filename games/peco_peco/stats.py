"""What Peco Peco keeps of finished rounds and games, and shows of a person.

The counters are of what people did themselves: a move that a timeout or a bot made for somebody
counts for nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from django.db.models import Prefetch
from django.utils.translation import gettext_lazy as _

from games import regional_formats
from games.contract.game_values import ResultFilter
from games.models import Game, Seat
from games.peco_peco.models import Round
from games.peco_peco.played_rounds import PlayedRound, accusations_as_json, played_rounds
from games.peco_peco.rules.options import PRESETS
from games.peco_peco.rules.stakes import STAKES
from games.peco_peco.rules.state import RoundResult
from games.store import event_log
from games.study.players.statistics import shares

TEAMS: Final = "teams"  # the variant of games in teams

presets: Final = tuple(PRESETS)

filters: Final = (
    ResultFilter(
        name="teams",
        label=_("Teams"),
        choices={"on": (_("In teams"), TEAMS), "off": (_("Without teams"), "")},
    ),
)

# What is shown: its label, the counter, and the counter of which it is a part.
_SHOWN: Final = (
    (_("Rounds won"), "rounds_won", "rounds"),
    (_("Bluffs nobody caught"), "bluffs_held", "bluffs"),
    (_("Correct accusations"), "accusations_right", "accusations"),
)
_SETS: Final = _("Games won with all three dishes")


def variant(game: Game) -> str:
    return TEAMS if game.options["teams"] == "on" else ""


def figures(counters: Mapping[str, int]) -> list[tuple[str, str]]:
    sets = regional_formats.number(counters.get("sets", 0))
    return [*shares(_SHOWN, counters), (str(_SETS), sets)]


# --- rounds --------------------------------------------------------------------------------------


def write_round(game: Game, seats: Sequence[Seat], finished: RoundResult, *, seq: int) -> None:
    """Store what everyone saw of the round; what was hidden follows when the game is over."""
    told = event_log.public_facts(game, after=game.deal_seq - 1, upto=game.seq)
    [played] = played_rounds(told, seats=len(seats))
    Round(
        game=game,
        number=finished.number,
        seq=seq,
        stake=finished.stake,
        starter=seats[finished.starter],
        winner=None if finished.winner is None else seats[finished.winner],
        accusations=accusations_as_json(played),
        declarations=played.counted(played.declarations),
    ).save(force_insert=True)


# --- counters ------------------------------------------------------------------------------------


def count_game(game: Game, seats: Sequence[Seat]) -> dict[int, Mapping[str, int]]:
    """The counters of these seats; adds to the rounds what was hidden while the game ran."""
    state = event_log.public_state(game)
    rounds = played_rounds(event_log.unsealed_facts(game), seats=state.seats)
    _add_what_was_hidden(game, rounds)
    return {seat.number: count_rounds(seat.number, rounds) for seat in seats}


def _add_what_was_hidden(game: Game, rounds: Iterable[PlayedRound]) -> None:
    """Store the hands that were dealt and the bluffs, which everyone may know now."""
    by_number = {played.number: played for played in rounds}
    rows = list(Round.objects.filter(game=game))
    for row in rows:
        played = by_number[row.number]
        row.hands = [list(played.hands.get(seat, ())) for seat in range(played.seats)]
        row.bluffs = played.counted(played.bluffs)
    Round.objects.bulk_update(rows, ["hands", "bluffs"])


def count_rounds(seat: int, rounds: Iterable[PlayedRound]) -> Mapping[str, int]:
    """The counters of this seat in the rounds of its game, automatic moves left out.

    `rounds` are those in which the person made a move.
    """
    counted: Counter[str] = Counter()
    for played in rounds:
        if played.over and seat in played.moved:
            counted["rounds"] += 1
        if played.winner == seat and played.won_by_own_card:
            counted["rounds_won"] += 1
            counted["sets"] += played.completed_set
        for bluff in played.bluffs:
            if bluff.seat == seat and bluff.own:
                counted["bluffs"] += 1
                counted["bluffs_held"] += not bluff.caught
        for accusation in played.accusations:
            if accusation.accuser == seat and accusation.own:
                counted["accusations"] += 1
                counted["accusations_right"] += accusation.bluff
    return counted


# --- the person's own copy -----------------------------------------------------------------------


def export_rows() -> Prefetch[str]:
    return Prefetch("game__peco_peco_rounds", queryset=Round.objects.order_by("number"))


def export_rounds(seat: Seat, company: Sequence[Seat]) -> list[dict[str, object]]:
    """What everyone saw of the rounds, and the person's own hands and bluffs in finished games."""
    game = seat.game
    numbers = {each.pk: each.number for each in company}
    return [_export_round(row, seat.number, numbers=numbers) for row in game.peco_peco_rounds.all()]


def _export_round(row: Round, number: int, *, numbers: Mapping[int, int]) -> dict[str, object]:
    stake = STAKES[row.stake]
    told = {
        "number": row.number,
        "stake": {"food": stake.food, "dishes": stake.dishes, "rule": stake.rule},
        "started_by": numbers[row.starter_id],
        "won_by": None if row.winner_id is None else numbers[row.winner_id],
        "accusations": row.accusations,
        "my_declarations": row.declarations[number],
    }
    if row.hands is None or row.bluffs is None:  # the game still runs
        return told
    return told | {"my_cards": row.hands[number], "my_bluffs": row.bluffs[number]}
