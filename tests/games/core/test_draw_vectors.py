"""The site and verify.py draw as the shared vectors say, which any other program can be held to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.core import proof
from games.core.contract import Draw
from tests.support.proven_games import verify

FILE = Path(__file__).resolve().parents[2] / "support" / "draw_vectors.json"
VECTORS = json.loads(FILE.read_text())


@pytest.mark.parametrize("game", VECTORS["games"], ids=lambda game: game["about"])
def test_the_site_and_the_file_draw_as_the_vectors_say(game: Any) -> None:
    given = game["proof"]
    secret = bytes.fromhex(given["secret"])
    parts, salts = (
        [text and bytes.fromhex(text) for text in given[name]] for name in ("parts", "salts")
    )
    rules = proof.fingerprint(game["game"], game["options"])
    root = proof.root(
        given["code"],
        rules,
        proof.commitment(given["code"], secret),
        parts,
        won_before=given["won_before"],
    )
    key = proof.key(root, salts)
    assert proof.commitment(given["code"], secret).hex() == given["commitment"]
    assert [salt and proof.part(given["code"], salt).hex() for salt in salts] == [
        salt and part for salt, part in zip(given["salts"], given["parts"], strict=True)
    ]
    assert (rules.hex(), root.hex(), key.hex()) == (game["rules"], given["root"], game["key"])
    assert list(verify.broken_seals({**game, "facts": [game["started"]]}, given)) == []
    draws, chance = verify.Draws(given), proof.ProvenChance(secret, key)
    assert draws.key == game["key"]
    for draw in game["draws"]:
        address = Draw(**draw["at"])
        plain = ("-" if each is None else each for each in address)
        match draw["what"]:
            case "dice":
                drawn = chance.dice(draw["count"], address), draws.dice(draw["count"], *plain)
            case "below":
                items = range(draw["bound"])
                drawn = chance.below(draw["bound"], address), draws.one_of(items, *plain)
            case "shuffled":
                drawn = (
                    chance.shuffled(draw["items"], address),
                    draws.shuffled(draw["items"], *plain),
                )
            case "pick":
                drawn = chance.pick(draw["items"], address), draws.one_of(draw["items"], *plain)
        result = draw["result"]
        assert [list(each) if isinstance(result, list) else each for each in drawn] == [result] * 2
