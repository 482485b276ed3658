from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0044_listed_under_tables")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="failing_since",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
