"""The long form: `.venv/bin/python -m tests.security.fuzz --inputs 100000`."""

from __future__ import annotations

import argparse
import os
import sys
import time

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
os.environ["LOG_LEVEL"] = "ERROR"  # what was refused need not be told a hundred thousand times


def main() -> int:
    """Prints how it went; 1 when something broke."""
    parser = argparse.ArgumentParser(description="Throw nonsense at every form and address.")
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    given = parser.parse_args()
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from tests.security.fuzz import throwing

    settings.ALLOWED_HOSTS = ["testserver"]  # Django's test client; its instruments cost too much
    call_command("migrate", verbosity=0)
    began = time.monotonic()

    def tell(found: throwing.Found) -> None:
        seconds = time.monotonic() - began
        print(f"\r{found.sent} inputs, {len(found.troubles)} troubles, {seconds:.0f} s", end="")

    print(f"seed {given.seed}")
    found = throwing.run(given.inputs, seed=given.seed, tell=tell)
    print(f"\nanswers: {dict(sorted(found.answers.items()))}")
    print(f"{len(found.addresses)} addresses reached")
    for trouble in found.troubles[:20]:
        print(f"\n{trouble}")
    return 1 if found.troubles else 0


if __name__ == "__main__":
    sys.exit(main())
