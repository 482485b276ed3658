"""A site of which today's question and tomorrow's are known: of Perudo, as on weekdays.

It prints what `tests.e2e.arranged` does: nothing, as these have pages of their own.
"""

from __future__ import annotations

import json
import os
from datetime import timedelta

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
    django.setup()


def ask(kind_key: str) -> None:
    """Choose the questions of the days on which a test may run."""
    from django.utils import timezone

    from games.contract import catalogue
    from games.study.questions import choosing, days

    now = timezone.now()
    for later in (0, 1):
        day = days.day_of(now) + timedelta(days=later)
        assert choosing.choose(catalogue.of(kind_key), day, now=now)
    print(json.dumps({}))


if __name__ == "__main__":
    ask("perudo")
