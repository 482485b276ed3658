"""The tables that are trained at: their settings, and who sits where, by chance."""

from __future__ import annotations

import numpy as np

from lab.training.compiled import compiled
from lab.training.players import (
    BEGINNER,
    GREEDY,
    INFORMED,
    NETWORK,
    SHARP,
    THRESHOLD,
)
from lab.training.table import (
    AT_ANY_FACE,
    AT_CALZA,
    AT_CALZA_PLAYERS,
    AT_IN_PALIFICO,
    AT_NEEDS_LOST,
    AT_ONCE,
    AT_PACO_OPENING,
    AT_PALIFICO_PLAYERS,
    AT_SEATS,
    AT_WHO,
)


@compiled
def set_rules(r, seats, varied):
    """The printed rules without calza, or settings drawn by chance."""
    r[:] = 0
    r[AT_SEATS] = seats
    r[AT_IN_PALIFICO] = r[AT_PACO_OPENING] = 1
    r[AT_CALZA_PLAYERS] = r[AT_PALIFICO_PLAYERS] = 2
    if not varied:
        return
    drawn = np.random.random(8)
    r[AT_CALZA] = 1 if drawn[0] < 0.5 else 0
    r[AT_WHO] = np.random.randint(3)
    r[AT_IN_PALIFICO] = 1 if drawn[1] < 0.6 else 0
    r[AT_CALZA_PLAYERS] = 2 if drawn[2] < 0.6 else 3
    r[AT_NEEDS_LOST] = 1 if drawn[3] < 0.2 else 0
    r[AT_ANY_FACE] = 1 if drawn[4] < 0.2 else 0
    r[AT_PACO_OPENING] = 1 if drawn[5] < 0.7 else 0
    r[AT_ONCE] = 1 if drawn[6] < 0.2 else 0
    r[AT_PALIFICO_PLAYERS] = 2 if drawn[7] < 0.7 else 3


@compiled
def set_players(kinds, knobs, slips, seats):
    """Who sits where: a mixed table, or one network among players of one kind.

    Small tables have fewer networks: what is left of large ones are networks anyway. In a
    mixed table a simple player now and then bids anything at all.
    """
    alike = -1
    drawn = np.random.random()
    network = 0.62
    if seats == 2:
        drawn -= 0.35
        network = 0.30
    elif seats == 3:
        drawn -= 0.12
    if drawn < 0.14:
        alike = THRESHOLD
    elif drawn < 0.24:
        alike = SHARP
    elif drawn < 0.30:
        alike = np.random.randint(BEGINNER, SHARP)
    hero = np.random.randint(seats)
    for seat in range(seats):
        kind = alike
        if alike < 0:
            drawn = np.random.random()
            rest = (drawn - network) / (1.0 - network)
            if rest < 0.0:
                kind = NETWORK
            elif rest < 0.16:
                kind = BEGINNER
            elif rest < 0.29:
                kind = GREEDY
            elif rest < 0.45:
                kind = INFORMED
            elif rest < 0.68:
                kind = SHARP
            else:
                kind = THRESHOLD
        if seat == hero:
            kind = NETWORK
        kinds[seat] = kind
        slips[seat] = 0.03 if alike < 0 else 0.0
        knobs[seat] = 0.0
        if kind == NETWORK:
            drawn = np.random.random()
            if drawn < 0.55:
                knobs[seat] = 0.01
            elif drawn < 0.85:
                knobs[seat] = 0.04
            else:
                knobs[seat] = 0.15
            slips[seat] = 0.03
        elif kind == THRESHOLD:
            knobs[seat] = 0.3
            if alike < 0 and np.random.random() < 0.5:
                knobs[seat] = 0.15 + 0.35 * np.random.random()
