"""Where the hard bot errs: the worlds that are drawn, the options played out, and the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.core.chance import SeededChance
from games.core.values import changed
from games.peco_peco import rules
from games.peco_peco.rules.events import BluffAdmitted, CardPlayed, Declared
from games.peco_peco.rules.moves import Accuse, Declare, Play
from games.peco_peco.rules.state import State
from games.peco_peco.rules.turns import is_bluff
from games.peco_peco.tests.random_games import is_whole, steps
from games.peco_peco.tests.tables import after, buffet, table
from lab import misjudged
from lab.misjudged import Plan, measure, regret, report, switched
from lab.playouts import Case, declarers, drawn_world, options
from tests.games.contract.random_games import Viewers, seeded

A, B, C, D = range(4)


def known_to(state: State, seat: int) -> State:
    hands = tuple(hand if owner == seat else None for owner, hand in enumerate(state.hands))
    return changed(state, hands=hands, pile=None, food=None)


def test_a_drawn_world_has_all_cards_and_what_the_seat_knows() -> None:
    checked = 0
    for seed in range(3):
        viewers: Viewers | None = None
        for number, step in enumerate(steps(seeded(seed))):
            viewers = viewers or Viewers(rules, step.seats)
            viewers.learn(step.facts)
            whole = step.after
            if number % 20 or whole.phase != "turn" or not whole.number or whole.choices:
                continue
            seat = whole.turn
            known = viewers.known[seat]
            world = drawn_world(whole, known, seat, {(seat + 1) % whole.seats}, SeededChance(seed))
            assert is_whole(world)
            assert world.sizes == tuple(map(len, world.hands)) == whole.sizes
            assert world.hands[seat] == whole.hands[seat]
            assert world.under[: len(known.under)] == known.under
            checked += 1
    assert checked > 20


def test_who_declared_is_dealt_hands_that_make_it_likelier() -> None:
    """Three cards hold an elephant four times in five; most such hands are dealt again."""
    state = table(
        "hands A[E,C] B[C,C,M] C[M,M,E] D[C,C]; top C; "
        f"draw {','.join(['E', 'M'] * 12)}; turn A; clockwise; rule none"
    )
    known = known_to(state, A)
    chance = SeededChance(1)

    def bluffs(declared: set[int]) -> int:
        worlds = [drawn_world(state, known, A, declared, chance) for _ in range(400)]
        return sum(is_bluff(world, B) for world in worlds)

    assert 300 < bluffs(set()) < 345
    assert bluffs({B}) < 0.7 * bluffs(set())


def test_a_declaration_counts_until_it_is_accused_or_covered() -> None:
    both = declarers([Declared(A), Declared(B)], frozenset())
    assert both == {A, B}
    assert declarers([BluffAdmitted(C, B)], both) == {A}
    assert declarers([CardPlayed(C, "E", called=False)], both) == frozenset()


def test_the_options_are_all_that_a_seat_may_do() -> None:
    state = table(
        "hands A[E,M] B[C,C,E] C[M,M] D[C,C]; top C; draw C,M; turn A; clockwise; rule none"
    )
    assert set(options(known_to(state, A), A)) == {Play("E"), Declare()}
    declared = after(state, (A, Declare()))
    assert set(options(known_to(declared, B), B)) == {Accuse(), Play("E"), Declare()}
    assert options(known_to(declared, C), C) == {}
    slap = after(
        table("hands A[E,M] B[C,C] C[M,M] D[C,C]; top C; draw C,M; turn A; clockwise; rule slap"),
        (A, Declare()),
    )
    assert set(options(known_to(slap, C), C)) == {Accuse(), None}


def test_the_value_is_the_chance_to_win_when_the_round_is_over() -> None:
    """Who plays the only card that nobody can answer wins the round; the stake makes the set."""
    text = (
        "hands A[E] B[E] C[E] D[C]; top C; draw C,M; turn A; clockwise; rule no_accuse; "
        "top card owned by D; still to answer A"
    )
    state = table(text, buffets=(buffet("F01", "F07"), (), (), ()))
    state = changed(state, stake_id="F17")
    public = changed(state, hands=(None,) * 4, pile=None, food=None)
    case = Case(known_to(state, A), A, public, ["medium"] * 4, "seed")
    assert case.values(Play("E"), [state, state]) == [1.0, 1.0]
    assert max(case.values(Declare(), [state])) < 1


def test_a_game_is_measured_the_same_again() -> None:
    plan = Plan(seed=1, every=60, drawn=1, true=1)
    _job, rows = measure(("mixed", 4, 1), plan)
    assert rows == measure(("mixed", 4, 1), plan)[1]
    for row in rows:
        assert 0 <= row["chosen"] < len(row["options"])
        for option in row["options"]:
            assert all(0 <= option[name] <= 1 for name in ("foreseen", "drawn", "true"))


def option(kind: str, drawn: float, true: float, foreseen: float = 0.5) -> dict[str, object]:
    return {"kind": kind, "drawn": drawn, "true": true, "foreseen": foreseen}


def test_the_regret_is_that_of_the_option_that_was_best_elsewhere() -> None:
    options = [option("plain", 0.3, 0.5), option("bluff", 0.4, 0.6), option("bomb", 0.1, 0.9)]
    row = {"chosen": 0, "options": options}
    assert regret(row) == pytest.approx(0.1)
    assert switched(row, "plain", "bomb") == pytest.approx(0.4)
    assert switched(row, "bluff", "bomb") is None
    assert switched(row, "plain", "steal") is None


def test_it_plays_only_what_its_file_does_not_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "misjudged.jsonl"
    command = "--games {} --seats 4 --tables mixed --every 100 --drawn 1 --true 1 --file {}"
    misjudged.main(command.format(1, file).split())
    first = file.read_text()
    with file.open("a") as cut:
        cut.write('{"run": {"seed"\n')  # the process was killed
    misjudged.main(command.format(2, file).split())
    assert file.read_text().startswith(first)
    lines = [json.loads(line) for line in file.read_text().splitlines() if line.endswith("}")]
    assert [line["job"] for line in lines] == [["mixed", 4, 0], ["mixed", 4, 1]]
    rows = [row for line in lines for row in line["rows"]]
    printed = capsys.readouterr().out
    assert all(line in printed for line in report(rows))
    monkeypatch.setattr(misjudged, "sources", lambda game: "changed")
    misjudged.main(command.format(1, file).split())
    assert len(file.read_text().splitlines()) == 4
