#!/usr/bin/env python
"""The site's command line; an invalid setting ends in one sentence, not in a traceback."""

from __future__ import annotations

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
    from django.core.management import execute_from_command_line

    from perudo_site.env import InvalidSetting

    try:
        execute_from_command_line(sys.argv)
    except InvalidSetting as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
