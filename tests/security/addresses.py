"""Every address of the site, and how it answers whom: a table to read and to add to.

An answer is one status for all, or one for each kind of person with "rest" for the others. `get`
and `post` of None mean that the address does not know the method (405). `get_by_htmx` and `by_htmx`
are the answers to a script's look and honest post, where they are others than a browser's. `does`
names who may change something by the honest post of `form`; for all others not one row is another.
Any other method gets 405, or what `others` says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from tests.support.fixtures import PASSWORD

# Nobody; a guest and a member who sit nowhere; who sits at all the tables; who has left the
# running game; and staff without any right.
PEOPLE = ("nobody", "guest", "outsider", "seated", "gone", "clerk")
EVERYBODY = " ".join(PEOPLE)
MEMBERS = "outsider seated gone clerk"
SIGNED_IN = f"guest {MEMBERS}"

NEITHER = ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")

Answer = int | dict[str, int]


@dataclass(frozen=True)
class Address:
    """`at` is the table that stands for <code>: running, room (not begun) or over."""

    get: Answer | None = None
    post: Answer | None = None
    get_by_htmx: Answer | None = None
    by_htmx: Answer | None = None
    form: dict[str, str] = field(default_factory=dict)
    does: str = ""
    at: str = "running"
    others: dict[str, Answer] = field(default_factory=dict)
    watches: bool = False  # to look at it is noted, as by a socket


def page(answer: Answer = 200) -> Address:
    """Only to look at."""
    return Address(get=answer)


def action(form: dict[str, str] | None = None, *, does: str, at: str = "running") -> Address:
    """A post to a table: done or refused, a browser is sent on and a script reads a notice."""
    return Address(post=302, by_htmx=200, form=form or {}, does=does, at=at)


# allauth's views are Django's: each tells its methods, and a form's takes PUT for an empty form.
TOLD: dict[str, Answer] = {"OPTIONS": 200}
FORMS: dict[str, Answer] = {"OPTIONS": 200, "PUT": 200}
OURS = {"nobody": 302, "rest": 200}  # anonymous users are sent to sign in
NEW_TABLE = {"preset": "asmodee_fr", "seats": "2", "pace": "45", "visibility": "public"}
NEW_PASSWORD = {"password1": "a new pot of dice", "password2": "a new pot of dice"}
MOVED = Address(get=308, post=308, others=dict.fromkeys(NEITHER, 308))
# Muting somebody; a script that is nobody is told by a header where to sign in.
ABOUT = Address(
    get=OURS,
    post=302,
    get_by_htmx=200,
    by_htmx={"nobody": 200, "rest": 302},
    form={"do": "mute"},
    does=SIGNED_IN,
)
OWNERS = Address(post={"nobody": 302, "outsider": 302, "rest": 404}, does="outsider")

ADDRESSES: dict[str, Address] = {
    # --- the site
    "my-data": page(OURS),
    "welcome": page(OURS),
    "delete-account": Address(
        get=OURS,
        post={"nobody": 302, "guest": 302, "rest": 302},
        form={"password": PASSWORD, "sure": "on"},
        does=SIGNED_IN,
    ),
    "games:bots": page(),
    "games:play-now": Address(post=302, form={"bots": "1"}, does=EVERYBODY),
    "site-preview": page(),
    "table-preview": page(),
    "standing-preview": page(),
    "question-preview": page(),
    "day-preview": page(),
    "card-preview": Address(get=200, at="over"),
    "look-at-table": Address(get=200, watches=True),
    "look-at-board": Address(get=200, watches=True),
    "look-at-lobby": Address(get=200, watches=True),
    "look-at-inbox": Address(get={"nobody": 404, "rest": 200}, watches=True),
    "set_language": Address(post=302, form={"language": "it"}, does=SIGNED_IN),
    "manifest": page(),
    "worker": page(),
    "offline": page(),
    "open": page(302),
    "robots": page(),
    "privacy": page(),
    "imprint": page(404),  # until the settings say who runs the site
    # --- accounts
    "account": Address(get=OURS, post=302, form={"username": "Rosalba"}, does=SIGNED_IN),
    "guest": Address(post=302, does="nobody"),
    "keep-account": Address(
        get={"guest": 200, "rest": 302},
        post=302,
        form={"username": "Rosalba"} | NEW_PASSWORD,
        does="guest",
    ),
    "change-email": Address(
        get={"nobody": 302, "guest": 302, "rest": 200},
        post=302,
        form={"email": "new@example.org", "password": PASSWORD},
        does=MEMBERS,
    ),
    # Those here have no address; others are asked whether it is still right.
    "confirm-my-email": Address(get=302, post=302),
    # A key that is none.
    "confirm-email": Address(get=200, post=200),
    # It writes the same rows whoever is meant.
    "ask-for-code": Address(get=200, post=302, form={"login": "nobody"}, does=EVERYBODY),
    # Where none was asked for.
    "enter-mailed-code": Address(get=302, post=302, form={"code": "123456"}),
    "go-on": Address(get=302),
    "account_login": Address(
        get=200,
        post=302,
        form={"login": "seated", "password": PASSWORD},
        does=EVERYBODY,
        others=FORMS,
    ),
    # Where nobody is about to be signed in.
    "hand-over": Address(get=302, post=302, form={"do": "take"}),
    # Only a session ends, and a guest is asked first.
    "account_logout": Address(get=OURS, post=302, form={"sure": "yes"}, others=TOLD),
    "account_signup": Address(
        get={"guest": 302, "rest": 200},
        post=302,
        form={"username": "Rosalba"} | NEW_PASSWORD,
        does=f"nobody {MEMBERS}",
        others=dict.fromkeys(NEITHER, {"guest": 302, "rest": 405})
        | dict.fromkeys(FORMS, {"guest": 302, "rest": 200}),
    ),
    "account_inactive": Address(get=200, others=TOLD),
    "account_change_password": Address(
        get={"nobody": 302, "guest": 302, "rest": 200},
        post=302,
        form={"oldpassword": PASSWORD} | NEW_PASSWORD,
        does=MEMBERS,
        others=dict.fromkeys(NEITHER, {"nobody": 302, "guest": 302, "rest": 405})
        | dict.fromkeys(FORMS, {"nobody": 302, "guest": 302, "rest": 200}),
    ),
    "account_set_password": Address(
        get=302, post=302, others=dict.fromkeys(("OPTIONS", "PUT", "PATCH", "DELETE"), 302)
    ),
    # It writes the same row for any address, known or not.
    "account_reset_password": Address(
        get=200, post=302, form={"email": "nobody@example.org"}, does=EVERYBODY, others=FORMS
    ),
    "account_reset_password_done": Address(get=200, others=TOLD),
    # A key that is none is answered so before anything else is looked at.
    "account_reset_password_from_key": Address(
        get=200, post=200, form=NEW_PASSWORD, others=dict.fromkeys(NEITHER, 200)
    ),
    "account_reset_password_from_key_done": Address(get=200, others=TOLD),
    # --- two-factor authentication: setting it up asks for the password again
    "account_reauthenticate": Address(
        get={"nobody": 302, "guest": 403, "rest": 200},
        post={"nobody": 302, "guest": 403, "rest": 200},
        others=dict.fromkeys(("PUT", "OPTIONS"), {"nobody": 302, "guest": 403, "rest": 200})
        | dict.fromkeys(("PATCH", "DELETE", "TRACE"), {"nobody": 302, "guest": 403, "rest": 405}),
    ),
    "old-two-factor": MOVED,
    "old-two-factor-page": MOVED,
    "mfa_index": Address(
        get={"nobody": 302, "rest": 200},
        post={"nobody": 302, "rest": 405},
        others=dict.fromkeys(("PUT", "PATCH", "DELETE", "TRACE"), {"nobody": 302, "rest": 405})
        | dict.fromkeys(("OPTIONS",), {"nobody": 302, "rest": 200}),
    ),
    "mfa_authenticate": Address(get=302, post=302, others=dict.fromkeys(NEITHER, 302)),
    "mfa_reauthenticate": Address(
        get={"guest": 403, "rest": 302},
        post={"guest": 403, "rest": 302},
        others=dict.fromkeys(NEITHER, {"guest": 403, "rest": 302}),
    ),
    "mfa_activate_totp": Address(get=302, post=302, others=dict.fromkeys(NEITHER, 302)),
    "mfa_deactivate_totp": Address(
        get={"nobody": 302, "rest": 404},
        post={"nobody": 302, "rest": 404},
        others=dict.fromkeys(NEITHER, {"nobody": 302, "rest": 404}),
    ),
    "mfa_view_recovery_codes": Address(
        get={"nobody": 302, "rest": 404},
        post={"nobody": 302, "rest": 405},
        others=dict.fromkeys(("PUT", "PATCH", "DELETE", "TRACE"), {"nobody": 302, "rest": 405})
        | dict.fromkeys(("OPTIONS",), {"nobody": 302, "rest": 200}),
    ),
    "mfa_download_recovery_codes": Address(
        get={"nobody": 302, "rest": 404},
        post={"nobody": 302, "rest": 404},
        others=dict.fromkeys(NEITHER, {"nobody": 302, "rest": 404}),
    ),
    "mfa_generate_recovery_codes": Address(
        get={"guest": 200, "rest": 302},
        post={"guest": 200, "rest": 302},
        others=dict.fromkeys(("PUT", "OPTIONS"), {"guest": 200, "rest": 302})
        | dict.fromkeys(("PATCH", "DELETE", "TRACE"), {"guest": 405, "rest": 302}),
    ),
    # --- games
    "games:reports": page(OURS),
    "games:inbox": page(OURS),
    # Nobody there was told anything.
    "games:inbox-read": Address(
        post=302, by_htmx={"nobody": 302, "rest": 204}, form={"until": "1"}
    ),
    "games:home": page(),
    "games:best": page(),
    # The honest answer is to a mistake of one's own.
    "games:ratings": page(302),
    "games:ratings-of": page(),
    "games:mistakes": Address(get=OURS, post={"nobody": 302, "rest": 404}),
    "games:rules": page(),
    "games:rules-of": page(),
    "games:fair": page(),
    "games:learn": page(),
    "games:learn-of": page(),
    # The addresses of once send everybody on, with what they send.
    "games:old-message": MOVED,
    "games:old-person": MOVED,
    "games:old-learn-step": MOVED,
    "games:old-learn-finished": MOVED,
    "games:learn-step": Address(get=200, post=302, form={"do": "dudo"}),
    "games:learn-finished": page(),
    "games:try-again": Address(post=302, by_htmx=200, does=EVERYBODY, at="over"),
    # No bold claim is there.
    "games:believe": Address(get=404, post={"nobody": 302, "rest": 404}, at="over"),
    "games:ask": Address(post=302, form={"moment": "2"}, does=SIGNED_IN, at="over"),
    "games:question": Address(get=200, post=302, form={"do": "dudo"}),
    "games:card": Address(get=200, at="over"),
    "games:daily": page(302),
    "games:days": page(),
    "games:day": Address(get=200, post=302, form={"do": "dudo"}, does=EVERYBODY),
    "games:daily-agree": Address(post=302, does=SIGNED_IN),
    "games:friends": page(OURS),
    "games:friend-act": Address(
        post={"nobody": 302, "rest": 302},
        by_htmx=200,
        form={"do": "ask", "whom": "gone"},
        does="outsider host seated clerk",
    ),
    "games:friend-link": Address(get=404, post=404),
    "games:notifications": Address(
        get=OURS, post={"nobody": 302, "rest": 302}, form={"turn": "on"}, does=SIGNED_IN
    ),
    "games:push-browser": Address(
        get={"nobody": 403, "rest": 200},
        post={"nobody": 403, "rest": 200},
        form={"do": "unwant"},
    ),
    "games:odds": page(302),
    "games:odds-set": page(),
    "games:play": Address(
        get=200, post=302, by_htmx=200, does="nobody guest outsider gone clerk", watches=True
    ),
    "games:play-answer": Address(  # nobody there looks for people
        post=302, by_htmx={"nobody": 302, "rest": 200}, form={"do": "stop"}
    ),
    "games:new": Address(
        get=200, post=302, form=NEW_TABLE | {"username": "Rosalba"}, does=EVERYBODY
    ),
    "games:table": page(),
    "games:board": page(),
    "games:rounds": Address(get=302, get_by_htmx=200),
    "games:move": action({"do": "leave"}, does="seated"),
    "games:back": action(does=""),  # nobody's seat is held by a bot
    "games:skip": action(does=""),  # nobody is out
    "games:new-game": action(does=""),  # other people play there
    "games:sit": action(does="guest outsider gone clerk", at="room"),
    "games:sit-as-guest": action(does="nobody guest outsider gone clerk", at="room"),
    # A member changes the name in the settings; a guest without a seat there nowhere.
    "games:rename-guest": action({"username": "Rosalba"}, does="", at="room"),
    "games:stand": action(does="seated", at="room"),
    "games:start": action(does="seated", at="room"),
    "games:part": action({"part": "0" * 64}, does="seated", at="room"),
    "games:salt": action({"salt": "0" * 64}, does="", at="room"),  # none is waited for
    "games:close": action(does="seated", at="room"),
    "games:add-bot": action({"kind": "steady"}, does="seated", at="room"),
    "games:remove": action({"seat": "1"}, does="seated", at="room"),
    "games:rematch": action(does="seated", at="over"),
    "games:next": action(does="nobody guest outsider gone clerk"),
    "games:not-next": action(does=""),  # nobody has asked for a seat
    # Not everybody else has left.
    "games:play-on": action(does=""),
    "games:end-here": action(does=""),
    "games:find-people": action(does=""),
    "games:say": action({"text": "hello"}, does="seated"),
    "games:chat": action({"chat": "off"}, does="seated", at="room"),
    "games:message": ABOUT,
    "games:replay": page(302),
    "games:moment": Address(get=200, at="over"),
    "games:moments": Address(get=404, at="over"),  # of another seq
    "games:review": page(404),  # of the game that runs
    "games:guess": page(404),  # the same
    "games:record-text": page(404),
    "games:record-json": Address(get=200, at="over"),
    "games:fairness": page(),
    "games:meeting": page(404),  # no hours are set
    "games:standing-mine": page(OURS),
    "games:standing-keep": Address(
        get={"nobody": 302, "guest": 302, "rest": 200},
        post=302,
        form=NEW_TABLE,
        does=MEMBERS,
    ),
    # It belongs to the outsider.
    "games:standing": page(),
    "games:standing-play": Address(post=302, form={"username": "Rosalba"}, does=EVERYBODY),
    "games:standing-rules": Address(
        get={"nobody": 302, "outsider": 200, "rest": 404},
        post={"nobody": 302, "outsider": 302, "rest": 404},
        form=NEW_TABLE,
        does="outsider",
    ),
    "games:standing-renew": OWNERS,
    "games:standing-delete": OWNERS,
    "games:profile": page(),
    "games:person": ABOUT,
    "games:muted": Address(get=OURS, post=302, form={"name": "host"}, does=""),
}


def patterns(resolver: Any = None, prefix: str = "", space: str = "") -> Iterator[tuple[str, str]]:
    """Every address the site resolves, as (route, name), the admin's too."""
    for each in (resolver or get_resolver()).url_patterns:
        route = prefix + str(each.pattern)
        if isinstance(each, URLResolver):
            inner = f"{space}{each.namespace}:" if each.namespace else space
            yield from patterns(each, route, inner)
        elif isinstance(each, URLPattern):
            yield route, f"{space}{each.name or ''}"
