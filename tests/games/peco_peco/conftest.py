"""What the tests of Peco Peco share with those of the other rules."""

from __future__ import annotations

from tests.rules.conftest import regenerate

__all__ = ["regenerate"]
