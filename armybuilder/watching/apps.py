"""App that counts verdicts, and reports failures to Sentry if configured."""

from typing import Any

from django.apps import AppConfig
from django.conf import settings

from armybuilder import __version__


class WatchingConfig(AppConfig):
    name = "armybuilder.watching"
    label = "watching"

    def ready(self) -> None:
        if settings.METRICS_TOKEN:
            from armybuilder.loading.documents import watch
            from armybuilder.watching.metrics import verdicts

            watch(verdicts.observe)
        if settings.SENTRY_DSN:
            tell_sentry(settings.SENTRY_DSN)


def tell_sentry(dsn: str) -> None:
    """Start to report failures with their place in the code, but nothing that players wrote."""
    import sentry_sdk

    from armybuilder.incoming import request_id

    def without_request(event: Any, hint: dict[str, Any]) -> Any:
        event.pop("request", None)  # its address may be a key
        event.setdefault("tags", {})["request_id"] = request_id()
        return event

    sentry_sdk.init(
        dsn=dsn,
        release=__version__,
        before_send=without_request,
        # Variables, forms and queries contain lists.
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
    )
