"""The WSGI application that gunicorn serves.

All that a first request would read (views, icons) is read here, before gunicorn divides itself:
the workers share it, and nobody waits for it.
"""

import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")
application = get_wsgi_application()


def _read_ahead() -> None:
    from django.template.loader import get_template

    import_module("armybuilder.urls")
    get_template("icons.html").render()


_read_ahead()
