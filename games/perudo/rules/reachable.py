"""Whether a game under given settings can come to the beginning of a round in a given position.

Each round ends with one event: a seat loses a die (P20, P34), or calls a right calza and wins one
back or, at five dice, none. So the numbers of dice say how many rounds there were, at least, and
who opens says whose event was the last (P22, P39). Who leaves goes at any time after the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from games.perudo.rules.bids import DICE_EACH
from games.perudo.rules.options import Options

# The events of a seat that has gone from all its dice to one.
_FALLEN: Final = DICE_EACH - 1

Events = tuple[int, int]  # the fewest and the most of a seat, but for those that calza adds


@dataclass(frozen=True, slots=True)
class _Position:
    options: Options
    dice: Sequence[int]
    been: frozenset[int]  # palifico, in this round too
    opener: int
    palifico: bool

    @property
    def players(self) -> int:
        return sum(map(bool, self.dice))

    @property
    def has_palifico(self) -> bool:
        """Whether who falls to one die is palifico, with the players of now (P30)."""
        return self.players >= self.options.palifico_min_players

    @property
    def has_calza(self) -> bool:
        """Whether somebody could ever call calza at this table."""
        return self.options.calza == "on" and len(self.dice) >= self.least_for_calza

    @property
    def least_for_calza(self) -> int:
        """The players there must be for it: a bidder, the next and maybe a third (P35, P38)."""
        third = self.options.calza_who == "any_but_bidder_and_next"
        return max(self.options.calza_min_players, 2 + third)

    @property
    def has_idle_calza(self) -> bool:
        """Whether one of them could change nobody's dice (P42)."""
        return self.has_calza and not self.options.calza_needs_lost_die


def why_unreachable(
    options: Options,
    *,
    dice: Sequence[int],
    been: frozenset[int],
    ended: int,
    opener: int,
    palifico: bool,
) -> str | None:
    """What contradicts the settings in a position after `ended` rounds; None when nothing does.

    `been` are the seats that have been palifico, that of this round (the opener's) among them.
    """
    p = _Position(options, dice, been, opener, palifico)
    if (palifico and not p.has_palifico) or (been and len(dice) < options.palifico_min_players):
        return "so few players have no palifico"
    for seat, left in enumerate(dice):
        if left == 1 and seat not in been and p.has_palifico:
            return "who fell to one die has been palifico"
        if left > 1 and seat in been and not p.has_calza:
            return "without calza nobody who was palifico has more than one die"
    if ended == 0:
        fresh = all(left == DICE_EACH for left in dice) and not been
        return None if fresh else "the first round begins with all dice"
    events = {seat: _events(p, seat) for seat in range(len(dice))}
    for last in _last_events(p):
        others = [each for seat, each in events.items() if seat != last.seat]
        if _adds_up(p, [*others, last.events], ended - _missing_loss(p, events, last)):
            return None
    return "no game comes to these dice and this opener in so many rounds"


def _events(p: _Position, seat: int) -> Events:
    left, been = p.dice[seat], seat in p.been
    if not left:  # out; without having been palifico it has left
        return (_FALLEN, DICE_EACH) if been else (0, _FALLEN)
    least = _FALLEN + left - 1 if been else DICE_EACH - left
    return least, least


@dataclass(frozen=True, slots=True)
class _Last:
    """Whose event the last may have been, and how many it has had with that; of lost dice, apart
    from those that made it palifico, whether one was the last event, and whether one was before.
    """

    seat: int
    events: Events
    loses: bool
    lost: bool = False


def _last_events(p: _Position) -> Iterator[_Last]:
    seat, left = p.opener, p.dice[p.opener]
    least, most = _events(p, seat)
    been = seat in p.been
    if p.palifico:
        yield _Last(seat, (least, most), loses=True)
        return
    # Who fell to one die without being palifico did so with the players of now.
    others_stay = any(own == 1 and each not in p.been for each, own in enumerate(p.dice))
    # The opener lost a die. Who had been palifico must have won one back before.
    falls = left == 1 and p.has_palifico and not (been and p.options.palifico_repeat == "once")
    if left < DICE_EACH and not falls:
        if not been:
            yield _Last(seat, (least, most), loses=True, lost=least > 1)
        elif p.has_calza:
            yield _Last(seat, (least + 2, most + 2), loses=True)
    # The opener called a right calza.
    if p.has_calza and left > 1 and (p.players >= p.least_for_calza or not others_stay):
        if been:
            yield _Last(seat, (least, most), loses=False)
        elif left > 2 or not p.has_palifico:  # noqa: PLR2004  # from one die: it had been palifico
            yield _Last(seat, (least + 2, most + 2), loses=False, lost=True)
        if left == DICE_EACH and p.has_idle_calza:
            yield _Last(seat, (least + 1, most + 1), loses=False)
    # A seat before the opener did one of both, and went.
    for step in range(1, 1 if others_stay else len(p.dice)):
        gone = (seat - step) % len(p.dice)
        if p.dice[gone]:
            break
        least, most = _events(p, gone)
        events = (least + 1, DICE_EACH) if gone in p.been else (1, most)
        yield _Last(gone, events, loses=True)


def _missing_loss(p: _Position, events: Mapping[int, Events], last: _Last) -> int:
    """How many events more there were because a palifico round ends with a lost die (P37)."""
    if p.options.calza_in_palifico or p.palifico or not p.been:
        return 0
    others = [seat for seat in events if seat != last.seat]
    again = last.seat in p.been and p.dice[last.seat]  # it has won a die back and lost it
    fell = [seat for seat in p.been if p.dice[seat] <= 1 and not (again and seat == last.seat)]
    was_last = last.loses and bool(fell)  # in the palifico round of one of these
    if last.lost or was_last or any(events[seat][0] for seat in others if seat not in p.been):
        return 0
    return 1 if any(not p.dice[seat] for seat in others) else 2


def _adds_up(p: _Position, events: Sequence[Events], ended: int) -> bool:
    """Whether these events of all seats, with those that calza adds, are as many as rounds."""
    least, most = sum(each[0] for each in events), sum(each[1] for each in events)
    if not p.has_calza or ended <= most:
        return least <= ended <= most
    in_pairs = least == most and not p.has_idle_calza  # a die lost, and won back
    return not in_pairs or (ended - least) % 2 == 0
