"""Who may make which move now, and which move a timeout makes. Only reads the state."""

from __future__ import annotations

from games.core.contract import Waiting
from games.core.moves import Confirm
from games.peco_peco.rules.cards import BOMB, STEAL, Card, beats, icon
from games.peco_peco.rules.moves import Accuse, CloseWindow, Declare, JoinTeam, Move, Play, Waive
from games.peco_peco.rules.reasons import Reason
from games.peco_peco.rules.state import State, slappers


def why_gone(state: State, seat: int) -> Reason | None:
    """The reason code for which `seat` takes no part in the game any more; None while it does."""
    if state.phase == "over":
        return "game_over"
    return "already_left" if seat in state.gone else None


def why_not_on_turn(state: State, seat: int) -> Reason | None:
    """The reason code for which `seat` may neither play nor declare now; None when it may (Q10).

    In a slap window nobody may (Q33).
    """
    if state.phase == "over":
        return "game_over"
    if state.phase == "reveal":
        return "round_over"
    if state.choices:
        return "team_choice_first"
    if seat in state.out:
        return "out_of_round"
    if state.phase == "claims":
        return "await_slap_window"
    return None if seat == state.turn else "not_your_turn"


# --- playing -------------------------------------------------------------------------------------


def why_no_play(state: State, seat: int, play: Play) -> Reason | None:
    """The reason code for which this play is refused; None when it is legal (Q10 to Q12, Q30)."""
    reason = why_not_on_turn(state, seat)
    if reason:
        return reason
    if play.card not in state.hand(seat):
        return "card_not_held"
    if not is_playable(state, play.card):
        return "does_not_beat"
    if play.target not in targets(state, seat, play.card):
        return "bad_target"
    if play.call and state.options.peco_call == "off":
        return "call_off"
    return None


def is_playable(state: State, card: Card) -> bool:
    """Whether the card beats the top of the discard under this stake (Q11, Q12)."""
    assert state.top is not None  # noqa: S101
    return beats(card, state.top, inverse=state.inverse)


def targets(state: State, seat: int, card: Card) -> tuple[int | None, ...]:
    """The seats that a steal may name; (None,) for other cards and where nobody can be robbed.

    An opponent is any active seat with cards that is not on the same side (Q30, Q41).
    """
    if icon(card) != STEAL:
        return (None,)
    side = state.side_of(seat)
    victims = [other for other in state.active if other not in side and state.sizes[other]]
    return tuple(victims) or (None,)


def is_bluff(state: State, seat: int) -> bool:
    """Whether the hand of this seat holds a card it could play now (Q13)."""
    return any(is_playable(state, card) for card in state.hand(seat))


# --- accusing ------------------------------------------------------------------------------------


def why_no_accusation(state: State, seat: int) -> Reason | None:
    """The reason code for which `seat` may not accuse now; None when it may (Q17, Q32, Q33).

    The accuser's hand plays no part beyond holding any card, so that the offer reveals nothing.
    """
    reason = why_gone(state, seat)
    if reason:
        return reason
    if state.phase == "reveal":
        return "round_over"
    if state.choices:
        return "team_choice_first"
    if seat in state.out:
        return "out_of_round"
    if state.stake.rule == "no_accuse":
        return "accuse_forbidden"
    if state.stake.rule != "slap" and seat != state.turn:
        return "not_your_turn"
    return _why_not_the_last_declaration(state, seat)


def _why_not_the_last_declaration(state: State, seat: int) -> Reason | None:
    declarer = state.declarer
    if declarer is None:
        return "nothing_to_accuse"
    if seat == declarer:
        return "own_pass"
    if not state.options.team_accuse_partner and seat in state.side_of(declarer):
        return "accuse_partner"
    if not state.sizes[seat]:
        return "no_cards"
    return "already_waived" if seat in state.waived else None


def why_no_waiver(state: State, seat: int) -> Reason | None:
    """The reason code for which `seat` has nothing to waive; None when it may (Q33)."""
    reason = why_gone(state, seat)
    if reason:
        return reason
    if state.phase != "claims":
        return "nothing_to_waive"
    return why_no_accusation(state, seat)


# --- who may do what ------------------------------------------------------------------------------


def to_act(state: State) -> tuple[int, ...]:
    """Who may move: the seat on turn, then who may slap; after a round who has not seen it."""
    match state.phase:
        case "over":
            return ()
        case "reveal":
            return tuple(seat for seat in state.in_play if seat not in state.confirmed)
        case "claims":
            return slappers(state)
    if state.choices:
        assert state.solo is not None  # noqa: S101
        return (state.solo,)
    turn = state.turn
    assert turn is not None  # noqa: S101
    return (turn, *(seat for seat in slappers(state) if seat != turn))


def waiting(state: State) -> Waiting | None:
    """What the game waits for; None when it is over. A slap window has nobody on turn (Q33)."""
    seats = to_act(state)
    match state.phase:
        case "over":
            return None
        case "reveal":
            return Waiting("reveal", to_acknowledge=seats)
        case "claims":
            return Waiting("window", may_interrupt=seats)
    return Waiting("turn", seats[0], seats[1:])


def legal_moves(state: State, seat: int) -> list[Move]:
    """Every move of play for this seat now, with the state as that seat knows it.

    Leaving is possible besides, and closing a window is the scheduler's.
    """
    if seat in state.gone:
        return absent_moves(state, seat)
    if state.phase == "reveal":
        waiting = seat in state.in_play and seat not in state.confirmed
        return [Confirm()] if waiting else []
    moves = turn_moves(state, seat)
    if why_no_accusation(state, seat) is None:
        moves.append(Accuse())
    if why_no_waiver(state, seat) is None:
        moves.append(Waive())
    return moves


def turn_moves(state: State, seat: int) -> list[Move]:
    """The plays and the declaration of the seat on turn, or its choice of a team (Q10, Q42)."""
    if state.phase == "turn" and state.choices:
        return _team_choices(state) if seat == state.solo else []
    if why_not_on_turn(state, seat):
        return []
    calls = (False, True) if state.options.peco_call == "on" else (False,)
    return [
        *(
            Play(card, target, call)
            for card in sorted(set(state.hand(seat)))
            if is_playable(state, card)
            for target in targets(state, seat, card)
            for call in calls
        ),
        Declare(),
    ]


def _team_choices(state: State) -> list[Move]:
    return [JoinTeam(partner) for number in state.choices for partner in state.sides[number][:1]]


def next_turn(state: State) -> int | None:
    """The seat that acts after the one on turn, unless that changes the direction or the round ends
    first; None: nobody does.

    It is the next in the direction of play that is in the round and holds cards: who has played
    their last card is out as soon as it is covered (Q15). While nobody is on turn, in a slap window
    or before the deal, it is the seat that will be (Q33, Q42).
    """
    if state.phase == "claims":
        return state.turn
    if state.phase != "turn" or state.turn is None:
        return None
    if state.choices:
        return state.turn if state.turn != state.solo else None
    able = {seat for seat in state.active if state.sizes[seat]}
    seats = ((state.turn + step * state.direction) % state.seats for step in range(1, state.seats))
    return next((seat for seat in seats if seat in able), None)


# --- the scheduler --------------------------------------------------------------------------------


def absent_moves(state: State, seat: int) -> list[Move]:
    """The automatic moves of a seat that left: on its own turn, never an accusation (C5)."""
    return [] if state.phase == "over" or seat in state.removed else turn_moves(state, seat)


def timeout_move(state: State, seat: int) -> Move:
    """The first playable card without a bomb, else a bomb, else the declaration (C5)."""
    if state.phase == "reveal":
        return Confirm()
    moves = turn_moves(state, seat)
    if isinstance(moves[0], JoinTeam):
        return moves[0]
    needs_call = state.options.peco_call == "on" and state.sizes[seat] == 2
    plays = [move for move in moves if isinstance(move, Play) and move.call == needs_call]
    return min(plays, key=lambda play: icon(play.card) == BOMB, default=Declare())


def due_moves(state: State) -> list[tuple[int, Move]]:
    """The moves to play when the time of the present phase is up, in order."""
    match state.phase:
        case "turn":
            seat = to_act(state)[0]
            return [(seat, timeout_move(state, seat))]
        case "claims":
            assert state.declarer is not None  # noqa: S101
            return [(state.declarer, CloseWindow())]
        case "reveal":
            return [(seat, Confirm()) for seat in to_act(state)]
        case "over":
            return []


def cuts_off(state: State, seat: int, move: Move) -> bool:
    """Never: while a declaration may be slapped, the window itself keeps the others waiting."""
    return False
