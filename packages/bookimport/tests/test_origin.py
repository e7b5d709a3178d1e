"""What is written beside a book so that rosters can name its parts: ids, links, our ids."""

from pathlib import Path
from typing import Any

from django.core.management import call_command

from armybuilder.battlescribe.rosters.sites import Origin, OriginName, Site
from small_files import (
    CHARACTERS,
    CORE,
    FORCE,
    GENERAL,
    OTHER_FORCE,
    POINTS,
    catalogue,
    entry,
    force,
    group,
    imported,
    limit,
    link,
    models,
    price,
    system,
    unit,
)

ITEM, BAG, HOLDER, MOUNT = (f"a1b2-0000-0000-000{number}" for number in range(4))
ONE, TWO, THREE = (f"c3d4-0000-0000-000{number}" for number in range(3))
TO_BAG, TO_ITEM, TO_MOUNT = (f"11aa-0000-0000-000{number}" for number in range(3))


def origin(folder: Path, *units: str, shared: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return imported(folder, catalogue(*units, shared=shared, **more), system()).origin


def sites(written: dict[str, Any]) -> list[Site]:
    """Every place on the first unit."""
    shared = {node["id"]: node for node in written["shared"]}
    some = OriginName("x", "x")
    made = Origin("s", "b", some, some, some, (), written["categories"], {}, shared, {}, ())
    root = written["units"][0]
    level, found = [Site(made, root, (), root["id"])], []
    while level:
        level = [inner for site in level for inner in site.children]
        found += level
    return found


def test_game_book_and_forces_are_named_as_in_the_source(tmp_path: Path) -> None:
    # Game book force and kind of cost are named as in the source.
    found = origin(tmp_path, unit("Spears", id_=ONE))
    assert found["game"]["id"] == "aaaa-0000-0000-0001"
    assert found["catalogue"] == {
        "id": "bbbb-0000-0000-0001", "name": "Öre Folk 2023 Beta 2", "revision": 7,
    }  # fmt: skip
    assert found["points"] == {"id": POINTS, "name": "pts"}
    assert [one["id"] for one in found["forces"]] == [FORCE]
    assert found["units"] == [
        {"id": ONE, "kind": "unit", "name": "Spears", "as": "spears", "primary": CORE}
    ]
    # Of several forces each has our id of the organisation.
    forces = (force("Öre Folk"), force("At Sea", id_=OTHER_FORCE))
    found = origin(tmp_path, unit("Spears"), forces=forces)
    ours = {one["id"]: one["organisation"] for one in found["forces"]}
    assert ours == {FORCE: "ore-folk", OTHER_FORCE: "at-sea"}


def test_things_keep_their_paths_and_places(tmp_path: Path) -> None:
    # The path to a thing is the links on the way and then its own id.
    shared = (
        group("Bag", link(ITEM, "Item", id_=TO_ITEM), id_=BAG),
        entry("Item", limit("max", 1), price(5), id_=ITEM),
    )
    spears = unit("Spears", link(BAG, "Bag", id_=TO_BAG, to="selectionEntryGroup"))
    (item,) = sites(origin(tmp_path, spears, shared=shared))
    assert item.path == f"{TO_BAG}::{TO_ITEM}::{ITEM}"
    assert item.group == f"{TO_BAG}::{BAG}"
    assert item.ours == "item"
    # Models the general and holders of groups are told apart.
    holder = entry("Equipment", group("Bag", entry("Item", limit("max", 1), id_=ITEM)), id_=HOLDER)
    spears = unit("Spears", models(5, 9, 3, id_=MOUNT), holder, link(GENERAL, "Army General"))
    found = {site.id: site for site in sites(origin(tmp_path, spears))}
    roles = {id_: site.role for id_, site in found.items()}
    assert roles == {MOUNT: "models", HOLDER: "holder", ITEM: "option", GENERAL: "general"}
    above = found[ITEM].above
    assert above is not None
    assert above.id == HOLDER
    # What a link adds to its target stands on the target.
    shared = (
        entry("Horse", entry("Barding", limit("max", 1), id_=TWO), id_=MOUNT),
        entry("Saddle", limit("max", 1), id_=THREE),
    )
    added = link(THREE, "Saddle", id_=TO_ITEM)
    spears = unit("Spears", link(MOUNT, "Horse", added, limit("max", 1), id_=TO_MOUNT))
    paths = {site.name: site.path for site in sites(origin(tmp_path, spears, shared=shared))}
    assert paths == {
        "Horse": f"{TO_MOUNT}::{MOUNT}",
        "Barding": f"{TO_MOUNT}::{TWO}",
        "Saddle": f"{TO_MOUNT}::{TO_ITEM}::{THREE}",
    }
    # What the book leaves out keeps its place without an id of ours.
    spears = unit("Spears", entry("Gone", id_=ITEM, hidden="true"), category=CHARACTERS)
    (gone,) = sites(origin(tmp_path, spears))
    assert (gone.name, gone.role, gone.ours) == ("Gone", "other", "")


def test_the_command_writes_it_beside_the_book(tmp_path: Path) -> None:
    (tmp_path / "game.gst").write_text(system(), encoding="utf-8")
    (tmp_path / "book.cat").write_text(
        catalogue(unit("Spears", models(5, 9, 3), price(20))), encoding="utf-8"
    )
    out = tmp_path / "out"
    call_command("import_battlescribe", tmp_path, system="t9a-2023", out=out)
    assert {file.name for file in out.iterdir()} == {"ore-folk.json", "battlescribe", "audit"}
    assert '"format": "battlescribe/1"' in (out / "battlescribe" / "ore-folk.json").read_text(
        "utf-8"
    )
