"""A group opens its permanent link at the same instant: one game, and nobody is lost."""

from __future__ import annotations

import re

import pytest

from tests.support.deployments import Deployment
from tests.support.players import HttpPlayer
from tests.wire.test_races import NewPlayer, at_once, guests

pytestmark = pytest.mark.real_server

RULES = {"kind": "standard", "seats": 6, "visibility": "link"}


def a_link(owner: HttpPlayer) -> str:
    answer = owner.post("/t/new", htmx=False, **RULES)
    found = re.search(r"/t/[a-z]{8}-[a-z]{8}", answer.url.path)
    assert found, answer.url
    return found[0]


def table_of(deployment: Deployment, link: str) -> int:
    word = link.removeprefix("/t/")
    rows = deployment.database.rows("SELECT id FROM games_standingtable WHERE word = ?", word)
    return int(rows[0][0])


def games_of(deployment: Deployment, link: str) -> list[tuple[str]]:
    table = table_of(deployment, link)
    return deployment.database.rows("SELECT code FROM games_game WHERE standing_id = ?", table)


def test_who_comes_at_the_same_instant_gets_the_same_game(
    any_deployment: Deployment, new_player: NewPlayer
) -> None:
    owner = new_player(any_deployment.processes[0], "Ottilie")
    link = a_link(owner)
    people = guests(new_player, any_deployment, 6)
    answers = at_once(*(lambda one=one: one.post(f"{link}/play", htmx=False) for one in people))
    assert len({answer.url.path for answer in answers}) == 1
    [(code,)] = games_of(any_deployment, link)
    assert answers[0].url.path == f"/games/{code}"
    assert len(any_deployment.database.seats(code)) == 6


def test_one_person_with_many_pages_has_one_seat(pair: Deployment, new_player: NewPlayer) -> None:
    owner = new_player(pair.processes[0], "Odette")
    link = a_link(owner)
    twins = [owner.at(site) for site in pair.processes] * 3
    at_once(*(lambda twin=twin: twin.post(f"{link}/play", htmx=False) for twin in twins))
    [(code,)] = games_of(pair, link)
    assert len(pair.database.seats(code)) == 1


def test_a_link_that_is_renewed_meanwhile_seats_or_says_so(
    pair: Deployment, new_player: NewPlayer
) -> None:
    owner = new_player(pair.processes[0], "Orlando")
    link = a_link(owner)
    people = guests(new_player, pair, 4)
    twins = [owner.at(site) for site in pair.processes]
    renewing = [lambda twin=twin: twin.post(f"{link}/renew", htmx=False) for twin in twins]
    coming = [lambda one=one: one.post(f"{link}/play", htmx=False) for one in people]
    table = table_of(pair, link)
    answers = at_once(*renewing, *coming)
    assert all(answer.status_code in (200, 404, 410) for answer in answers), answers
    seated = {answer.url.path for answer in answers if answer.url.path.startswith("/games/")}
    games = pair.database.rows("SELECT code FROM games_game WHERE standing_id = ?", table)
    assert seated == {f"/games/{code}" for (code,) in games} and len(games) <= 1
    words = pair.database.rows("SELECT word FROM games_standingtable WHERE id = ?", table)
    assert len(words) == 1 and link != f"/t/{words[0][0]}"
