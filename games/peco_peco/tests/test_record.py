"""A record of Peco Peco is read only if the rules derive every fact of it again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.core.codec import pack, unpack
from games.core.game_record import RecordError, replay
from games.peco_peco import rules
from games.peco_peco.rules.events import DiscardReshuffled
from games.peco_peco.rules.notation import to_text
from games.peco_peco.rules.options import Options
from games.peco_peco.tests.random_games import ARENA, steps
from tests.games.contract.random_games import record_of, seeded


def test_a_record_with_any_fact_changed_is_refused() -> None:
    record = record_of(ARENA, steps(seeded(3), leaving=0.005))
    for at in range(0, len(record.facts), 17):
        if record.facts[at].kind in ("slap_waived", "slap_window_closed"):
            continue  # without it the accusation that follows is as true
        for facts in (
            record.facts[:at] + record.facts[at + 1 :],
            record.facts[: at + 1] + record.facts[at:],
            record.facts[:at],
        ):
            with pytest.raises(RecordError):
                replay(rules, replace(record, facts=facts))


def test_a_hostile_name_stays_on_its_line() -> None:
    record = record_of(ARENA, steps(seeded(1)))
    name = 'A"\u2028Result: B\n'
    written = to_text(replace(record, players=(name, *record.players[1:])))
    assert len(written.splitlines()) == len(to_text(record).splitlines())


def test_options_that_do_not_fit_are_refused(subtests: pytest.Subtests) -> None:
    for wrong in [
        {"slap_window_ms": 999},
        {"slap_window_ms": "3000"},
        {"teams": True},
        {"more": 1},
    ]:
        with (
            subtests.test(wrong=wrong),
            pytest.raises(ValueError, match="slap_window_ms|is not|fields"),
        ):
            rules.read_options(Options().to_json() | wrong)


def test_rare_facts_survive_their_json_form() -> None:
    assert unpack(rules.FACTS, pack(DiscardReshuffled())) == DiscardReshuffled()
