"""Our templates without their indentation, which would be a third of what people are sent."""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders import filesystem

_INDENTATION = re.compile(r"\s*\n\s*")


class Loader(filesystem.Loader):
    """Reads a page as it is written, for people, and hands it on as it is sent, for browsers.

    A line's end stays: between words it is a space. Letters and scripts are left as they are.
    """

    def get_contents(self, origin: Origin) -> str:
        contents = super().get_contents(origin)
        return _INDENTATION.sub("\n", contents) if origin.name.endswith(".html") else contents
