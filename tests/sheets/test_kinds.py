"""The full and the open list of an army by their addresses."""

import pytest

pytestmark = pytest.mark.django_db


@pytest.fixture
def army(build):
    return build("t9a-2023", limit=1500, books=["highborn-elves"])


def test_the_page_links_both_kinds_and_keeps_the_one_chosen(army):
    page = army.client.get(f"{army.url}sheet/?kind=open").content.decode()
    assert "Open list (Rulebook 8.E.a)" in page
    assert f'{army.url}sheet.pdf?kind=open"' in page
    assert f"{army.url}text/" in page
    assert f'href="{army.url}sheet/"' in page
    full = army.client.get(f"{army.url}sheet/").content.decode()
    assert "Open list (Rulebook 8.E.a)" not in full
    assert f'{army.url}sheet.pdf"' in full


@pytest.mark.parametrize(
    ("query", "name"), [("", "Test-list"), ("?kind=open", "Test-list-open-list")]
)
@pytest.mark.parametrize("ending", ["pdf", "txt"])
def test_files_of_both_kinds_have_names_of_their_own(army, query, name, ending):
    response = army.client.get(f"{army.url}sheet.{ending}{query}")
    assert response["Content-Disposition"] == f'inline; filename="{name}.{ending}"'


def test_another_kind_is_not_found(army):
    assert army.client.get(f"{army.url}sheet/?kind=secret").status_code == 404


@pytest.mark.slow
def test_a_skirmish_list_is_the_same_under_every_kind(sbh):
    full = sbh.client.get(f"{sbh.url}sheet.txt").content
    assert sbh.client.get(f"{sbh.url}sheet.txt?kind=open").content == full
    assert "Open list" not in sbh.client.get(f"{sbh.url}sheet/").content.decode()
