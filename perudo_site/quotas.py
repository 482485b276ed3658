"""Settings: how much one person, one address and the whole site may do, and for how long."""

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

# Counted by address, and a whole club may sit behind one.
GUESTS_PER_HOUR = environment.whole_number("GUESTS_PER_HOUR", 60, least=1, most=1_000_000)
SIGNUPS_PER_HOUR = environment.whole_number("SIGNUPS_PER_HOUR", 30, least=1, most=1_000_000)
# Counted by allauth, for all processes together.
ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip",
    "login_failed": "10/m/ip,5/5m/key",
    "signup": f"{SIGNUPS_PER_HOUR}/h/ip",
    "reset_password": "20/h/ip,5/h/key",
    "reset_password_from_key": "20/m/ip",
    "change_password": "5/m/user",
    "reauthenticate": "10/m/user",
    "guest": f"{GUESTS_PER_HOUR}/h/ip",
    "say": "5/20s/user",
    "report": "10/h/user",
    "open_table": OPEN_TABLE_RATE,
    "export": "6/h/user",
    "skip": "10/m/user",
}

# How much one person and one address may do: counted by each process for itself, in a minute or
# at once. A club behind one address has fifty people with three tabs each.
POSTS_PER_PERSON = environment.whole_number("POSTS_PER_PERSON", 240, least=1, most=1_000_000)
POSTS_PER_ADDRESS = environment.whole_number("POSTS_PER_ADDRESS", 3000, least=1, most=1_000_000)
SOCKETS_PER_PERSON = environment.whole_number("SOCKETS_PER_PERSON", 20, least=1, most=1_000_000)
SOCKETS_PER_ADDRESS = environment.whole_number("SOCKETS_PER_ADDRESS", 500, least=1, most=1_000_000)
OPENINGS_PER_PERSON = environment.whole_number("OPENINGS_PER_PERSON", 120, least=1, most=1_000_000)
OPENINGS_PER_ADDRESS = environment.whole_number("OPENINGS_PER_ADDRESS", 3000, least=1, most=10**6)

# How long a request may take to arrive, and the end of a process (below TimeoutStopSec in deploy/).
REQUEST_SECONDS = environment.whole_number("REQUEST_SECONDS", 30, least=1, most=600)
SHUTDOWN_SECONDS = environment.whole_number("SHUTDOWN_SECONDS", 45, least=1, most=600)
