from django.db import migrations, models

import accounts.names
from accounts import name_keys


def bring_up_to_date(apps, schema_editor):
    User = apps.get_model("accounts", "User")
    people = User.objects.using(schema_editor.connection.alias)
    name_keys.bring_up_to_date(people, name_keys.APOSTROPHE)


def take_back(apps, schema_editor):
    User = apps.get_model("accounts", "User")
    people = User.objects.using(schema_editor.connection.alias)
    name_keys.take_back(people, name_keys.APOSTROPHE)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0015_shows_reviews"),
    ]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="username",
            field=models.CharField(
                error_messages={"unique": "This name is taken. Please choose another."},
                help_text="3–20 characters: letters, numbers, dots, hyphens, underscores, apostrophes.",
                max_length=20,
                unique=True,
                validators=[accounts.names.well_formed, accounts.names.not_reserved],
                verbose_name="name",
            ),
        ),
        migrations.RunPython(bring_up_to_date, take_back),
    ]
