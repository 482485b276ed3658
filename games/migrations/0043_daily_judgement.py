from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0042_try_again"),
    ]

    operations = [
        migrations.AddField(
            model_name="dailyround",
            name="judgement",
            field=models.JSONField(blank=True, default=None, null=True),
        ),
    ]
