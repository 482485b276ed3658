"""As in the first game."""

from games.perudo.tutorial import *  # noqa: F403
