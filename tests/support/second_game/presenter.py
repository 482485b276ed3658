"""As in the first game."""

from games.perudo.presenter import *  # noqa: F403
