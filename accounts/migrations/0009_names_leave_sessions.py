"""Take the names out of stored sessions: allauth kept one with every sign-in."""

from django.core import signing
from django.db import migrations

_KEY = "account_authentication_methods"
_PERSONAL = ("username", "email", "phone")
_AT_ONCE = 500


def take_out_names(apps, schema_editor):
    from django.contrib.sessions.backends.db import SessionStore

    store = SessionStore()
    sessions = apps.get_model("sessions", "Session").objects.using(schema_editor.connection.alias)
    last = ""
    while rows := list(sessions.filter(pk__gt=last).order_by("pk")[:_AT_ONCE]):
        for row in rows:
            try:
                data = signing.loads(
                    row.session_data, salt=store.key_salt, serializer=store.serializer
                )
            except Exception:  # noqa: S112  # signed with another key: nobody can read it
                continue
            records = data.get(_KEY)
            if isinstance(records, list) and any(
                key in each for each in records for key in _PERSONAL
            ):
                data[_KEY] = [
                    {key: value for key, value in each.items() if key not in _PERSONAL}
                    for each in records
                ]
                # Not where the session was changed or ended meanwhile.
                sessions.filter(pk=row.pk, session_data=row.session_data).update(
                    session_data=store.encode(data)
                )
        last = rows[-1].pk


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_held_names"),
        ("sessions", "0001_initial"),
    ]

    operations = [migrations.RunPython(take_out_names, migrations.RunPython.noop, elidable=True)]
