"""Quick tables, warm-ups and the people who look for others."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0032_plain_model_names"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Search",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="search",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "alone in line"),
                            ("asked", "must answer"),
                            ("ready", "ready"),
                            ("seated", "at the table"),
                            ("missed", "did not answer"),
                            ("left", "left"),
                        ],
                        max_length=10,
                    ),
                ),
                ("choice", models.CharField(blank=True, max_length=20)),
                ("bots", models.BooleanField(default=True)),
                ("holder", models.CharField(max_length=40)),
                ("device", models.CharField(blank=True, max_length=16)),
                ("met", models.JSONField(default=list)),
                ("leaves", models.PositiveSmallIntegerField(default=0)),
                ("left_at", models.DateTimeField(null=True)),
                ("changed_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField()),
            ],
            options={
                "verbose_name": "search for people",
                "verbose_name_plural": "searches for people",
                "default_permissions": (),
            },
        ),
        migrations.AddField(
            model_name="game",
            name="origin",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "made by hand"),
                    ("quick", "for people who want to play now"),
                    ("warm_up", "warm-up"),
                ],
                db_default="",
                default="",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="starts_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("origin", "quick"), ("status", "open")),
                fields=["starts_at"],
                name="game_quick",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("origin", "warm_up"), ("status", "playing")),
                fields=["created_at"],
                name="game_warm_up",
            ),
        ),
        migrations.AddField(
            model_name="search",
            name="table",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="searches",
                to="games.game",
            ),
        ),
        migrations.AddIndex(
            model_name="search",
            index=models.Index(fields=["changed_at"], name="search_age"),
        ),
        migrations.AddIndex(
            model_name="search",
            index=models.Index(fields=["holder"], name="search_holder"),
        ),
    ]
