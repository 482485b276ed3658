"""A running or finished game of Perudo as its viewers see it: plain values for the templates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.game_values import Look
from games.models import Game, Seat
from games.perudo import bid_control, odds, pace, reveal, words
from games.perudo.models import Round
from games.perudo.rules.bids import Bid
from games.perudo.rules.calza import why_no_calza
from games.perudo.rules.outcome import outcome
from games.perudo.rules.state import State, shown_dice
from games.perudo.rules.turns import to_act
from games.rendering import bot_phrases, eliminated, ending, own_part
from games.rendering.common import milliseconds, seats_of
from games.store import event_log

SeatView = dict[str, Any]


def table(look: Look) -> dict[str, Any]:
    """What everybody sees: built from the public facts alone."""
    game, state = look.game, look.known.state
    view = scene(state, look.seats, narration=_last_narration(look), names=look.names)
    playing = game.status == Game.Status.PLAYING
    view["due_ms"] = milliseconds(game.turn_ends_at) if playing else None
    view["opens_ms"] = milliseconds(game.opens_at) if playing else None
    view["turn_seconds"] = game.turn_seconds
    view["odds"] = game.show_odds
    view["seq"] = game.seq
    view["earlier"] = _last_earlier(game, state)
    said = bot_phrases.spoken(game, look.seats, reveal.occasions(state), number=state.number)
    for number, words_said in said.items():
        view["seats"][number]["says"] = words_said
    return view


def scene(
    state: State, seats: Sequence[Seat], *, narration: str, names: Sequence[str] | None = None
) -> dict[str, Any]:
    """The table as one state shows it; serves live games and replays.

    `names` are those of the seats, if the caller has them already.
    """
    dice = shown_dice(state, None)
    ended = outcome(state)
    shown = None if state.result is None else pace.animation(state.result)
    changes = reveal.changes(state)
    views = [
        _seat(state, seat, name, dice[seat.number], shown, ended, changes.get(seat.number))
        for seat, name in zip(seats, names or [seat.name for seat in seats], strict=True)
    ]
    bids = [_bid(bid, views[number]) for number, bid in state.bids]
    speaks = state.phase in ("turn", "claims")
    counted = [number for number in dice if number is not None]
    total = sum(counted) if len(counted) == len(dice) else None
    in_play = total
    if total is not None and state.result:
        # Those of the round that is revealed: one fewer would tell the outcome.
        in_play = sum(map(len, state.result.hands))
    elif state.phase == "over":
        in_play = None
    stood_in = ending.stood_in(seats, views, ended)
    return {
        "phase": state.phase,
        "round": state.number,
        "seats": views,
        "bid": bids[-1] if bids else None,
        "bids": bids,
        "turn": views[state.turn] if speaks else None,
        "palifico": None if state.palifico is None else views[state.palifico],
        "total": in_play,
        "lost_total": None if total is None else state.most - total,
        "most": state.most,
        "result": reveal.result_of(state, views, shown),
        "starter_rolls": [
            [{"seat": views[number], "dice": list(rolled)} for number, rolled in rolls]
            for rolls in state.starter_rolls
        ]
        if state.number == 1
        else [],
        "starter": words.setting("starter", state.options.starter) if state.number == 1 else "",
        "ranking": [
            {"place": place, "seat": views[number]}
            for place, number in (ended.places() if ended else ())
        ],
        "stood_in": stood_in,
        "reason": ended.reason if ended else None,
        "narration": ending.narration(narration, stood_in),
        "due_ms": None,
        "opens_ms": None,
        "turn_seconds": None,
        "odds": False,
    }


def own(look: Look, number: int | None, *, known: State | None = None) -> dict[str, Any]:
    """What the seat `number` holds and may do; None is a spectator.

    `known`: the state as this seat was told it, when that has been read already.
    """
    game = look.game
    state: State = known or event_log.seat_view(game, number)
    playing = game.status == Game.Status.PLAYING
    waiting = len(to_act(state)) if state.phase == "reveal" else 0
    view = own_part.of_viewer(look, number, waiting=waiting) | {
        "round": state.number,
        "most": state.most,
    }
    view |= reveal.panel(state, look.names, number)
    if number is None:
        return view
    seat = look.seats[number]
    inside = playing and state.dice[number] > 0 and not seat.gone
    can = choices(state, number, inside=inside)
    odds_shown = inside and odds.are_shown(game, state, number)
    if odds_shown:
        for each in can["faces"]:
            least = each["min"] and Bid(each["min"], each["face"])
            each["chance"] = least and odds.of_bid(state, number, least)
    view |= can
    view |= own_part.of_player(
        look, seat, inside=inside, tell=lambda fact: words.narrate_to_you(fact, number)
    )
    view |= {
        "narration": _narration_for(look, number),
        # Where a player only waits, the page lays the bids and the phrases over the panel.
        "has_room": inside and not can["my_turn"] and state.phase in ("turn", "claims"),
        "became": reveal.changes(state).get(number),
        "opens_round": can["my_turn"] and not state.bids,
        "odds": odds.of_last_bid(state, number) if odds_shown else None,
        "opens_ms": milliseconds(game.opens_at) if can["my_turn"] else None,
        "due_ms": milliseconds(game.turn_ends_at) if can["my_turn"] and playing else None,
    }
    if playing and can["out"]:
        view |= eliminated.choices(game, look.seats, state, number)
    return view


def choices(
    state: State, number: int, *, inside: bool = True, by_hand: bool = True
) -> dict[str, Any]:
    """What the seat `number` holds and may do in a state it knows.

    `inside`: it still plays; `by_hand`: the bid that is ready goes by its dice. The tutorial's
    does not, since it would give the answer away. `can_prepare`: it may choose its next bid while
    others think; `choice` names the bid that a choice is for.
    """
    plays = inside and state.phase in ("turn", "claims") and state.dice[number] > 0
    my_turn = plays and state.turn == number
    faces, ready = (
        bid_control.faces(state, state.hand(number) if by_hand else ()) if plays else ([], None)
    )
    bids_made = sum(1 for bidder, _ in state.bids if bidder == number)
    return {
        "hand": list(state.hands[number] or ()),
        "out": state.dice[number] == 0,
        "my_turn": my_turn,
        "faces": faces,
        "quantity": ready and ready.quantity,
        "can_bid": my_turn and ready is not None,
        "can_prepare": plays and not my_turn and ready is not None,
        "choice": f"{state.number}-{bids_made}" if plays else "",
        "can_dudo": my_turn and bool(state.bids),
        "can_calza": inside and why_no_calza(state, number) is None,
        "must_confirm": inside and state.phase == "reveal" and number not in state.confirmed,
        "confirmed": state.phase == "reveal" and number in state.confirmed,
    }


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


def earlier_rounds(game: Game) -> list[dict[str, Any]]:
    """The rounds the story of a running or finished game tells, newest first."""
    last = last_earlier_round(game)
    if last == 0:
        return []
    views = [{"number": seat.number, "name": seat.name} for seat in seats_of(game)]
    return [row for row in rounds(game, views) if row["number"] <= last]


def rounds(game: Game, views: Sequence[SeatView]) -> list[dict[str, Any]]:
    """The finished rounds of a game, newest first."""
    rows = Round.objects.filter(game=game, seq__lte=game.seq).order_by("-number")
    roles = ("bidder", "caller", "loser", "gainer")
    told = rows.values(
        *("number", "quantity", "face", "call", "count", "palifico", "hands"),
        *(f"{role}__number" for role in roles),
    )
    return [
        {
            "number": row["number"],
            "bid": {"quantity": row["quantity"], "face": row["face"]},
            "call": row["call"],
            "count": row["count"],
            "hands": [
                {"name": view["name"], "dice": dice}
                for view in views
                if (
                    dice := reveal.judged(
                        row["hands"][view["number"]], row["face"], row["palifico"]
                    )
                )
            ],
        }
        | {role: _view(views, row[f"{role}__number"]) for role in roles}
        for row in told
    ]


def _view(views: Sequence[SeatView], number: int | None) -> SeatView | None:
    return None if number is None else views[number]


# --- the parts -----------------------------------------------------------------------------------


def _seat(
    state: State,
    seat: Seat,
    name: str,
    dice: int | None,
    shown: pace.Animation | None,
    ended: Any,
    change: str | None,
) -> SeatView:
    number = seat.number
    last = next((bid for bidder, bid in reversed(state.bids) if bidder == number), None)
    speaks = state.phase in ("turn", "claims")
    return {
        "number": number,
        "name": name,
        "username": seat.user and seat.user.get_username(),
        "avatar": seat.avatar,
        "is_bot": bool(seat.bot),
        "bot": words.bot(seat.bot) if seat.bot else "",
        "asleep": seat.asleep and number not in state.out,
        "away": seat.missed > 0,
        "gone": seat.gone,
        "out": number in state.out,
        "dice": dice,
        "lost": None if dice is None else 5 - dice,
        "turn": speaks and state.turn == number,
        "next": speaks and state.turn != number and state.left_of(state.turn) == number,
        "palifico": state.palifico == number,
        "bid": last and {"quantity": last.quantity, "face": last.face},
        "earlier": last is not None and last not in [bid for _, bid in state.bids[-2:]],
        "bidder": bool(state.bids) and state.bids[-1][0] == number,
        "confirmed": number in state.confirmed,
        "looked": number in state.confirmed and state.phase == "reveal",
        "shout": _shout(state, number),
        "says": "",
        "change": change,
        "judged": bool(state.bids),  # dice that do not match the bid are dimmed
        "opens": shown and reveal.order(shown.cups[number]),
        "hand": shown and reveal.open_hand(state, number, shown),
        "place": ended.ranking.index((number,)) + 1 if ended else _place(state, number),
    }


def _bid(bid: Bid, seat: SeatView) -> dict[str, Any]:
    return {
        "quantity": bid.quantity,
        "face": bid.face,
        "seat": seat["number"],
        "name": seat["name"],
    }


def _shout(state: State, number: int) -> str | None:
    """The call that stands over a seat: a claim that waits, or the one that lifted the cups."""
    if number in state.claims:
        return "calza"
    lifted = state.result if state.phase not in ("turn", "claims") else None
    return lifted.call if lifted and lifted.caller == number else None


def _place(state: State, number: int) -> int | None:
    return state.seats - state.out.index(number) if number in state.out else None


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
