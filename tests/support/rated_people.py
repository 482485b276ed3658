"""People with a rating, by default of Perudo, without the games that it comes from."""

from __future__ import annotations

from datetime import datetime, timedelta

from accounts.models import User
from games.models import Rating
from games.play.ratings import maths
from games.play.ratings.maths import Strength


def rate(
    name: str,
    mu: float,
    *,
    now: datetime,
    kind_key: str = "perudo",
    sigma: float = 60.0,
    games: int = 40,
    days: float = 1,
) -> Rating:
    """A person with this rating, whose latest game was so many days ago."""
    person, _ = User.objects.get_or_create(username=name)
    return Rating.objects.create(
        user=person,
        kind_key=kind_key,
        mu=mu,
        sigma=sigma,
        lower=maths.lower(Strength(mu, sigma)),
        games=games,
        number=games,
        last_at=now - timedelta(days=days),
    )
