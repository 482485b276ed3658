"""What owners do with their standing tables: make one, change it, renew its link, delete it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import get_language

from accounts.models import User
from games.errors import Refused
from games.models import FormerWord, StandingTable, TableSettings
from games.play import standing_games
from games.standing.links import give_word, is_word

TABLES_EACH: Final = 3  # of one account
# Those of an address are counted for so long: a school or a café is not full for ever.
COUNTED_FOR: Final = timedelta(days=30)
# So many former links of a table are remembered; the oldest make room.
FORMER_WORDS: Final = 5


def make(owner: User, chosen: TableSettings, *, holder: str = "", now: datetime) -> StandingTable:
    """A new standing table of this account, which counts under `holder` (see `views.holder`).

    Refused: `guests_keep_none`, `account_closed`, `too_many_standing`, `too_many_here`.
    """
    with transaction.atomic():
        # The row is held: two posts at once would each count the tables without the other's.
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
    """The table of this link, in whatever case it is typed; None when no active account has one."""
    word = word.lower()
    if not is_word(word):
        return None
    tables = StandingTable.objects.select_related("owner")
    return tables.filter(word=word, owner__is_active=True).first()


def renewed(word: str) -> StandingTable | None:
    """The table that had this link before it was renewed."""
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
    """Keep other rules and settings, from the next game on."""
    table.settings = standing_games.to_json(chosen)
    table.save(update_fields=["settings"])


def renew(table: StandingTable) -> None:
    """Give the table another link; who has the former one reads that it was renewed."""
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
    """Save the table under a new word, which no other has or had."""

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


def export(person: User) -> Mapping[str, Any]:
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
