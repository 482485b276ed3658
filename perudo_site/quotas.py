"""Settings: how many tables people may open, and how many games may run on the whole site."""

from __future__ import annotations

from perudo_site import environment

# In ten minutes; the tables that were left again count too. A club may sit behind one address.
TABLES_PER_PERSON = environment.whole_number("TABLES_PER_PERSON", 20, least=1, most=1_000_000)
TABLES_PER_ADDRESS = environment.whole_number("TABLES_PER_ADDRESS", 200, least=1, most=1_000_000)
OPEN_TABLE_RATE = f"{TABLES_PER_PERSON}/10m/user,{TABLES_PER_ADDRESS}/10m/ip"

# Games that may run at once, and how many of them with bots: such a game costs a step of the clock
# every one or two seconds, and one person is enough to begin it.
RUNNING_GAMES = environment.whole_number("RUNNING_GAMES", 1000, least=1, most=1_000_000)
RUNNING_GAMES_WITH_BOTS = environment.whole_number(
    "RUNNING_GAMES_WITH_BOTS", 200, least=1, most=1_000_000
)
