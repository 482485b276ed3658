"""Friends over the wire: what two people do about each other at the same instant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from pathlib import Path

import aiohttp
import pytest

from games.social.friends.ties import MOST_OPEN
from tests.support.deployments import QUICK, Deployment, error_entries
from tests.support.http_client import Client
from tests.support.live_site import LiveSite
from tests.support.players import HttpPlayer, run, wait_for
from tests.wire.test_races import at_once, everywhere

pytestmark = pytest.mark.real_server
NewPlayer = Callable[..., HttpPlayer]

TIES = "SELECT accepted_at IS NOT NULL FROM games_tie"


@pytest.fixture
def pair_of_people(
    any_deployment: Deployment, new_player: NewPlayer
) -> tuple[HttpPlayer, HttpPlayer]:
    """Two accounts, each at a process of its own where there are two."""
    any_deployment.database.write("DELETE FROM games_tie")
    sites = any_deployment.processes
    number = len(any_deployment.database.rows("SELECT id FROM accounts_user"))
    return (
        new_player(sites[0], f"Fay{number}"),
        new_player(sites[-1], f"Gus{number}"),
    )


def told(deployment: Deployment, person: HttpPlayer) -> list[str]:
    """The kinds of what this person is told."""
    entries = deployment.database.rows(
        "SELECT username, kind FROM games_inboxentry"
        " JOIN accounts_user ON accounts_user.id = user_id"
    )
    return [kind for name, kind in entries if name == person.name]


def act(person: HttpPlayer, do: str, whom: HttpPlayer) -> int:
    return person.post("/friends/act", htmx=False, do=do, whom=whom.name).status_code


def test_two_who_ask_each_other_at_once_are_friends(
    any_deployment: Deployment, pair_of_people: tuple[HttpPlayer, HttpPlayer]
) -> None:
    fay, gus = pair_of_people
    statuses = at_once(partial(act, fay, "ask", gus), partial(act, gus, "ask", fay))
    assert statuses == [200, 200]
    assert any_deployment.database.rows(TIES) in ([(1,)], [(True,)])
    assert "Invite to a game" in fay.get("/friends").text


def test_accepting_six_times_at_once_is_accepting_once(
    any_deployment: Deployment, pair_of_people: tuple[HttpPlayer, HttpPlayer]
) -> None:
    fay, gus = pair_of_people
    act(fay, "ask", gus)
    statuses = at_once(
        *(partial(act, twin, "accept", fay) for twin in everywhere(gus, any_deployment))
    )
    assert set(statuses) == {200}
    assert any_deployment.database.rows(TIES) in ([(1,)], [(True,)])
    assert told(any_deployment, fay) == ["friends_now"]


def test_asking_and_blocking_at_once_ends_in_a_block(
    any_deployment: Deployment, pair_of_people: tuple[HttpPlayer, HttpPlayer]
) -> None:
    """Whichever is first, the blocked one has not reached the other."""
    fay, gus = pair_of_people

    def block() -> int:
        path = f"/players/{fay.name}/mute"
        return gus.post(path, htmx=False, do="block").status_code

    statuses = at_once(partial(act, fay, "ask", gus), block)
    assert statuses == [200, 200]
    page = gus.get("/friends").text
    assert fay.name not in page and "They want to be friends" not in page
    assert "Invite to a game" not in fay.get("/friends").text
    assert told(any_deployment, gus) == []


def test_inviting_and_blocking_at_once_leaves_no_invitation(
    any_deployment: Deployment, pair_of_people: tuple[HttpPlayer, HttpPlayer]
) -> None:
    """And whoever was invited a moment before does not sit down at the table of the other."""
    fay, gus = pair_of_people
    act(fay, "ask", gus)
    act(gus, "accept", fay)

    def block() -> int:
        return gus.post(f"/players/{fay.name}/mute", htmx=False, do="block").status_code

    statuses = at_once(partial(act, fay, "invite", gus), block)
    assert statuses == [200, 200]
    assert told(any_deployment, gus) == []
    act(gus, "invite", fay)
    assert told(any_deployment, fay) == []
    asked = act(gus, "ask", fay)
    assert asked == 200
    assert any_deployment.database.rows(TIES) == []


def test_who_is_here_is_known_at_the_other_process(pair: Deployment, new_player: NewPlayer) -> None:
    number = len(pair.database.rows("SELECT id FROM accounts_user"))
    fay, gus = (
        new_player(site, f"{name}{number}")
        for site, name in zip(pair.processes, ("Hal", "Ida"), strict=True)
    )
    act(fay, "ask", gus)
    act(gus, "accept", fay)
    assert "here now" not in gus.get("/friends").text
    fay.listen(fay.get("/friends").ws_path)
    wait_for(lambda: "here now" in gus.get("/friends").text, "who is here")


# --- floods --------------------------------------------------------------------------------------


class Neighbour(HttpPlayer):
    """Somebody at another address of this machine."""

    def __init__(self, site: LiveSite, name: str, address: str) -> None:
        self.address = address
        super().__init__(site, name)

    async def _new_client(self) -> Client:
        connector = aiohttp.TCPConnector(local_addr=(self.address, 0))
        return Client(self.site.url, on_answer=self._keep_answer, connector=connector)


@pytest.fixture
def street(prepared_folder: Path, tmp_path: Path) -> Iterator[Callable[..., HttpPlayer]]:
    """People with accounts at one site, each at the address that ends like this."""
    site = LiveSite.of(prepared_folder, tmp_path / "site", **QUICK)
    site.start()
    came: list[HttpPlayer] = []

    def move_in(name: str, *, at: str) -> HttpPlayer:
        came.append(Neighbour(site, name, f"127.0.{at}").sign_up())
        return came[-1]

    yield move_in
    for person in came:
        run(person.client.close())
    site.discard()
    assert error_entries(site.log) == []


def said(person: HttpPlayer, do: str, whom: HttpPlayer, **fields: str) -> str:
    """The sentence that answers, as htmx shows it; "429" where it was one request too many."""
    answer = person.post("/friends/act", do=do, whom=whom.name, **fields)
    return "429" if answer.status_code == 429 else answer.text


def test_a_flood_of_an_address_is_refused_to_it_alone(street: Callable[..., HttpPlayer]) -> None:
    """Whatever its accounts do, each of them and all together: asking, inviting, removing."""
    vic, neighbour = street("Vic", at="0.21"), street("Nea", at="0.22")
    flooders = [street(f"Flo{number}", at="0.20") for number in range(4)]
    for flooder in flooders:
        assert "has been asked." in said(flooder, "ask", vic)
    assert "are friends." in said(vic, "accept", flooders[0])
    done = [1] * 4
    for number, flooder in enumerate(flooders):
        do = cycle(("invite",) if number == 0 else ("ask", "remove"))
        while said(flooder, next(do), vic) != "429":
            done[number] += 1
            assert done[number] <= 60
    assert done[:3] == [60, 60, 60] and sum(done) <= 200
    page = flooders[0].post("/friends/act", htmx=False, do="ask", whom="Vic")
    assert page.status_code == 429 and "Too many requests. Nothing was changed." in page.text
    entries = vic.get("/inbox").text
    assert entries.count("Flo0 invites you to a table.") == 1
    assert (
        entries.count("wants to be friends.") <= 3 + 1
    )  # the latest is at the top of the page too
    assert "has been asked." in said(neighbour, "ask", vic)
    assert "are friends." in said(vic, "accept", neighbour)
    assert "has been invited" in said(vic, "invite", neighbour)
    for person in (*flooders, vic, neighbour):
        assert person.get("/friends").status_code == 200
        assert person.open_table(size=2)


def test_one_whom_many_ask_is_told_of_fifty_and_lives_on(street: Callable[..., HttpPlayer]) -> None:
    vic, friend = street("Vic", at="0.21"), street("Nea", at="0.22")
    crowd = [street(f"Flo{number}", at=f"1.{number + 1}") for number in range(MOST_OPEN + 2)]
    sentences = [said(each, "ask", vic) for each in crowd]
    assert all("has been asked." in each for each in sentences[:MOST_OPEN])
    assert all("Too many people haven" in each for each in sentences[MOST_OPEN:])
    assert vic.get("/friends").text.count("Accept<") == MOST_OPEN
    # Who knows her reaches her all the same, by her link; and she asks whom she wants to.
    vic.post("/friends/act", htmx=False, do="renew")
    link = re.search(r"/f/[a-z-]+", vic.get("/friends").text)
    assert link is not None
    friend.post(link[0], htmx=False)
    assert "has been invited" in said(vic, "invite", friend)
    assert "Declined." in said(vic, "decline", crowd[0])
    assert "has been asked." in said(crowd[-1], "ask", vic)
