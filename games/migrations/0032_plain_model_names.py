"""Facts, chat messages, chat bans and the heartbeat get the names that people look for.

Their tables and columns keep their names, so that processes of the version before go on. What
groups and people may do goes along. Until those processes have ended, staff who are no superusers
find these pages and actions only on the new ones.
"""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

TABLES = {
    "Event": ("FactRow", "games_event"),
    "Saying": ("ChatMessage", "games_saying"),
    "Silence": ("ChatBan", "games_silence"),
    "Hours": ("Heartbeat", "games_hours"),
}
CODENAMES = {
    f"{what}_{old.lower()}": f"{what}_{new.lower()}"
    for old, (new, _table) in TABLES.items()
    for what in ("add", "change", "delete", "view")
} | {"silence_person": "ban_from_chat"}


def _rename(apps: Any, schema_editor: Any, codenames: dict[str, str]) -> None:
    """Rename permissions; where the new one exists already, who holds the old one holds it too."""
    permissions = apps.get_model("auth", "Permission").objects.using(schema_editor.connection.alias)
    for old, new in codenames.items():
        for row in permissions.filter(content_type__app_label="games", codename=old):
            twin = permissions.filter(
                content_type__app_label="games", codename=new, content_type=row.content_type_id
            ).first()
            if twin is None:
                row.codename = new
                row.save(update_fields=["codename"])
                continue
            twin.group_set.add(*row.group_set.all())
            twin.user_set.add(*row.user_set.all())
            row.delete()


def forward(apps: Any, schema_editor: Any) -> None:
    _rename(apps, schema_editor, CODENAMES)


def backward(apps: Any, schema_editor: Any) -> None:
    _rename(apps, schema_editor, {new: old for old, new in CODENAMES.items()})


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("games", "0031_seat_present_at"),
    ]

    operations = [
        *(
            operation
            for old, (new, table) in TABLES.items()
            for operation in (
                migrations.AlterModelTable(old, table),
                migrations.RenameModel(old, new),
            )
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint("report", "one_report_a_saying"),
                migrations.RemoveConstraint("report", "one_open_report_a_person"),
                migrations.RenameField("report", "saying", "message"),
                migrations.AlterField(
                    "report",
                    "message",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        db_column="saying_id",
                        on_delete=django.db.models.deletion.CASCADE,
                        to="games.chatmessage",
                    ),
                ),
                migrations.AddConstraint(
                    "report",
                    models.UniqueConstraint(fields=("by", "message"), name="one_report_a_saying"),
                ),
                migrations.AddConstraint(
                    "report",
                    models.UniqueConstraint(
                        condition=models.Q(("handled", False), ("message__isnull", True)),
                        fields=("by", "whom"),
                        name="one_open_report_a_person",
                    ),
                ),
                migrations.AlterField(
                    "chatban",
                    "whom",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chat_ban",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ]
        ),
        migrations.AlterModelOptions(
            "chatban",
            {
                "default_permissions": (),
                "permissions": [("ban_from_chat", "Can ban a person from the chat")],
                "verbose_name": "chat ban",
                "verbose_name_plural": "chat bans",
            },
        ),
        migrations.RunPython(forward, backward),
    ]
