"""As in the first game."""

from games.perudo.rules.notation import *  # noqa: F403
