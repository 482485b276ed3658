"""The tutorial: ten small steps, each a real position of the real engine with luck written down."""

from __future__ import annotations

from games.peco_peco.tutorial.pages import FIELDS, step, titles

__all__ = ["FIELDS", "step", "titles"]
