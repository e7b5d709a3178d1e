"""Fixtures that tests of several folders share."""

import gc
import shutil
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from django.contrib.contenttypes.management import create_contenttypes
from django.db import connection
from django.db.models.signals import post_migrate
from django.test import Client
from django.test.utils import setup_databases
from django.utils import translation
from hypothesis import HealthCheck, settings

from armybuilder.lists.models import Version
from armybuilder.serving import GARBAGE
from tests.books.shelf import Shelf
from tests.effort import THOROUGH, is_drawn, tries

ROOT = Path(__file__).parents[1]
#: More cases than this are all alike; of fewer the first may be the one that shows the claim.
MANY = 8

# How long an example takes says more of the machine than of the law. Only `make thorough` looks for
# new examples: `make test` says the same of the same code each time.
settings.register_profile(
    "laws",
    deadline=None,
    derandomize=not THOROUGH,
    max_examples=tries(100),
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("laws")


def claims() -> list[tuple[str, str]]:
    """Return what the tests claim, each with its test: "tests/x/test_y.py::test_z".

    Those of packages begin with "packages/", the others with the folder in tests/.
    """
    lines = Path(__file__).with_name("claims.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(" | ") for line in lines if line and not line.startswith("#")]
    return [
        (claim, test if test.startswith("packages/") else f"tests/{test}") for claim, test in pairs
    ]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests that are marked `slow`, and cases of those marked `one_in`, the same ones in
    every run. Raises UsageError for a claim of tests/claims.txt that no test makes any more.
    """
    place = config.rootpath.relative_to(ROOT)
    there = {str(place / item.nodeid.partition("[")[0]) for item in items}
    files = {test.partition("::")[0] for test in there}
    lost = [
        f"{claim} ({test})"
        for claim, test in claims()
        if test not in there
        and (test.partition("::")[0] in files or not (ROOT / test.partition("::")[0]).exists())
    ]
    if lost and not config.option.keyword:
        raise pytest.UsageError("claims without a test: " + "; ".join(lost))
    cases = Counter(item.nodeid.partition("[")[0] for item in items)
    number: Counter[str] = Counter()
    kept, left = [], []
    for item in items:
        mark = item.get_closest_marker("one_in")
        test = item.nodeid.partition("[")[0]
        # Of many cases, such as books, each test begins at another, or the last are never tried.
        first = crc32(test.encode()) if cases[test] > MANY else 0
        is_slow = item.get_closest_marker("slow") and not THOROUGH
        is_other = mark and (number[test] - first) % min(mark.args[0], cases[test])
        is_left = is_slow or (is_other and not is_drawn(item.nodeid, mark.args[0]))
        (left if is_left else kept).append(item)
        number[test] += 1
    config.hook.pytest_deselected(items=left)
    items[:] = kept


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while all tests are imported: a fifth of that time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Look for garbage as seldom as the server does, and never among what was imported."""
    gc.freeze()
    gc.set_threshold(*GARBAGE)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the seconds that each folder of tests took, over all workers, the dearest first."""
    seconds: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                folder = report.nodeid.partition("::")[0].rpartition("/")[0].removeprefix("tests/")
                seconds[folder or "tests"] += report.duration
    line = ", ".join(f"{folder} {spent:.1f}" for folder, spent in seconds.most_common())
    terminalreporter.write_line(f"seconds by folder: {line}")


def kept_database(config: pytest.Config) -> Path | None:
    """Return where the empty database stays between runs that have the same migrations."""
    if not hasattr(config, "cache"):
        return None
    files = [ROOT / "requirements.txt", *sorted(ROOT.glob("armybuilder/**/migrat*/*.py"))]
    made_of = sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]
    return Path(config.cache.mkdir("databases")) / f"{made_of}.sqlite3"


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest,
    django_test_environment: None,
    django_db_modify_db_settings: None,
    django_db_blocker: Any,
) -> Iterator[None]:
    """Make the database, or take that of an earlier run: to migrate is seconds of each worker. An
    empty one stays beside it, for processes that want one of their own.
    """
    kept, name = kept_database(request.config), str(connection.creation._get_test_db_name())
    if kept and kept.exists():
        connection.close()
        connection.settings_dict["NAME"] = name
        shutil.copyfile(kept, name)
        shutil.copyfile(kept, f"{name}.empty")
    else:
        with django_db_blocker.unblock():
            setup_databases(verbosity=0, interactive=False, aliases=["default"])
            connection.cursor().execute("VACUUM INTO %s", [f"{name}.empty"])
        if kept:
            part = kept.with_name(Path(name).name)
            shutil.copyfile(f"{name}.empty", part)
            part.replace(kept)
    # What Django notes of models, after each test that empties all tables, nobody reads.
    post_migrate.disconnect(create_contenttypes)
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    yield
    connection.close()


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """Begin in English: a request in another language leaves that behind in its thread."""
    with translation.override("en"):
        yield


class Builder:
    """A list in a browser without script: what its buttons post, and what is stored then."""

    def __init__(self, client: Client, system: str, **fields: Any) -> None:
        self.client = client
        response = client.post(f"/new/{system}/", {"name": "Test list", **fields})
        assert response.status_code == 302, response.content.decode()
        self.url = response["Location"]

    @property
    def version(self) -> Version:
        list_id = self.url.strip("/").split("/")[-1]
        versions = Version.objects.select_related("army_list").filter(army_list_id=list_id)
        return next(v for v in versions if v.number == v.army_list.number)

    @property
    def document(self) -> dict[str, Any]:
        return self.version.document.to_dict()

    def store(self, **fields: Any) -> Version:
        """Change the stored document itself, whatever acts would have led to it."""
        version = self.version
        version.document = {**version.document.to_dict(), **fields}
        version.save()
        return version

    @property
    def page(self) -> str:
        return self.client.get(self.url).content.decode()

    def act(self, act: str, htmx: bool = False, **fields: Any) -> Any:
        """Press a button; `version` is the one the page shows, unless given."""
        fields = {"act": act, **fields}
        if "version" not in fields:
            fields["version"] = self.version.pk
        headers = {"HX-Request": "true"} if htmx else {}
        return self.client.post(f"{self.url}act/", fields, headers=headers)


@pytest.fixture
def chainmail(client: Client, db: None) -> Builder:
    """A Chainmail list of 100 points from the practice book."""
    return Builder(client, "chainmail-2002", limit=100, books=["practice"])


@pytest.fixture
def sbh(client: Client, db: None) -> Builder:
    """A Song of Blades and Heroes list of 300 points from the profiles."""
    return Builder(client, "sbh", limit=300, books=["profiles"])


@pytest.fixture
def elves(client: Client, db: None) -> Builder:
    """An army of Highborn Elves of 4500 points."""
    return Builder(client, "t9a-2023", limit=4500, books=["highborn-elves"])


@pytest.fixture
def build(client: Client, db: None) -> Callable[..., Builder]:
    """Start any list."""
    return lambda system, **fields: Builder(client, system, **fields)


@pytest.fixture
def shelf(client: Client, db: None) -> Shelf:
    """An own Chainmail book with one card, the Orc Berserker."""
    shelf = Shelf(client)
    assert shelf.add().status_code == 302
    return shelf
