"""Packing a finished game's log: nobody can tell by any page, and nothing is ever lost."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import FactRow, Game, PackedLog
from games.perudo.rules.options import PRESETS
from games.store import archive, event_log, record_export
from games.study.players.history import export
from games.table import fragment_cache, frames
from tests.support.fast_games import finished_game, running_game
from tests.support.fixtures import signed_in
from tests.support.game_driver import LEAVE, GameDriver

pytestmark = pytest.mark.django_db(transaction=True)


def rows(game: Game) -> list[tuple[Any, ...]]:
    """Every column of every fact that lies in rows."""
    columns = ("seq", "audience", "kind", "data", "at")
    return list(FactRow.unsealed.filter(game=game).order_by("seq").values_list(*columns))


def pack(game: Game) -> Game:
    """The game as the clock leaves it in the archive."""
    assert game.pack_at is not None
    archive.pack(game.code, now=game.pack_at)
    game.refresh_from_db()
    return game


def forget_what_was_seen() -> None:
    event_log._known.clear()
    fragment_cache._shared.clear()


def everything_told(game: Game, people: list[User]) -> dict[str, Any]:
    """All that anybody is told of a finished game, freshly read."""
    game = Game.objects.get(pk=game.pk)
    clients = {"nobody": Client()} | {each.username: signed_in(each) for each in people}
    told: dict[str, Any] = {
        "text": record_export.as_text(game),
        "json": record_export.as_json(game),
        "facts": event_log.unsealed_facts(game),
        "public": event_log.public_facts(game, after=3, upto=game.seq - 3),
        "latest": event_log.latest_public_facts(game),
    }
    forget_what_was_seen()
    told["state"] = event_log.public_state(game)
    for number, person in enumerate(people):
        told[f"known to {number}"] = event_log.seat_view(game, number)
        told[f"export {number}"] = json.dumps(list(export(person)["games"]))
    for number, user in [(None, None), *enumerate(people)]:
        told[f"frame {number}"] = frames.frame(game, number, user=user).html
    for name, client in clients.items():
        forget_what_was_seen()
        told[f"table {name}"] = essence(client, reverse("games:table", args=[game.code]))
        told[f"replay {name}"] = replay(client, game)
        told[f"profile {name}"] = essence(client, f"/players/{people[0].username}")
    for kind in ("text", "json"):
        address = reverse(f"games:record-{kind}", args=[game.code])
        told[f"{kind} download"] = clients["nobody"].get(address).content
    return told


def essence(client: Client, address: str) -> str:
    """A page without the time of day, the tag of the session and tokens against forged forms."""
    answer = client.get(address)
    assert answer.status_code == 200, address
    return re.sub(r'\b[0-9A-Za-z]{64}\b|data-(now|session)="\w*"', "", answer.content.decode())


def replay(client: Client, game: Game) -> list[str]:
    count = client.get(reverse("games:replay", args=[game.code])).context["moment"].count
    addresses = [reverse("games:moment", args=[game.code, place]) for place in range(1, count + 1)]
    return [essence(client, address) for address in addresses[:: max(1, count // 5)]]


@pytest.mark.slow
def test_whole_games_of_every_kind_are_told_the_same_before_and_after(
    alice: User, bob: User, charlie: User
) -> None:
    for seed, preset in enumerate(PRESETS, start=1):
        calza = ("off", "on")[seed % 2]
        game = finished_game(
            alice, bob, charlie, "sharp", preset=preset, calza=calza, seed=seed, public=seed < 3
        )
        kept, before = rows(game), everything_told(game, [alice, bob, charlie])
        pack(game)
        assert rows(game) == []
        assert PackedLog.unsealed.get(game=game).count == len(kept) > 20
        after = everything_told(game, [alice, bob, charlie])
        for name, told in before.items():
            assert after[name] == told, (preset, name)
        assert [archive._columns(row)[:5] for row in archive.packed_rows(game) or ()] == kept


def test_a_game_that_somebody_left_is_packed_like_any_other(alice: User, bob: User) -> None:
    game = running_game(alice, bob, rounds=1)
    driver = GameDriver(game, now=event_log.latest_public_facts(game)[-1].at)
    driver.move(0, LEAVE)
    before = everything_told(driver.game, [alice, bob])
    pack(driver.game)
    assert everything_told(driver.game, [alice, bob]) == before


def test_a_record_is_much_smaller_than_the_rows(alice: User, bob: User, charlie: User) -> None:
    game = finished_game(alice, bob, charlie, "steady", calza="on")
    plain = sum(len(json.dumps(data)) for _, _, _, data, _ in rows(game))
    pack(game)
    assert len(PackedLog.unsealed.get(game=game).facts) < plain / 2


# --- when ----------------------------------------------------------------------------------------


def test_a_game_is_packed_when_it_has_been_over_for_a_while(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    assert game.finished_at is not None
    packed_at = game.finished_at + archive.PACKED_AFTER
    early = packed_at - timedelta(seconds=1)
    assert archive.waiting(now=early, most=9) == []
    archive.pack(game.code, now=early)
    assert rows(game)
    assert archive.waiting(now=packed_at, most=9) == [game.code]
    archive.pack(game.code, now=packed_at)
    assert rows(game) == [] and archive.waiting(now=packed_at, most=9) == []


def test_the_longest_waiting_come_first_and_only_so_many(alice: User, bob: User) -> None:
    games = [finished_game(alice, bob) for _ in range(3)]
    for days, game in enumerate(games):
        Game.objects.filter(pk=game.pk).update(pack_at=game.pack_at - timedelta(days=days))
    late = games[0].pack_at
    assert late is not None
    assert archive.waiting(now=late, most=2) == [games[2].code, games[1].code]


def test_a_running_game_is_never_packed(alice: User, bob: User) -> None:
    game = running_game(alice, bob, rounds=2)
    before = rows(game)
    late = before[-1][-1] + timedelta(days=9)
    Game.objects.filter(pk=game.pk).update(pack_at=late)  # nothing in the site writes that
    archive.pack(game.code, now=late)
    with pytest.raises(ValueError, match="running game"):
        archive.pack_rows(game)
    assert rows(game) == before


def test_a_job_packs_what_waits_one_log_at_least_at_a_time(alice: User, bob: User) -> None:
    games = [finished_game(alice, bob), finished_game(alice, bob)]
    assert archive.pack_waiting(timezone.now(), 0.0), "one of two"
    assert PackedLog.unsealed.count() == 1
    assert not archive.pack_waiting(timezone.now(), 60.0)
    assert not FactRow.unsealed.exists()
    assert PackedLog.unsealed.count() == len(games)


# --- nothing is lost -----------------------------------------------------------------------------


class Killed(BaseException):
    """The process is gone."""


@contextmanager
def killed_at(step: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every way to die in the middle: before the record, before the check, before the end."""
    real = getattr(archive, step)

    def die(*given: Any) -> Any:
        real(*given)
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(archive, step, die)
        yield


@pytest.mark.parametrize("step", ["packed", "packed_rows", "_columns", "pack_rows"])
def test_a_process_killed_while_it_packs_loses_nothing(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    game = finished_game(alice, bob)
    before, due = rows(game), game.pack_at
    with killed_at(step, monkeypatch):
        pack(game)
    game.refresh_from_db()
    assert (rows(game), game.pack_at) == (before, due)
    assert not PackedLog.unsealed.exists()
    pack(game)
    assert archive.packed_rows(game) is not None and rows(game) == []


def test_a_record_that_does_not_say_what_the_rows_say_takes_nothing_away(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = finished_game(alice, bob)
    before = rows(game)
    real = archive.packed

    def forgetful(facts: list[FactRow]) -> PackedLog:
        return real(facts[:-1])

    monkeypatch.setattr(archive, "packed", forgetful)
    due = game.pack_at
    pack(game)
    assert rows(game) == before and not PackedLog.unsealed.exists()
    assert f"packing a log failed game={game.code}" in caplog.text
    assert "dice" not in caplog.text
    assert due is not None and game.pack_at == due + timedelta(days=1)


def test_a_broken_game_does_not_stop_the_others(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = finished_game(alice, bob), finished_game(alice, bob)
    real = archive.pack_rows

    def stumble(game: Game) -> None:
        if game.pk == broken.pk:
            raise ValueError
        real(game)

    monkeypatch.setattr(archive, "pack_rows", stumble)
    pack(broken)
    pack(sound)
    assert rows(broken) and not rows(sound)
    assert sound.finished_at is not None
    assert archive.waiting(now=sound.finished_at + timedelta(hours=1), most=9) == []


def test_of_two_packers_the_second_finds_nothing_to_do(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    due = game.pack_at
    pack(game)
    record = bytes(PackedLog.unsealed.get().facts)
    assert due is not None
    archive.pack(game.code, now=due)
    assert bytes(PackedLog.unsealed.get().facts) == record


def test_who_read_the_game_before_it_was_packed_reads_its_log_after(alice: User, bob: User) -> None:
    game = finished_game(alice, bob)
    stale = Game.objects.get(pk=game.pk)
    facts, state = event_log.unsealed_facts(stale), event_log.public_state(stale)
    pack(game)
    forget_what_was_seen()
    assert stale.pack_at is not None
    assert event_log.unsealed_facts(stale) == facts
    assert event_log.public_state(stale) == state


def test_a_process_that_saw_half_of_the_game_knows_its_end_from_the_record(
    alice: User, bob: User
) -> None:
    game = finished_game(alice, bob)
    whole = event_log.public_state(game)
    half = Game.objects.get(pk=game.pk)
    half.seq = game.seq // 2
    forget_what_was_seen()
    event_log.public_state(half)
    pack(game)
    assert event_log.public_state(game) == whole


def test_a_game_that_an_older_version_finished_is_read_from_its_rows(
    alice: User, bob: User
) -> None:
    game = finished_game(alice, bob)
    facts = event_log.unsealed_facts(game)
    Game.objects.filter(pk=game.pk).update(pack_at=None)
    game.refresh_from_db()
    forget_what_was_seen()
    assert event_log.unsealed_facts(game) == facts
    assert event_log.public_state(game).phase == "over"


# --- what is sealed stays out of the way ---------------------------------------------------------


def test_a_careless_manager_finds_no_record(alice: User, bob: User) -> None:
    pack(finished_game(alice, bob))
    assert PackedLog.unsealed.count() == 1
    assert not PackedLog.objects.exists() and not PackedLog._default_manager.exists()
    assert PackedLog not in {each.related_model for each in Game._meta.related_objects}


def test_dumpdata_leaves_the_records_out(alice: User, bob: User) -> None:
    pack(finished_game(alice, bob))
    out = StringIO()
    call_command("dumpdata", "games", stdout=out)
    assert "games.game" in out.getvalue()
    assert "games.packedlog" not in out.getvalue()
