from django.db import migrations, models

import accounts.models
import accounts.names
from accounts import names


def shorten(apps, schema_editor):
    """Give guests whose name another has one of its own, as versions before this one need it."""
    User = apps.get_model("accounts", "User")
    people = User.objects.using(schema_editor.connection.alias)
    for person in people.filter(username__contains=names.MARK).iterator(chunk_size=1000):
        name, _mark, signs = person.username.partition(names.MARK)
        person.username = f"{name[: names.LONGEST - len(signs) - 1]}-{signs}"
        person.save(update_fields=accounts.models.User.NAME_COLUMNS)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0017_askers_of_letters"),
    ]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="name_key",
            field=accounts.models.NameKey(editable=False, max_length=87, unique=True),
        ),
        migrations.AlterField(
            model_name="user",
            name="skeleton_as_written",
            field=accounts.models.SkeletonAsWritten(
                editable=False, max_length=167, null=True, unique=True
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="skeleton_folded",
            field=accounts.models.SkeletonFolded(
                editable=False, max_length=167, null=True, unique=True
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="username",
            field=models.CharField(
                error_messages={"unique": "This name is taken. Please choose another."},
                help_text="3–20 characters: letters, numbers, dots, hyphens, underscores, apostrophes.",
                max_length=27,
                unique=True,
                validators=[accounts.names.well_formed, accounts.names.not_reserved],
                verbose_name="name",
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, shorten),
    ]
