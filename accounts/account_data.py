"""What the site knows about a person outside the games, for that person to download."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress

from accounts import two_factor
from accounts.models import User


def export(person: User) -> dict[str, Any]:
    """Plain values only, ready for JSON; times are ISO 8601 in UTC, None when never."""
    return {
        "name": person.username,
        "guest": person.is_guest,
        "email": person.email,
        "email_addresses": list(
            EmailAddress.objects.filter(user=person)
            .order_by("pk")
            .values("email", "verified", "primary")
        ),
        "two_factor": two_factor.is_set_up(person),
        "language": person.language,
        "theme": person.theme,
        "animal": person.animal,
        "cloth": person.cloth,
        "avatar": person.avatar,
        "games_shown_to": person.games_shown_to,
        "shows_reviews": person.shows_reviews,
        "lends_decisions": person.lends_decisions,
        "shows_online": person.shows_online,
        "joined": person.date_joined.isoformat(),
        "visit_began": person.visit_began_at and person.visit_began_at.isoformat(),
        "visit_before_began": person.visit_before_at and person.visit_before_at.isoformat(),
        "last_signed_in": person.last_login and person.last_login.isoformat(),
    }
