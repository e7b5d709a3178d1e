"""Each part of what files mean is held by a spec of our own: without it one of them fails."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest

from armybuilder.battlescribe.files import filling, rules, showing
from armybuilder.battlescribe.files.far_changes import FarChanges
from armybuilder.battlescribe.files.reading import FileElement
from armybuilder.battlescribe.files.rules import RuleMaker, Strange
from armybuilder.engine.kernel import conditions
from armybuilder.engine.kernel.conditions import Before, LimitOf, PerCent, Query, Reaching, Scope
from armybuilder.engine.kernel.evaluation import Evaluation
from tests.battlescribe.files.specs import Run, read_spec
from tests.battlescribe.files.test_specs import OWN

Patch = pytest.MonkeyPatch
SPECS: Final = [read_spec(path) for path in OWN]
SAYS: Final = FileElement.says
QUERY: Final = RuleMaker.query


def scope(name: str) -> Callable[[Patch], None]:
    """Let a scope mean another part of the list."""
    other = Scope.PARENT if name in ("roster", "force", "primary-catalogue") else Scope.LIST
    return lambda patch: patch.setitem(rules._SCOPES, name, other)  # type: ignore[arg-type]


def unsaid(key: str) -> Callable[[Patch], None]:
    """Let no element say that something is so."""
    return lambda patch: patch.setattr(
        FileElement, "says", lambda self, asked: asked != key and SAYS(self, asked)
    )


def asked_without(**fields: bool) -> Callable[[Patch], None]:
    """Let all queries be asked in another way."""

    def query(self: RuleMaker, *asked: Any) -> Query:
        return replace(QUERY(self, *asked), **fields)

    return lambda patch: patch.setattr(RuleMaker, "query", query)


def act(name: str) -> Callable[[Patch], None]:
    """Let an act on a number do nothing."""
    return lambda patch: patch.setitem(
        conditions.CHANGES,
        name,
        lambda base, value, times: base,  # type: ignore[arg-type]
    )


def strange(name: str) -> Callable[[Patch], None]:
    """Let a part of conditions not be understood."""

    def refuse(self: RuleMaker, *asked: Any) -> None:
        raise Strange("switched off")

    return lambda patch: patch.setattr(RuleMaker, name, refuse)


SWITCHES: Final[dict[str, Callable[[Patch], None]]] = {
    **{f"scope {name}": scope(name) for name in rules._SCOPES},
    **{f"act {name}": act(name) for name in conditions.CHANGES},
    **{
        key: unsaid(key)
        for key in (
            *("shared", "percentValue", "collective", "hidden", "primary", "roundUp", "negative"),
            *("includeChildSelections", "includeChildForces"),
        )
    },
    "depth": asked_without(deep=False),
    "every depth": asked_without(deep=True),
    "forces": asked_without(forces=False),
    "limits": lambda patch: patch.setattr(LimitOf, "measure", lambda *_: -1),
    "shares in conditions": lambda patch: patch.setattr(PerCent, "measure", lambda *_: 0),
    "hidden with a minimum": lambda patch: patch.setattr(Evaluation, "_need_not", lambda *_: False),
    "group defaults": lambda patch: patch.setattr(filling, "default_of", lambda _: None),
    "local condition groups": strange("_each"),
    "before": lambda patch: patch.setattr(Before, "holds", lambda *_: False),
    "affects": strange("reach"),
    "associations": strange("associated"),
    "changes from afar": lambda patch: patch.setattr(FarChanges, "of", lambda *_: ()),
    "changes that a unit makes": lambda patch: patch.setattr(Reaching, "measure", lambda *_: 0),
    "affects of profiles": lambda patch: patch.setattr(showing, "reached_changes", lambda _: {}),
    "instances": strange("_instance_of"),
    "repeats": lambda patch: patch.setattr(RuleMaker, "_repeats", lambda *_: ()),
}


def fails(spec: Any) -> bool:
    """Return whether a list comes to something else than a spec wants, or to nothing."""
    try:
        return bool(Run(spec).failures)
    except (Strange, KeyError, StopIteration, AssertionError):
        return True


@pytest.mark.one_in(3)
@pytest.mark.parametrize("part", SWITCHES)
def test_some_spec_fails_when_a_feature_is_switched_off(part: str, monkeypatch: Patch) -> None:
    SWITCHES[part](monkeypatch)
    assert any(fails(spec) for spec in SPECS)
