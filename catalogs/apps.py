"""The Django app that holds the catalogue files; it has no code beside their place."""

from pathlib import Path

from django.apps import AppConfig

CATALOGUE_DIR = Path(__file__).parent


class CatalogsConfig(AppConfig):
    name = "catalogs"
    verbose_name = "Catalogues"
