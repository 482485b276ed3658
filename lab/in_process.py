"""A site of its own in this process, for programs that measure without a server."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def site_of_its_own(name: str, **environment: str) -> Iterator[None]:
    """Set Django up on an empty database in a temporary folder, which goes at the end.

    `environment`: settings besides. Nothing of Django or the project may have been imported before.
    """
    with tempfile.TemporaryDirectory(prefix=f"{name}-") as folder:
        os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "perudo_site.settings"}
        os.environ |= {"SECRET_KEY": "only-for-measuring-" * 3} | environment
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        yield
