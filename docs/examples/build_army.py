"""Build a legal army from nothing, one step at a time, with the API: docs/api.md."""

import json
from urllib.request import Request, urlopen

SERVER, SYSTEM, BOOK = "http://127.0.0.1:8000", "t9a-2023", "highborn-elves"


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = Request(f"{SERVER}/api/v1{path}", data, {"Content-Type": "application/json"})
    with urlopen(request) as answer:
        return json.load(answer)


def check(document):
    """Return how far a list is from legal, the points that it has left, and the list."""
    report = call("/validate/", document)
    errors = [finding for finding in report["findings"] if finding["severity"] == "error"]
    broken = sum(error["state"] == "broken" for error in errors)
    missing = [
        error for error in errors if error["state"] == "missing" and error["code"] != "points.under"
    ]
    short = sum((error["allowed"] or 1) - (error["measured"] or 0) for error in missing)
    return (broken, len(missing), short), report["limit"] - report["spent"], document


def options(offers):
    """Yield the options that a unit may take, those that it must take first."""
    for offer in sorted(offers, key=lambda offer: offer["number"] >= offer["least"]):
        if offer["kind"] == "group":
            yield from options(offer["inner"])
        elif not offer["why"] and not offer["number"] and "/" not in offer["path"]:
            put_on = {"on": offer["pieces"][0]} if offer["pieces"] else {}
            yield {"id": offer["path"], **put_on}


def steps(document):
    """Yield lists that are one step further: one more unit, role, option, model or setting."""
    units, new_id = document["units"], f"u{len(document['units']) + 1}"
    for choice in sorted(call("/choices/", document), key=lambda choice: -choice["points"]):
        if not any(error["state"] == "broken" for error in choice["breaks"] + choice["worsens"]):
            yield {**document, "units": [*units, {"id": new_id, **choice["entry"]}]}
    for place, offer in enumerate(call("/offers/", document)):
        unit = units[place]
        taken = unit.get("options", [])
        changes = [
            {"roles": [role]} for role in offer["roles"] if role not in unit.get("roles", [])
        ]
        changes += [{"options": [*taken, option]} for option in options(offer["offers"])]
        if offer["most"] is None or offer["models"] < offer["most"]:
            changes.append({"models": offer["models"] + 1})
        for change in changes:
            yield {**document, "units": [*units[:place], {**unit, **change}, *units[place + 1 :]]}
    for setting in system["settings"]:
        before = document["settings"].get(setting["id"], [])
        for value in (value["id"] for value in setting["values"]):
            chosen = [*before, value] if setting["kind"] == "pieces" else value
            yield {**document, "settings": {**document["settings"], setting["id"]: chosen}}


system = call(f"/systems/{SYSTEM}/")
document = {"format": "armylist/1", "system": SYSTEM, "books": [{"id": BOOK}], "settings": {}}
best = check({**document, "name": "From nothing", "limit": system["limit"], "units": []})
while best is not None:
    (distance, points_left, document), candidates = best, map(check, steps(best[2]))
    if any(distance):  # first what settles an error, otherwise what only spends points
        candidates = sorted(candidates, key=lambda candidate: candidate[0] >= distance)
    best = next(
        (new for new in candidates if new[:2] < (distance, points_left) and new[1] >= 0), None
    )
if any(distance):  # no single step helped: take the smallest fix
    document = call("/repair/?number=1", document)["repairs"][0]["document"]
report = call("/validate/", document)
print(report["verdict"], f"{report['spent']} of {report['limit']} points", sep=": ")
