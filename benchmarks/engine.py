"""How fast the rules are: whole random games through their public functions, beside a bare loop.

Six seats, a random legal move each turn, nobody leaves. Confirming a reveal is counted separately.
Times are CPU seconds, so that other work on the machine does not count.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from games.core.chance import SeededChance  # noqa: E402
from games.core.contract import fold  # noqa: E402
from games.perudo import rules  # noqa: E402
from games.perudo.rules.options import SITE_OPTIONS  # noqa: E402

SEATS = 6
DICE_EACH = 5
FACES = (1, 2, 3, 4, 5, 6)


def play_through_the_engine(seed: int) -> tuple[int, int]:
    """One game of six, a random legal move each turn: how many moves, and confirms besides."""
    chance = SeededChance(seed)
    state = fold(rules, rules.start(SEATS, SITE_OPTIONS, chance))
    moves = confirms = 0
    while (phase := rules.phase(state)) != "over":
        if phase == "reveal":
            for seat, move in rules.due_moves(state):
                state = fold(rules, rules.decide(state, seat, move, chance), state)
                confirms += 1
        else:
            seat = rules.to_act(state)[0]
            move = chance.pick(rules.legal_moves(state, seat))
            state = fold(rules, rules.decide(state, seat, move, chance), state)
            moves += 1
    return moves, confirms


def play_bare(seed: int) -> tuple[int, int]:
    """The floor: the same number of dice and bids as bare integers, without any rules."""
    generator = random.Random(seed)  # noqa: S311
    dice = [DICE_EACH] * SEATS
    turn = generator.randrange(SEATS)
    moves = 0
    while sum(1 for left in dice if left) > 1:
        hands = [generator.choices(FACES, k=left) for left in dice]
        bid = face = 0
        bidder = turn
        while True:
            moves += 1
            if bid and generator.randrange(100) < 23 or bid >= DICE_EACH * SEATS:
                break
            bid, face, bidder = bid + 1 + generator.randrange(4), generator.randrange(2, 7), turn
            turn = (turn + 1) % SEATS
            while not dice[turn]:
                turn = (turn + 1) % SEATS
        count = sum(1 for hand in hands for die in hand if die == face or die == 1)
        loser = turn if count >= bid else bidder
        dice[loser] -= 1
        turn = loser
        while not dice[turn]:
            turn = (turn + 1) % SEATS
    return moves, 0


def measure(play: Callable[[int], tuple[int, int]], seconds: float) -> tuple[float, float, float]:
    """Games, moves and confirms in a second of this one core."""
    games = moves = confirms = 0
    started = time.process_time()
    while (spent := time.process_time() - started) < seconds:
        more_moves, more_confirms = play(games)
        games, moves, confirms = games + 1, moves + more_moves, confirms + more_confirms
    return games / spent, moves / spent, confirms / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each of the two loops")
    seconds = parser.parse_args().seconds
    games, moves, confirms = measure(play_through_the_engine, seconds)
    bare_games, bare_moves, _ = measure(play_bare, seconds)
    print(f"engine  {games:9.0f} games/s  {moves:9.0f} moves/s  {confirms:9.0f} confirms/s")
    print(f"        {moves / games:9.1f} moves and {confirms / games:.1f} confirms a game")
    print(f"        {moves / 127:9.0f} games/s if a game had 127 moves (goal: above 740)")
    print(f"floor   {bare_games:9.0f} games/s  {bare_moves:9.0f} moves/s")
    print(f"        {bare_moves / bare_games:9.1f} moves a game")
    print(f"ratio   {bare_moves / moves:9.1f} (time of the engine for a move / time of the floor)")


if __name__ == "__main__":
    main()
