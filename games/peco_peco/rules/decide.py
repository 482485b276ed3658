"""What follows from a move: facts, or a refusal with a reason code."""

from __future__ import annotations

from games.core.contract import VERSION, Chance, Draw, Fact, IllegalMove, Sealed
from games.core.moves import Confirm, Leave
from games.peco_peco.rules.cards import DRAW, STEAL, Card, Hand, icon
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CallForgotten,
    CardPassed,
    CardPlayed,
    CardsBuried,
    CardsDrawn,
    CardStolen,
    CardTaken,
    Declared,
    DiscardReshuffled,
    GameEnded,
    HandDiscarded,
    HandReceived,
    HonestyShown,
    Left,
    PileShuffled,
    Removed,
    RoundSeen,
    SlapWaived,
    SlapWindowClosed,
)
from games.peco_peco.rules.moves import Accuse, CloseWindow, Declare, JoinTeam, Move, Play, Waive
from games.peco_peco.rules.rounds import (
    Course,
    after_effects,
    close_window_when_all_waived,
    from_pile,
    join,
    next_round_when_all_have_seen,
    remove_the_gone,
)
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import (
    is_bluff,
    why_gone,
    why_no_accusation,
    why_no_play,
    why_no_waiver,
    why_not_on_turn,
)

# --- a move ---------------------------------------------------------------------------------------


def decide(
    state: State, seat: int, move: Move, chance: Chance, *, version: int = VERSION
) -> list[Fact]:
    """What follows when `seat` makes `move`; IllegalMove carries the reason code.

    For a seat that left, only moves on its own turn are allowed, and the site makes them (C5).
    ValueError when the table has no such seat. In `version` 1 of the rules a set was judged before
    those who had left were removed.
    """
    if not 0 <= seat < state.seats:
        raise ValueError(f"there is no seat {seat} at a table of {state.seats}")
    played_for_it = isinstance(move, Play | Declare | JoinTeam | CloseWindow)
    gone = why_gone(state, seat)
    if gone == "game_over" or (gone and not (played_for_it and seat not in state.removed)):
        raise IllegalMove(gone)
    course = Course(state, chance, version=version)
    match move:
        case Play():
            _play(course, seat, move)
        case Declare():
            _refuse(why_not_on_turn(state, seat))
            course.add(Declared(seat))
            after_effects(course)
        case Accuse():
            _accuse(course, seat)
        case Waive():
            _waive(course, seat)
        case JoinTeam():
            _choose(course, seat, move.partner)
        case CloseWindow():
            if state.phase != "claims":
                raise IllegalMove("nothing_to_settle")
            course.add(SlapWindowClosed())
            after_effects(course)
        case Confirm():
            _confirm(course, seat)
        case Leave():
            _leave(course, seat)
    return course.facts


def _refuse(reason: str | None) -> None:
    if reason:
        raise IllegalMove(reason)


def _play(course: Course, seat: int, play: Play) -> None:
    """The card is played, a missing call is punished, then the icon works (Q14, Q43)."""
    state = course.state
    reason = why_no_play(state, seat, play)
    if reason:
        raise IllegalMove(reason, card=play.card, top=str(state.top))
    due = state.options.peco_call == "on" and state.sizes[seat] == 2
    course.add(CardPlayed(seat, play.card, play.call))
    if due and not play.call:
        course.add(CallForgotten(seat), CardsBuried(seat, course.state.hand(seat)))
    if icon(play.card) == DRAW:
        _draw(course, seat, 1)
    elif icon(play.card) == STEAL and play.target is not None:
        card = _any_card(course, play.target)
        course.add(CardStolen(seat, play.target), CardsBuried(play.target, (card,)))
    after_effects(course)


def _draw(course: Course, seat: int, count: int) -> None:
    """The seat draws so many cards, or what there is; an empty pile is refilled (Q27, Q29)."""
    first = min(count, course.state.pile_size)
    for number in (first, count - first):
        if number and not course.state.pile_size and course.state.under_size:
            at = Draw(course.state.number, "discard", number=course.state.draws)
            under = course.chance.shuffled(_under(course.state), at)
            course.add(DiscardReshuffled(), PileShuffled(under))
        number = min(number, course.state.pile_size)
        if number:
            cards = from_pile(course.state, number)
            course.add(CardsDrawn(seat, number), HandReceived(seat, cards))


def _under(state: State) -> Hand:
    """The cards under the top of the discard; Sealed when this viewer does not know them all."""
    if len(state.under) != state.under_size:
        raise Sealed("some cards under the discard are hidden")
    return state.under


def _any_card(course: Course, seat: int) -> Card:
    state = course.state
    return course.chance.pick(state.hand(seat), Draw(state.number, "card", seat, state.draws))


# --- accusations ----------------------------------------------------------------------------------


def _accuse(course: Course, accuser: int) -> None:
    """The accused admits a bluff, or shows an honest hand and gets a new one (Q18, Q19, Q34)."""
    state = course.state
    _refuse(why_no_accusation(state, accuser))
    accused = state.declarer
    assert accused is not None  # noqa: S101
    bluff = is_bluff(state, accused)
    if bluff:
        course.add(BluffAdmitted(accuser, accused))
        _take_card(course, accuser, accused)
    else:
        hand = state.hand(accused)
        course.add(HonestyShown(accuser, accused, hand))
        _draw(course, accused, len(hand))
        _take_card(course, accused, accuser)
    if state.stake.rule == "severe":
        _discard_hand(course, accused if bluff else accuser)
    after_effects(course)


def _take_card(course: Course, taker: int, giver: int) -> None:
    card = _any_card(course, giver)
    course.add(CardTaken(taker, giver), CardPassed(taker, giver, card))


def _discard_hand(course: Course, seat: int) -> None:
    """What is left of the hand goes under the discard, unseen (Q34)."""
    hand = course.state.hand(seat)
    if hand:
        course.add(HandDiscarded(seat), CardsBuried(seat, hand))


def _waive(course: Course, seat: int) -> None:
    _refuse(why_no_waiver(course.state, seat))
    course.add(SlapWaived(seat))
    close_window_when_all_waived(course)


def _confirm(course: Course, seat: int) -> None:
    state = course.state
    if state.phase != "reveal" or seat in state.confirmed:
        raise IllegalMove("nothing_to_confirm")
    course.add(RoundSeen(seat))
    next_round_when_all_have_seen(course)


def _leave(course: Course, seat: int) -> None:
    """The hand is played until the round ends; when only one side stays, it wins at once (C5)."""
    course.add(Left(seat))
    state = course.state
    staying = [other for other in state.in_play if other not in state.gone]
    if len({state.side_of(other) for other in staying}) <= 1:
        remove_the_gone(course)
        course.add(GameEnded("others_left"))
    elif state.phase == "reveal":
        course.add(Removed(seat))
        next_round_when_all_have_seen(course)
    else:
        close_window_when_all_waived(course)


def _choose(course: Course, seat: int, partner: int) -> None:
    """The single player's choice between the weakest sides (Q42)."""
    state = course.state
    if not state.choices:
        raise IllegalMove("nothing_to_choose")
    if seat != state.solo:
        raise IllegalMove("not_your_turn")
    if partner not in {state.sides[number][0] for number in state.choices}:
        raise IllegalMove("bad_team")
    join(course, partner)
