"""What a seat can foresee of a round after a move of its own: cards, sizes, who has to answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from games.peco_peco.bots.counting import Unseen, unseen
from games.peco_peco.rules.cards import DRAW, REVERSE, Card, Hand, icon
from games.peco_peco.rules.moves import Play
from games.peco_peco.rules.state import State


@dataclass(frozen=True, slots=True)
class Outlook:
    """A round as `seat` foresees it: its cards in `hand`, and `blind` more that it has not seen.

    `sizes` counts both. `pending` are the seats that have still to answer the top card, `active`
    those that are in the round.
    """

    seat: int
    hand: Hand
    blind: int
    sizes: tuple[int, ...]
    active: frozenset[int]
    pending: frozenset[int]
    owner: int | None
    top: Card
    inverse: bool
    direction: int
    last_actor: int
    unseen: Unseen

    def in_order(self) -> Iterator[int]:
        """The seats that have still to answer, the next first."""
        seats = len(self.sizes)
        for step in range(1, seats + 1):
            seat = (self.last_actor + step * self.direction) % seats
            if seat in self.pending:
                yield seat

    def none_beats(self, seat: int, top: Card) -> float:
        """The probability that this other seat holds no card that beats `top`."""
        cards = min(self.sizes[seat], self.unseen.total)  # it may hold one that we have seen
        return self.unseen.none_beats(top, cards, inverse=self.inverse)


def present(state: State, seat: int) -> Outlook:
    """The round as it is now."""
    assert state.top is not None  # noqa: S101
    return Outlook(
        seat=seat,
        hand=state.hand(seat),
        blind=0,
        sizes=state.sizes,
        active=frozenset(state.active),
        pending=state.pending,
        owner=state.owner,
        top=state.top,
        inverse=state.inverse,
        direction=state.direction,
        last_actor=state.last_actor,
        unseen=unseen(state, seat),
    )


def after_play(now: Outlook, play: Play) -> Outlook:
    """After this card: it lies on top, and all others have to answer it (Q14, Q28 to Q30)."""
    hand = without(now.hand, play.card)
    drawn = int(icon(play.card) == DRAW)
    sizes = list(now.sizes)
    sizes[now.seat] += drawn - 1
    if play.target is not None:
        sizes[play.target] -= 1
    played = replace(
        now,
        hand=hand,
        blind=now.blind + drawn,
        sizes=tuple(sizes),
        pending=now.active - {now.seat},
        owner=now.seat,
        top=play.card,
        direction=-now.direction if icon(play.card) == REVERSE else now.direction,
        last_actor=now.seat,
    )
    return _without_the_empty(played)


def after_declaration(now: Outlook) -> Outlook:
    """After a declaration that nobody accuses."""
    return replace(now, pending=now.pending - {now.seat}, last_actor=now.seat)


def after_bluff(now: Outlook, accuser: int, accused: int, *, severe: bool) -> list[Outlook]:
    """After an accusation that was right: a card at random passes to the accuser (Q18, Q34).

    Equally likely outlooks, one for each card that this seat may lose.
    """
    return _card_passes(now, accused, accuser, discards=accused if severe else None)


def after_honesty(now: Outlook, accuser: int, accused: int, *, severe: bool) -> list[Outlook]:
    """After an accusation that was wrong: a new hand for the accused, and a card of the accuser's
    (Q19, Q34). Equally likely outlooks, as above.
    """
    if accused == now.seat:
        now = replace(now, hand=(), blind=now.sizes[accused])
    return _card_passes(now, accuser, accused, discards=accuser if severe else None)


def without(hand: Hand, card: Card) -> Hand:
    """The hand with one card fewer; ValueError when it is not there."""
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


def _card_passes(now: Outlook, giver: int, taker: int, *, discards: int | None) -> list[Outlook]:
    sizes = list(now.sizes)
    sizes[giver] -= 1
    sizes[taker] += 1
    if discards is not None:
        sizes[discards] = 0
    passed = replace(now, sizes=tuple(sizes))
    if taker == now.seat:
        passed = replace(passed, blind=now.blind + 1)
    if discards == now.seat:
        return [_without_the_empty(replace(passed, hand=(), blind=0))]
    if giver != now.seat:
        return [_without_the_empty(passed)]
    outlooks = [replace(passed, hand=without(now.hand, card)) for card in now.hand]
    outlooks += [replace(passed, blind=now.blind - 1)] * now.blind
    return [_without_the_empty(outlook) for outlook in outlooks]


def _without_the_empty(outlook: Outlook) -> Outlook:
    """Seats without cards are out, but for the owner of the top card (Q15)."""
    out = {seat for seat in outlook.active if not outlook.sizes[seat] and seat != outlook.owner}
    if not out:
        return outlook
    return replace(outlook, active=outlook.active - out, pending=outlook.pending - out)
