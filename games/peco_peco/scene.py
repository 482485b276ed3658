"""The table of Peco Peco as one state shows it: live games, replays, questions, the tutorial."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.contract.shown import Player, named
from games.core.contract import Fact, Outcome
from games.peco_peco import buffets, last_step, words
from games.peco_peco.last_moves import consequence, last_moves
from games.peco_peco.last_step import Step
from games.peco_peco.rules.cards import Card
from games.peco_peco.rules.events import HonestyShown
from games.peco_peco.rules.outcome import is_near_set, outcome
from games.peco_peco.rules.stakes import STAKES
from games.peco_peco.rules.state import State, is_untouched
from games.peco_peco.rules.turns import next_turn
from games.peco_peco.shown import LastStep, OpenHand, Result, SeatView, StakeView, Table
from games.table import ending

Hands = Sequence[Sequence[Card] | None]  # by seat


def of_state(
    state: State,
    players: Sequence[Player],
    *,
    narration: str,
    news: Sequence[Fact] = (),
    steps: Sequence[Step] = (),
    hands: Hands | None = None,
) -> Table:
    """The table with these players.

    `news` are the public facts of the last move: what seats shout, a hand that was shown, and the
    cards that changed hands come from them. `steps` are all moves of the round with these facts,
    where the caller has them. `hands` are the hands that lie open; by default none.
    """
    news, steps = (steps[-1].facts, steps) if steps else (news, [Step(0, list(news))])
    ended, turn, following = outcome(state), _on_turn(state), next_turn(state)
    names = [player["name"] for player in players]
    seats = [_seat(state, player, news, ended=ended, hands=hands) for player in players]
    stood_in = ending.stood_in(seats, ended)
    return Table(
        phase=state.phase,
        round=state.number,
        most_rounds=state.number + state.food_left,
        seats=seats,
        turn=None if turn is None else seats[turn],
        next=None if following is None else seats[following],
        choosing=bool(state.choices) and state.phase == "turn",
        stake=stake(state.stake_id),
        direction="clockwise" if state.direction == 1 else "anticlockwise",
        direction_words=words.direction(state.direction),
        top=state.top,
        owner=None if state.owner is None else seats[state.owner],
        starter=seats[state.starter],
        begins=is_untouched(state),
        declarer=None if state.declarer is None else seats[state.declarer],
        last=_last_step(news, names),
        moves=last_moves(state, steps, names),
        result=_result(state, seats),
        ranking=ending.ranking(seats, ended),
        winners=[seats[number].name for number in (ended.winners if ended else ())],
        stood_in=stood_in,
        reason=ended.reason if ended else None,
        narration=ending.narration(narration, stood_in),
    )


def stake(number: str) -> StakeView:
    """A Food card in words (Q2)."""
    one = STAKES[number]
    return StakeView(
        id=one.id,
        rule=one.rule,
        dishes=words.stake(one.id),
        rule_name=words.rule(one.rule),
        rule_help=words.rule_help(one.rule),
        prizes=words.prizes(one),
    )


def _on_turn(state: State) -> int | None:
    """The seat that has to move; None in a slap window and after a round."""
    if state.phase != "turn":
        return None
    return state.solo if state.choices else state.turn


def _seat(
    state: State,
    player: Player,
    news: Sequence[Fact],
    *,
    ended: Outcome | None,
    hands: Hands | None,
) -> SeatView:
    number, is_bot = player["number"], player["is_bot"]
    removed = number in state.removed
    won = state.result is not None and state.result.winner == number
    places = {seat: place for place, seat in ended.places()} if ended else {}
    return SeatView(
        **named(player, bot=words.bot(player["bot"]) if is_bot else "", is_out=removed),
        buffet=buffets.won(state, number),
        removed=removed,
        out=removed or number in state.out,
        size=state.sizes[number],
        turn=_on_turn(state) == number,
        next=number == next_turn(state),
        near=is_near_set(state, number),
        owner=state.owner == number and state.phase in ("turn", "claims"),
        side=state.sides.index(state.side_of(number)) + 1 if state.teams else None,
        shout=last_step.shout(state, number, news),
        mood="sure" if won or places.get(number) == 1 else last_step.mood(number, news),
        change=last_step.change(number, news),
        won=won and not ended,
        confirmed=number in state.confirmed and state.phase == "reveal",
        place=places.get(number),
        hand=None if hands is None else hands[number],
    )


def _last_step(news: Sequence[Fact], names: Sequence[str]) -> LastStep:
    return LastStep(
        kind=last_step.kind(news),
        verdict=last_step.verdict(news),
        happened=last_step.sentences(news, names),
        shown=_shown(news, names),
        consequence=consequence(news, names),
    )


def _shown(news: Iterable[Fact], names: Sequence[str]) -> OpenHand | None:
    for fact in news:
        if isinstance(fact, HonestyShown):
            return OpenHand(name=names[fact.accused], hand=fact.hand)
    return None


def _result(state: State, seats: Sequence[SeatView]) -> Result | None:
    result = state.result
    if result is None:
        return None
    return Result(
        winner=None if result.winner is None else seats[result.winner],
        stake=stake(result.stake),
        last=not state.food_left,
    )
