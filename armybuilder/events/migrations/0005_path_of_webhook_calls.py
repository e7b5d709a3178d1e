from typing import Any

from django.db import migrations


def name_the_task_anew(apps: Any, _schema_editor: Any) -> None:
    """Let calls that wait since before the task moved find it where it is now."""
    calls = apps.get_model("django_tasks_database", "DBTaskResult").objects
    moved = "armybuilder.events.webhooks.call"
    calls.filter(task_path="armybuilder.events.tasks.call").update(task_path=moved)


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0004_which_list"),
        ("django_tasks_database", "0021_conditional_partial_index_ordering"),
    ]

    operations = [migrations.RunPython(name_the_task_anew, migrations.RunPython.noop)]
