from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_company"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="show_odds",
            field=models.BooleanField(default=False),
        ),
    ]
