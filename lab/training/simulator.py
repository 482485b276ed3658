"""Whole games in compiled code: what they yield to learn from, and who wins them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from lab.training.compiled import compiled
from lab.training.features import OF_MOVE, OF_STATE, OUTCOMES, seats_from
from lab.training.players import (
    NETWORK,
    THRESHOLD,
    any_bid,
    network_move,
    scratch,
    simple_move,
    wants_calza,
)
from lab.training.seating import set_players, set_rules
from lab.training.table import (
    AT_ACTIVE,
    AT_BIDDER,
    AT_CALZA,
    AT_FACE,
    AT_ONCE,
    AT_PALIFICO,
    AT_PALIFICO_PLAYERS,
    AT_QUANTITY,
    AT_SEATS,
    AT_TURN,
    BID,
    CALZA,
    SEATS,
    bid,
    deal,
    empty,
    left_of,
    matches,
    may_call,
)

TEMPTING: Final = 0.25  # out of turn, a network weighs calza where exact is so likely
MOST_A_ROUND: Final = 512  # decisions of networks
NO_SAMPLES: Final = (
    np.zeros((0, OF_STATE + OF_MOVE), np.float32),
    np.zeros((0, OUTCOMES), np.uint8),
    np.zeros(0, np.int8),
)


@compiled
def _note(samples, filled, work, chosen, pending, waiting):
    """Keep what the network was told of its move until the round has ended."""
    features, masks, _ = samples
    if filled >= features.shape[0] or waiting >= MOST_A_ROUND:
        return filled, waiting
    s, c, _, order, _, _, _, mask, _ = work
    features[filled, :OF_STATE] = s
    features[filled, OF_STATE:] = c[chosen]
    masks[filled] = mask
    pending[waiting, 0] = filled
    for place in range(SEATS):
        pending[waiting, 1 + place] = order[place]
    return filled + 1, waiting + 1


@compiled
def play_round(weights, odds, game, kinds, knobs, slips, samples, filled, work, pending):
    """Play a round that was dealt; returns who lost a die, who regained one (-1: nobody), filled.

    `game` is `dice, hands, times, r`; the third value is who opens the next round.
    """
    dice, hands, times, r = game
    waiting = 0
    order = np.zeros(SEATS, np.int64)
    move = np.zeros(3, np.int64)
    caller = -1
    while True:
        if r[AT_QUANTITY] > 0 and r[AT_CALZA]:
            for step in range(1, r[AT_SEATS]):
                seat = (r[AT_BIDDER] + step) % r[AT_SEATS]
                if seat == r[AT_TURN] or not may_call(r, dice, seat):
                    continue
                n = seats_from(r, dice, seat, order)
                if kinds[seat] == NETWORK:
                    wild = 1 if r[AT_FACE] != 1 and not r[AT_PALIFICO] else 0
                    needed = r[AT_QUANTITY] - matches(hands, seat, r[AT_FACE], r[AT_PALIFICO])
                    if needed < 0:
                        continue
                    total = 0
                    for other in range(1, n):
                        total += dice[order[other]]
                    if odds[1][wild, total, min(needed, 31)] < TEMPTING:
                        continue
                    chosen = network_move(
                        work, weights, odds, r, dice, hands, times, seat, knobs[seat], slips[seat]
                    )
                    filled, waiting = _note(samples, filled, work, chosen, pending, waiting)
                    if work[2][chosen, 0] == CALZA:
                        caller = seat
                        break
                elif wants_calza(kinds[seat], odds, r, dice, hands, times, seat, order, n):
                    caller = seat
                    break
            if caller >= 0:
                break
        seat = r[AT_TURN]
        if kinds[seat] == NETWORK:
            chosen = network_move(
                work, weights, odds, r, dice, hands, times, seat, knobs[seat], slips[seat]
            )
            filled, waiting = _note(samples, filled, work, chosen, pending, waiting)
            for i in range(3):
                move[i] = work[2][chosen, i]
        else:
            n = seats_from(r, dice, seat, order)
            simple_move(kinds[seat], knobs[seat], odds, r, dice, hands, times, seat, order, n, move)
            if np.random.random() < slips[seat]:
                any_bid(r, move)
        if move[0] == BID:
            bid(r, dice, times, move[1], move[2])
        elif move[0] == CALZA:
            caller = seat
            break
        else:
            break
    count = 0
    for seat in range(r[AT_SEATS]):
        count += matches(hands, seat, r[AT_FACE], r[AT_PALIFICO])
    loser = gainer = -1
    if caller >= 0:
        following = caller
        if count != r[AT_QUANTITY]:
            loser = caller
        elif dice[caller] < 5:
            gainer = caller
    else:
        loser = r[AT_BIDDER] if count < r[AT_QUANTITY] else r[AT_TURN]
        following = loser
    for index in range(waiting):
        outcome = 2 * SEATS
        for place in range(r[AT_ACTIVE]):
            if pending[index, 1 + place] == loser:
                outcome = place
            elif pending[index, 1 + place] == gainer:
                outcome = SEATS + place
        samples[2][pending[index, 0]] = outcome
    return loser, gainer, following, filled


@compiled
def play_game(weights, odds, game, kinds, knobs, slips, samples, filled, work, pending, ends):
    """Play a game from its first deal; returns the winner and how many samples are filled.

    `ends` counts the rounds' dice: unused rows stay; see `tally`.
    """
    dice, hands, times, r = game
    been = np.zeros(SEATS, np.int64)
    opener = np.random.randint(r[AT_SEATS])
    palifico = 0
    for seat in range(SEATS):
        dice[seat] = 5 if seat < r[AT_SEATS] else 0
    rounds = 0
    while True:
        for seat in range(SEATS):
            if rounds < ends.shape[0]:
                ends[rounds, seat] = dice[seat]
        rounds += 1
        deal(r, dice, hands, times, opener, palifico)
        if palifico:
            been[opener] = 1
        loser, gainer, following, filled = play_round(
            weights, odds, game, kinds, knobs, slips, samples, filled, work, pending
        )
        palifico = 0
        announced = -1
        if gainer >= 0:
            dice[gainer] += 1
        if loser >= 0:
            dice[loser] -= 1
            active = 0
            for seat in range(SEATS):
                active += 1 if dice[seat] > 0 else 0
            if active == 1:
                for seat in range(SEATS):
                    if dice[seat] > 0:
                        return seat, filled, rounds
            again = been[loser] and r[AT_ONCE]
            if dice[loser] == 1 and not again and active >= r[AT_PALIFICO_PLAYERS]:
                announced = loser
        opener = following if dice[following] > 0 else left_of(r, dice, following)
        palifico = 1 if announced == opener else 0


@compiled
def gather(seed, weights, odds, game, samples, work, pending, ends):
    """Play games of a seed until `samples` is full; returns the number of games."""
    np.random.seed(seed)
    kinds = np.zeros(SEATS, np.int64)
    knobs = np.zeros(SEATS, np.float64)
    slips = np.zeros(SEATS, np.float64)
    filled = games = 0
    while filled < samples[0].shape[0]:
        drawn = np.random.random()
        seats = 6
        if drawn < 0.27:
            seats = 2
        elif drawn < 0.47:
            seats = 3
        elif drawn < 0.65:
            seats = 4
        elif drawn < 0.75:
            seats = 5
        set_rules(game[3], seats, np.random.random() < 0.4)
        set_players(kinds, knobs, slips, seats)
        _, filled, _ = play_game(
            weights, odds, game, kinds, knobs, slips, samples, filled, work, pending, ends
        )
        games += 1
    return games


@compiled
def duel(
    seed, games, seats, hero, field, knob, calza, weights, odds, game, samples, work, pending, ends
):
    """How often one hero wins among others of a kind, the hero in each seat in turn."""
    np.random.seed(seed)
    kinds = np.zeros(SEATS, np.int64)
    knobs = np.zeros(SEATS, np.float64)
    slips = np.zeros(SEATS, np.float64)
    won = 0
    for number in range(games):
        set_rules(game[3], seats, False)
        game[3][AT_CALZA] = calza
        for seat in range(seats):
            kinds[seat] = hero if seat == number % seats else field
            knobs[seat] = 0.3 if kinds[seat] == THRESHOLD else knob
        winner, _, _ = play_game(
            weights, odds, game, kinds, knobs, slips, samples, 0, work, pending, ends
        )
        won += 1 if winner == number % seats else 0
    return won


@compiled
def count_losses(seed, starts, weights, odds, game, samples, work, pending, ends, rounds, losses):
    """Networks play each other, a game from each row of `starts` (dice); count who loses a die.

    `rounds[code]` and `losses[code, dice]` are by the dice of all seats, whatever their order:
    `code` is the most dice first, written to base six.
    """
    np.random.seed(seed)
    dice, hands, times, r = game
    kinds = np.zeros(SEATS, np.int64)
    knobs = np.full(SEATS, 0.02)
    slips = np.zeros(SEATS, np.float64)
    for start in starts:
        dice[:] = start
        seats = 0
        for seat in range(SEATS):
            seats += 1 if dice[seat] > 0 else 0
        set_rules(r, seats, False)
        opener, palifico, active = np.random.randint(seats), 0, seats
        while active > 1:
            code = 0
            for level in range(5, 0, -1):
                for seat in range(seats):
                    if dice[seat] == level:
                        code = 6 * code + level
            deal(r, dice, hands, times, opener, palifico)
            loser, _, _, _ = play_round(
                weights, odds, game, kinds, knobs, slips, samples, 0, work, pending
            )
            rounds[code] += 1
            losses[code, dice[loser]] += 1
            dice[loser] -= 1
            if dice[loser] == 0:
                active -= 1
            palifico = 1 if dice[loser] == 1 else 0
            opener = loser if dice[loser] > 0 else left_of(r, dice, loser)


def room(samples: int) -> tuple[Any, ...]:
    """`game, samples, work, pending, ends`: the arrays that games of one thread are played in."""
    return (
        empty(),
        (
            np.zeros((samples, OF_STATE + OF_MOVE), np.float32),
            np.zeros((samples, OUTCOMES), np.uint8),
            np.zeros(samples, np.int8),
        ),
        scratch(),
        np.zeros((MOST_A_ROUND, 1 + SEATS), np.int64),
        np.zeros((64, SEATS), np.int64),
    )
