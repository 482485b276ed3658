"""The names of the site and of its games, which no user may take."""

from __future__ import annotations

from django.conf import settings
from django.utils import translation

from games.contract import catalogue


def own_names() -> set[str]:
    """Return the names in all languages of the site."""
    found = {settings.SITE_NAME}
    for kind in catalogue.every():
        found.add(kind.key)
        for language, _name in settings.LANGUAGES:
            with translation.override(language):
                found.add(kind.words.name())
    return found
