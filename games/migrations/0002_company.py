import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="chat",
            field=models.BooleanField(default=True),
        ),
        migrations.CreateModel(
            name="Saying",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("phrase", models.CharField(blank=True, max_length=20)),
                ("text", models.CharField(blank=True, max_length=200)),
                ("hidden", models.BooleanField(default=False)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to="games.game"),
                ),
            ],
            options={
                "verbose_name": "saying",
                "verbose_name_plural": "sayings",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("insult", "Insults or threats"),
                            ("spam", "Advertising or flooding the talk"),
                            ("name", "An offensive name"),
                            ("collusion", "Playing together against the others"),
                            ("other", "Something else"),
                        ],
                        max_length=10,
                    ),
                ),
                ("words", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField()),
                ("handled", models.BooleanField(default=False)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reports",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="games.game",
                    ),
                ),
                (
                    "whom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "saying",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="games.saying",
                    ),
                ),
            ],
            options={
                "verbose_name": "report",
                "verbose_name_plural": "reports",
            },
        ),
        migrations.CreateModel(
            name="Mute",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("blocked", models.BooleanField(default=False)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mutes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "whom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "mute",
                "verbose_name_plural": "mutes",
                "constraints": [
                    models.UniqueConstraint(fields=("by", "whom"), name="one_mute_a_person"),
                    models.CheckConstraint(
                        condition=models.Q(("by", models.F("whom")), _negated=True),
                        name="nobody_mutes_himself",
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="saying",
            constraint=models.CheckConstraint(
                condition=models.Q(("phrase", ""), ("text", ""), _connector="OR"),
                name="phrase_or_text",
            ),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.UniqueConstraint(fields=("by", "saying"), name="one_report_a_saying"),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.UniqueConstraint(
                condition=models.Q(("handled", False), ("saying__isnull", True)),
                fields=("by", "whom"),
                name="one_open_report_a_person",
            ),
        ),
    ]
