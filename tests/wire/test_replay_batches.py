"""The moments of a finished game in batches, by a real server: the same bytes for everybody."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex

import httpx
import pytest

from tests.support.deployments import Deployment
from tests.support.players import HttpPlayer, start_table, wait_for
from tests.wire.games import PECO_PECO, PERUDO, WireGame

pytestmark = pytest.mark.real_server

OWN = ("csrf", "token", "session", "nonce", "data-me")  # of a page, and of nobody's batch


@pytest.mark.parametrize("visibility", ["public", "link"])
@pytest.mark.parametrize("game", [PERUDO, PECO_PECO], ids=lambda game: game.key)
def test_a_batch_is_the_same_for_all_and_after_packing(
    one_process: Deployment,
    new_player: Callable[..., HttpPlayer],
    game: WireGame,
    visibility: str,
) -> None:
    site, database = one_process.site, one_process.database
    people = [new_player(site) for _ in range(game.people)]
    code = start_table(people, **game.still_table | {"visibility": visibility})
    running = database.game(code, "seq")[0]
    assert asked(site.url, code, running).status_code == 404  # it is not over
    for person in people[1:]:
        assert person.move(code, "leave") == ""
    wait_for(lambda: database.game(code, "status") == ("finished",), "the end of the game")
    [seq] = database.game(code, "seq")
    stranger = new_player(site, f"Stranger{token_hex(3)}")  # guests share names with each other
    batches = [asked(site.url, code, seq)]
    batches += [
        asked(site.url, code, seq, **person.client.cookies) for person in (*people, stranger)
    ]
    [text] = {answer.text for answer in batches}
    assert {answer.status_code for answer in batches} == {200}
    assert 'data-moment="1"' in text and stranger.name not in text
    assert [word for word in OWN if word in text] == []
    kept = "public" if visibility == "public" else "private"
    for answer in batches:
        assert answer.headers["Cache-Control"] == f"{kept}, max-age=600"
        assert answer.headers["vary"] == "Accept-Encoding"
        assert "set-cookie" not in answer.headers
    assert asked(site.url, code, seq + 1).status_code == 404
    database.write("UPDATE games_game SET pack_at = finished_at WHERE code = ?", code)
    wait_for(lambda: database.game(code, "pack_at") == (None,), "the log to be packed")
    assert asked(site.url, code, seq).text == text


def asked(url: str, code: str, seq: int, **cookies: str) -> httpx.Response:
    address = f"{url}/games/{code}/replay/{seq}/from/1"
    return httpx.get(address, params={"in": "en"}, cookies=cookies)
