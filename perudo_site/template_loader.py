"""A template loader that strips indentation, which would be a third of the HTML sent."""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders import filesystem

_INDENTATION = re.compile(r"\s*\n\s*")


class Loader(filesystem.Loader):
    """Django's filesystem loader; removes blank lines and indentation from `.html` templates.

    Line ends stay: between words they are a space. E-mails and scripts are left as they are.
    """

    def get_contents(self, origin: Origin) -> str:
        contents = super().get_contents(origin)
        return _INDENTATION.sub("\n", contents) if origin.name.endswith(".html") else contents
