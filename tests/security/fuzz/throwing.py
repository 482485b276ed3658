"""Fuzzes every form and URL, in process, and checks whether anything breaks."""

from __future__ import annotations

import logging
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.test import override_settings
from django.urls import Resolver404

from perudo_site.ratelimit import local
from tests.security.fuzz.inputs import Input, Luck
from tests.security.fuzz.world import World

RENEWED_AFTER = 1500  # inputs
LOOKED_AFTER = 15  # inputs: so old is what people believe of a table, at most
UNLIMITED = {"POSTS_PER_PERSON": 10**6, "POSTS_PER_ADDRESS": 10**6, "ACCOUNT_RATE_LIMITS": False}


@dataclass
class Found:
    """How many inputs were sent, how they were answered, and what broke."""

    sent: int = 0
    answers: Counter[int] = field(default_factory=Counter)
    addresses: set[str] = field(default_factory=set)
    troubles: list[str] = field(default_factory=list)


class Ear(logging.Handler):
    """Hears every error that is logged; what Django notes about a visitor is none."""

    def __init__(self, found: Found) -> None:
        super().__init__(logging.ERROR)
        self.found = found

    def emit(self, record: logging.LogRecord) -> None:
        if not record.name.startswith("django.security"):
            trace = "".join(traceback.format_exception(*record.exc_info)) if record.exc_info else ""
            self.found.troubles.append(f"{record.name}: {record.getMessage()}\n{trace[-1500:]}")


@contextmanager
def listening(found: Found) -> Iterator[None]:
    ear = Ear(found)
    logging.getLogger().addHandler(ear)
    logging.getLogger("django").addHandler(ear)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(ear)
        logging.getLogger("django").removeHandler(ear)


def send(world: World, one: Input, found: Found) -> None:
    """Send one input; whatever is wrong with the answer is noted."""
    client = world.clients[one.who % len(world.clients)]
    body: Any = one.body
    kind = one.kind or "application/x-www-form-urlencoded"
    path = one.path
    if isinstance(body, dict):
        encoded = urlencode(body, doseq=True, encoding="utf-8", errors="surrogatepass")
        if one.method in ("GET", "HEAD"):
            path, body = f"{path}?{encoded}", b""
        else:
            body = encoded.encode()
    found.sent += 1
    try:
        answer = client.generic(one.method, path, body or b"", kind, headers=one.headers)
    except Exception:
        found.troubles.append(f"{one}\n{traceback.format_exc()[-1500:]}")
        return
    found.answers[answer.status_code] += 1
    if "sessionid" in answer.cookies:
        world.let_in(one.who)
    with suppress(Resolver404):
        found.addresses.add(answer.resolver_match.view_name)
    if answer.status_code >= 500:
        found.troubles.append(f"{answer.status_code} to {one}")


def run(count: int, *, seed: int, tell: Callable[[Found], None] | None = None) -> Found:
    """Send so many inputs to a world of its own in the present database."""
    found, rng = Found(), Luck(seed)
    with override_settings(**UNLIMITED), listening(found):
        world = World(seed)
        while found.sent < count:
            world.renew()
            local.reset()
            pages = world.forms()
            for turn in range(min(RENEWED_AFTER, count - found.sent)):
                if turn % LOOKED_AFTER == 0:
                    world.strike()
                    table = world.table_forms()
                forms = table if table and rng.below(2) else pages
                send(world, rng.input(forms, world.addresses, len(world.clients)), found)
            if tell is not None:
                tell(found)
    return found
