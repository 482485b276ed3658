"""The names and avatars of bots at a table, by seat."""

from __future__ import annotations

from typing import Final

# Quechua words for the bots, by seat, so that two bots at a table have two names.
BOT_NAMES: Final = ("Inti", "Killa", "Chaska", "Waman", "Illa", "Sami", "Wayra", "Urpi")
# Their avatars: animal, cloth and weave, as `accounts.avatars` names them.
BOT_AVATARS: Final = (
    ("puma", "maize", "diamonds"),
    ("owl", "night", "steps"),
    ("chinchilla", "violet", "dashes"),
    ("condor", "red", "dashes"),
    ("llama", "lake", "zigzag"),
    ("frog", "green", "steps"),
    ("fox", "indigo", "zigzag"),
    ("macaw", "wine", "diamonds"),
)
