"""Several processes behind nginx: one site for everyone, whichever process responds."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable

import httpx
import pytest

from games.perudo.rules.events import BidMade
from tests.deploy.conftest import HostedSite
from tests.support import autopilot
from tests.support.players import HttpPlayer, wait_for

pytestmark = pytest.mark.real_server
NewPlayer = Callable[..., HttpPlayer]
CLOSED_TO_COME_BACK = 1012


def sit_two(hosted: HostedSite, new_player: NewPlayer, *bots: str) -> tuple[str, list[HttpPlayer]]:
    """A running table of two people, each with a socket, and these bots."""
    people = [new_player(hosted), new_player(hosted)]
    code = people[0].open_table(size=2 + len(bots))
    assert people[1].action(code, "sit") == ""
    for kind in bots:
        assert people[0].action(code, "add-bot", kind=kind) == ""
    for person in people:
        person.open_page(code)
    assert people[0].action(code, "start") == ""
    wait_for(lambda: all(one.view(code).phase for one in people), "the first turn")
    return code, people


def keep_listening(people: list[HttpPlayer], code: str) -> None:
    """What a browser does: come back when the socket is closed, with the code that allows it."""
    for person in people:
        if person.sockets[-1].closed is not None:
            assert person.sockets[-1].closed == CLOSED_TO_COME_BACK
            person.open_page(code)


def broken(people: list[HttpPlayer]) -> list[str]:
    """Every response of the site or of nginx that says something failed."""
    answers = [one for person in people for one in person.received]
    return [one.what for one in answers if re.match(r"5\d\d\b", one.text)]


def test_all_who_are_at_a_table_come_to_one_process_and_tables_to_all(
    hosted: HostedSite, new_player: NewPlayer
) -> None:
    wait_for(lambda: sum(hosted.sockets("table")) == 0, "quiet")
    used: set[int] = set()
    while len(used) < len(hosted.ports):
        before = hosted.sockets("table")
        sit_two(hosted, new_player)
        wait_for(lambda: sum(hosted.sockets("table")) == sum(before) + 2, "two more")  # noqa: B023
        more = [now - then for now, then in zip(hosted.sockets("table"), before, strict=True)]
        assert sorted(more) == [0, 2]
        used.add(more.index(2))


def test_a_table_is_played_on_both_processes_at_once(
    hosted: HostedSite, new_player: NewPlayer
) -> None:
    """As it happens to those who were there while one of them restarted."""
    code, people = sit_two(hosted, new_player)
    twins = [one.at(there) for one, there in zip(people, hosted.processes, strict=True)]
    for twin in twins:
        twin.open_page(code)

    def counted(name: str, **labels: str) -> list[float]:
        return [hosted.number(port, name, **labels) for port in hosted.ports]

    moves, frames = counted("perudo_moves_total", result="done"), counted("perudo_frames_total")
    autopilot.play(
        code,
        twins,
        until=lambda: twins[0].view(code).phase == "over",
        rng=autopilot.seeded(7),
    )
    for before, after in (
        (moves, counted("perudo_moves_total", result="done")),
        (frames, counted("perudo_frames_total")),
    ):
        assert all(now > then for now, then in zip(after, before, strict=True))
    assert broken(people + twins) == []
    hosted.database.check(code)


def test_the_lobby_lives_across_both(hosted: HostedSite, new_player: NewPlayer) -> None:
    host = new_player(hosted)
    watchers = [host.at(there).listen("/ws/lobby") for there in hosted.processes]
    wait_for(lambda: all(one.frames for one in watchers), "the first lobby")
    code = host.open_table(size=3)
    wait_for(lambda: all(code in one.frames[-1] for one in watchers), "the new table")
    assert host.action(code, "close") == ""
    wait_for(lambda: all(code not in one.frames[-1] for one in watchers), "an empty lobby")


def test_one_id_from_nginx_to_the_line_of_the_move(
    hosted: HostedSite, new_player: NewPlayer
) -> None:
    code, people = sit_two(hosted, new_player)
    speaker = next(one for one in people if one.view(code).my_turn)
    form = {"do": "bid", "quantity": 1, "face": 2, "seen": speaker.view(code).seq}
    answer = speaker.post(f"/games/{code}/move", **form)
    wait_for(lambda: f'"request_id": "{answer.headers["X-Request-ID"]}"' in hosted.log, "it")
    forged = speaker.get("/rules", **{"X-Request-ID": "f" * 32})
    assert forged.headers["X-Request-ID"] != "f" * 32


def test_a_form_longer_than_the_site_has_is_refused_by_nginx(hosted: HostedSite) -> None:
    answer = httpx.post(f"{hosted.url}/games/new", data={"name": "x" * 70_000})
    assert answer.status_code == httpx.codes.REQUEST_ENTITY_TOO_LARGE


def test_what_watchers_ask_is_not_public(hosted: HostedSite) -> None:
    assert httpx.get(f"{hosted.url}/readyz").status_code == httpx.codes.NOT_FOUND
    assert httpx.get(f"{hosted.url}/metrics").status_code == httpx.codes.NOT_FOUND
    assert httpx.get(f"{hosted.url}/healthz").text == "ok"


def test_nobody_notices_a_restart_of_every_process(
    hosted: HostedSite, new_player: NewPlayer
) -> None:
    code, people = sit_two(hosted, new_player, "steady")
    everybody = list(people)
    before = [hosted.pid(port) for port in hosted.ports]
    said = hosted.log.count("all have been restarted")
    hosted.starter.send_signal(signal.SIGHUP)

    def restarted() -> bool:
        keep_listening(people, code)
        for person in people:  # someone who clicks around all the time
            person.get("/rules")
        return hosted.log.count("all have been restarted") > said

    def over() -> bool:
        return any(person.view(code).phase == "over" for person in people)

    while not restarted():
        if over():
            code, people = sit_two(hosted, new_player, "steady")
            everybody += people
        autopilot.play(
            code,
            people,
            until=lambda: restarted() or over(),
            rng=autopilot.seeded(8),
        )
    assert not set(before) & {hosted.pid(port) for port in hosted.ports}
    assert broken(everybody) == []
    hosted.database.check(code)


@pytest.mark.parametrize("number", [0, 1])
def test_bots_play_on_when_a_process_is_gone(
    hosted: HostedSite, new_player: NewPlayer, number: int
) -> None:
    """The other one's clock wakes them; the one that died is restarted."""
    code, people = sit_two(hosted, new_player, "steady", "steady")
    gone, other = hosted.ports[number], hosted.ports[1 - number]
    deaths = hosted.log.count(f"process {gone} died")
    with hosted.nobody_revived():  # or the new process may be the first to find them overdue
        os.kill(hosted.pid(gone), signal.SIGKILL)
        twins = [person.at(hosted.processes[1 - number]) for person in people]
        for twin in twins:
            twin.open_page(code)
        woken = hosted.number(other, "perudo_clock_woken_total", result="done")

        def bots_have_moved() -> bool:
            return hosted.number(other, "perudo_clock_woken_total", result="done") > woken

        autopilot.play(code, twins, until=bots_have_moved, rng=autopilot.seeded(number))
    assert hosted.database.facts(code, BidMade)
    assert broken(people + twins) == []
    hosted.wait_until_ready()
    assert hosted.log.count(f"process {gone} died") > deaths
