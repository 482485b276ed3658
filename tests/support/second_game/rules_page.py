"""As in the first game."""

from games.perudo.rules_page import *  # noqa: F403
