"""Pages are sent compressed; answers whose ETag is compared, and files, are sent as they are."""

from tests.api.calls import Caller, make_user
from tests.conftest import Builder

GZIP = {"Accept-Encoding": "gzip"}


def test_a_page_is_sent_compressed_to_who_reads_that_and_a_file_as_it_is(sbh: Builder) -> None:
    assert sbh.client.get(sbh.url, headers=GZIP)["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in sbh.client.get(sbh.url)
    # A file is sent as it is.
    for part in ("sheet.pdf", "list.json", "sheet.txt"):
        answer = sbh.client.get(f"{sbh.url}{part}", headers=GZIP)
        assert answer.status_code == 200, part
        assert "Content-Encoding" not in answer, part


def test_the_etag_of_the_api_can_be_sent_back(db: None) -> None:
    ann = Caller(make_user("ann"))
    address = ann.store()["Location"].removeprefix(ann.start)
    answer = ann("get", address, Accept_Encoding="gzip")
    assert "Content-Encoding" not in answer
    assert ann("delete", address, If_Match=answer["ETag"]).status_code == 204
