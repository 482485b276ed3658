from django.db import migrations

import accounts.models
from accounts import name_keys


def bring_up_to_date(apps, schema_editor):
    User = apps.get_model("accounts", "User")
    name_keys.bring_up_to_date(User.objects.using(schema_editor.connection.alias))


def take_back(apps, schema_editor):
    User = apps.get_model("accounts", "User")
    name_keys.take_back(User.objects.using(schema_editor.connection.alias))


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_avatars"),
    ]

    operations = [
        migrations.AlterModelManagers(
            name="user",
            managers=[("objects", accounts.models.People())],
        ),
        migrations.RunPython(bring_up_to_date, take_back),
    ]
