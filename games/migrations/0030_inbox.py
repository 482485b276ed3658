import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0009_names_leave_sessions"),
        ("games", "0029_kind_key"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Inbox",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="inbox",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("seq", models.PositiveIntegerField(default=0)),
                ("unread", models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                "verbose_name": "inbox",
                "verbose_name_plural": "inboxes",
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="InboxEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("about", models.CharField(max_length=40)),
                ("values", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField()),
                ("read_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="inbox_entries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "inbox entry",
                "verbose_name_plural": "inbox entries",
                "ordering": ["-seq"],
                "default_permissions": (),
                "indexes": [
                    models.Index(fields=["kind", "about"], name="inbox_about"),
                    models.Index(fields=["created_at"], name="inbox_age"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("user", "seq"), name="one_entry_per_number"),
                    models.UniqueConstraint(
                        fields=("user", "kind", "about"), name="one_entry_per_thing"
                    ),
                ],
            },
        ),
    ]
