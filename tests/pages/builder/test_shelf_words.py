"""What the book says of a unit that makes something worse which is wrong already."""

from tests.conftest import Builder
from tests.pages.builder.test_shelf import LADY, entry, shelf_of

KILN = "practice/walking-kiln"


def test_a_rule_that_is_broken_more_is_told_in_its_own_sentence(chainmail: Builder) -> None:
    for ref in (LADY, KILN, KILN, KILN):
        chainmail.act("add", ref=ref)
    assert entry(shelf_of(chainmail), KILN).says == (
        "The models need 8 command capacity; the commanders provide 5.",
    )
