"""`evolve`: from one fact to the next state, the same for every audience."""

from __future__ import annotations

from games.core.contract import Fact
from games.core.values import changed, with_item
from games.peco_peco.rules.cards import DECK, REVERSE, Hand, icon
from games.peco_peco.rules.events import (
    BluffAdmitted,
    CallForgotten,
    CardPassed,
    CardPlayed,
    CardsBuried,
    CardsDrawn,
    CardStolen,
    CardTaken,
    CardTurned,
    Declared,
    DiscardReshuffled,
    FoodShuffled,
    GameEnded,
    GameStarted,
    HandDiscarded,
    HandReceived,
    HandsDealt,
    HonestyShown,
    Left,
    OutOfRound,
    PileShuffled,
    Removed,
    RoundEnded,
    RoundSeen,
    RoundStarted,
    SlapWaived,
    SlapWindowClosed,
    SoloJoined,
)
from games.peco_peco.rules.midway_facts import LaidUnder, StartedMidway
from games.peco_peco.rules.scoring import Laid, settle_tilted, weaker_sides
from games.peco_peco.rules.stakes import STAKES, food_pile
from games.peco_peco.rules.state import RoundResult, State, slappers, staying


def evolve(state: State | None, fact: Fact) -> State:
    """The state after a fact; total over the facts of a game in their order."""
    if state is None:
        assert isinstance(fact, GameStarted), "a game begins with GameStarted"  # noqa: S101
        return _game_started(fact)
    match fact:
        case CardPlayed():
            return _card_played(state, fact)
        case Declared():
            return _declared(state, fact.seat)
        case HandReceived():
            return _received(state, fact)
        case CardsDrawn():
            return _resized(state, fact.seat, fact.count, pile_size=state.pile_size - fact.count)
        case SlapWaived():
            return changed(state, waived=state.waived | {fact.seat})
        case SlapWindowClosed():
            return changed(state, phase="turn")
        case BluffAdmitted():
            return changed(state, phase="turn", declarer=None)
        case HonestyShown():
            return _honesty_shown(state, fact)
        case CardTaken():
            taken = _resized(state, fact.taker, 1, draws=state.draws + 1)
            return _resized(taken, fact.giver, -1)
        case CardPassed():
            hands = _without(state.hands, fact.giver, (fact.card,))
            if hands[fact.taker] is not None:  # the giver knows one card of it, not the hand
                hands = _with(hands, fact.taker, (fact.card,))
            return changed(state, hands=hands)
        case CardStolen():
            return _resized(
                state,
                fact.victim,
                -1,
                under_size=state.under_size + 1,
                draws=state.draws + 1,
            )
        case CallForgotten():
            return _resized(state, fact.seat, -1, under_size=state.under_size + 1)
        case HandDiscarded():
            size = state.sizes[fact.seat]
            return _resized(state, fact.seat, -size, under_size=state.under_size + size)
        case CardsBuried():
            hands = _without(state.hands, fact.seat, fact.cards)
            return changed(state, hands=hands, under=(*state.under, *fact.cards))
        case DiscardReshuffled():
            size = state.pile_size + state.under_size
            known = state.under if state.pile is not None else ()
            draws = state.draws + 1
            return changed(state, pile_size=size, under_size=0, under=known, draws=draws)
        case PileShuffled():
            return changed(state, pile=fact.cards, under=())
        case OutOfRound():
            return changed(state, out=state.out | {fact.seat}, pending=state.pending - {fact.seat})
        case _:
            return _between_turns(state, fact)


def _between_turns(state: State, fact: Fact) -> State:
    match fact:
        case RoundSeen():
            return changed(state, confirmed=state.confirmed | {fact.seat})
        case RoundStarted():
            return _round_started(state, fact)
        case HandsDealt():
            return changed(
                state,
                sizes=fact.sizes,
                pile_size=state.pile_size - sum(fact.sizes),
                extra=(0,) * state.seats,
            )
        case CardTurned():
            pile = state.pile and state.pile[1:]
            return changed(state, top=fact.card, pile=pile, pile_size=state.pile_size - 1)
        case RoundEnded():
            return _round_ended(state, fact.winner)
        case Left():
            return changed(state, gone=state.gone | {fact.seat})
        case Removed():
            pending = state.pending - {fact.seat}
            return changed(state, removed=state.removed | {fact.seat}, pending=pending)
        case SoloJoined():
            return _solo_joined(state, fact)
        case FoodShuffled():
            return changed(state, food=fact.stakes)
        case GameEnded():
            return changed(state, phase="over", reason=fact.reason)
        case StartedMidway():
            return _started_midway(state, fact)
        case LaidUnder():
            pile = state.pile and state.pile[: len(state.pile) - len(fact.cards)]
            return changed(state, pile=pile, under=(*state.under, *fact.cards))
    return state


def _game_started(fact: GameStarted) -> State:
    seats, options = fact.seats, fact.options
    return State(
        options=options,
        seats=seats,
        sides=options.sides(seats),
        food_left=len(food_pile(short=options.has_short_pile(seats))),
        buffets=((),) * seats,
        sizes=(0,) * seats,
        hands=(None,) * seats,
        extra=(0,) * seats,
    )


def _started_midway(state: State, fact: StartedMidway) -> State:
    """The round is as it was; the hidden cards follow."""
    pile = food_pile(short=state.options.has_short_pile(state.seats))
    return changed(
        state,
        sides=fact.sides,
        first_round=len(fact.stakes),
        food_left=len(pile) - len(fact.stakes),
        buffets=fact.buffets,
        sizes=fact.sizes,
        under=fact.under,
        pile_size=fact.pile_size,
        under_size=fact.under_size,
        top=fact.top,
        owner=fact.owner,
        direction=fact.direction,
        last_actor=fact.last_actor,
        pending=frozenset(fact.pending),
        out=frozenset(fact.out),
        declarer=fact.declarer,
        waived=frozenset(fact.waived),
        choices=(),
    )


def _round_started(state: State, fact: RoundStarted) -> State:
    """All Animal cards are in the pile, everybody has still to answer (Q5, Q6, Q23)."""
    direction = STAKES[fact.stake].direction
    removed = state.removed
    begun = changed(
        state,
        food=state.food and state.food[1:],
        food_left=state.food_left - 1,
        number=fact.number,
        stake_id=fact.stake,
        direction=direction,
        starter=fact.starter,
        last_actor=(fact.starter - direction) % state.seats,
        phase="turn",
        sizes=(0,) * state.seats,
        hands=tuple(() if seat in removed else None for seat in range(state.seats)),
        pile=None,
        pile_size=len(DECK),
        under=(),
        under_size=0,
        top=None,
        owner=None,
        out=frozenset(),
        draws=0,
        declarer=None,
        waived=frozenset(),
        confirmed=frozenset(),
        result=None,
    )
    return changed(begun, pending=frozenset(begun.in_play), choices=_choices(begun))


def _choices(state: State) -> tuple[int, ...]:
    """The weakest sides, one of which the single player joins at the last stake (Q42).

    A game in which only one other side is left stays as it is, and so does one whose single
    player has left (our choice).
    """
    solo = state.solo
    if state.food_left or solo is None or solo in state.removed:
        return ()
    others = [
        number
        for number, side in enumerate(state.sides)
        if solo not in side and not state.removed.issuperset(side)
    ]
    if len(others) < 2:
        return ()
    left = [staying(state, state.sides[number]) for number in others]
    return tuple(others[place] for place in weaker_sides(state.buffets, left))


def _solo_joined(state: State, fact: SoloJoined) -> State:
    joined = state.side_of(fact.partner)
    sides = tuple(
        tuple(sorted((*side, fact.seat))) if side == joined else side
        for side in state.sides
        if side != (fact.seat,)
    )
    return changed(state, sides=sides, choices=())


def _card_played(state: State, fact: CardPlayed) -> State:
    """The card covers the old top, and everybody else has to answer it (Q14, Q23, Q28)."""
    assert state.top is not None  # noqa: S101
    seat = fact.seat
    played = _resized(
        state,
        seat,
        -1,
        hands=_without(state.hands, seat, (fact.card,)),
        under=(*state.under, state.top),
        under_size=state.under_size + 1,
        top=fact.card,
        owner=seat,
        last_actor=seat,
        direction=-state.direction if icon(fact.card) == REVERSE else state.direction,
        declarer=None,
        waived=frozenset(),
        phase="turn",
    )
    return changed(played, pending=frozenset(played.active) - {seat})


def _declared(state: State, seat: int) -> State:
    """The declaration may be accused until the next player acts (Q17, Q33)."""
    declared = changed(
        state,
        pending=state.pending - {seat},
        last_actor=seat,
        declarer=seat,
        waived=frozenset(),
    )
    return changed(declared, phase="claims") if slappers(declared) else declared


def _received(state: State, fact: HandReceived) -> State:
    pile = None if state.pile is None else state.pile[len(fact.cards) :]
    return changed(state, hands=_with(state.hands, fact.seat, fact.cards), pile=pile)


def _honesty_shown(state: State, fact: HonestyShown) -> State:
    """The hand is seen by everybody and goes under the discard (Q19)."""
    accused, cards = fact.accused, fact.hand
    known = state.hands[accused]
    return _resized(
        state,
        accused,
        -len(cards),
        hands=with_item(state.hands, accused, known and ()),
        under=(*state.under, *cards),
        under_size=state.under_size + len(cards),
        phase="turn",
        declarer=None,
    )


def _round_ended(state: State, winner: int | None) -> State:
    """Tilted stakes are settled, the winner lays down the stake, its symbols work (Q26, Q36)."""
    stake, last = state.stake, not state.food_left
    buffets = tuple(
        settle_tilted(buffet, won_again=seat == winner) for seat, buffet in enumerate(state.buffets)
    )
    extra = state.extra
    if winner is not None:
        laid = Laid(stake.id, "tilted" if stake.tilt and not last else "up")
        buffets = with_item(buffets, winner, (*buffets[winner], laid))
        extra = with_item((0,) * state.seats, winner, 0 if last else stake.extra)
    return changed(
        state,
        phase="reveal",
        buffets=buffets,
        extra=extra,
        pending=frozenset(),
        declarer=None,
        result=RoundResult(state.number, stake.id, state.starter, winner),
    )


def _resized(state: State, seat: int, by: int, **changes: object) -> State:
    sizes = with_item(state.sizes, seat, state.sizes[seat] + by)
    return changed(state, sizes=sizes, **changes)


def _with(hands: tuple[Hand | None, ...], seat: int, cards: Hand) -> tuple[Hand | None, ...]:
    """The hands with these cards added; the viewer who learns them knows the hand."""
    return with_item(hands, seat, tuple(sorted((*(hands[seat] or ()), *cards))))


def _without(hands: tuple[Hand | None, ...], seat: int, cards: Hand) -> tuple[Hand | None, ...]:
    """The hands without these cards; an unknown hand stays unknown."""
    hand = hands[seat]
    if hand is None:
        return hands
    left = list(hand)
    for card in cards:
        left.remove(card)
    return with_item(hands, seat, tuple(left))
