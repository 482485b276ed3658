from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0030_inbox")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="present_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
