from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0009_names_leave_sessions"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="games_shown_to",
            field=models.CharField(
                choices=[("everybody", "Everybody"), ("nobody", "Only me")],
                db_default="everybody",
                default="everybody",
                max_length=10,
                verbose_name="who sees my games",
            ),
        ),
    ]
