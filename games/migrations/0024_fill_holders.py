"""Whom the tables count for that are open or running: their hosts, whose addresses are unknown."""

from django.db import migrations
from django.db.models import CharField, Count, F, Q, Value
from django.db.models.functions import Cast, Concat


def fill(apps, schema_editor):
    games = apps.get_model("games", "Game").objects.using(schema_editor.connection.alias)
    live = games.filter(status__in=("open", "playing"))
    people = Count("seat", filter=Q(seat__bot=""))
    alone = live.filter(status="playing").annotate(people=people).filter(people=1)
    games.filter(pk__in=list(alone.values_list("pk", flat=True))).update(solo=True)
    live.filter(holder="").update(
        holder=Concat(Value("person-"), Cast(F("host_id"), CharField())),
    )


class Migration(migrations.Migration):
    dependencies = [("games", "0023_held_and_paused")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
