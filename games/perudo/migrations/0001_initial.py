"""The table of finished rounds comes from the app `games`, with all that refers to its model.

The table and its rows stay untouched. The content type of the model takes the new label, and keeps
its key: permissions of groups and people and the entries of the staff's log go on to refer to it.
Where a content type of the new label exists already, the two become one.
"""

import django.db.models.deletion
from django.db import migrations, models


def to_perudo(apps, schema_editor):
    relabel(apps, schema_editor.connection.alias, old="games", new="perudo")


def to_games(apps, schema_editor):
    relabel(apps, schema_editor.connection.alias, old="perudo", new="games")


def relabel(apps, database, *, old, new):
    types = apps.get_model("contenttypes", "ContentType").objects.db_manager(database)
    types.clear_cache()
    moving = types.filter(app_label=old, model="round").first()
    if moving is None:  # a new database: it gets the new label after the migrations
        return
    twin = types.filter(app_label=new, model="round").first()
    if twin is not None:
        merge(apps, database, twin, into=moving)
    types.filter(pk=moving.pk).update(app_label=new)
    types.clear_cache()


def merge(apps, database, twin, *, into):
    """Everything that refers to `twin` refers to the content type `into` afterwards."""
    Permission = apps.get_model("auth", "Permission")
    kept = {
        row.codename: row for row in Permission.objects.using(database).filter(content_type=into)
    }
    for row in Permission.objects.using(database).filter(content_type=twin):
        if row.codename in kept:
            kept[row.codename].group_set.add(*row.group_set.all())
            kept[row.codename].user_set.add(*row.user_set.all())
            row.delete()
        else:
            Permission.objects.using(database).filter(pk=row.pk).update(content_type=into)
    entries = apps.get_model("admin", "LogEntry").objects.using(database)
    entries.filter(content_type=twin).update(content_type=into)
    twin.delete()


def seat(**options):
    return models.ForeignKey(
        on_delete=django.db.models.deletion.CASCADE,
        to="games.seat",
        **{"related_name": "+"} | options,
    )


ROUND = migrations.CreateModel(
    name="Round",
    fields=[
        (
            "id",
            models.BigAutoField(
                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
            ),
        ),
        ("number", models.PositiveSmallIntegerField()),
        ("seq", models.PositiveIntegerField()),
        ("quantity", models.PositiveSmallIntegerField()),
        ("face", models.PositiveSmallIntegerField()),
        (
            "call",
            models.CharField(choices=[("dudo", "dudo"), ("calza", "calza")], max_length=5),
        ),
        ("count", models.PositiveSmallIntegerField()),
        ("hands", models.JSONField()),
        ("bid_automatic", models.BooleanField(null=True)),
        ("call_automatic", models.BooleanField(null=True)),
        (
            "game",
            models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to="games.game"),
        ),
        ("bidder", seat(related_name="challenged_rounds")),
        ("caller", seat(related_name="called_rounds")),
        ("gainer", seat(blank=True, null=True)),
        ("loser", seat(blank=True, null=True)),
        ("opener", seat()),
        ("palifico", seat(blank=True, null=True)),
    ],
    options={
        "verbose_name": "round",
        "verbose_name_plural": "rounds",
        "db_table": "games_round",
        "ordering": ["number"],
        "constraints": [
            models.UniqueConstraint(fields=("game", "number"), name="one_round_per_number")
        ],
    },
)


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("games", "0014_rounds_move"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("admin", "0003_logentry_add_action_flag_choices"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[ROUND]),
        migrations.RunPython(to_perudo, to_games),
    ]
