"""The app that watches: it counts verdicts, and tells Sentry where that is wished."""

from django.apps import AppConfig
from django.conf import settings


class WatchingConfig(AppConfig):
    name = "armybuilder.watching"
    label = "watching"

    def ready(self) -> None:
        """Connect what is watched."""
        if settings.METRICS_TOKEN:
            from armybuilder.loading.documents import watch
            from armybuilder.watching.metrics import count_verdict

            watch(count_verdict)
        if settings.SENTRY_DSN:
            from armybuilder.watching.sentry import start

            start(settings.SENTRY_DSN)
