"""As in the first game."""

from games.perudo.forms import *  # noqa: F403
