"""As in the first game."""

from games.perudo.bots import *  # noqa: F403
