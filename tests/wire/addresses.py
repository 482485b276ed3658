"""Every address at which somebody could ask about a table, from the URL configuration."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse

from games import urls
from tests.support.players import HttpPlayer, Received

# What is answered with 404 here: a running game has no record, and nobody has said anything; nor a
# review, a card or a claim; the moments of a replay are asked for by the last seq of a game that is
# over.
NOT_THERE = {
    "record-text",
    "record-json",
    "review",
    "guess",
    "card",
    "moments",
    "message",
    "believe",
}


def about(code: str, username: str) -> dict[str, str]:
    """The path of every address that names a table or a player, by the name of the address."""
    values = {"code": code, "username": username, "number": 1, "moment": 1, "seq": 1, "first": 1}
    values |= {"seat": 0, "sign": "signed"}
    found = {}
    for route in urls.urlpatterns:
        arguments = set(route.pattern.converters)
        if arguments & {"code", "username"}:
            given = {name: values[name] for name in arguments}
            found[str(route.name)] = reverse(f"games:{route.name}", kwargs=given)
    return found


def ask(person: HttpPlayer, path: str) -> None:
    """Ask as a browser and as a script does: an address may answer the two differently."""
    person.get(path)
    person.get(path, **{"HX-Request": "true"})


def ask_everything(person: HttpPlayer, code: str, username: str) -> None:
    for path in about(code, username).values():
        ask(person, path)


def unanswered(heard: Sequence[Received], code: str, username: str) -> list[str]:
    """The addresses that this person did not ask, or that never answered with anything but 404."""
    missing = []
    for name, path in about(code, username).items():
        answers = [one.text[:3] for one in heard if one.what.split(" (")[0] == f"GET {path}"]
        if not answers or (name not in NOT_THERE and set(answers) == {"404"}):
            missing.append(name)
    return missing
