"""The table of finished rounds."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("games", "0019_plain_labels"),
    ]

    operations = [
        migrations.CreateModel(
            name="Round",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("seq", models.PositiveIntegerField()),
                ("stake", models.CharField(max_length=3)),
                ("accusations", models.JSONField()),
                ("declarations", models.JSONField()),
                ("hands", models.JSONField(null=True)),
                ("bluffs", models.JSONField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="peco_peco_rounds",
                        to="games.game",
                    ),
                ),
                (
                    "starter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.seat",
                    ),
                ),
                (
                    "winner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.seat",
                    ),
                ),
            ],
            options={
                "verbose_name": "round",
                "verbose_name_plural": "rounds",
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "number"), name="one_peco_peco_round_per_number"
                    )
                ],
            },
        ),
    ]
