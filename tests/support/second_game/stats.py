"""Rounds of the first game, of which a data export reads nothing of its own."""

from __future__ import annotations

from django.db.models import Prefetch

from games.perudo.stats import *  # noqa: F403


def export_rows() -> Prefetch[str]:
    return Prefetch("game__host")
