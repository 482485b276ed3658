"""How rounds begin and end: dealing, eliminations, winning a stake, the end of the game."""

from __future__ import annotations

from games.core.contract import VERSION, Chance, Draw, Fact, Sealed
from games.peco_peco.rules.cards import DECK, Hand
from games.peco_peco.rules.events import (
    CardTurned,
    EndReason,
    FoodShuffled,
    GameEnded,
    GameStarted,
    HandReceived,
    HandsDealt,
    OutOfRound,
    PileShuffled,
    Removed,
    RoundEnded,
    RoundStarted,
    SlapWindowClosed,
    SoloJoined,
)
from games.peco_peco.rules.evolve import evolve
from games.peco_peco.rules.options import Options
from games.peco_peco.rules.scoring import is_set
from games.peco_peco.rules.stakes import FIRST_FEAST, food_pile
from games.peco_peco.rules.state import State, shared_buffet, slappers
from games.peco_peco.rules.turns import to_act

SEATS = range(4, 9)


class Course:
    """The facts of one move as they come about, and the state after them."""

    def __init__(self, state: State | None, chance: Chance, *, version: int = VERSION) -> None:
        self._state = state
        self.chance = chance
        self.version = version  # of the rules
        self.facts: list[Fact] = []

    @property
    def state(self) -> State:
        assert self._state is not None  # noqa: S101
        return self._state

    def add(self, *facts: Fact) -> None:
        for fact in facts:
            self._state = evolve(self._state, fact)
            self.facts.append(fact)


# --- the beginning of a game and of a round -------------------------------------------------------


def start(
    seats: int, options: Options, chance: Chance, *, starter: int | None = None
) -> list[Fact]:
    """The facts of a new game up to its first turn; ValueError unless 4 to 8 play.

    `starter` is the winner of the game before, in a rematch; otherwise it is drawn (Q8).
    """
    if seats not in SEATS:
        raise ValueError(f"Peco Peco is for 4 to 8 players, not {seats}")
    course = Course(None, chance)
    course.add(GameStarted(seats, options))
    stakes = chance.shuffled(food_pile(short=options.has_short_pile(seats)), Draw(0, "stakes"))
    if options.first_feast_on_top:  # Q4
        stakes = (FIRST_FEAST, *(stake for stake in stakes if stake != FIRST_FEAST))
    course.add(FoodShuffled(stakes))
    opener = Draw(0, "opener")
    start_round(course, chance.below(seats, opener) if starter is None else starter)
    return course.facts


def start_round(course: Course, starter: int) -> None:
    """A stake is turned up; before the last one the single player may have to choose (Q5, Q42).

    What is left of the Food pile is told again: a deal makes older hidden facts irrelevant.
    """
    state = course.state
    if state.food is None:
        raise Sealed("the order of the Food pile is hidden")
    course.add(RoundStarted(state.number + 1, state.food[0], starter))
    course.add(FoodShuffled(state.food[1:]))
    choices = course.state.choices
    if len(choices) == 1:
        join(course, course.state.sides[choices[0]][0])
    elif not choices:
        _deal(course)


def join(course: Course, partner: int) -> None:
    solo = course.state.solo
    assert solo is not None  # noqa: S101
    course.add(SoloJoined(solo, partner))
    _deal(course)


def _deal(course: Course) -> None:
    """Everybody gets the number on the stake, changed by the last win; one card is turned up (Q6,
    Q35).
    """
    state = course.state
    course.add(PileShuffled(course.chance.shuffled(DECK, Draw(state.number, "deck"))))
    sizes = tuple(
        max(1, state.stake.deal + state.extra[seat]) if seat in state.active else 0
        for seat in range(state.seats)
    )
    course.add(HandsDealt(sizes))
    for seat in state.active:
        course.add(HandReceived(seat, from_pile(course.state, sizes[seat])))
    course.add(CardTurned(from_pile(course.state, 1)[0]))


def from_pile(state: State, count: int) -> Hand:
    """The next cards of the draw pile; Sealed when this viewer does not know their order."""
    if state.pile is None:
        raise Sealed("the order of the draw pile is hidden")
    return state.pile[:count]


# --- the end of a turn, of a round and of the game ------------------------------------------------


def after_effects(course: Course) -> None:
    """Seats without cards are out, and the round ends when nobody has to answer (Q15, Q16, Q23)."""
    state = course.state
    for seat in state.active:
        if not state.sizes[seat] and seat != state.owner:
            course.add(OutOfRound(seat))
    if course.state.phase == "turn" and not course.state.pending:
        _end_round(course)
    else:
        close_window_when_all_waived(course)


def _end_round(course: Course) -> None:
    """The owner of the top card wins; nobody does when nobody has played (Q24, Q25).

    Players who left during the round are removed first: their buffets make no set and count no
    points (B10, 33). Version 1 of the rules looked for a set before.
    """
    winner = course.state.owner
    course.add(RoundEnded(winner))
    set_before = has_won_by_set(course.state, winner)
    remove_the_gone(course)
    reason: EndReason
    if set_before if course.version == 1 else has_won_by_set(course.state, winner):
        reason = "set"
    elif _is_one_side_left(course.state):
        reason = "others_left"
    elif not course.state.food_left:
        reason = "pile"
    else:
        return
    course.add(GameEnded(reason))


def has_won_by_set(state: State, winner: int | None) -> bool:
    """Q37; not in teams of five or seven (Q42), nor for a player who left."""
    if winner is None or winner in state.gone or (state.teams and state.seats % 2):
        return False
    return is_set(shared_buffet(state, winner))


def remove_the_gone(course: Course) -> None:
    for seat in sorted(course.state.gone - course.state.removed):
        course.add(Removed(seat))


def _is_one_side_left(state: State) -> bool:
    return len({state.side_of(seat) for seat in state.in_play}) == 1


def close_window_when_all_waived(course: Course) -> None:
    if course.state.phase == "claims" and not slappers(course.state):
        course.add(SlapWindowClosed())
        after_effects(course)


def next_round_when_all_have_seen(course: Course) -> None:
    """The winner starts, after a general defeat the same player; if that one has left, the next
    clockwise (Q8; the last our choice).
    """
    state = course.state
    if state.phase != "reveal" or to_act(state):
        return
    result = state.result
    assert result is not None  # noqa: S101
    starter = result.starter if result.winner is None else result.winner
    while starter in state.removed:
        starter = (starter + 1) % state.seats
    start_round(course, starter)
