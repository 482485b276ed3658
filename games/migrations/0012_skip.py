from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0011_count_own_moves"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="skipping",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="seat",
            name="seen_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="seat",
            name="skips",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
