"""A result says which game and which variant of it was played; the column `calza` goes in 0017.

Processes of the version before go on writing results: what they leave out has a default in the
database.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0014_rounds_move")]

    operations = [
        migrations.AddField(
            "result",
            "game_key",
            models.CharField(max_length=20, default="perudo", db_default="perudo"),
        ),
        migrations.AddField(
            "result",
            "variant",
            models.CharField(max_length=20, blank=True, default="", db_default=""),
        ),
        migrations.AlterField(
            "result", "calza", models.BooleanField(default=False, db_default=False)
        ),
    ]
