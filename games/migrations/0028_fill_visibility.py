"""The visibility of the tables of before, which `listed` alone tells.

Each batch is a transaction of its own, and a run that was cut short may be run again: a large site
goes on meanwhile. Rows that processes of the version before write later keep "", which
`TableSettings.of` reads by `listed` in the same way.
"""

from django.db import migrations
from django.db.models import Case, Value, When

BATCH = 20_000  # games


def fill(apps, schema_editor):
    rows = apps.get_model("games", "Game").objects.using(schema_editor.connection.alias)
    told = Case(When(listed=True, then=Value("public")), default=Value("link"))
    last = 0
    while keys := list(
        rows.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]
    ):
        rows.filter(pk__gt=last, pk__lte=keys[-1], visibility="").update(visibility=told)
        last = keys[-1]


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0027_visibility")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
