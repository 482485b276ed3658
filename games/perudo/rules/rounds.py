"""How rounds begin and end: dealing, the reveal, eliminations, who opens the next one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from games.core.contract import Chance, Draw, Fact
from games.perudo.rules.bids import DICE_EACH, matching
from games.perudo.rules.events import (
    Call,
    DieLost,
    DieRegained,
    Eliminated,
    GameStarted,
    Hand,
    PalificoAnnounced,
    Revealed,
    Rolled,
    RoundStarted,
    StarterRolled,
)
from games.perudo.rules.evolve import evolve
from games.perudo.rules.options import Options
from games.perudo.rules.state import State

SEATS = range(2, 7)  # P1


# --- the beginning -------------------------------------------------------------------------------


def start(
    seats: int, options: Options, chance: Chance, *, starter: int | None = None
) -> list[Fact]:
    """The facts of a new game: who opens (P4) and the first roll. ValueError unless 2 to 6 play.

    `starter` is ignored, because P4 applies to every game, rematches too.
    """
    if seats not in SEATS:
        raise ValueError(f"Perudo is for 2 to 6 players, not {seats}")
    facts: list[Fact] = [GameStarted(seats, options)]
    if options.starter == "random":
        opener = chance.below(seats, Draw(0, "opener"))
    else:
        rolls = starter_rolls(seats, 1 if options.starter == "one_die" else 2, chance)
        facts += rolls
        [opener] = highest(rolls[-1].rolls)
    state = state_after(None, facts)
    return facts + deal(state, number=1, opener=opener, palifico=None, chance=chance)


def starter_rolls(seats: int, dice: int, chance: Chance) -> list[StarterRolled]:
    """Each seat rolls this many dice; tied seats roll again until one is highest (P4)."""
    rolls: list[StarterRolled] = []
    rolling = list(range(seats))
    while len(rolling) > 1:
        times = len(rolls)
        rolls.append(
            StarterRolled(
                tuple(
                    (seat, chance.dice(dice, Draw(0, "starter", seat, times))) for seat in rolling
                )
            )
        )
        rolling = highest(rolls[-1].rolls)
    return rolls


def highest(rolls: Iterable[tuple[int, Hand]]) -> list[int]:
    """The seats with the highest sum; here a paco counts one (P4)."""
    sums = {seat: sum(dice) for seat, dice in rolls}
    most = max(sums.values())
    return [seat for seat, total in sums.items() if total == most]


def deal(
    state: State,
    *,
    number: int,
    opener: int,
    palifico: int | None,
    chance: Chance,
    kept: Mapping[int, Hand] | None = None,
) -> list[Fact]:
    """The start of a round: every active seat rolls all its dice (P6, P22), but who has `kept` a
    hand.
    """
    facts: list[Fact] = [RoundStarted(number, opener, palifico)]
    for seat in state.active:
        hand = (kept or {}).get(seat) or chance.dice(state.dice[seat], Draw(number, "hand", seat))
        facts.append(Rolled(seat, tuple(sorted(hand))))
    return facts


# --- the end of a round --------------------------------------------------------------------------


def reveal(state: State, call: Call, caller: int) -> list[Fact]:
    """The reveal (P19, P33): the count, who loses or regains a die, who is out or palifico."""
    bidder, bid = state.bids[-1]
    hands = tuple(state.hand(seat) for seat in range(state.seats))
    count = sum(matching(hand, bid.face, palifico=state.palifico is not None) for hand in hands)
    facts: list[Fact] = [Revealed(call, caller, hands, count)]
    if call == "calza" and count == bid.quantity:
        if state.dice[caller] < DICE_EACH:  # P34, P42
            facts.append(DieRegained(caller))
        return facts + departures(state, state.active)
    loser = bidder if call == "dudo" and count < bid.quantity else caller  # P20, P34
    facts.append(DieLost(loser))
    staying = state.active
    if state.dice[loser] == 1:
        facts.append(Eliminated(loser))  # P21
        staying = tuple(seat for seat in staying if seat != loser)
    leaving = departures(state, staying)
    if _is_palifico(state, loser, players=len(staying) - len(leaving)):
        leaving.append(PalificoAnnounced(loser))
    return facts + leaving


def departures(state: State, staying: Sequence[int]) -> list[Fact]:
    """The seats that left during the round are out when it ends, as long as one other stays."""
    leaving = [seat for seat in state.gone if seat in staying]
    return [Eliminated(seat) for seat in leaving[: len(staying) - 1]]


def _is_palifico(state: State, loser: int, *, players: int) -> bool:
    """Whether the loser of a die is palifico: from two dice to one (P23, P29, P30)."""
    options = state.options
    fell = state.dice[loser] == 2 and loser not in state.gone
    again = loser in state.have_been_palifico and options.palifico_repeat == "once"
    return fell and not again and players >= options.palifico_min_players


def next_round(state: State, chance: Chance) -> list[Fact]:
    """The next round after a reveal; P22, P24 and P39 say who opens it."""
    result = state.result
    assert result is not None  # noqa: S101
    first = result.caller if result.call == "calza" else result.loser
    assert first is not None  # noqa: S101
    opener = first if state.dice[first] else state.left_of(first)
    palifico = state.announced if state.announced == opener else None
    if len(state.active) < state.options.palifico_min_players:  # a player has left since (P30)
        palifico = None
    return deal(state, number=state.number + 1, opener=opener, palifico=palifico, chance=chance)


def state_after(state: State | None, facts: Iterable[Fact]) -> State:
    for fact in facts:
        state = evolve(state, fact)
    assert state is not None  # noqa: S101
    return state
