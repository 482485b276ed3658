"""The review of a finished game of Perudo: what each decision was worth, and where it was won."""

from __future__ import annotations

from games.perudo.review.analysis import JUDGE, analyse

__all__ = ["JUDGE", "analyse"]
