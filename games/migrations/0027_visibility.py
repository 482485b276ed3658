"""Who finds a table, in words instead of a boolean; and whether it may be rated.

The column `public` stays, so that processes of the version before go on; its field is `listed`.
"""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("games", "0026_waiting_tables")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveIndex("game", "game_lobby"),
                migrations.RemoveIndex("game", "game_latest"),
                migrations.RenameField("game", "public", "listed"),
                migrations.AlterField(
                    "game", "listed", models.BooleanField(db_column="public", default=True)
                ),
                migrations.AddIndex(
                    "game",
                    models.Index(fields=["status", "listed", "-created_at"], name="game_lobby"),
                ),
                migrations.AddIndex(
                    "game",
                    models.Index(
                        fields=["-finished_at"],
                        condition=Q(status="finished", listed=True),
                        name="game_latest",
                    ),
                ),
            ]
        ),
        migrations.AddField(
            "game",
            "visibility",
            models.CharField(
                max_length=10,
                choices=[
                    ("public", "Public (listed in the lobby)"),
                    ("link", "Private (link only)"),
                ],
                blank=True,
                default="public",
                db_default="",
            ),
        ),
        migrations.AddField("game", "rated", models.BooleanField(default=False, db_default=False)),
        migrations.AddConstraint(
            "game",
            models.CheckConstraint(
                condition=Q(visibility="")
                | Q(visibility="public", listed=True)
                | (~Q(visibility__in=["", "public"]) & Q(listed=False)),
                name="game_listed",
            ),
        ),
    ]
