"""As in the first game."""

from games.perudo.replay import *  # noqa: F403
