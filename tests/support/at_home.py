"""People with something on their home page, for tests of it, for boxes and for the benchmark."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from accounts.models import User
from games.contract import catalogue
from games.lobby.standing import ownership as standing
from games.models import Game
from games.play import before_start, standing_games
from games.social.friends import invitations, presence
from games.social.friends import ties as friends
from games.social.inbox import entries as inbox
from games.social.inbox import kinds
from games.study.questions import choosing, days
from tests.support.fast_games import finished_game, open_table, play_until, running_game

HOUR = timedelta(hours=1)


def befriend(me: User, *others: User, now: datetime) -> None:
    for other in others:
        friends.ask(other, me, now=now)
        friends.accept(me, other, now=now)


def come_back(me: User, *, now: datetime) -> None:
    """As if this person's last visit had begun a day before."""
    User.objects.filter(pk=me.pk).update(visit_began_at=now - 24 * HOUR)


def invited(me: User, friend: User, *, now: datetime, seats: int = 4) -> Game:
    """An open table of this friend's, to which they have invited."""
    usual = before_start.quick_settings("perudo", bots=seats - 1)
    private = replace(usual, visibility=Game.Visibility.LINK)
    game = before_start.open_game(friend, private, now=now)
    invitations.invite(friend, me, game, now=now)
    return game


def group(me: User, *people: User, now: datetime) -> Game:
    """The next game of a standing table of this person's, at which these people wait."""
    usual = before_start.quick_settings("perudo", bots=5)
    table = standing.make(me, replace(usual, visibility=Game.Visibility.LINK), now=now)
    for each in people:
        game = standing_games.join(table, each, now=now)
    return game


def waiting_game(me: User, *others: User, now: datetime) -> Game:
    """A running game that waits for one of the others."""
    game = running_game(me, *others, now=now, public=False, turn_seconds=3_600)
    number = game.seat_set.get(user=me).number
    return play_until(game, lambda state: state.phase == "turn" and state.turn != number)


def ask_of_the_day(*, now: datetime) -> None:
    choosing.choose(catalogue.of("perudo"), days.day_of(now), now=now)


def everything(me: User, people: list[User], *, now: datetime) -> None:
    """All there can be, of ten people: three running games, the first on one's own turn, two
    invitations, somebody who asks, ten friends of whom three are here, two standing tables, the
    question of the day, and news of a day.
    """
    ann, ben, cleo, *others = people
    befriend(me, *people[:10], now=now - 48 * HOUR)
    inbox.mark_read(me.pk, until=1_000, now=now - 48 * HOUR)
    for seed in range(3):
        running_game(me, ann, ben, seed=seed, now=now, public=False, turn_seconds=3_600)
    for each in (ben, cleo):
        invited(me, each, now=now)
    if len(people) > 10:
        friends.ask(people[10], me, now=now)
    presence.note([each.pk for each in (ann, ben, cleo)], now=now + HOUR)  # as long as a test looks
    open_table(cleo, "steady", now=now)
    group(me, others[0], others[1], now=now)
    group(me, others[2], now=now)
    ask_of_the_day(now=now)
    come_back(me, now=now)
    for seed in (4, 5):
        finished_game(me, others[3], now=now - HOUR, seed=seed)
    inbox.put(me.pk, kinds.FRIENDS_NOW, str(others[4].pk), now=now - HOUR)
