"""What was thrown in finished games is counted: for people in their tallies, and for the site.

A job counts the games that have ended, see `games.play.throws`. On the way back its counters of
people are deleted, because the next way forward counts all games again.
"""

from django.conf import settings
from django.db import migrations, models


def forget(apps, schema_editor):
    tallies = apps.get_model("games", "Tally").objects.using(schema_editor.connection.alias)
    tallies.filter(counter__startswith="thrown_").delete()


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0055_draw_proofs"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SiteTally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind_key", models.CharField(max_length=20)),
                ("counter", models.CharField(max_length=30)),
                ("part", models.PositiveSmallIntegerField()),
                ("value", models.PositiveBigIntegerField()),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.AddField(
            model_name="game",
            name="throws_counted",
            field=models.BooleanField(editable=False, null=True),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(
                    ("finished_at__isnull", False), ("throws_counted__isnull", True)
                ),
                fields=["id"],
                name="game_throws",
            ),
        ),
        migrations.AddConstraint(
            model_name="sitetally",
            constraint=models.UniqueConstraint(
                fields=("kind_key", "counter", "part"), name="one_site_tally_per_part"
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, forget),
    ]
