"""The key of a game in the catalogue has one name: `kind_key`. The columns keep theirs, so that
processes of the version before go on.
"""

from django.db import migrations, models

LIST = ["user", "-finished_at", "-seat"]
FILTERS = ["place", "left", "preset", "variant", "public"]


def _key(column: str) -> models.CharField:
    return models.CharField(max_length=20, db_column=column)


class Migration(migrations.Migration):
    dependencies = [("games", "0028_fill_visibility")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveIndex("result", "result_list"),
                migrations.RemoveConstraint("tally", "one_tally_per_counter"),
                migrations.RenameField("game", "rules", "kind_key"),
                migrations.AlterField("game", "kind_key", _key("rules")),
                *(
                    operation
                    for model in ("result", "tally")
                    for operation in (
                        migrations.RenameField(model, "game_key", "kind_key"),
                        migrations.AlterField(model, "kind_key", _key("game_key")),
                    )
                ),
                migrations.AddIndex(
                    "result",
                    models.Index(fields=[*LIST, "kind_key", *FILTERS], name="result_list"),
                ),
                migrations.AddConstraint(
                    "tally",
                    models.UniqueConstraint(
                        fields=("user", "kind_key", "counter"), name="one_tally_per_counter"
                    ),
                ),
            ]
        )
    ]
