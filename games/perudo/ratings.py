"""Ratings of Perudo: everyone plays for themselves, with the rules that a host can pick at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from games.contract.rating_scale import RatingScale
from games.perudo.forms import NewTableForm

SCALE: Final = RatingScale.read(Path(__file__).with_name("ratings.json"))
RULES: Final = [(each.preset, each.options) for each in NewTableForm.choices.values()]


def sides(seats: int, options: Mapping[str, Any]) -> Sequence[Sequence[int]]:
    return [(seat,) for seat in range(seats)]
