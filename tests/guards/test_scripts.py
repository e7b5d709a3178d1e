"""Scripts are modules: pages load those there are, which name what they need of each other."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.templatetags.static import static
from django.test import Client

from armybuilder.packing import FOLDER, modules_of
from armybuilder.tags import page_script
from tests.guards.code import ROOT

STATIC = ROOT / "armybuilder" / "static" / "armybuilder"
MODULES = sorted(file.name for file in (STATIC / "js").glob("*.js"))


def templates() -> str:
    return "\n".join(
        file.read_text(encoding="utf-8") for file in sorted((ROOT / "templates").rglob("*.html"))
    )


def test_every_module_is_loaded_by_some_page() -> None:
    pages = templates()
    loaded = [f"{name}.js" for name in re.findall(r'{% page_script "([\w-]+)" %}', pages)]
    loaded += re.findall(r"{% static 'armybuilder/js/([\w.-]+)' %}\" type=\"module\"", pages)
    assert {module for name in loaded for module in modules_of(name, later=True)} == set(MODULES)


def test_only_the_script_that_a_page_waits_for_is_none_of_them() -> None:
    assert [file.name for file in STATIC.glob("*.js")] == ["js.js"]
    classic = re.findall(r"<script src=\"{% static '(\S+)' %}\"(?! type=)", templates())
    assert sorted(classic) == [
        "armybuilder/js.js",
        "vendor/idiomorph.min.js",
        "vendor/qr-decode.min.js",
    ]


def test_every_import_is_written_as_the_storage_reads_it() -> None:
    for name in MODULES:
        text = (STATIC / "js" / name).read_text(encoding="utf-8")
        imported = re.findall(
            r"\bfrom\s*['\"]|^import\b(?!.*\bfrom\b)|import\(", text, re.MULTILINE
        )
        direct = {
            other
            for other in modules_of(name, later=True)[1:]
            if re.search(rf'"\./{re.escape(other)}"(;|\))', text)
        }
        assert len(imported) == len(direct), name


def test_a_page_has_all_modules_fetched_at_once(client: Client, db: None) -> None:
    page = client.get("/").content.decode()
    fetched = re.findall(r'<link rel="modulepreload" href="/static/armybuilder/js/(\S+)">', page)
    loaded = re.findall(r'<script type="module" src="/static/armybuilder/js/(\S+)">', page)
    assert [*loaded, *fetched] == list(modules_of("site.js"))


def test_a_script_that_is_not_there_is_told() -> None:
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
