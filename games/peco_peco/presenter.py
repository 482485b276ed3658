"""A running or finished game of Peco Peco as its viewers see it: plain values for the templates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import ngettext

from games.core.contract import Fact
from games.models import Game, Seat
from games.peco_peco import last_step, words
from games.peco_peco.models import Round
from games.peco_peco.rules.events import HonestyShown, OutOfRound
from games.peco_peco.rules.outcome import outcome, points
from games.peco_peco.rules.scoring import Laid, is_set, value
from games.peco_peco.rules.stakes import FOODS, STAKES
from games.peco_peco.rules.state import RoundResult, State, is_untouched, shared_buffet
from games.peco_peco.rules.turns import (
    is_bluff,
    is_playable,
    targets,
    to_act,
    why_no_accusation,
    why_no_waiver,
    why_not_on_turn,
)
from games.rendering.common import milliseconds, rematch_code, seats_of
from games.store import event_log

SeatView = dict[str, Any]
MOST_NAMES = 3  # of those who play on
LOG_LINES = 12  # the last moves of the round that the table lists


def table(game: Game) -> dict[str, Any]:
    """What everybody sees: built from the public facts alone."""
    state: State = event_log.public_state(game)
    seats = seats_of(game)
    names = [seat.name for seat in seats]
    steps = last_step.steps(event_log.known(game).since)
    news = steps[-1].facts if steps else ()
    told = (each.fact for each in event_log.latest_public_facts(game))
    view = scene(state, seats, told=_sentences(told, names), news=news)
    playing = game.status == Game.Status.PLAYING
    view["due_ms"] = milliseconds(game.turn_ends_at) if playing else None
    view["move"] = steps[-1].seq if steps else None
    view["log"] = [line for step in steps[-LOG_LINES:] if (line := _sentences(step.facts, names))]
    view["game"] = game
    view["seq"] = game.seq
    view["earlier"] = last_earlier_round(game)
    return view


def scene(
    state: State, seats: Sequence[Seat], *, told: str, news: Sequence[Fact] = ()
) -> dict[str, Any]:
    """The table as one state shows it; serves live games, replays and the tutorial.

    `news` are the public facts of the last move: what seats shout, a hand that was shown, and the
    cards that changed hands come from them.
    """
    ended = outcome(state)
    views = [_seat(state, seat, news, ended) for seat in seats]
    turn = _on_turn(state)
    return {
        "phase": state.phase,
        "round": state.number,
        "seats": views,
        "turn": None if turn is None else views[turn],
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
        "happened": last_step.sentences(news, [seat.name for seat in seats]),
        "shown": _shown(news, views),
        "result": state.result and _result(state, state.result, views),
        "ranking": [
            {"place": place, "seat": views[number]}
            for place, number in (ended.places() if ended else ())
        ],
        "winners": [views[number]["name"] for number in (ended.winners if ended else ())],
        "reason": ended.reason if ended else None,
        "told": told,
        "log": [],
        "due_ms": None,
    }


def own(game: Game, number: int | None, *, known: State | None = None) -> dict[str, Any]:
    """What the seat `number` holds and may do; None is a spectator.

    `known`: the state as this seat was told it, when that has been read already.
    """
    state: State = known or event_log.known_to(game, number)
    playing = game.status == Game.Status.PLAYING
    view: dict[str, Any] = {
        "seat": number,
        "seq": game.seq,
        "over": not playing,
        "waiting": len(to_act(state)) if state.phase == "reveal" else 0,
        "rematch_code": rematch_code(game),
    }
    if number is None:
        return view
    seats = seats_of(game)
    seat = seats[number]
    inside = playing and not seat.gone
    facts = [each.fact for each in event_log.latest_public_facts(game)]
    view |= choices(state, number, seats, inside=inside)
    _choose_the_only_card(view["hand"])
    view |= {
        "told": last_step.told_to(facts, number, [each.name for each in seats]),
        "has_room": inside
        and not (seat.asleep or view["out"] or view["my_turn"])
        and state.phase in ("turn", "claims"),
        "standing": _standing(state, number) if state.phase == "reveal" else None,
        "away": _away(game, state, seats, number) if view["out"] else None,
        "just_out": OutOfRound(number) in facts,
        "asleep": inside and seat.asleep,
        "gone": seat.gone,
        "can_rematch": not playing,
        "place": None if playing else seat.place,
        "is_guest": seat.user is not None and seat.user.is_guest,
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
    won = {each["food"] for each in _foods(shared_buffet(state, number)) if each["cards"]}
    missing = [words.food(food) for food in FOODS if food not in won]
    return _buffet(state, number) | {"missing": ", ".join(missing)}


def _away(game: Game, state: State, seats: Sequence[Seat], number: int) -> dict[str, Any]:
    """For a seat that is out of the round: why, who plays on, for what, and whether it is the last
    round. Of many who play on, whom the table shows, only the number: a phone has no room.
    """
    left = len(state.active)
    names = ", ".join(seats[seat].name for seat in state.active)
    count = ngettext("%(count)d player", "%(count)d players", left) % {"count": left}
    return {
        "why": last_step.why_out(event_log.known(game).since, number),
        "left": names if left <= MOST_NAMES else count,
        "stake": words.stake(state.stake_id),
        "last": not state.food_left,
    }


def last_earlier_round(game: Game) -> int:
    """The number of the last round the story tells; 0: there is none yet."""
    if game.status not in (Game.Status.PLAYING, Game.Status.FINISHED):
        return 0
    state: State = event_log.public_state(game)
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


def _seat(state: State, seat: Seat, news: Sequence[Fact], ended: Any) -> SeatView:
    number = seat.number
    removed = number in state.removed
    result = state.result
    return _buffet(state, number) | {
        "number": number,
        "name": seat.name,
        "username": seat.user and seat.user.get_username(),
        "avatar": seat.avatar,
        "is_bot": bool(seat.bot),
        "bot": words.bot(seat.bot) if seat.bot else "",
        "asleep": seat.asleep and not removed,
        "gone": seat.gone,
        "removed": removed,
        "out": removed or number in state.out,
        "size": state.sizes[number],
        "turn": _on_turn(state) == number,
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


def _buffet(state: State, number: int) -> dict[str, Any]:
    """What a seat has won: `new` is the kind of dish that the round on the table has brought."""
    buffet = state.buffets[number]
    return {
        "points": points(state, number),
        "foods": _foods(buffet),
        "new": _new_dish(state, number),
        "down": sum(laid.facing == "down" for laid in buffet),
        "tilted": [STAKES[laid.stake].food for laid in buffet if laid.facing == "tilted"],
        "complete": is_set(shared_buffet(state, number)),
        "completed": _has_completed(state, number),
    }


def _new_dish(state: State, seat: int) -> str | None:
    """The kind of dish that the round on the table has just brought this seat; None: nothing."""
    if state.result is None or state.result.winner != seat:
        return None
    return STAKES[state.result.stake].food


def _has_completed(state: State, seat: int) -> bool:
    """Whether the round on the table gave the side of this seat its set (Q37, Q41)."""
    buffet = shared_buffet(state, seat)
    if state.result is None or not is_set(buffet):
        return False
    return not is_set(laid for laid in buffet if laid.stake != state.result.stake)


def _foods(buffet: Iterable[Laid]) -> list[dict[str, Any]]:
    """For each type the cards that lie face up, and what they are worth together (Q38)."""
    up = [laid for laid in buffet if laid.facing == "up"]
    piles = ((food, [one for one in up if STAKES[one.stake].food == food]) for food in FOODS)
    return [{"food": food, "cards": len(pile), "points": value(pile)} for food, pile in piles]


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
    return " ".join(filter(None, (words.told(fact, names) for fact in facts)))
