"""The table of Perudo as one state shows it: live games, replays, questions, the tutorial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.contract.shown import Player, named
from games.core.contract import Outcome
from games.perudo import pace, reveal, words
from games.perudo.rules.bids import Bid
from games.perudo.rules.outcome import outcome
from games.perudo.rules.state import State, shown_dice
from games.perudo.shown import MadeBid, OpenDie, Roll, SeatView, ShownBid, Table
from games.table import ending


def of_state(
    state: State,
    players: Sequence[Player],
    *,
    narration: str,
    says: Mapping[int, str] | None = None,
    hands: Sequence[Sequence[OpenDie] | None] | None = None,
) -> Table:
    """The table with these players.

    `says` are the phrases of bots, by seat. `hands` are the hands that lie open, by seat; by
    default those that a reveal opens.
    """
    ended, said, moods = outcome(state), says or {}, reveal.moods(state)
    seats = [
        _seat(state, player, ended, moods, says=said.get(player["number"], ""), hands=hands)
        for player in players
    ]
    bids = [_made(bid, seats[number]) for number, bid in state.bids]
    dice, in_play = _totals(state)
    stood_in = ending.stood_in(seats, ended)
    return Table(
        phase=state.phase,
        round=state.number,
        seats=seats,
        bid=bids[-1] if bids else None,
        bids=bids,
        turn=seats[state.turn] if _speaks(state) else None,
        next=next((seat for seat in seats if seat.next), None),
        palifico=None if state.palifico is None else seats[state.palifico],
        total=in_play,
        lost_total=None if dice is None else state.most - dice,
        most=state.most,
        result=reveal.result_of(state, seats),
        starter_rolls=_starter_rolls(state, seats),
        starter=words.setting("starter", state.options.starter) if state.number == 1 else "",
        ranking=ending.ranking(seats, ended),
        stood_in=stood_in,
        reason=ended.reason if ended else None,
        narration=ending.narration(narration, stood_in),
    )


def _speaks(state: State) -> bool:
    return state.phase in ("turn", "claims")


def _totals(state: State) -> tuple[int | None, int | None]:
    """The number of dice that are left, and that of the round which is shown; None: hidden."""
    counted = [number for number in shown_dice(state, None) if number is not None]
    left = sum(counted) if len(counted) == state.seats else None
    if left is not None and state.result:
        # Those of the round that is revealed: one fewer would tell the outcome.
        return left, sum(map(len, state.result.hands))
    return left, None if state.phase == "over" else left


def _starter_rolls(state: State, seats: Sequence[SeatView]) -> list[list[Roll]]:
    if state.number != 1:
        return []
    return [
        [Roll(seat=seats[number], dice=list(rolled)) for number, rolled in rolls]
        for rolls in state.starter_rolls
    ]


def _seat(
    state: State,
    player: Player,
    ended: Outcome | None,
    moods: Mapping[int, str],
    *,
    says: str,
    hands: Sequence[Sequence[OpenDie] | None] | None,
) -> SeatView:
    number = player["number"]
    dice = shown_dice(state, None)[number]
    shown = None if state.result is None else pace.animation(state.result)
    if hands is not None:
        hand = hands[number]
    else:
        hand = None if shown is None else reveal.open_hand(state, number, shown)
    last = next((bid for bidder, bid in reversed(state.bids) if bidder == number), None)
    is_bot, out, speaks = player["is_bot"], number in state.out, _speaks(state)
    return SeatView(
        **named(player, bot=words.bot(player["bot"]) if is_bot else "", is_out=out),
        out=out,
        dice=dice,
        lost=None if dice is None else 5 - dice,
        turn=speaks and state.turn == number,
        next=speaks and state.turn != number and state.left_of(state.turn) == number,
        palifico=state.palifico == number,
        bid=None if last is None else ShownBid(quantity=last.quantity, face=last.face),
        earlier=last is not None and last not in [bid for _, bid in state.bids[-2:]],
        bidder=state.bidder == number,
        confirmed=number in state.confirmed,
        looked=number in state.confirmed and state.phase == "reveal",
        shout=_shout(state, number),
        says=says,
        mood=moods.get(number, "calm"),
        mood_order=reveal.mood_order(state, number) if number in moods else None,
        change=reveal.changes(state).get(number),
        judged=bool(state.bids),
        opens=None if shown is None else reveal.order(shown.cups[number]),
        hand=hand,
        place=ended.ranking.index((number,)) + 1 if ended else _place(state, number),
    )


def _made(bid: Bid, seat: SeatView) -> MadeBid:
    return MadeBid(quantity=bid.quantity, face=bid.face, seat=seat.number, name=seat.name)


def _shout(state: State, number: int) -> str | None:
    """The call that stands over a seat: a claim that waits, or the one that lifted the cups."""
    if number in state.claims:
        return "calza"
    lifted = None if _speaks(state) else state.result
    return lifted.call if lifted and lifted.caller == number else None


def _place(state: State, number: int) -> int | None:
    return state.seats - state.out.index(number) if number in state.out else None
