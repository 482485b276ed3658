"""A running or finished game of Peco Peco as its viewers see it: plain values for the templates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from django.utils.translation import get_language, ngettext

from games.contract.game_values import Look
from games.contract.shown import NamedSeat
from games.core.contract import Fact
from games.models import Game
from games.peco_peco import buffets, last_step, scene, words
from games.peco_peco.last_moves import consequence_for, moves_for
from games.peco_peco.models import Round
from games.peco_peco.rules.cards import Card
from games.peco_peco.rules.events import OutOfRound
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import (
    is_bluff,
    is_playable,
    targets,
    to_act,
    why_no_accusation,
    why_no_waiver,
    why_not_on_turn,
)
from games.peco_peco.shown import Away, Controls, HeldCard, OwnView, RoundView, Table, Team
from games.store import event_log
from games.table import own_part, shown_seats
from games.table.common import milliseconds, seats_of

MOST_NAMES = 3  # of those who play on
LOG_LINES = 12  # the last moves of the round that the table lists


def table(look: Look) -> Table:
    """What everybody sees: built from the public facts alone."""
    game, state, names = look.game, look.known.state, look.names
    steps = last_step.steps(look.known.since)
    narration = _sentences([each.fact for each in look.known.news], names)
    players = shown_seats.at_table(look.seats, names)
    playing = game.status == Game.Status.PLAYING
    return replace(
        scene.of_state(state, players, narration=narration, steps=steps),
        due_ms=milliseconds(game.turn_ends_at) if playing else None,
        move=steps[-1].seq if steps else None,
        log=[line for step in steps[-LOG_LINES:] if (line := _sentences(step.facts, names))],
        turn_seconds=game.turn_seconds,
        rated=look.rated,
        seq=game.seq,
        earlier=_last_earlier(game, state),
    )


def own(look: Look, number: int | None, *, known: State | None = None) -> OwnView:
    """What the seat `number` holds and may do; None is a spectator.

    `known`: the state as this seat was told it, when that has been read already.
    """
    state: State = known or event_log.seat_view(look.game, number)
    waiting = len(to_act(state)) if state.phase == "reveal" else 0
    moves = moves_for(state, last_step.steps(look.known.since), look.names, number)
    view = OwnView(seat=None) if number is None else _of_player(look, number, state)
    return own_part.of_viewer(replace(view, moves=moves), look, waiting=waiting)


def _of_player(look: Look, number: int, state: State) -> OwnView:
    game, seat = look.game, look.seats[number]
    inside = game.status == Game.Status.PLAYING and not seat.gone
    facts = [each.fact for each in look.known.news]
    steps = last_step.steps(look.known.since)
    view = own_part.of_player(
        choices(state, number, look.names, inside=inside),
        look,
        seat,
        inside=inside,
        tell=lambda fact: words.narrate_to_you(fact, number, look.names),
    )
    return replace(
        view,
        hand=_with_the_only_card_chosen(view.hand),
        narration=last_step.narration_for(facts, number, look.names),
        has_room=inside
        and not (seat.asleep or view.out or view.my_turn)
        and state.phase in ("turn", "claims"),
        became=consequence_for(steps[-1].facts, look.names, number) if steps else None,
        buffet=buffets.won(state, number),
        standing=buffets.standing(state, number) if state.phase == "reveal" else None,
        away=_away(look, state, number) if view.out else None,
        just_out=OutOfRound(number) in facts,
        due_ms=milliseconds(game.turn_ends_at) if view.my_turn else None,
    )


def choices(state: State, number: int, names: Sequence[str], *, inside: bool = True) -> OwnView:
    """What the seat `number` holds and may do in a state it knows; `inside`: it still plays."""
    hand = state.hands[number] or ()
    to_choose = inside and state.phase == "turn" and bool(state.choices) and number == state.solo
    my_turn = inside and why_not_on_turn(state, number) is None
    playable = {one for one in hand if my_turn and is_playable(state, one)}
    robbed = {one: targets(state, number, one) for one in playable}
    victims = sorted({seat for each in robbed.values() for seat in each if seat is not None})
    return OwnView(
        seat=number,
        hand=[
            HeldCard(
                card=one,
                playable=one in playable,
                steals=robbed.get(one, (None,)) != (None,),
            )
            for one in hand
        ],
        my_turn=my_turn or to_choose,
        controls=Controls(
            can_play=my_turn,
            fits=bool(playable),
            bluff=my_turn and is_bluff(state, number),
            victims=[NamedSeat(number=seat, name=names[seat]) for seat in victims],
            call=my_turn and state.options.peco_call == "on" and state.sizes[number] == 2,
            can_accuse=inside and why_no_accusation(state, number) is None,
            accused=None if state.declarer is None else names[state.declarer],
            can_waive=inside and why_no_waiver(state, number) is None,
        ),
        waived=inside and state.phase == "claims" and number in state.waived,
        window=state.phase == "claims",
        teams=_offered_teams(state, names) if to_choose else [],
        out=inside and number in state.out and state.phase in ("turn", "claims"),
        must_confirm=inside and state.phase == "reveal" and number not in state.confirmed,
        confirmed=state.phase == "reveal" and number in state.confirmed,
    )


def _with_the_only_card_chosen(hand: Sequence[HeldCard]) -> list[HeldCard]:
    """The hand of a player who can play one card alone: they need not choose it first."""
    playable: list[Card] = [one.card for one in hand if one.playable]
    if len(set(playable)) != 1:
        return list(hand)
    chosen = next(place for place, one in enumerate(hand) if one.playable)
    return [replace(one, chosen=place == chosen) for place, one in enumerate(hand)]


def _away(look: Look, state: State, number: int) -> Away:
    """Of many who play on, whom the table shows, only the number: a phone has no room."""
    left = len(state.active)
    names = ", ".join(look.names[seat] for seat in state.active)
    count = ngettext("%(count)d player", "%(count)d players", left) % {"count": left}
    return Away(
        why=last_step.why_out(look.known.since, number),
        left=names if left <= MOST_NAMES else count,
        stake=words.stake(state.stake_id),
        last=not state.food_left,
    )


def last_earlier_round(game: Game) -> int:
    """The number of the last round the story tells; 0: there is none yet."""
    if game.status not in (Game.Status.PLAYING, Game.Status.FINISHED):
        return 0
    return _last_earlier(game, event_log.public_state(game))


def _last_earlier(game: Game, state: State) -> int:
    last = state.number if game.status == Game.Status.FINISHED else state.number - 1
    return last if last >= state.first_round else 0


def earlier_rounds(game: Game) -> list[RoundView]:
    """The rounds that are over, newest first, from what everybody saw of them."""
    last = last_earlier_round(game)
    if last == 0:
        return []
    seats = [NamedSeat(number=seat.number, name=seat.name) for seat in seats_of(game)]
    rows = Round.objects.filter(game=game, seq__lte=game.seq, number__lte=last).order_by("-number")
    return [
        RoundView(
            number=number,
            stake=scene.stake(laid),
            winner=None if winner is None else seats[winner],
        )
        for number, laid, winner in rows.values_list("number", "stake", "winner__number")
    ]


def _offered_teams(state: State, names: Sequence[str]) -> list[Team]:
    """The teams that the single player may join (Q42)."""
    sides = (state.sides[each] for each in state.choices)
    return [Team(partner=side[0], names=[names[seat] for seat in side]) for side in sides]


def _sentences(facts: Iterable[Fact], names: Sequence[str]) -> str:
    return _narration(tuple(facts), tuple(names), get_language())


@lru_cache(maxsize=5_000)  # the log lists a move again with every one that follows
def _narration(facts: Sequence[Fact], names: Sequence[str], language: str | None) -> str:
    """Public facts in sentences, in the language that is active."""
    return " ".join(filter(None, (words.narrate(fact, names) for fact in facts)))
