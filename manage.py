#!/usr/bin/env python
"""The command line of the site: a wrong setting ends in one sentence, not in a traceback."""

from __future__ import annotations

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
    from django.core.management import execute_from_command_line

    from perudo_site.environment import WrongSetting

    try:
        execute_from_command_line(sys.argv)
    except WrongSetting as wrong:
        sys.exit(str(wrong))


if __name__ == "__main__":
    main()
