"""Codes to sign in with, and the letters that bring them or a link to confirm an address."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

_KINDS = [
    ("reset", "Reset"),
    ("email_changed", "Email Changed"),
    ("confirm", "Confirm"),
    ("code", "Code"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0010_games_shown_to"),
    ]

    operations = [
        migrations.CreateModel(
            name="SignInCode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=43, unique=True)),
                ("login", models.CharField(max_length=254)),
                ("asked_at", models.DateTimeField(db_index=True)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="letter",
            name="code",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="letter",
                to="accounts.signincode",
            ),
        ),
        migrations.AlterField(
            model_name="letter",
            name="kind",
            field=models.CharField(choices=_KINDS, max_length=20),
        ),
        migrations.AlterField(
            model_name="lettercount",
            name="kind",
            field=models.CharField(choices=_KINDS, max_length=20),
        ),
    ]
