"""A tally is a row a person, game and counter instead of a row a person; results lose `calza`.

It is one transaction, and what it changes is locked until it ends. A process of the version before
that ends a game meanwhile waits, and after that it cannot: its transaction names columns that are
gone and fails as a whole. The game stays as it was before its last move, is put off for a minute at
most, and the first process of this version ends and counts it. So no game is counted half, twice
or not at all. Until they are restarted, processes of the version before show no person's page either.

On the way back the counters of other games than Perudo are left out, because the version before
cannot hold them.
"""

from itertools import groupby

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

BATCH = 500  # people
KEY = "perudo"
COUNTERS = (
    *("left", "doubts", "doubts_right", "calzas", "calzas_exact"),
    *("bids_challenged", "bids_true"),
)


def take_over_late_results(apps, schema_editor):
    """Those that the version before wrote after 0016; nobody writes any more."""
    results = apps.get_model("games", "Result").objects.using(schema_editor.connection.alias)
    results.filter(calza=True, variant="").update(variant="calza")


def split(apps, schema_editor):
    """A row a counter; what is 0 needs none."""
    database = schema_editor.connection.alias
    new = apps.get_model("games", "Tally")
    old = apps.get_model("games", "OldTally").objects.using(database)
    last = 0
    while people := list(old.filter(pk__gt=last).order_by("pk")[:BATCH]):
        new.objects.using(database).bulk_create(
            (
                new(user_id=person.pk, game_key=KEY, counter=counter, value=value)
                for person in people
                for counter, value in counters(person)
                if value
            ),
            batch_size=2_000,
        )
        last = people[-1].pk
    check_references_now(schema_editor)


def counters(person):
    for place, times in enumerate(person.places, start=1):
        yield f"place_{place}", times
    for counter in COUNTERS:
        yield counter, getattr(person, counter)


def join(apps, schema_editor):
    """One row a person again."""
    database = schema_editor.connection.alias
    new = apps.get_model("games", "Tally").objects.using(database).filter(game_key=KEY)
    old = apps.get_model("games", "OldTally")
    last = 0
    while people := list(
        new.filter(user__gt=last).order_by("user").values_list("user", flat=True).distinct()[:BATCH]
    ):
        rows = new.filter(user__gt=last, user__lte=people[-1]).order_by("user")
        by_person = groupby(rows, key=lambda row: row.user_id)
        old.objects.using(database).bulk_create(
            [joined(old(user_id=user), list(rows)) for user, rows in by_person], batch_size=BATCH
        )
        last = people[-1]
    check_references_now(schema_editor)


def joined(person, rows):
    places = {
        int(row.counter.removeprefix("place_")): row.value
        for row in rows
        if row.counter.startswith("place_")
    }
    person.places = [places.get(place, 0) for place in range(1, max(places, default=0) + 1)]
    for row in rows:
        if row.counter in COUNTERS:
            setattr(person, row.counter, row.value)
    return person


def check_references_now(schema_editor):
    """PostgreSQL alters no table with rows that are not checked yet."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        schema_editor.execute("SET CONSTRAINTS ALL DEFERRED")


OLD_TALLY = migrations.CreateModel(
    name="OldTally",
    fields=[
        (
            "user",
            models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                primary_key=True,
                related_name="+",
                serialize=False,
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        ("places", models.JSONField(default=list)),
        ("doubts", models.PositiveIntegerField(default=0)),
        ("doubts_right", models.PositiveIntegerField(default=0)),
        ("calzas", models.PositiveIntegerField(default=0)),
        ("calzas_exact", models.PositiveIntegerField(default=0)),
        ("bids_challenged", models.PositiveIntegerField(default=0)),
        ("bids_true", models.PositiveIntegerField(default=0)),
        ("left", models.PositiveIntegerField(db_default=0, default=0)),
    ],
    options={"db_table": "games_tally_old"},
)

TALLY = migrations.CreateModel(
    name="Tally",
    fields=[
        (
            "id",
            models.BigAutoField(
                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
            ),
        ),
        ("game_key", models.CharField(max_length=20)),
        ("counter", models.CharField(max_length=30)),
        ("value", models.PositiveIntegerField()),
        (
            "user",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ],
    options={
        "constraints": [
            models.UniqueConstraint(
                fields=("user", "game_key", "counter"), name="one_tally_per_counter"
            )
        ],
    },
)

LIST = ("user", "-finished_at", "-seat")


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0016_fill_variant"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # First, because it locks the results: in the order in which a game that ends writes them.
        migrations.RemoveIndex("result", "result_list"),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.AlterModelTable("Tally", "games_tally_old")],
            state_operations=[migrations.DeleteModel("Tally"), OLD_TALLY],
        ),
        TALLY,
        migrations.RunPython(take_over_late_results, migrations.RunPython.noop),
        migrations.RunPython(split, join),
        migrations.DeleteModel("OldTally"),
        migrations.RemoveField("result", "calza"),
        migrations.AlterField("result", "game_key", models.CharField(max_length=20)),
        migrations.AlterField("result", "variant", models.CharField(max_length=20, blank=True)),
        migrations.AddIndex(
            "result",
            models.Index(
                fields=[*LIST, "game_key", "place", "left", "preset", "variant", "public"],
                name="result_list",
            ),
        ),
    ]
