"""The hard bot: weighs every move by what it does to its chance to win the game.

For each move it foresees the round, how likely each seat then is to win it, and what a win of each
seat would do to the chance of its own side to win the game. So it knows what a stake is worth and
to whom, gives up a round that is not worth its cards, and bluffs where a card is worth more than
the risk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from typing import Final

from games.core.contract import Chance
from games.peco_peco.bots.answer import answer, any_of, partners, plays
from games.peco_peco.bots.counting import none_of, truth_of_declaration
from games.peco_peco.bots.game_model import chances
from games.peco_peco.bots.outlook import (
    Outlook,
    after_bluff,
    after_declaration,
    after_honesty,
    after_play,
    present,
)
from games.peco_peco.bots.round_model import win_shares
from games.peco_peco.rules.cards import beats
from games.peco_peco.rules.moves import Declare, JoinTeam, Move, Play
from games.peco_peco.rules.scoring import cards_won, pooled, value
from games.peco_peco.rules.state import State

BLUFFS: Final = 0.2  # how often others who could play are taken to declare
ACCUSED_AT: Final = 0.12  # a declaration so likely to be true is accused half the time
ACCUSED_SPREAD: Final = 0.06  # how gradually that sets in
SLAPS_AT: Final = 0.65  # out of turn, a bluff so likely is accused
NEARLY: Final = 0.001  # moves so near to the best are as good, and less predictable


def hard(state: State, seat: int, chance: Chance) -> Move | None:
    """Makes the move after which its side is likeliest to win the game."""
    return answer(state, seat, chance, on_turn=_turn, accuses=_accuses, joins=_joins)


# --- its turn -------------------------------------------------------------------------------------


def _turn(state: State, seat: int, chance: Chance) -> Move:
    worths = chances(state, seat)
    weighed = [(worth, move) for move, worth in weigh(state, present(state, seat), worths)]
    best = max(worth for worth, _ in weighed)
    return any_of([move for worth, move in weighed if worth >= best - NEARLY], chance)


def weigh(state: State, now: Outlook, worths: Sequence[float]) -> Iterator[tuple[Move, float]]:
    """Every sensible move with the chance to win the game after it."""
    yield Declare(), _worth_of_declaring(state, now, worths)
    for play in plays(state, now.seat):
        yield play, expected(after_play(now, play), worths)


def expected(outlook: Outlook, worths: Sequence[float]) -> float:
    """The chance to win the game: `worths` by winner of the round; the last one if nobody wins."""
    total, left = 0.0, 1.0
    for seat, share in win_shares(outlook).items():
        total += share * worths[seat]
        left -= share
    return total + max(left, 0.0) * worths[-1]


def _mean(outlooks: Sequence[Outlook], worths: Sequence[float]) -> float:
    return sum(expected(outlook, worths) for outlook in outlooks) / len(outlooks)


# --- declaring and being accused ------------------------------------------------------------------


def _worth_of_declaring(state: State, now: Outlook, worths: Sequence[float]) -> float:
    declared = after_declaration(now)
    quiet = expected(declared, worths)
    accuser = next(declared.in_order(), None)
    if accuser is None or not _may_be_accused(state, now.seat, accuser):
        return quiet
    accused = _chance_of_accusation(now)
    bluffs = any(beats(card, now.top, inverse=now.inverse) for card in now.hand)
    follows = after_bluff if bluffs else after_honesty
    severe = state.stake.rule == "severe"
    caught = _mean(follows(declared, accuser, now.seat, severe=severe), worths)
    return (1 - accused) * quiet + accused * caught


def _may_be_accused(state: State, seat: int, accuser: int) -> bool:
    """Whether the next seat to answer may accuse and is played by somebody (Q32, Q41, C5)."""
    if state.stake.rule == "no_accuse" or accuser in state.gone:
        return False
    return state.options.team_accuse_partner or accuser not in state.side_of(seat)


def _chance_of_accusation(now: Outlook) -> float:
    """How likely the next player accuses, who knows the number of our cards and not the cards."""
    own = sum(beats(card, now.top, inverse=now.inverse) for card in now.hand)
    beating = now.unseen.beating(now.top, inverse=now.inverse) + own
    truth = none_of(beating, now.unseen.total + len(now.hand), len(now.hand))
    return 1 / (1 + exp((truth - ACCUSED_AT) / ACCUSED_SPREAD))


# --- accusing -------------------------------------------------------------------------------------


def _accuses(state: State, seat: int, chance: Chance) -> bool:
    """Whether its chance is better after an accusation, right or wrong, and its best move then."""
    assert state.declarer is not None  # noqa: S101
    bluff = chance_of_bluff(truth_of_declaration(state, seat))
    if state.phase != "turn" or seat != state.turn:
        return bluff > SLAPS_AT and state.declarer not in state.side_of(seat)
    accusing, leaving = weigh_accusation(state, seat, chances(state, seat))
    return accusing > leaving


def weigh_accusation(state: State, seat: int, worths: Sequence[float]) -> tuple[float, float]:
    """The chance to win the game after an accusation of the last declaration, and without one."""
    assert state.declarer is not None  # noqa: S101
    bluff = chance_of_bluff(truth_of_declaration(state, seat))
    now = present(state, seat)
    severe = state.stake.rule == "severe"
    right = after_bluff(now, seat, state.declarer, severe=severe)
    wrong = after_honesty(now, seat, state.declarer, severe=severe)
    accusing = bluff * _best_next(right, worths) + (1 - bluff) * _best_next(wrong, worths)
    return accusing, _best_next([now], worths)


def chance_of_bluff(truth: float) -> float:
    """How likely a declaration is a bluff, if it would be true with the probability `truth`."""
    bluff = BLUFFS * (1 - truth)
    return bluff / (bluff + truth) if bluff else 0.0


def _best_next(outlooks: Sequence[Outlook], worths: Sequence[float]) -> float:
    """The mean over equally likely outlooks, of the best this seat can do where it is its turn."""
    total = 0.0
    for outlook in outlooks:
        if outlook.seat != next(outlook.in_order(), None):
            total += expected(outlook, worths)
            continue
        choices = [expected(after_declaration(outlook), worths)]
        choices += [
            expected(after_play(outlook, Play(card)), worths)
            for card in set(outlook.hand)
            if beats(card, outlook.top, inverse=outlook.inverse)
        ]
        total += max(choices)
    return total / len(outlooks)


# --- choosing a team ------------------------------------------------------------------------------


def _joins(state: State, seat: int, chance: Chance) -> Move:
    """The team that is worth most with its own buffet (Q42)."""

    def weight(move: Move) -> tuple[int, int]:
        assert isinstance(move, JoinTeam)  # noqa: S101
        together = pooled(state.buffets, (*state.side_of(move.partner), seat))
        return value(together), cards_won(together)

    moves = partners(state, seat)
    best = max(map(weight, moves))
    return any_of([move for move in moves if weight(move) == best], chance)
