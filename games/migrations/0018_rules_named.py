"""A table names its game when it is opened: the default goes, which the database never had."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0017_tallies")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField("game", "rules", models.CharField(max_length=20)),
            ]
        )
    ]
