"""The variant of older results, and on the way back their `calza`.

Each batch is a transaction of its own, and a run that was cut short may be run again: a large site
goes on meanwhile. What processes of the version before write during it, 0017 takes over.
"""

from django.db import migrations

BATCH = 20_000  # results


def fill_variant(apps, schema_editor):
    for results in batches(apps, schema_editor):
        results.filter(calza=True, variant="").update(variant="calza")


def fill_calza(apps, schema_editor):
    for results in batches(apps, schema_editor):
        results.filter(calza=False, variant="calza").update(calza=True)


def batches(apps, schema_editor):
    """All results in the order of their keys, so many at a time."""
    rows = apps.get_model("games", "Result").objects.using(schema_editor.connection.alias)
    last = 0
    while keys := list(
        rows.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]
    ):
        yield rows.filter(pk__gt=last, pk__lte=keys[-1])
        last = keys[-1]


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0015_variant")]

    operations = [migrations.RunPython(fill_variant, fill_calza)]
