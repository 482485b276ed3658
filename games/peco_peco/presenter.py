"""A running or finished game of Peco Peco as its viewers see it: plain values for the templates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language, ngettext

from games.core.contract import Fact, Outcome
from games.game_values import Look
from games.models import Game, Seat
from games.peco_peco import buffets, last_step, words
from games.peco_peco.last_moves import consequence, consequence_for, last_moves, moves_for
from games.peco_peco.last_step import Step
from games.peco_peco.models import Round
from games.peco_peco.rules.events import HonestyShown, OutOfRound
from games.peco_peco.rules.outcome import is_near_set, outcome
from games.peco_peco.rules.stakes import FOODS, STAKES
from games.peco_peco.rules.state import RoundResult, State, is_untouched, shared_buffet
from games.peco_peco.rules.turns import (
    is_bluff,
    is_playable,
    next_turn,
    targets,
    to_act,
    why_no_accusation,
    why_no_waiver,
    why_not_on_turn,
)
from games.rendering import ending, own_part
from games.rendering.common import milliseconds, seats_of
from games.store import event_log

SeatView = dict[str, Any]
MOST_NAMES = 3  # of those who play on
LOG_LINES = 12  # the last moves of the round that the table lists


def table(look: Look) -> dict[str, Any]:
    """What everybody sees: built from the public facts alone."""
    game, state, names = look.game, look.known.state, look.names
    steps = last_step.steps(look.known.since)
    narration = _sentences([each.fact for each in look.known.news], names)
    view = scene(state, look.seats, narration=narration, steps=steps, names=names)
    playing = game.status == Game.Status.PLAYING
    view["due_ms"] = milliseconds(game.turn_ends_at) if playing else None
    view["move"] = steps[-1].seq if steps else None
    view["log"] = [line for step in steps[-LOG_LINES:] if (line := _sentences(step.facts, names))]
    view["turn_seconds"] = game.turn_seconds
    view["seq"] = game.seq
    view["earlier"] = _last_earlier(game, state)
    return view


def scene(
    state: State,
    seats: Sequence[Seat],
    *,
    narration: str,
    news: Sequence[Fact] = (),
    steps: Sequence[Step] = (),
    names: Sequence[str] | None = None,
) -> dict[str, Any]:
    """The table as one state shows it; serves live games, replays and the tutorial.

    `news` are the public facts of the last move: what seats shout, a hand that was shown, and the
    cards that changed hands come from them. `steps` are all moves of the round with these facts,
    where the caller has them, and `names` those of the seats.
    """
    news, steps = (steps[-1].facts, steps) if steps else (news, [Step(0, list(news))])
    ended = outcome(state)
    names = names or [seat.name for seat in seats]
    turn, following = _on_turn(state), next_turn(state)
    views = [
        _seat(state, seat, name, news, following=following, ended=ended)
        for seat, name in zip(seats, names, strict=True)
    ]
    stood_in = ending.stood_in(seats, views, ended)
    return {
        "phase": state.phase,
        "round": state.number,
        "seats": views,
        "turn": None if turn is None else views[turn],
        "next": None if following is None else views[following],
        "choosing": bool(state.choices) and state.phase == "turn",
        "stake": stake(state.stake_id),
        "direction": "clockwise" if state.direction == 1 else "anticlockwise",
        "direction_words": words.direction(state.direction),
        "top": state.top,
        "owner": None if state.owner is None else views[state.owner],
        "starter": views[state.starter],
        "begins": is_untouched(state),
        "declarer": None if state.declarer is None else views[state.declarer],
        "most_rounds": state.number + state.food_left,
        "move": None,  # the number of the last move, where it may be animated
        "kind": last_step.kind(news),
        "verdict": last_step.verdict(news),
        "happened": last_step.sentences(news, names),
        "shown": _shown(news, views),
        "consequence": consequence(news, names),
        "moves": last_moves(state, steps, names),
        "result": state.result and _result(state, state.result, views),
        "ranking": [
            {"place": place, "seat": views[number]}
            for place, number in (ended.places() if ended else ())
        ],
        "winners": [views[number]["name"] for number in (ended.winners if ended else ())],
        "stood_in": stood_in,
        "reason": ended.reason if ended else None,
        "narration": ending.narration(narration, stood_in),
        "log": [],
        "due_ms": None,
        "turn_seconds": None,
    }


def own(look: Look, number: int | None, *, known: State | None = None) -> dict[str, Any]:
    """What the seat `number` holds and may do; None is a spectator.

    `known`: the state as this seat was told it, when that has been read already.
    """
    game, seats = look.game, look.seats
    state: State = known or event_log.seat_view(game, number)
    playing = game.status == Game.Status.PLAYING
    waiting = len(to_act(state)) if state.phase == "reveal" else 0
    view = own_part.of_viewer(look, number, waiting=waiting)
    steps = last_step.steps(look.known.since)
    view["moves"] = moves_for(state, steps, look.names, number)
    if number is None:
        return view
    seat = seats[number]
    inside = playing and not seat.gone
    facts = [each.fact for each in look.known.news]
    view |= choices(state, number, seats, inside=inside)
    _choose_the_only_card(view["hand"])
    view |= own_part.of_player(
        look,
        seat,
        inside=inside,
        tell=lambda fact: words.narrate_to_you(fact, number, look.names),
    )
    view |= {
        "narration": last_step.narration_for(facts, number, look.names),
        "has_room": inside
        and not (seat.asleep or view["out"] or view["my_turn"])
        and state.phase in ("turn", "claims"),
        "became": consequence_for(steps[-1].facts, look.names, number) if steps else None,
        "buffet": buffets.won(state, number),
        "standing": _standing(state, number) if state.phase == "reveal" else None,
        "away": _away(look, state, number) if view["out"] else None,
        "just_out": OutOfRound(number) in facts,
        "due_ms": milliseconds(game.turn_ends_at) if view["my_turn"] else None,
    }
    return view


def choices(
    state: State, number: int, seats: Sequence[Seat], *, inside: bool = True
) -> dict[str, Any]:
    """What the seat `number` holds and may do in a state it knows; `inside`: it still plays.

    To declare is offered on every turn, to accuse to every entitled seat, whatever it holds (C4).
    `bluff` says what only this seat may know: that it could play (Q13).
    """
    hand = state.hands[number] or ()
    to_choose = inside and state.phase == "turn" and bool(state.choices) and number == state.solo
    my_turn = inside and why_not_on_turn(state, number) is None
    playable = {one for one in hand if my_turn and is_playable(state, one)}
    robbed = {one: targets(state, number, one) for one in playable}
    victims = sorted({seat for each in robbed.values() for seat in each if seat is not None})
    return {
        "hand": [
            {
                "card": one,
                "playable": one in playable,
                "steals": robbed.get(one, (None,)) != (None,),
            }
            for one in hand
        ],
        "my_turn": my_turn or to_choose,
        "can_play": my_turn,
        "fits": bool(playable),
        "bluff": my_turn and is_bluff(state, number),
        "victims": [{"number": seat, "name": seats[seat].name} for seat in victims],
        "call": my_turn and state.options.peco_call == "on" and state.sizes[number] == 2,
        "can_accuse": inside and why_no_accusation(state, number) is None,
        "accused": None if state.declarer is None else seats[state.declarer].name,
        "can_waive": inside and why_no_waiver(state, number) is None,
        "waived": inside and state.phase == "claims" and number in state.waived,
        "window": state.phase == "claims",
        "teams": _offered_teams(state, seats) if to_choose else [],
        "out": inside and number in state.out and state.phase in ("turn", "claims"),
        "must_confirm": inside and state.phase == "reveal" and number not in state.confirmed,
        "confirmed": state.phase == "reveal" and number in state.confirmed,
    }


def _choose_the_only_card(hand: list[dict[str, Any]]) -> None:
    """A player who can play one card alone need not choose it first."""
    playable = [one for one in hand if one["playable"]]
    if len({one["card"] for one in playable}) == 1:
        playable[0]["chosen"] = True


def _standing(state: State, number: int) -> dict[str, Any]:
    """What a seat has won, and which dishes its side still needs for all three (Q37, Q41)."""
    won = {each["food"] for each in buffets.foods(shared_buffet(state, number)) if each["cards"]}
    missing = [words.food(food) for food in FOODS if food not in won]
    return buffets.won(state, number) | {"missing": ", ".join(missing)}


def _away(look: Look, state: State, number: int) -> dict[str, Any]:
    """For a seat that is out of the round: why, who plays on, for what, and whether it is the last
    round. Of many who play on, whom the table shows, only the number: a phone has no room.
    """
    left = len(state.active)
    names = ", ".join(look.names[seat] for seat in state.active)
    count = ngettext("%(count)d player", "%(count)d players", left) % {"count": left}
    return {
        "why": last_step.why_out(look.known.since, number),
        "left": names if left <= MOST_NAMES else count,
        "stake": words.stake(state.stake_id),
        "last": not state.food_left,
    }


def last_earlier_round(game: Game) -> int:
    """The number of the last round the story tells; 0: there is none yet."""
    if game.status not in (Game.Status.PLAYING, Game.Status.FINISHED):
        return 0
    return _last_earlier(game, event_log.public_state(game))


def _last_earlier(game: Game, state: State) -> int:
    return state.number if game.status == Game.Status.FINISHED else state.number - 1


def earlier_rounds(game: Game) -> list[dict[str, Any]]:
    """The rounds that are over, newest first, from what everybody saw of them."""
    last = last_earlier_round(game)
    if last == 0:
        return []
    names = [seat.name for seat in seats_of(game)]
    rows = Round.objects.filter(game=game, seq__lte=game.seq, number__lte=last).order_by("-number")
    return [
        {
            "number": number,
            "stake": stake(laid),
            "winner": None if winner is None else names[winner],
        }
        for number, laid, winner in rows.values_list("number", "stake", "winner__number")
    ]


def _offered_teams(state: State, seats: Sequence[Seat]) -> list[dict[str, Any]]:
    """The teams that the single player may join (Q42)."""
    sides = (state.sides[each] for each in state.choices)
    return [{"partner": side[0], "names": [seats[seat].name for seat in side]} for side in sides]


# --- the parts ------------------------------------------------------------------------------------


def stake(number: str) -> dict[str, Any]:
    """A Food card: its id, its rule, and both in words (Q2)."""
    one = STAKES[number]
    return {
        "id": one.id,
        "rule": one.rule,
        "dishes": words.stake(one.id),
        "rule_name": words.rule(one.rule),
        "rule_help": words.rule_help(one.rule),
        "prizes": words.prizes(one),
    }


def _on_turn(state: State) -> int | None:
    """The seat that has to move; None in a slap window and after a round."""
    if state.phase != "turn":
        return None
    return state.solo if state.choices else state.turn


def _seat(
    state: State,
    seat: Seat,
    name: str,
    news: Sequence[Fact],
    *,
    following: int | None,
    ended: Outcome | None,
) -> SeatView:
    number = seat.number
    removed = number in state.removed
    result = state.result
    return buffets.won(state, number) | {
        "number": number,
        "name": name,
        "username": seat.user and seat.user.get_username(),
        "avatar": seat.avatar,
        "is_bot": bool(seat.bot),
        "bot": words.bot(seat.bot) if seat.bot else "",
        "asleep": seat.asleep and not removed,
        "away": seat.missed > 0,
        "gone": seat.gone,
        "removed": removed,
        "out": removed or number in state.out,
        "size": state.sizes[number],
        "turn": _on_turn(state) == number,
        "next": number == following,
        "near": is_near_set(state, number),
        "owner": state.owner == number and state.phase in ("turn", "claims"),
        "side": state.sides.index(state.side_of(number)) + 1 if state.teams else None,
        "shout": last_step.shout(state, number, news),
        "change": last_step.change(number, news),
        "won": result is not None and result.winner == number and not ended,
        "confirmed": number in state.confirmed and state.phase == "reveal",
        "place": next((place for place, each in ended.places() if each == number), None)
        if ended
        else None,
    }


def _shown(news: Iterable[Fact], views: Sequence[SeatView]) -> dict[str, Any] | None:
    """The hand that an accused player has just shown; None: nobody has."""
    for fact in news:
        if isinstance(fact, HonestyShown):
            return {"name": views[fact.accused]["name"], "hand": fact.hand}
    return None


def _result(state: State, result: RoundResult, views: Sequence[SeatView]) -> dict[str, Any]:
    return {
        "winner": None if result.winner is None else views[result.winner],
        "stake": stake(result.stake),
        "last": not state.food_left,
    }


def _sentences(facts: Iterable[Fact], names: Sequence[str]) -> str:
    return _narration(tuple(facts), tuple(names), get_language())


@lru_cache(maxsize=5_000)  # the log lists a move again with every one that follows
def _narration(facts: Sequence[Fact], names: Sequence[str], language: str | None) -> str:
    """Public facts in sentences, in the language that is active."""
    return " ".join(filter(None, (words.narrate(fact, names) for fact in facts)))
