"""A template loader that strips indentation, which would be a third of the HTML sent."""

from __future__ import annotations

import re
from pathlib import Path

from django.template import Origin
from django.template.loaders import app_directories

_INDENTATION = re.compile(r"\s*\n\s*")


class Loader(app_directories.Loader):
    """Find a template in DIRS, then in the apps in the order of installation.

    Remove blank lines and indentation from `.html` templates. Line ends stay, since they separate
    words. Emails, scripts and templates of installed packages are unchanged; the packages' messages
    are translated as they were written.
    """

    def get_dirs(self) -> list[Path | str]:
        return [*self.engine.dirs, *super().get_dirs()]

    def get_contents(self, origin: Origin) -> str:
        contents = super().get_contents(origin)
        ours = "site-packages" not in Path(origin.name).parts
        return (
            _INDENTATION.sub("\n", contents) if ours and origin.name.endswith(".html") else contents
        )
