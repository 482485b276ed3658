"""Export of a user's account data, outside the games, for the user to download."""

from __future__ import annotations

from allauth.account.models import EmailAddress

from accounts import two_factor
from accounts.models import User


def export(person: User) -> dict[str, object]:
    """Return plain values, ready for JSON; times are ISO 8601 in UTC, or None if never."""
    return {
        "name": person.shown_name,
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
        "sees_ratings": person.sees_ratings,
        "lends_decisions": person.lends_decisions,
        "shows_online": person.shows_online,
        "joined": person.date_joined.isoformat(),
        "visit_began": person.visit_began_at and person.visit_began_at.isoformat(),
        "visit_before_began": person.visit_before_at and person.visit_before_at.isoformat(),
        "last_signed_in": person.last_login and person.last_login.isoformat(),
    }
