"""Games that begin in the middle of another: the same table, with the hidden cards dealt anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from games.core.contract import Chance, Fact
from games.core.moves import Leave
from games.peco_peco.rules.cards import DECK, Card, Hand
from games.peco_peco.rules.events import (
    CallForgotten,
    CardPassed,
    CardPlayed,
    CardStolen,
    CardTaken,
    FoodShuffled,
    GameStarted,
    HandDiscarded,
    HandReceived,
    HonestyShown,
    PileShuffled,
    RoundStarted,
)
from games.peco_peco.rules.evolve import evolve
from games.peco_peco.rules.midway_facts import LaidUnder, StartedMidway
from games.peco_peco.rules.moves import Move
from games.peco_peco.rules.rounds import SEATS
from games.peco_peco.rules.stakes import food_pile
from games.peco_peco.rules.state import State


def beginning(
    told: Iterable[Fact], seat: int, chance: Chance
) -> tuple[list[Fact], list[tuple[int, Move]]] | None:
    """The facts of a new game up to the decision of a seat, and who has left by then.

    `told` are the facts that this seat was told until then, in order: nothing else is known here.
    The seat keeps its hand and what it knows under the discard, and the cards that it gave to
    others stay with them until they are seen. All else that it cannot see is dealt anew, each card
    as likely in each place. None unless it is the turn of this seat, and nobody was removed.
    """
    told = list(told)
    known = _state_after(told)
    if known.phase != "turn" or known.turn != seat or known.gone & {seat} or known.removed:
        return None
    public = _state_after([fact for fact in told if fact.audience is None])
    own = known.hand(seat)
    buried = _without(known.under, public.under)
    given = _given(told, seat)
    stakes = tuple(fact.stake for fact in told if isinstance(fact, RoundStarted))
    position = _position(public, seat, stakes, buried=len(buried))
    kept = {seat: own} | {each: tuple(cards) for each, cards in given.items()}
    unseen = [*_without(DECK, [*public.under, position.top, *buried])]
    for cards in kept.values():
        unseen = [*_without(unseen, cards)]
    dealt = iter(chance.shuffled(tuple(unseen)))
    order: list[Card] = []
    for each in range(known.seats):
        hand = kept.get(each, ())
        order += [*hand, *(next(dealt) for _ in range(public.sizes[each] - len(hand)))]
    order += [*dealt, *buried]
    started = GameStarted(known.seats, known.options)
    opened = RoundStarted(known.number, known.stake_id, known.starter)
    food = _food(started, position, chance)
    moves: list[tuple[int, Move]] = [(each, Leave()) for each in sorted(known.gone)]
    return _laid_out(started, opened, position, food, tuple(order)), moves


def start(
    started: GameStarted, opened: RoundStarted, position: StartedMidway, chance: Chance
) -> list[Fact]:
    """The facts of such a game up to its first move, all that is hidden dealt by `chance`.

    ValueError for a position that no game reaches.
    """
    why = _why_impossible(started, opened, position)
    if why is not None:
        raise ValueError(why)
    food = _food(started, position, chance)
    unseen = _without(DECK, [*position.under, position.top])
    return _laid_out(started, opened, position, food, chance.shuffled(unseen))


def _state_after(facts: Sequence[Fact]) -> State:
    state: State | None = None
    for fact in facts:
        state = evolve(state, fact)
    assert state is not None  # noqa: S101  # a game has begun
    return state


def _position(public: State, seat: int, stakes: tuple[str, ...], *, buried: int) -> StartedMidway:
    assert public.top is not None  # noqa: S101  # a round is on
    return StartedMidway(
        seat=seat,
        stakes=stakes,
        sides=public.sides,
        buffets=public.buffets,
        sizes=public.sizes,
        top=public.top,
        owner=public.owner,
        direction=public.direction,
        last_actor=public.last_actor,
        pending=tuple(sorted(public.pending)),
        out=tuple(sorted(public.out)),
        declarer=public.declarer,
        waived=tuple(sorted(public.waived)),
        under=public.under,
        under_size=public.under_size,
        pile_size=public.pile_size,
        buried=buried,
    )


def _food(started: GameStarted, position: StartedMidway, chance: Chance) -> tuple[str, ...]:
    """The present stake, and an order of those that have not been turned up (Q4)."""
    *earlier, present = position.stakes
    pile = food_pile(short=started.options.has_short_pile(started.seats))
    shuffled = chance.shuffled(tuple(each for each in pile if each not in earlier))
    return (present, *(each for each in shuffled if each != present))


def _laid_out(
    started: GameStarted,
    opened: RoundStarted,
    position: StartedMidway,
    food: tuple[str, ...],
    order: Hand,
) -> list[Fact]:
    """`order`: all hands by seat, the draw pile, and what lies unseen under the discard."""
    facts: list[Fact] = [started, FoodShuffled(food), opened, PileShuffled(order), position]
    facts.append(FoodShuffled(food[1:]))
    unseen = position.under_size - len(position.under)
    known = order[len(order) - position.buried :]
    facts.append(LaidUnder(position.seat, known))
    facts.append(LaidUnder(None, order[len(order) - unseen : len(order) - position.buried]))
    dealt = 0
    for seat, size in enumerate(position.sizes):
        facts.append(HandReceived(seat, order[dealt : dealt + size]))
        dealt += size
    return facts


def _given(told: Sequence[Fact], seat: int) -> dict[int, list[Card]]:
    """The cards that a seat gave to others and that they must still hold, by their seats."""
    given: dict[int, list[Card]] = {}
    for fact in told:
        match fact:
            case RoundStarted():
                given = {}
            case CardPassed(taker, giver, card) if giver == seat:
                given.setdefault(taker, []).append(card)
            case CardPlayed(player, card, _) if card in given.get(player, ()):
                given[player].remove(card)
            case (
                HandDiscarded(other)
                | CallForgotten(other)
                | CardStolen(_, other)
                | CardTaken(_, other)
                | HonestyShown(_, other, _)
            ):
                given.pop(other, None)  # it may have been that card
    return {other: cards for other, cards in given.items() if cards}


def _without(cards: Iterable[Card], gone: Iterable[Card]) -> Hand:
    left = Counter(cards)
    left.subtract(gone)
    return tuple(left.elements())


def _why_impossible(
    started: GameStarted, opened: RoundStarted, position: StartedMidway
) -> str | None:
    """What is wrong with a position, in English; None when nothing is."""
    seats, sizes = started.seats, position.sizes
    if seats not in SEATS or {len(sizes), len(position.buffets)} != {seats}:
        return f"Peco Peco is for 4 to 8 players, each with cards and a buffet, not {seats}"
    named = [position.seat, position.last_actor, *position.pending, *position.out, *position.waived]
    named += [each for each in (position.owner, position.declarer) if each is not None]
    if not set(named) <= set(range(seats)) or not 0 <= opened.starter < seats:
        return "a seat is named that is not there"
    if sorted(each for side in position.sides for each in side) != [*range(seats)]:
        return "each seat has one side"
    return _why_no_cards(started, opened, position) or _why_no_turn(position)


def _why_no_cards(
    started: GameStarted, opened: RoundStarted, position: StartedMidway
) -> str | None:
    pile = food_pile(short=started.options.has_short_pile(started.seats))
    stakes, laid = position.stakes, [each.stake for row in position.buffets for each in row]
    if len(set(stakes)) < len(stakes) or not set(stakes) <= set(pile):
        return "each stake is turned up once"
    if not stakes or (opened.number, opened.stake) != (len(stakes), stakes[-1]):
        return "the round is for the stake that was turned up last"
    if len(set(laid)) < len(laid) or not set(laid) <= set(stakes[:-1]):
        return "a buffet holds stakes of rounds that are over"
    if min(*position.sizes, position.pile_size, position.buried) < 0:
        return "nobody has fewer than no cards"
    if Counter([*position.under, position.top]) - Counter(DECK):
        return "there are not so many cards of a kind"
    if sum(position.sizes) + position.pile_size + position.under_size + 1 != len(DECK):
        return f"there are {len(DECK)} cards"
    if len(position.under) + position.buried > position.under_size:
        return "more is known under the discard than lies there"
    return None


def _why_no_turn(position: StartedMidway) -> str | None:
    out, holds = set(position.out), {seat for seat, size in enumerate(position.sizes) if size}
    if out & (holds | set(position.pending) | {position.owner}):
        return "who is out has no cards and nothing to answer"
    if position.seat not in position.pending or not set(position.pending) <= holds:
        return "who has to answer has cards"
    if position.owner in position.pending:
        return "nobody answers their own card"
    return None
