from django.db import migrations

import accounts.models
from accounts import names

COLUMNS = {
    "skeleton_as_written": names.skeleton_as_written,
    "skeleton_folded": names.skeleton_folded,
}


def fill(apps, schema_editor):
    """Give every name its skeletons; of accounts that look alike only the oldest has them."""
    User = apps.get_model("accounts", "User")
    taken = {column: set() for column in COLUMNS}
    batch = []
    people = User.objects.using(schema_editor.connection.alias)
    for person in people.only("pk", "username").order_by("pk").iterator(chunk_size=1000):
        for column, skeleton in COLUMNS.items():
            value = skeleton(person.username)
            setattr(person, column, None if value in taken[column] else value)
            taken[column].add(value)
        batch.append(person)
        if len(batch) == 1000:
            people.bulk_update(batch, COLUMNS)
            batch = []
    people.bulk_update(batch, COLUMNS)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_staff"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="skeleton_as_written",
            field=accounts.models.SkeletonAsWritten(
                editable=False, max_length=160, null=True, unique=True
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="skeleton_folded",
            field=accounts.models.SkeletonFolded(
                editable=False, max_length=160, null=True, unique=True
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
