"""The WSGI application that gunicorn serves.

Everything that a first request would load (views, icons) is loaded here, before gunicorn forks: the
workers share it, and nobody waits for it.
"""

import os
import sys
from importlib import import_module

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application
from django.template.loader import get_template

from armybuilder.apps import keeping_all

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")
try:
    settings.INSTALLED_APPS  # noqa: B018 - asked for the first time, they are read
except ImproperlyConfigured as error:
    print("Settings:", error, file=sys.stderr, flush=True)
    sys.exit(3)  # gunicorn's word for "does not start": it does not try again


with keeping_all():
    application = get_wsgi_application()
    import_module("armybuilder.urls")
    get_template("icons.html").render()
