"""Deployments: a site of one server process or more on the same data, its records and its log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.support import charges
from tests.support.live_site import QUICK_SIGN_UP, LiveSite
from tests.support.site_database import SiteDatabase

# Nobody waits for anything but the end of claims.
QUICK = QUICK_SIGN_UP | {
    "BOT_SECONDS": "0.02",
    "CALZA_DELAY_MS": "0",
    "CLAIM_WINDOW_MS": "150",
    "REVEAL_SECONDS": "600",
    "LOG_LEVEL": "WARNING",
}


@dataclass
class Deployment:
    """A site of one process or more on the same data, and its records."""

    processes: list[LiveSite]
    database: SiteDatabase

    @property
    def site(self) -> LiveSite:
        return self.processes[0]

    @property
    def log(self) -> str:
        return "".join(site.log for site in {site.folder: site for site in self.processes}.values())


def error_entries(log: str) -> list[str]:
    """The entries of a server's log that say something broke.

    Django notes a request that is an attack or a mistake as an error of `django.security`;
    that is a note about the visitor, not about the site.
    """
    entries = re.split(r"(?m)^(?=\d{4}-\d\d-\d\d )", log)
    return [
        entry
        for entry in entries
        if re.search(r" (ERROR|CRITICAL) (?!django\.security)", entry.partition("\n")[0])
        or ("Traceback" in entry and " django.security" not in entry)
    ]


@contextmanager
def run_deployment(processes: list[LiveSite], postgres: str = "") -> Iterator[Deployment]:
    """Starts the processes, ends them after use; trouble of theirs is charged to its test."""
    try:
        for site in processes:
            site.start()
        deployment = Deployment(processes, SiteDatabase(processes[0].folder, postgres))
        created = deployment.database.created_at
        with charges.watching(lambda: error_entries(deployment.log), created):
            yield deployment
    finally:
        for site in processes:
            site.kill()
