"""Pages have the modules they need fetched at once, under the names that the files have."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.templatetags.static import static
from django.test import Client

from armybuilder.packing import FOLDER, modules_of
from armybuilder.tags import page_script


def test_a_page_has_all_modules_fetched_at_once(client: Client, db: None) -> None:
    page = client.get("/").text
    fetched = re.findall(r'<link rel="modulepreload" href="/static/armybuilder/js/(\S+)">', page)
    loaded = re.findall(r'<script type="module" src="/static/armybuilder/js/(\S+)">', page)
    assert [*loaded, *fetched] == list(modules_of("site.js"))
    # A script that is not there is told.
    with pytest.raises(FileNotFoundError):
        page_script("nowhere")


def test_what_is_imported_has_the_name_that_the_page_has_fetched(
    tmp_path: Path, settings: Any
) -> None:
    """As it is served: file names with a hash of what is in them."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "armybuilder.packing.Storage"},
    }
    others = ["drf_spectacular_sidecar", "rest_framework", "admin"]  # the heavy ones of packages
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=others)
    names = [
        static(FOLDER + name).rpartition("/")[2] for name in modules_of("builder.js", later=True)
    ]
    for name in names:
        text = (tmp_path / "armybuilder" / "js" / name).read_text(encoding="utf-8")
        assert set(re.findall(r'"\./([\w.-]+)"', text)) <= set(names)
