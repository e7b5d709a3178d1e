"""What mypy is told to overlook, it is told why."""

import re

from tests.guards.code import modules

IGNORED = re.compile(r"# type: ignore(?P<code>\[[a-z-]+\])?(?P<reason>  # \w.+)?")


def test_every_ignored_type_error_has_its_code_and_its_reason() -> None:
    bare = [
        f"{module.path}:{number}"
        for module in modules()
        for number, line in enumerate(module.text.splitlines(), 1)
        if (found := IGNORED.search(line)) and not (found["code"] and found["reason"])
    ]
    assert bare == []
