"""Settings of the rate limits and quotas: per user, per client address and for the whole site."""

from __future__ import annotations

from perudo_site import env

# Per ten minutes; tables that were left again count too. A whole club may share an address.
TABLES_PER_PERSON = env.integer("TABLES_PER_PERSON", 20, least=1, most=1_000_000)
TABLES_PER_ADDRESS = env.integer("TABLES_PER_ADDRESS", 200, least=1, most=1_000_000)
OPEN_TABLE_RATE = f"{TABLES_PER_PERSON}/10m/user,{TABLES_PER_ADDRESS}/10m/ip"

# Games that may run at once, and how many of them may have bots: a game with bots costs a step of
# the scheduler every one or two seconds, and one person is enough to start it.
RUNNING_GAMES = env.integer("RUNNING_GAMES", 1000, least=1, most=1_000_000)
RUNNING_GAMES_WITH_BOTS = env.integer("RUNNING_GAMES_WITH_BOTS", 200, least=1, most=1_000_000)

# Limits of running games per client address: of one person against bots, and of several people.
# Each is a quarter of the site's limit, enough for a club. At most BOT_GAMES_PER_ADDRESS of the
# games of several people may have bots.
BOT_GAMES_PER_ADDRESS = env.integer(
    "BOT_GAMES_PER_ADDRESS", max(1, RUNNING_GAMES_WITH_BOTS // 4), least=1, most=1_000_000
)
GAMES_PER_ADDRESS = env.integer(
    "GAMES_PER_ADDRESS", max(1, RUNNING_GAMES // 4), least=1, most=1_000_000
)
OPEN_TABLES_PER_ADDRESS = env.integer("OPEN_TABLES_PER_ADDRESS", 25, least=1, most=1_000_000)

# Standing tables made from one client address in thirty days; an account may have three.
STANDING_TABLES_PER_ADDRESS = env.integer("STANDING_TABLES_PER_ADDRESS", 30, least=1, most=10**6)

# Browsers of one client address in thirty days that may get push messages; a person may have ten.
PUSH_BROWSERS_PER_ADDRESS = env.integer("PUSH_BROWSERS_PER_ADDRESS", 200, least=1, most=10**6)

# Per client address.
GUESTS_PER_HOUR = env.integer("GUESTS_PER_HOUR", 60, least=1, most=1_000_000)
SIGNUPS_PER_HOUR = env.integer("SIGNUPS_PER_HOUR", 30, least=1, most=1_000_000)
# Emails of one kind to one address per asker; for all askers together four times as many.
LETTERS_PER_DAY = env.integer("LETTERS_PER_DAY", 5, least=1, most=1_000_000)
# Counted by allauth, over all processes.
ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip",
    # The key is a name and an address (or the account from which a code is requested). For the next
    # two see accounts/attempts.py.
    "login_failed": "10/m/ip,5/5m/key",
    "login_failed_name": "50/5m/key",
    "login_failed_known": "5/5m/key",
    "signup": f"{SIGNUPS_PER_HOUR}/h/ip",
    # Emailed codes and resets: the same limits, but per hour.
    "reset_password": "",  # allauth's own limit, which counts all askers by email address
    "reset": "20/h/ip,5/h/key",
    "reset_name": "50/h/key",
    "reset_known": "5/h/key",
    "reset_password_from_key": "20/m/ip",
    "login_code": "20/h/ip,5/h/key",
    "login_code_name": "50/h/key",
    "login_code_known": "5/h/key",
    "confirm_email": "20/h/ip,5/h/user",
    "change_password": "5/m/user",
    "reauthenticate": "10/m/user",
    "guest": f"{GUESTS_PER_HOUR}/h/ip",
    "say": "5/20s/user",
    "report": "10/h/user",
    "open_table": OPEN_TABLE_RATE,
    "find_people": OPEN_TABLE_RATE,
    # For older accounts: the key is an address, as in games/views/holder.py.
    "open_table_account": OPEN_TABLE_RATE.replace("/ip", "/key"),
    "find_people_account": OPEN_TABLE_RATE.replace("/ip", "/key"),
    # Creating, changing or relinking a table; see also games/lobby/standing/ownership.py.
    "standing": "20/h/user,100/h/ip",
    "push": "30/h/user,200/h/ip",
    "friend": "60/h/user,200/h/ip",
    "question": "30/h/user,200/h/ip",
    "daily_answer": "60/h/user,300/h/ip",
    "mistake_answer": "120/h/user,600/h/ip",
    "believe": "60/h/user,300/h/ip",
    # This many guests' answers per address count in the shown statistics; all answers are stored.
    "daily_guest": "20/d/ip",
    # Reviews of games that nobody has viewed before; the worker computes each for some seconds.
    "review": "30/h/user,100/h/ip",
    "review_visitor": "20/h/ip",
    "export": "6/h/user",
    "skip": "10/m/user",
    "next_table": "30/10m/user",
    "draws": "60/10m/user",  # what a browser adds to them: twice a table
}

# Counted per process and minute (SOCKETS: open at once). A club behind one address may be fifty
# people with three tabs each.
POSTS_PER_PERSON = env.integer("POSTS_PER_PERSON", 240, least=1, most=1_000_000)
POSTS_PER_ADDRESS = env.integer("POSTS_PER_ADDRESS", 3000, least=1, most=1_000_000)
# Pages and other GETs: twenty people behind one address whose pages poll every three seconds use
# 400 a minute. A person is identified by the session cookie here, before it is looked up.
GETS_PER_PERSON = env.integer("GETS_PER_PERSON", 300, least=1, most=1_000_000)
GETS_PER_ADDRESS = env.integer("GETS_PER_ADDRESS", 900, least=1, most=1_000_000)
# Requests of one address in progress at once; its other requests wait.
GETS_AT_ONCE = env.integer("GETS_AT_ONCE", 4, least=1, most=1_000_000)
# Static files: the first visit to a table requests nearly forty, later visits none.
FILES_PER_ADDRESS = env.integer("FILES_PER_ADDRESS", 3000, least=1, most=1_000_000)
# Connections open at once, for pages and sockets; behind a proxy the proxy limits them.
CONNECTIONS_PER_ADDRESS = env.integer("CONNECTIONS_PER_ADDRESS", 1000, least=1, most=1_000_000)
SOCKETS_PER_PERSON = env.integer("SOCKETS_PER_PERSON", 20, least=1, most=1_000_000)
SOCKETS_PER_ADDRESS = env.integer("SOCKETS_PER_ADDRESS", 500, least=1, most=1_000_000)
OPENINGS_PER_PERSON = env.integer("OPENINGS_PER_PERSON", 120, least=1, most=1_000_000)
OPENINGS_PER_ADDRESS = env.integer("OPENINGS_PER_ADDRESS", 900, least=1, most=10**6)
# Messages of all sockets of an address: heartbeats, four a minute per socket, and moves.
MESSAGES_PER_ADDRESS = env.integer("MESSAGES_PER_ADDRESS", 3000, least=1, most=10**6)
# Drawn pictures of link previews; each takes some 25 ms of a processor, at low priority.
PREVIEWS_PER_ADDRESS = env.integer("PREVIEWS_PER_ADDRESS", 30, least=1, most=1_000_000)
PREVIEWS = env.integer("PREVIEWS", 60, least=1, most=1_000_000)
