"""Print jobs belong to the app of printing; their table goes there with all that is in it."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("lists", "0004_version_labels")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.AlterModelTable("PrintJob", "printing_printjob")],
            state_operations=[migrations.DeleteModel("PrintJob")],
        )
    ]
