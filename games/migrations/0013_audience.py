"""The audience of a fact may be several seats, or none: the column stays, its field is another."""

from django.db import migrations

import games.models.facts


class Migration(migrations.Migration):
    dependencies = [("games", "0012_skip")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("event", "only", "audience"),
                migrations.AlterField(
                    "event",
                    "audience",
                    games.models.facts.AudienceField(blank=True, db_column="only", null=True),
                ),
            ]
        )
    ]
