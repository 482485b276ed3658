"""A site whose question of today is about cards, as on Sundays; see `arranged_weekday`."""

from __future__ import annotations

import os

import django

from tests.e2e.arranged_weekday import ask

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
    django.setup()
    ask("peco_peco")
