"""What a game draws follows from the secret of its table, which nobody reads before the end."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from accounts.models import User
from games.contract import catalogue
from games.core import game_record
from games.core.chance import SystemChance
from games.core.game_record import RecordError
from games.core.moves import Leave
from games.core.proof import Proof
from games.models import DrawProof, Game
from games.play import before_start, commands, rematches, retry
from games.store import proofs, record_export, versioned_lru
from tests.games.contract.kinds import every_kind, finished_game, played_on, quick_game
from tests.support.fast_games import START
from tests.support.proven_games import verify

pytestmark = pytest.mark.django_db


def played(kind: catalogue.GameKind, host: User, *, seed: int) -> Game:
    """A game of bots to its end, with a cold cache before each step."""
    game = quick_game(kind, host, seed=seed)
    commands.move(game.code, 0, Leave(), seen=None, now=START)
    for now in played_on(game, seed=None):
        versioned_lru.clear_all()
        game = now
    return game


@every_kind
@pytest.mark.parametrize("seed", range(2))
def test_every_draw_of_a_whole_game_follows_from_its_proof(
    kind: catalogue.GameKind, alice: User, seed: int
) -> None:
    game = played(kind, alice, seed=seed)
    written = record_export.as_json(game)
    record = game_record.from_json(kind.rules, written)  # checks the draws too
    proof = record.proof
    assert proof is not None and proof.code == game.code and set(proof.parts) == {None}
    assert game_record.to_json(record) == written

    flipped = bytes([proof.secret[0] ^ 1, *proof.secret[1:]])
    other = replace(proof, secret=flipped)
    with pytest.raises(RecordError, match="committed"):
        game_record.check_draws(kind.rules, record, other)
    other = replace(other, commitment=game_record.proofs.commitment(game.code, flipped))
    with pytest.raises(RecordError, match="root"):
        game_record.check_draws(kind.rules, record, other)
    other = replace(other, root=root_of(other, record))
    with pytest.raises(RecordError, match="fact"):
        game_record.check_draws(kind.rules, record, other)


def root_of(proof: Proof, record: game_record.Record) -> bytes:
    rules = game_record.proofs.fingerprint(record.game, game_record.pack(record.options))
    return game_record.proofs.root(proof.code, rules, proof.commitment, proof.parts)


@every_kind
def test_the_secret_is_chosen_with_the_table_and_told_at_the_end(
    kind: catalogue.GameKind, alice: User
) -> None:
    settings = before_start.quick_settings(kind.key, bots=kind.rules.SEATS.start - 1)
    table = before_start.open_game(alice, settings, now=START)
    committed = bytes(DrawProof.unsealed.get(game=table).commitment)
    bot = next(iter(kind.bots))
    for _ in range(settings.size - 1):
        before_start.add_bot(table.code, alice, kind=bot, now=START)
    before_start.start(table.code, alice, now=START)
    table.refresh_from_db()
    assert not DrawProof.objects.exists()
    with pytest.raises(ValueError, match="not over"):
        proofs.of_finished(table, seats=settings.size)
    commands.move(table.code, 0, Leave(), seen=None, now=START)
    Game.objects.filter(pk=table.pk).update(status=Game.Status.FINISHED)
    table.refresh_from_db()
    told = proofs.of_finished(table, seats=settings.size)
    assert told is not None and told.commitment == committed


@every_kind
def test_the_proof_of_a_rematch_names_who_won_before(kind: catalogue.GameKind, alice: User) -> None:
    """The winner of a game of Peco Peco opens the next one (Q8); the file knows it too."""
    old = finished_game(kind, alice, stays=True)
    winners = [seat.number for seat in old.seat_set.filter(place=1)]
    again = Game.objects.get(code=rematches.rematch(old.code, alice, now=START).code)
    commands.move(again.code, 0, Leave(), seen=None, now=START)
    *_, over = played_on(again, seed=None)
    written = record_export.as_json(over)
    proof = game_record.from_json(kind.rules, written).proof
    assert proof is not None and list(proof.won_before) == winners != []
    assert verify.verdict(json.loads(written))[0] == 0


@every_kind
def test_a_table_of_an_earlier_version_gets_a_secret_as_it_begins_and_a_game_plays_on(
    kind: catalogue.GameKind, alice: User, bob: User
) -> None:
    settings = before_start.quick_settings(kind.key, bots=kind.rules.SEATS.start - 1)
    table = before_start.open_game(alice, settings, now=START)
    DrawProof.unsealed.all().delete()
    bot = next(iter(kind.bots))
    for _ in range(settings.size - 1):
        before_start.add_bot(table.code, alice, kind=bot, now=START)
    before_start.start(table.code, alice, now=START)
    assert DrawProof.unsealed.get().root is not None
    DrawProof.unsealed.all().delete()
    versioned_lru.clear_all()
    over = finished_game(kind, bob)
    DrawProof.unsealed.all().delete()
    assert record_export.record_of(over).proof is None


@every_kind
def test_a_game_tried_again_has_no_proof(kind: catalogue.GameKind, alice: User) -> None:
    game = finished_game(kind, alice, stays=True)
    moments = kind.replay.moments(game)
    number = next(
        number
        for number, moment in enumerate(moments, start=1)
        if moment.move is not None and moment.move.seat == 0
    )
    again = retry.begin(game, number, alice, now=START)
    assert not DrawProof.unsealed.filter(game=again).exists()


def test_neither_bots_nor_errors_get_what_draws(alice: User) -> None:
    kind = next(iter(catalogue.every()))
    game = quick_game(kind, alice)
    chance = proofs.TableChance(game)
    secret = bytes(DrawProof.unsealed.get(game=game).secret).hex()
    assert secret not in repr(chance) and secret not in repr(proofs._drawing.get(game.pk))
    seen = []

    def bot(state: object, seat: int, chance: object) -> object:
        seen.append(chance)
        raise Asked

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("games.play.autoplay._bot", lambda *_: bot)
        commands_seen(game)
    assert [type(each) for each in seen] == [SystemChance]


class Asked(BaseException):
    """No Exception: a bot that fails is replaced."""


def commands_seen(game: Game) -> None:
    """Steps until a bot is asked."""
    for _ in range(50):
        game.refresh_from_db()
        now = game.due_at or START
        Game.objects.filter(pk=game.pk).update(watched_at=now)
        try:
            commands.play_due(game.code, now=now)
        except Asked:
            return
    raise AssertionError("no bot was asked")
