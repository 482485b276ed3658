from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0016_names_of_all_scripts"),
    ]

    operations = [
        migrations.AddField(
            model_name="letter",
            name="asker",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
    ]
