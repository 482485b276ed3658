"""Finished rounds belong to Perudo's own app; their table stays as it is (see `perudo.0001`)."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0013_audience")]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("Round")])
    ]
