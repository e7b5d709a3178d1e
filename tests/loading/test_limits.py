"""What those who write documents are told of their limits is what the schema says."""

import json

from armybuilder.loading import limits
from armybuilder.loading.documents import check_document
from armybuilder.loading.problems import Refusal
from armybuilder.loading.quick_checks import SCHEMA_DIR
from tests.building.documents import list_of

SCHEMA = json.loads((SCHEMA_DIR / "armylist.schema.json").read_text("utf-8"))
LIST, PARTS = SCHEMA["properties"], SCHEMA["$defs"]


def test_each_limit_is_that_of_the_schema() -> None:
    unit, option, inner = (PARTS[name]["properties"] for name in ("unit", "option", "inner"))
    values = LIST["settings"]["additionalProperties"]["anyOf"]
    assert {
        "MAX_UNITS": LIST["units"]["maxItems"],
        "MAX_LIMIT": LIST["limit"]["maximum"],
        "MAX_NAME": PARTS["name"]["maxLength"],
        "MAX_NOTES": PARTS["notes"]["maxLength"],
        "MAX_MODELS": unit["models"]["maximum"],
        "MAX_OPTIONS": unit["options"]["maxItems"],
        "MAX_TIMES": option["number"]["maximum"],
        "MAX_PIECES": next(one["maxItems"] for one in values if "maxItems" in one),
    } == {name: value for name, value in vars(limits).items() if name.startswith("MAX_")}
    assert inner["number"]["maximum"] == limits.MAX_TIMES
    assert option["options"]["maxItems"] == inner["options"]["maxItems"] == limits.MAX_OPTIONS


def is_document(options: list[object]) -> bool:
    unit = {"unit": "book/unit", "models": 1, "options": options}
    try:
        check_document(list_of("sbh", [], [unit], limit=1))
    except Refusal:
        return False
    return True


def test_options_stand_so_deep_on_each_other_the_last_by_their_ids() -> None:
    options: list[object] = ["x"]
    for _each in range(limits.DEEPEST - 1):
        options = [{"id": "x", "options": options}]
    assert is_document(options)
    assert not is_document([{"id": "x", "options": options}])
