"""Tables at which only bots play, for a site of several processes whose work is to be counted.

They are made in a process without a scheduler, so no process of the site has set a deadline yet.
"""

from __future__ import annotations

from django.utils import timezone

from accounts.models import User
from games.core.chance import SystemChance
from games.models import Game, Seat
from games.play import before_start
from tests.support.fast_games import open_table


def fill(number: int) -> None:
    """Begin so many games in which bots play for their one person too, and print their codes."""
    for host_number in range(number):
        host = User.objects.create_user(f"absent{host_number}")
        now = timezone.now()
        game = open_table(host, "steady", "steady", "steady", now=now)
        before_start.start(game.code, host, now=now, chance=SystemChance())
        Seat.objects.filter(game=game, user=host).update(asleep=True, missed=2)
        game.refresh_from_db()
        ends = {"due_at": now, "turn_ends_at": now, "bots_due": True}
        Game.objects.filter(pk=game.pk).update(seq=game.seq + 1, seats_seq=game.seq + 1, **ends)
        print(game.code)
