"""Which static files of packages are served: those that pages load, so that a start is short."""

from django.contrib.staticfiles.apps import StaticFilesConfig


class CollectedFiles(StaticFilesConfig):
    """Leaves out what no page loads: pages of REST framework, other readers of the API's
    description, other editions of htmx.
    """

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "rest_framework",
        "redoc",
        "ext",
        "htmax-*",
        "htmx-4*",
    ]
