"""How fast the rules are: whole random games through their public functions, game by game.

Six seats, a random legal move each turn, nobody leaves. Confirming a reveal is counted separately.
Times are CPU seconds, so that other work on the machine does not count. Perudo is also compared
with a bare loop.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from games.core.chance import SeededChance
from games.core.contract import Rules, fold

ROOT = Path(__file__).resolve().parent.parent
GAMES = sorted(path.parent.name for path in ROOT.glob("games/*/rules"))
PERUDO = "perudo"
SEATS = 6
DICE_EACH = 5
FACES = (1, 2, 3, 4, 5, 6)


def standard_options(game: str) -> Any:
    """The options of quick games, or else of the first preset."""
    options = import_module(f"games.{game}.rules.options")
    first = next(iter(options.PRESETS.values()))
    return getattr(options, "SITE_OPTIONS", first)


def play_through_the_engine(rules: Rules, options: Any, seed: int) -> tuple[int, int]:
    """One game of six, a random legal move each turn: how many moves, and confirms besides."""
    chance = SeededChance(seed)
    state = fold(rules, rules.start(SEATS, options, chance))
    moves = confirms = 0
    while (phase := state.phase) != "over":
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
    parser.add_argument("--seconds", type=float, default=5.0, help="for each of the loops")
    parser.add_argument("--game", choices=GAMES, help="only this one; all by default")
    given = parser.parse_args()
    print(f"{'':12} {'games/s':>9} {'moves/s':>9} {'confirms/s':>11} {'moves/game':>11}")
    for game in [given.game] if given.game else GAMES:
        rules: Any = import_module(f"games.{game}.rules")
        play = partial(play_through_the_engine, rules, standard_options(game))
        games, moves, confirms = measure(play, given.seconds)
        print(f"{game:12} {games:9.0f} {moves:9.0f} {confirms:11.0f} {moves / games:11.1f}")
        if game == PERUDO:
            bare_games, bare, _ = measure(play_bare, given.seconds)
            print(
                f"{'  bare loop':12} {bare_games:9.0f} {bare:9.0f} {0:11} {bare / bare_games:11.1f}"
            )
            print(f"  {moves / 127:.0f} games/s if a game had 127 moves (goal: above 740)")
            print(f"  {bare / moves:.1f} times as long for a move as the bare loop")


if __name__ == "__main__":
    main()
