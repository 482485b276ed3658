"""Tables of Peco Peco as the site's lobby makes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from benchmarks.load.open_tables import full_table
from games.core.chance import SystemChance
from games.peco_peco.rules import KEY
from games.peco_peco.rules.options import PRESETS
from games.peco_peco.rules.stakes import STAKES
from games.play import before_start


class SlapStakesLast(SystemChance):
    """Fair shuffles, but for stakes with a slap window: it lasts seconds in which nobody moves."""

    def shuffled(self, items: Sequence[Any], at: object = None) -> tuple[Any, ...]:
        shuffled = super().shuffled(items)
        if items[0] not in STAKES:
            return shuffled
        return tuple(sorted(shuffled, key=lambda stake: STAKES[stake].rule == "slap"))


def table(people: Sequence[Any], *, rounds: int | None = None) -> str:
    """The code of a game of these people without a clock.

    ValueError for `rounds`: there are no old games to measure.
    """
    if rounds is not None:
        raise ValueError("old games of Peco Peco are not measured")
    now = timezone.now()
    options = PRESETS["peco_base"].to_json()
    code = full_table(people, key=KEY, preset="peco_base", options=options, now=now)
    before_start.start(code, people[0], now=now, chance=SlapStakesLast())
    return code
