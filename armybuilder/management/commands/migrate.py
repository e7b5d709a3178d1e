"""`migrate`: Django's, but a migration is done and recorded as one, or not at all.

Django notes that a migration is done after its transaction where indexes are made at its end. Who
is killed between the two has a migration that is done and not noted, and that fails when it is done
again.
"""

from typing import Any

from django.core.management.commands import migrate
from django.db import transaction
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import ProjectState


class WholeMigrations(MigrationExecutor):
    """Does and records each migration in one transaction, but those that want none."""

    def apply_migration(
        self, state: ProjectState, migration: Migration, *args: Any, **kwargs: Any
    ) -> ProjectState:
        """Return the state after it."""
        if not migration.atomic:
            return super().apply_migration(state, migration, *args, **kwargs)
        # SQLite alters tables without looking at references, which is said before a transaction.
        with (
            self.connection.constraint_checks_disabled(),
            transaction.atomic(self.connection.alias),
        ):
            return super().apply_migration(state, migration, *args, **kwargs)


# The command has no other place for the name of its executor.
migrate.MigrationExecutor = WholeMigrations  # type: ignore[attr-defined]  # imported there


class Command(migrate.Command):
    """Django's."""
