"""A running or finished game of Perudo as its viewers see it: plain values for the templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.contract.game_values import Look
from games.contract.shown import NamedSeat
from games.models import Game
from games.perudo import bid_control, odds, reveal, scene, words
from games.perudo.models import Round
from games.perudo.rules.bids import Bid
from games.perudo.rules.calza import why_no_calza
from games.perudo.rules.state import State
from games.perudo.rules.turns import to_act
from games.perudo.shown import (
    Controls,
    FaceChoice,
    Hand,
    OpenDie,
    OwnView,
    RoundView,
    ShownBid,
    Table,
)
from games.store import event_log
from games.table import bot_phrases, out_of_game, own_part, shown_seats
from games.table.common import milliseconds, seats_of


def table(look: Look) -> Table:
    """What everybody sees: built from the public facts alone."""
    game, state = look.game, look.known.state
    playing = game.status == Game.Status.PLAYING
    says = bot_phrases.spoken(game, look.seats, reveal.occasions(state), number=state.number)
    players = shown_seats.at_table(look.seats, look.names)
    return replace(
        scene.of_state(state, players, narration=_last_narration(look), says=says),
        due_ms=milliseconds(game.turn_ends_at) if playing else None,
        opens_ms=milliseconds(game.opens_at) if playing else None,
        turn_seconds=game.turn_seconds,
        odds=game.show_odds,
        rated=look.rated,
        seq=game.seq,
        earlier=_last_earlier(game, state),
    )


def own(look: Look, number: int | None, *, known: State | None = None) -> OwnView:
    """What the seat `number` holds and may do; None is a spectator.

    `known`: the state as this seat was told it, when that has been read already.
    """
    game = look.game
    state: State = known or event_log.seat_view(game, number)
    waiting = len(to_act(state)) if state.phase == "reveal" else 0
    if number is None:
        told = reveal.told(state, look.names, None)
        watched = OwnView(seat=None, round=state.number, result=told)
        return own_part.of_viewer(watched, look, waiting=waiting)
    return own_part.of_viewer(_of_player(look, number, state), look, waiting=waiting)


def _of_player(look: Look, number: int, state: State) -> OwnView:
    game, seat = look.game, look.seats[number]
    playing = game.status == Game.Status.PLAYING
    inside = playing and state.dice[number] > 0 and not seat.gone
    view = own_part.of_player(
        choices(state, number, inside=inside),
        look,
        seat,
        inside=inside,
        tell=lambda fact: words.narrate_to_you(fact, number),
    )
    view = replace(
        view,
        round=state.number,
        result=reveal.told(state, look.names, number),
        open=reveal.opened(state, number),
        narration=_narration_for(look, number),
        has_room=inside and not view.my_turn and state.phase in ("turn", "claims"),
        became=reveal.changes(state).get(number),
        opens_round=view.my_turn and not state.bids,
        due_ms=milliseconds(game.turn_ends_at) if view.my_turn and playing else None,
    )
    if view.my_turn:
        opens_ms = milliseconds(game.opens_at)
        view = replace(view, controls=replace(view.controls, opens_ms=opens_ms))
    if inside and odds.are_shown(game, state, number):
        faces = [_with_chance(state, number, each) for each in view.controls.faces]
        controls = replace(view.controls, faces=faces)
        view = replace(view, odds=odds.of_last_bid(state, number), controls=controls)
    if playing and view.out:
        outside = out_of_game.choices(game, look.seats, state, number)
        view = replace(view, outside=outside)
    return view


def _with_chance(state: State, number: int, choice: FaceChoice) -> FaceChoice:
    """A face with how likely the least bid on it is true for this seat."""
    if choice.min is None:
        return choice
    return replace(choice, chance=odds.of_bid(state, number, Bid(choice.min, choice.face)))


def choices(state: State, number: int, *, inside: bool = True, by_hand: bool = True) -> OwnView:
    """What the seat `number` holds and may do in a state it knows.

    `inside`: it still plays; `by_hand`: the bid that is ready goes by its dice. The tutorial's
    does not, since it would give the answer away.
    """
    plays = inside and state.phase in ("turn", "claims") and state.dice[number] > 0
    my_turn = plays and state.turn == number
    faces, ready = (
        bid_control.faces(state, state.hand(number) if by_hand else ()) if plays else ([], None)
    )
    bids_made = sum(1 for bidder, _ in state.bids if bidder == number)
    return OwnView(
        seat=number,
        hand=list(state.hands[number] or ()),
        out=state.dice[number] == 0,
        my_turn=my_turn,
        choice=f"{state.number}-{bids_made}" if plays else "",
        must_confirm=inside and state.phase == "reveal" and number not in state.confirmed,
        confirmed=state.phase == "reveal" and number in state.confirmed,
        controls=Controls(
            faces=faces,
            quantity=None if ready is None else ready.quantity,
            most=state.most,
            can_bid=my_turn and ready is not None,
            can_prepare=plays and not my_turn and ready is not None,
            can_dudo=my_turn and bool(state.bids),
            can_calza=inside and why_no_calza(state, number) is None,
        ),
    )


def last_earlier_round(game: Game) -> int:
    """The number of the last round the story tells; 0: it is empty, or closed while it runs (P45).

    While the cups are up the round they end is not yet an earlier one.
    """
    if game.status not in (Game.Status.PLAYING, Game.Status.FINISHED):
        return 0
    return _last_earlier(game, event_log.public_state(game))


def _last_earlier(game: Game, state: State) -> int:
    if game.status == Game.Status.FINISHED:
        return state.number
    open_now = state.options.lost_dice_visible and state.number > state.first_round
    return state.number - 1 if open_now else 0


def earlier_rounds(game: Game) -> list[RoundView]:
    """The rounds the story of a running or finished game tells, newest first."""
    last = last_earlier_round(game)
    if last == 0:
        return []
    seats = [NamedSeat(number=seat.number, name=seat.name) for seat in seats_of(game)]
    return [row for row in rounds(game, seats) if row.number <= last]


def rounds(game: Game, seats: Sequence[NamedSeat]) -> list[RoundView]:
    """The finished rounds of a game, newest first."""
    rows = Round.objects.filter(game=game, seq__lte=game.seq).order_by("-number")
    told = rows.values(
        *("number", "quantity", "face", "call", "count", "palifico", "hands"),
        *("bidder__number", "caller__number", "loser__number", "gainer__number"),
    )
    return [
        RoundView(
            number=row["number"],
            bid=ShownBid(quantity=row["quantity"], face=row["face"]),
            call=row["call"],
            count=row["count"],
            hands=[
                Hand(number=seat.number, name=seat.name, dice=dice)
                for seat in seats
                if (dice := _dice(row, seat.number))
            ],
            bidder=seats[row["bidder__number"]],
            caller=seats[row["caller__number"]],
            loser=_seat(seats, row["loser__number"]),
            gainer=_seat(seats, row["gainer__number"]),
        )
        for row in told
    ]


def _dice(row: Mapping[str, Any], number: int) -> list[OpenDie]:
    palifico = row["palifico"] is not None
    return reveal.judged(row["hands"][number], row["face"], palifico=palifico)


def _seat(seats: Sequence[NamedSeat], number: int | None) -> NamedSeat | None:
    return None if number is None else seats[number]


def _last_narration(look: Look) -> str:
    """One sentence or more about what happened last, for those who listen to the page."""
    told = (words.narrate(each.fact, look.names) for each in look.known.news)
    return " ".join(filter(None, told))


def _narration_for(look: Look, number: int) -> str:
    """What happened last in sentences to the player at this seat; empty when not about them.

    For the live region of the page.
    """
    facts = [each.fact for each in look.known.news]
    yours = {fact: text for fact in facts if (text := words.narrate_to_you(fact, number))}
    if not yours:
        return ""
    every = (yours.get(fact) or words.narrate(fact, look.names) for fact in facts)
    return " ".join(filter(None, every))
