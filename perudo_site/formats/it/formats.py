"""1 marzo 2026, without a nought before the day."""

from __future__ import annotations

DATE_FORMAT = "j F Y"
