"""What everybody reads of the seal of a game, before, while and after it is played."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.contract import catalogue
from games.core.moves import Leave
from games.models import DrawProof, Game
from games.play import before_start, commands
from games.views import fairness
from tests.games.contract.kinds import every_kind, played_on
from tests.support.fast_games import START, finished_game

pytestmark = pytest.mark.django_db


def page(client: Client, game: Game) -> str:
    answer = client.get(reverse("games:fairness", args=[game.code]))
    assert answer.status_code == 200
    return answer.content.decode()


def hashes(game: Game) -> tuple[str, str, str]:
    """Commitment, root ("" before the game) and secret."""
    row = DrawProof.unsealed.get(game=game)
    return bytes(row.commitment).hex(), bytes(row.root or b"").hex(), bytes(row.secret).hex()


@every_kind
def test_what_is_read_before_the_game_is_proved_after_it_by_the_file_that_is_offered(
    kind: catalogue.GameKind, client: Client, alice: User, tmp_path: Path
) -> None:
    settings = before_start.quick_settings(kind.key, bots=kind.rules.SEATS.start - 1)
    game = before_start.open_game(alice, settings, now=START)
    commitment, _, secret = hashes(game)
    said = page(client, game)
    assert commitment in said and "follows when the game begins" in said
    for _ in range(settings.size - 1):
        before_start.add_bot(game.code, alice, kind=next(iter(kind.bots)), now=START)
    before_start.start(game.code, alice, now=START)
    still, root, _ = hashes(game)
    said += page(client, game)
    assert still == commitment and root in said and "verify.py" not in said
    said += client.get(reverse("games:table", args=[game.code])).content.decode()
    assert secret not in said
    commands.move(game.code, 0, Leave(), seen=None, now=START)
    *_, over = played_on(game, seed=None)
    last = page(client, over)
    file = finders.find("games/verify.py")
    assert all(each in last for each in (commitment, root, "verify.py", "record.json"))
    assert isinstance(file, str)
    record = tmp_path / "record.json"
    record.write_text(client.get(reverse("games:record-json", args=[game.code])).content.decode())
    told = subprocess.run([sys.executable, file, record], capture_output=True, text=True)  # noqa: S603
    assert told.returncode == 0, told.stdout
    assert f"commitment {commitment}" in told.stdout and f"root       {root}" in told.stdout
    assert json.loads(record.read_text())["proof"]["secret"] == secret


def test_a_game_without_a_proof_says_so(client: Client, alice: User, bob: User) -> None:
    game = finished_game(alice, bob)  # dealt by the test
    assert "This game has no seal" in page(client, game)


def test_a_table_that_is_not_there_is_not_found(client: Client) -> None:
    assert client.get("/games/k3v9xw2m7t/fair").status_code == 404


def test_a_root_is_told_in_twelve_words_of_the_readers_language() -> None:
    """The first vector of BIP 39; the other lists are in use without decomposed accents."""
    assert fairness.in_words("00" * 32, "en-gb") == "abandon " * 11 + "about"
    told = {fairness.in_words("a7" * 32, language) for language in ("en", "fr", "it", "es", "de")}
    assert len(told) == 4, "English where there is no list"
    for words in told:
        assert len(words.split()) == 12 and unicodedata.is_normalized("NFC", words)
    assert fairness.in_words("a6" + "a7" * 31, "en") not in told
