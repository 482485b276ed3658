"""What follows from a move: facts, or a refusal with a reason code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.core.contract import VERSION, Chance, Fact, IllegalMove
from games.perudo.rules.bids import DICE_EACH, Bid, matching, raises_as_text, why_illegal
from games.perudo.rules.events import (
    BidMade,
    Call,
    CalzaClaimed,
    DieLost,
    DieRegained,
    Eliminated,
    GameStarted,
    Hand,
    Left,
    PalificoAnnounced,
    Revealed,
    RevealSeen,
    Rolled,
    RoundStarted,
    StarterRolled,
)
from games.perudo.rules.moves import Calza, Confirm, Dudo, Leave, Move, SettleClaims
from games.perudo.rules.options import Options
from games.perudo.rules.state import State, evolve
from games.perudo.rules.turns import absent_moves, arbitrate, to_act, why_no_calza, why_out

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
        opener = chance.below(seats)
    else:
        rolls = starter_rolls(seats, 1 if options.starter == "one_die" else 2, chance)
        facts += rolls
        [opener] = highest(rolls[-1].rolls)
    state = _after(None, facts)
    return facts + _deal(state, number=1, opener=opener, palifico=None, chance=chance)


def starter_rolls(seats: int, dice: int, chance: Chance) -> list[StarterRolled]:
    """Each seat rolls this many dice; tied seats roll again until one is highest (P4)."""
    rolls: list[StarterRolled] = []
    rolling = list(range(seats))
    while len(rolling) > 1:
        rolls.append(StarterRolled(tuple((seat, chance.dice(dice)) for seat in rolling)))
        rolling = highest(rolls[-1].rolls)
    return rolls


def highest(rolls: Iterable[tuple[int, Hand]]) -> list[int]:
    """The seats with the highest sum; here a paco counts one (P4)."""
    sums = {seat: sum(dice) for seat, dice in rolls}
    most = max(sums.values())
    return [seat for seat, total in sums.items() if total == most]


def _deal(
    state: State, *, number: int, opener: int, palifico: int | None, chance: Chance
) -> list[Fact]:
    """The start of a round: every active seat rolls all its dice (P6, P22)."""
    facts: list[Fact] = [RoundStarted(number, opener, palifico)]
    for seat, dice in enumerate(state.dice):
        if dice:
            facts.append(Rolled(seat, tuple(sorted(chance.dice(dice)))))
    return facts


# --- a move --------------------------------------------------------------------------------------


def decide(
    state: State, seat: int, move: Move, chance: Chance, *, version: int = VERSION
) -> list[Fact]:
    """What follows when `seat` makes `move`; IllegalMove carries the reason code (A13).

    For a seat that left, only the moves that may be played in its place are allowed. ValueError
    when the table has no such seat. Every `version` of the rules judges moves alike.
    """
    if not 0 <= seat < state.seats:
        raise ValueError(f"there is no seat {seat} at a table of {state.seats}")
    out = why_out(state, seat)
    if out and not (out == "already_left" and _may_be_played_for_it(state, seat, move)):
        raise IllegalMove(out)
    match move:
        case Bid():
            return _bid(state, seat, move)
        case Dudo():
            return _dudo(state, seat)
        case Calza():
            return _claim(state, seat)
        case Confirm():
            return _confirm(state, seat, chance)
        case Leave():
            return _leave(state, seat, chance)
        case SettleClaims():
            return _settle(state)


def _may_be_played_for_it(state: State, seat: int, move: Move) -> bool:
    return isinstance(move, SettleClaims) or move in absent_moves(state, seat)


def _require_turn(state: State, seat: int) -> None:
    if state.phase == "reveal":
        raise IllegalMove("round_over")
    if seat != state.turn:
        raise IllegalMove("not_your_turn")  # P8, P18


def _bid(state: State, seat: int, bid: Bid) -> list[Fact]:
    _require_turn(state, seat)
    last, options, palifico = state.last_bid, state.options, state.palifico is not None
    reason = why_illegal(bid, last, options=options, palifico=palifico, most=state.most)
    if reason:
        legal = raises_as_text(last, options=options, palifico=palifico, most=state.most)
        raise IllegalMove(reason, bid=str(bid), last=str(last or ""), legal=legal)
    return [BidMade(seat, bid)]


def _dudo(state: State, seat: int) -> list[Fact]:
    _require_turn(state, seat)
    if not state.bids:
        raise IllegalMove("no_bid")  # P7
    return _reveal(state, "dudo", seat)


def _claim(state: State, seat: int) -> list[Fact]:
    reason = why_no_calza(state, seat)
    if reason:
        raise IllegalMove(reason)
    if seat == state.turn:  # nobody is nearer, and only this seat could raise: it prevails at once
        return _reveal(state, "calza", seat)
    return [CalzaClaimed(seat)]


def _settle(state: State) -> list[Fact]:
    caller = arbitrate(state, state.claims)
    if caller is None:
        raise IllegalMove("nothing_to_settle")
    return _reveal(state, "calza", caller)


# --- the end of a round --------------------------------------------------------------------------


def _reveal(state: State, call: Call, caller: int) -> list[Fact]:
    """The reveal (P19, P33): the count, who loses or regains a die, who is out or palifico."""
    bidder, bid = state.bids[-1]
    hands = tuple(state.hand(seat) for seat in range(state.seats))
    count = sum(matching(hand, bid.face, palifico=state.palifico is not None) for hand in hands)
    facts: list[Fact] = [Revealed(call, caller, hands, count)]
    if call == "calza" and count == bid.quantity:
        if state.dice[caller] < DICE_EACH:  # P34, P42
            facts.append(DieRegained(caller))
        return facts + _departures(state, state.active)
    loser = bidder if call == "dudo" and count < bid.quantity else caller  # P20, P34
    facts.append(DieLost(loser))
    staying = state.active
    if state.dice[loser] == 1:
        facts.append(Eliminated(loser))  # P21
        staying = tuple(seat for seat in staying if seat != loser)
    departures = _departures(state, staying)
    if _is_palifico(state, loser, players=len(staying) - len(departures)):
        departures.append(PalificoAnnounced(loser))
    return facts + departures


def _departures(state: State, staying: Sequence[int]) -> list[Fact]:
    """The seats that left during the round are out when it ends, as long as one other stays."""
    leaving = [seat for seat in state.gone if seat in staying]
    return [Eliminated(seat) for seat in leaving[: len(staying) - 1]]


def _is_palifico(state: State, loser: int, *, players: int) -> bool:
    """Whether the loser of a die is palifico: from two dice to one (P23, P29, P30)."""
    options = state.options
    fell = state.dice[loser] == 2 and loser not in state.gone
    again = loser in state.have_been_palifico and options.palifico_repeat == "once"
    return fell and not again and players >= options.palifico_min_players


def _confirm(state: State, seat: int, chance: Chance) -> list[Fact]:
    if state.phase != "reveal" or seat in state.confirmed:
        raise IllegalMove("nothing_to_confirm")
    facts: list[Fact] = [RevealSeen(seat)]
    if to_act(state) == (seat,):  # the last to confirm
        facts += _next_round(state, chance)
    return facts


def _leave(state: State, seat: int, chance: Chance) -> list[Fact]:
    facts: list[Fact] = [Left(seat)]
    after = _after(state, facts)
    staying = [other for other in after.active if other not in after.gone]
    if after.phase == "reveal" or len(staying) == 1:
        departures = _departures(after, after.active)
        facts += departures
        after = _after(after, departures)
    if after.phase == "reveal" and not to_act(after):  # all the others have confirmed
        facts += _next_round(after, chance)
    return facts


def _next_round(state: State, chance: Chance) -> list[Fact]:
    """The next round after a reveal; P22, P24 and P39 say who opens it."""
    result = state.result
    assert result is not None  # noqa: S101
    first = result.caller if result.call == "calza" else result.loser
    assert first is not None  # noqa: S101
    opener = first if state.dice[first] else state.left_of(first)
    palifico = state.announced if state.announced == opener else None
    if len(state.active) < state.options.palifico_min_players:  # a player has left since (P30)
        palifico = None
    return _deal(state, number=state.number + 1, opener=opener, palifico=palifico, chance=chance)


def _after(state: State | None, facts: Iterable[Fact]) -> State:
    for fact in facts:
        state = evolve(state, fact)
    assert state is not None  # noqa: S101
    return state
