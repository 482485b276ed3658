"""Filters and tags for the templates of every game: regional forms, parts, repetition."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils import timezone
from django.utils.html import format_html

from accounts.models import User
from games import regional_formats
from games.lobby.game_list import GameName
from games.lobby.matching import strip
from games.notify import meeting_words as meetings
from games.social.inbox import badge
from games.social.push import subscriptions
from games.table import fragment_cache, second_person

register = template.Library()

# For whole pages only: a fragment is shared by readers of many regions.
register.filter("number", regional_formats.number)
register.simple_tag(regional_formats.element, name="when")

register.simple_tag(second_person.named)
register.filter(second_person.in_short)


@register.simple_tag
def part(name: str, shown: object = None, /, **values: object) -> str:
    """A template that is given nothing but `values`, and the fields of `shown`: the same in, the
    same out.

    See `games.table.fragment_cache`.
    """
    return fragment_cache.part(name, shown, values)


@register.simple_tag
def inbox_of(user: User, here: str = "") -> str:
    """The badge and the notice of a person's inbox; `here`: the code of the table on the page."""
    return badge.fragment(user.pk, here=here)


@register.filter
def is_told(user: User, switches: str) -> bool:
    """Whether this person wants to be told of all these things by push."""
    return subscriptions.wants(user.pk, switches.split())


@register.simple_tag
def search_of(user: User, here: str = "", device: str = "") -> str:
    """The strip of a person's search for people; `device`: the tag of the page's session."""
    return strip.fragment(user.pk, here=here, device=device)


@register.simple_tag
def meeting_hour() -> meetings.ShownMeeting | None:
    """The next meeting hour; see `games.notify.meeting_words`."""
    return meetings.shown(timezone.now())


@register.simple_tag
def meeting_words(sentence: str, meeting: meetings.ShownMeeting) -> str:
    """The sentence about a meeting hour, its parts marked for meeting.js."""
    time = format_html(
        '<time datetime="{}">{}</time><span class="meeting-zone"> ({})</span>',
        meeting.at.isoformat(),
        meeting.said,
        meeting.zone,
    )
    left = format_html('<span class="meeting-left">{}</span>', meeting.left)
    before, _, rest = sentence.partition("@time@")
    between, _, after = rest.partition("@left@")
    return format_html("{}{}{}{}{}", before, time, between, left, after)


@register.filter
def join_names(games: Iterable[GameName] | None) -> str:
    """The names of games, one after the other."""
    return ", ".join(game.name for game in games or ())


@register.filter
def times(count: int | None) -> range:
    """So many turns of a {% for %}; none for None."""
    return range(count or 0)
