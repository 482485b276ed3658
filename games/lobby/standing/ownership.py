"""Standing tables and their owners: create, find, change, renew the link, delete."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import get_language

from accounts.models import User
from games.errors import Refused
from games.link_words import give_word, is_word
from games.models import FormerWord, StandingTable, TableSettings
from games.play import standing_games

TABLES_EACH: Final = 3  # per account
# How long a table counts for its IP address, so that a school or café doesn't stay full.
COUNTED_FOR: Final = timedelta(days=30)
# The former links that are kept per table; the oldest are deleted to make room.
FORMER_WORDS: Final = 5


def make(owner: User, chosen: TableSettings, *, holder: str = "", now: datetime) -> StandingTable:
    """Create a standing table of this account; it counts for `holder` (see `views.holder`).

    Refused: `guests_keep_none`, `account_closed`, `too_many_standing`, `too_many_here`.
    """
    with transaction.atomic():
        # Lock the row: two concurrent requests would each count without the other.
        people = get_user_model()._default_manager.select_for_update(no_key=True)
        if not people.values_list("is_active", flat=True).get(pk=owner.pk):
            raise Refused("account_closed")
        if owner.is_guest:
            raise Refused("guests_keep_none")
        if StandingTable.objects.filter(owner=owner).count() >= TABLES_EACH:
            raise Refused("too_many_standing", most=TABLES_EACH)
        here = StandingTable.objects.filter(holder=holder, created_at__gt=now - COUNTED_FOR)
        if holder and here.count() >= settings.STANDING_TABLES_PER_ADDRESS:
            raise Refused("too_many_here")
        table = StandingTable(
            owner=owner,
            settings=standing_games.to_json(chosen),
            language=get_language() or "",
            holder=holder,
            created_at=now,
        )
        _give_word(table)
    return table


def find(word: str) -> StandingTable | None:
    """The table with this link, in upper or lower case, if its owner's account is active."""
    word = word.lower()
    if not is_word(word):
        return None
    tables = StandingTable.objects.select_related("owner")
    return tables.filter(word=word, owner__is_active=True).first()


def renewed(word: str) -> StandingTable | None:
    """The table that had this link before it was renewed; None if there is none."""
    word = word.lower()
    if not is_word(word):
        return None
    former = FormerWord.objects.select_related("table__owner")
    found = former.filter(word=word, table__owner__is_active=True).first()
    return None if found is None else found.table


def of(owner: User) -> list[StandingTable]:
    """The standing tables of an account, the oldest first."""
    return list(StandingTable.objects.filter(owner=owner))


def change(table: StandingTable, chosen: TableSettings) -> None:
    """Change a table's rules and settings, from the next game on."""
    table.settings = standing_games.to_json(chosen)
    table.save(update_fields=["settings"])


def renew(table: StandingTable) -> None:
    """Give the table another link; the page of the former one says that it was renewed."""
    with transaction.atomic():
        held = StandingTable.objects.select_for_update(no_key=True).get(pk=table.pk)
        FormerWord.objects.create(word=held.word, table=held)
        former = FormerWord.objects.filter(table=held).order_by("-pk")
        kept = list(former.values_list("pk", flat=True)[:FORMER_WORDS])
        FormerWord.objects.filter(table=held).exclude(pk__in=kept).delete()
        _give_word(held)
    table.word = held.word


def remove(table: StandingTable) -> None:
    """Delete the table and its link; the games that were played there stay."""
    table.delete()


def _give_word(table: StandingTable) -> None:
    """Save the table with a new word in its link, which no other table has or had."""

    def store(word: str) -> bool:
        if FormerWord.objects.filter(word=word).exists():
            return False
        table.word = word
        table.save()
        return True

    give_word(store)


# --- personal data -------------------------------------------------------------------------------


def forget(person: User) -> None:
    """Delete the standing tables of this person."""
    StandingTable.objects.filter(owner=person).delete()


def export(person: User) -> Mapping[str, object]:
    """The standing tables of the person, as plain values ready for JSON."""
    tables = StandingTable.objects.filter(owner=person).prefetch_related("former_words")
    return {
        "standing_tables": [
            {
                "link": f"/t/{table.word}",
                "former_links": [f"/t/{former.word}" for former in table.former_words.all()],
                "settings": table.settings,
                "created": table.created_at.isoformat(),
            }
            for table in tables
        ]
    }
