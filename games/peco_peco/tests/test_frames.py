"""Nothing that a viewer is shown depends on cards this viewer may not know: the same bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from accounts.models import User
from games.core.chance import SeededChance
from games.core.contract import Fact
from games.core.values import changed
from games.models import FactRow, Game, Seat
from games.peco_peco import presenter, rules, scene
from games.peco_peco.rules.state import State
from games.peco_peco.shown import OwnView
from games.peco_peco.tests.fast_games import START, running_game
from games.peco_peco.tests.random_games import ARENA, choose, steps, with_other_secrets
from games.peco_peco.tests.tables import table
from games.play import commands
from games.store import event_log, versioned_lru
from games.table import fragment_cache, frames, shown_seats
from tests.games.contract.random_games import seeded


def frame(state: State, seat: int | None, news: Sequence[Fact]) -> str:
    """What a viewer gets of a position, rendered without a cache; None is a spectator."""
    versioned_lru.clear_all()
    seats = [Seat(number=number, bot="easy") for number in range(state.seats)]
    public = [fact for fact in news if fact.audience is None]
    view = scene.of_state(state, shown_seats.at_table(seats), narration="", news=public)
    html = fragment_cache.plain("peco_peco/_table.html", {"t": replace(view, seq=1, move=1)})
    own = OwnView(seat=None)
    if seat is not None:
        own = presenter.choices(state, seat, [each.name for each in seats])
    own = replace(own, seq=1, waiting=len(rules.to_act(state)))
    return html + fragment_cache.plain("peco_peco/_own.html", {"o": own, "code": "abcdefghij"})


@pytest.mark.parametrize("seed", range(6))
def test_other_hands_and_another_pile_change_no_byte(seed: int) -> None:
    """The frames are rendered from the whole truth, which is more than any viewer is ever told."""
    generator = seeded(seed)
    compared = 0
    for step in steps(generator, leaving=0.01):
        if generator.random() > 0.15:
            continue
        seat = generator.randrange(step.seats)
        other = with_other_secrets(step.after, seat, generator)
        assert frame(other, seat, step.facts) == frame(step.after, seat, step.facts)
        assert frame(other, None, step.facts) == frame(step.after, None, step.facts)
        compared += other != step.after
    assert compared > 5


def test_what_a_viewer_may_know_is_all_that_is_shown() -> None:
    """The truth and the state without its secrets give the same frame."""
    generator = seeded(11)
    for step in steps(generator, leaving=0.01):
        if generator.random() > 0.1:
            continue
        for seat in (None, generator.randrange(step.seats)):
            known = ARENA.as_known(step.after, seat)
            assert frame(known, seat, step.facts) == frame(step.after, seat, step.facts)


def test_the_hands_that_are_swapped_are_shown_to_their_own_seats() -> None:
    text = "hands A[E,M] B[C,C] C[M,M]; top C; draw E,E,E; turn A; clockwise; rule none"
    state = table(text)
    other = changed(state, hands=(("E", "M"), ("E", "E"), ("M", "M")))
    assert frame(other, 0, ()) == frame(state, 0, ())
    assert frame(other, 1, ()) != frame(state, 1, ())


def test_a_true_and_a_false_declaration_look_the_same() -> None:
    """Q13: nobody but the seat itself can tell before an accusation."""
    texts = (
        f"hands A[{held}] B[C,C] C[M]; top C; draw E; turn A; clockwise; rule slap"
        for held in ("E,M", "C,M")
    )
    true, false = (table(text) for text in texts)
    for seat in (None, 1, 2):
        assert frame(true, seat, ()) == frame(false, seat, ())


# --- from the event log of a real game ------------------------------------------------------------

OTHER = {"E": "C", "C": "M", "M": "E"}


class TakenBack(Exception):
    """Ends a transaction that must leave no trace."""


@contextmanager
def other_cards_for_all_but(seat: int | None, game: Game) -> Iterator[int]:
    """Replace every hidden card that this seat was not told, until the end of the block."""
    with pytest.raises(TakenBack), transaction.atomic():
        changed_rows = 0
        for row in FactRow.unsealed.filter(game=game, audience__isnull=False):
            if seat in row.audience or row.kind == "food_shuffled":
                continue
            if "card" in row.data:
                row.data["card"] = _other(row.data["card"])
            else:
                row.data["cards"] = [_other(card) for card in row.data["cards"]]
            row.save(update_fields=["data"])
            changed_rows += 1
        yield changed_rows
        raise TakenBack


def _other(card: str) -> str:
    return OTHER[card[0]] + card[1:]


def sent_to(game: Game, seat: int | None) -> list[str]:
    """Everything the site sends this viewer of a game, rendered without a cache."""
    game = Game.objects.select_related("rematch").get(pk=game.pk)
    versioned_lru.clear_all()
    user = AnonymousUser()
    return [frames.frame(game, seat, user=user).html, frames.story(game)]


@pytest.mark.slow
@pytest.mark.django_db
def test_no_frame_of_a_whole_game_depends_on_cards_of_others(
    alice: User, bob: User, charlie: User
) -> None:
    game = running_game(alice, bob, charlie, "easy", peco_call="on", slap_window_ms=1000)
    generator, chance, now = seeded(3), SeededChance(seeded(4)), START
    compared = 0
    for _ in range(60):
        game.refresh_from_db()
        if game.status != Game.Status.PLAYING:
            break
        for seat in (None, generator.randrange(4)):
            before = sent_to(game, seat)
            with other_cards_for_all_but(seat, game) as others:
                assert sent_to(game, seat) == before
                compared += others
        now += timedelta(seconds=2)
        seat = generator.choice(rules.to_act(event_log.public_state(game)))
        move = choose(rules.legal_moves(event_log.seat_view(game, seat), seat), generator)
        commands.move(game.code, seat, move, seen=game.seq, now=now, chance=chance)
    assert compared > 300


@pytest.mark.django_db
def test_the_cards_that_are_exchanged_are_the_ones_the_others_see(alice: User, bob: User) -> None:
    game = running_game(alice, bob, "easy", "easy")
    own, others = sent_to(game, 0), sent_to(game, 1)
    with other_cards_for_all_but(0, game):
        assert sent_to(game, 0) == own
        assert sent_to(game, 1) != others
