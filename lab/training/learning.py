"""How the network learns: Adam on the cross-entropy of how rounds ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lab.training.features import OF_MOVE, OF_STATE, OUTCOMES
from lab.training.players import HIDDEN_1, HIDDEN_2

Floats = NDArray[np.float32]
Weights = tuple[Floats, ...]  # in_state, in_move, b1, w2, b2, w3, b3

SHAPES: Final = (
    (OF_STATE, HIDDEN_1),
    (OF_MOVE, HIDDEN_1),
    (HIDDEN_1,),
    (HIDDEN_1, HIDDEN_2),
    (HIDDEN_2,),
    (HIDDEN_2, OUTCOMES),
    (OUTCOMES,),
)
BATCH: Final = 4096
SLOW: Final = 0.999  # how much of the average of weights stays at each step


def fresh(seed: int) -> Weights:
    """Weights to begin with."""
    random = np.random.default_rng(seed)
    fan_in = (OF_STATE + OF_MOVE, OF_STATE + OF_MOVE, 0, HIDDEN_1, 0, HIDDEN_2, 0)
    return tuple(
        (random.normal(size=shape) * np.sqrt(1.5 / fan)).astype(np.float32)
        if fan
        else np.zeros(shape, np.float32)
        for shape, fan in zip(SHAPES, fan_in, strict=True)
    )


@dataclass
class Learner:
    """The weights, their average over the last steps, and what Adam remembers."""

    weights: Weights
    average: Weights
    first: Weights
    second: Weights
    steps: int = 0

    @classmethod
    def new(cls, seed: int) -> Learner:
        weights = fresh(seed)
        zeros = tuple(np.zeros_like(each) for each in weights)
        return cls(
            weights,
            tuple(each.copy() for each in weights),
            zeros,
            tuple(each.copy() for each in zeros),
        )

    def learn(self, features: Floats, masks: Any, outcomes: Any, rate: float) -> float:
        """One step per BATCH of samples, in a shuffled order; returns the mean loss in nats."""
        order = np.random.default_rng(self.steps).permutation(len(outcomes))
        losses = []
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            loss, slopes = slopes_of(self.weights, features[rows], masks[rows], outcomes[rows])
            self._step(slopes, rate)
            losses.append(loss)
        return float(np.mean(losses))

    def _step(self, slopes: Weights, rate: float) -> None:
        self.steps += 1
        one, two = 1 - 0.9**self.steps, 1 - 0.999**self.steps
        keep = min(SLOW, 1 - 1 / self.steps)
        for weight, mean, slope, first, second in zip(
            self.weights, self.average, slopes, self.first, self.second, strict=True
        ):
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            weight -= (rate / one) * first / (np.sqrt(second / two) + 1e-8)
            mean += (1 - keep) * (weight - mean)


def slopes_of(weights: Weights, x: Floats, masks: Any, outcomes: Any) -> tuple[float, Weights]:
    """The mean loss of a batch and its slopes by every weight."""
    in_state, in_move, b1, w2, b2, w3, b3 = weights
    rows = np.arange(len(x))
    first = np.maximum(x[:, :OF_STATE] @ in_state + x[:, OF_STATE:] @ in_move + b1, 0)
    second = np.maximum(first @ w2 + b2, 0)
    logits = np.where(masks, second @ w3 + b3, np.float32(-1e9))
    logits -= logits.max(axis=1, keepdims=True)
    chances = np.exp(logits)
    chances /= chances.sum(axis=1, keepdims=True)
    loss = float(-np.log(np.maximum(chances[rows, outcomes], 1e-12)).mean())
    out = chances
    out[rows, outcomes] -= 1
    out /= np.float32(len(x))
    back_2 = (out @ w3.T) * (second > 0)
    back_1 = (back_2 @ w2.T) * (first > 0)
    return loss, (
        x[:, :OF_STATE].T @ back_1,
        x[:, OF_STATE:].T @ back_1,
        back_1.sum(axis=0),
        first.T @ back_2,
        back_2.sum(axis=0),
        second.T @ out,
        out.sum(axis=0),
    )
