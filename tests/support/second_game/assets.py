"""As in the first game."""

from games.perudo.assets import *  # noqa: F403
