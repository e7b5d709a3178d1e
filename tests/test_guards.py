"""The guards (`make check`) see what they forbid."""

import re
from itertools import chain

import pytest

from tests.guards import layers, markup, rule_kinds, shape
from tests.guards.code import ROOT, Module


def module(text: str, path: str = "armybuilder/lists/tried.py") -> Module:
    return Module(path, text)


def test_a_question_for_the_kind_of_a_rule_is_seen() -> None:
    tried = module(
        "from armybuilder.engine.kinds.limit import Limit\n"
        "def f(rule):\n    return isinstance(rule, Limit) or rule.kind == 'limit'\n"
    )
    assert rule_kinds.known_kinds(tried)
    assert len(list(rule_kinds.kind_questions(tried))) == 2


def test_html_that_is_made_elsewhere_is_seen_and_what_can_be_broken() -> None:
    for text in (
        "from django.utils.safestring import mark_safe\n",
        "import armybuilder.html as h\nh.Html('<b>')\n",
        "from armybuilder.html import fill\nfill(f'<b>{x}</b>')\n",
    ):
        assert list(markup.made_elsewhere(module(text))), text
    assert markup.can_be_broken('<a class="quiet" href="/">')
    assert markup.can_be_broken("<p>Many words")
    assert not markup.can_be_broken("   {% if a and b %}<b>{{ c | d }}</b>")
    assert not markup.can_be_broken('   class="a b">{% translate "Many words" %}')


def test_the_guard_notices_an_import_upwards(monkeypatch: pytest.MonkeyPatch) -> None:
    up = module("from armybuilder import pages\n", "armybuilder/engine/tried.py")
    monkeypatch.setattr(layers, "modules", lambda part="": [up] if part == "engine" else [])
    assert "armybuilder/engine/tried.py: imports pages" in list(layers.arrows_point_down())
    clock = module("import time\nopen('x')\n", "armybuilder/engine/tried.py")
    monkeypatch.setattr(layers, "modules", lambda part="": [clock])
    assert len(list(layers.core_needs_little())) >= 2


def test_relative_imports_are_understood() -> None:
    text = "from . import a\nfrom ..lists import b\nfrom .c import d\nimport os.path\n"
    tried = module(text, "armybuilder/engine/x.py")
    wanted = {"armybuilder.engine.a", "armybuilder.lists", "armybuilder.engine.c", "os.path"}
    assert wanted <= set(tried.imports)
    assert layers.parts_of(tried.imports) == {"engine", "lists"}


def test_a_short_function_with_one_caller_and_a_second_class_of_a_name_are_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "class A: ...\ndef _short():\n    return 1\ndef f():\n    return _short()\n"
    two = [module(text), module("class A: ...\n", "armybuilder/lists/other.py")]
    monkeypatch.setattr(shape, "modules", lambda part="": two)
    assert shape.one_caller() == ["armybuilder/lists/tried.py: _short"]
    assert len(shape.same_names()) == 1


def test_the_guard_notices_paths_of_one_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network = ("http://192.16" + "8.0.7:8000", "http://git.inter" + "nal/x")
    for line in ("see /ho" + "me/ann/list.json", "cd /ro" + "ot/x", *network):
        assert any(re.search(pattern, line) for pattern in shape.PLACES.values()), line
    lines = f"cd {ROOT}\n{ROOT.parent}/other\nfine\n"
    monkeypatch.setattr(shape, "text_files", lambda: [("x.md", lines)])
    seen = list(chain(shape.no_place_of_one_machine()))
    assert len(seen) >= 2 if len(ROOT.parts) >= 3 else not seen
