"""Finds what is said on screen, and keeps the files of translations: `make messages`.

    python -m tests.languages.messages                 bring every django.po up to date, compile it
    python -m tests.languages.messages --take a.po ... take over what other files translate, first

A message is what Python hands to one of `KEYWORDS` or, also in a table, to `marked`; what a
template hands to `translate` or `blocktranslate`; and the sentences of a game's system file. Files
hold neither dates nor line numbers, so that they change only where a message does.
"""

import argparse
import ast
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).parents[2]
LOCALE = ROOT / "armybuilder" / "locale"
#: Those that have a folder here.
LANGUAGES = tuple(sorted(folder.parent.name for folder in LOCALE.glob("*/LC_MESSAGES")))

#: Functions whose texts are messages, with what each of their first arguments is: the context (c),
#: the text (t), or that for many (m). Of "-tt" the second and third are messages of their own.
KEYWORDS: Mapping[str, str] = {
    **dict.fromkeys(("_", "_lazy", "gettext", "gettext_lazy", "say", "Later"), "t"),
    **dict.fromkeys(("ngettext", "ngettext_lazy", "say_count"), "tm"),
    **dict.fromkeys(("pgettext", "pgettext_lazy", "Typed"), "ct"),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), "ctm"),
    "complaint": "-tt",
}
#: What is filled in: a text of nothing else needs no translation, but quotation marks do, the
#: colon behind a label, and names that English alone writes small.
_VALUE = re.compile(r"\{(?![^}]*:small)[^}]*\}|%\(\w+\)s")
_TRANSLATABLE = re.compile(r"[^\W\d_]|[“”]|:$")


class Key(NamedTuple):
    """What a message is known by: its text, that for many (""), and its context (None)."""

    text: str
    many: str = ""
    context: str | None = None


class Message(NamedTuple):
    """A message where it stands."""

    path: str
    line: int
    key: Key


class Unreadable(ValueError):
    """A call that marks something other than a plain text: a name of the file and the line."""


@cache
def messages() -> tuple[Message, ...]:
    """Every message of the project, in the order of files and lines. Files are read once."""
    python = sorted((ROOT / "armybuilder").rglob("*.py"))
    python += sorted((ROOT / "packages").glob("listcorpus/listcorpus/**/*.py"))
    pages = sorted(
        file
        for folder in (ROOT / "templates", ROOT / "packages")
        for file in folder.rglob("*")
        if file.suffix in (".html", ".txt")
    )
    systems = sorted((ROOT / "catalogs").glob("*/system.json"))
    examples = sorted((ROOT / "catalogs").glob("*/examples/*.json"))
    packs = sorted((ROOT / "catalogs" / "packs").glob("*.json"))
    books = sorted(
        file for system in systems for file in system.parent.glob("*.json") if file != system
    )
    found = [
        Message(file.relative_to(ROOT).as_posix(), line, key)
        for files, reader in (
            (python, of_python),
            (pages, of_template),
            (systems, of_system),
            (examples, of_example),
            (packs, of_pack),
            (books, of_book),
        )
        for file in files
        for line, key in reader(file.read_text(encoding="utf-8"))
    ]
    return tuple(sorted(found, key=lambda message: (message.path, message.line)))


def of_python(source: str) -> Iterator[tuple[int, Key]]:
    """Line and key of each message in Python text. Raises Unreadable for an f-string."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            for line, key in _of_call(node):
                if _TRANSLATABLE.search(_VALUE.sub("", key.text)):
                    yield line, key


def _of_call(call: ast.Call) -> Iterator[tuple[int, Key]]:
    name = _name(call.func)
    roles = "t" if name == "marked" else KEYWORDS.get(name, "")
    arguments = list(zip(call.args, roles, strict=False))
    if {*roles} <= {"t", "-"}:
        for text in (argument for argument, role in arguments if role == "t"):
            found = _texts(text, name == "marked")
            yield from ((one.lineno, Key(str(one.value))) for one in found)
    else:
        texts = [list(_texts(argument, False)) for argument, _ in arguments]
        if len(texts) == len(roles) and all(texts):
            named = {role: str(found[0].value) for role, found in zip(roles, texts, strict=True)}
            yield call.lineno, Key(named["t"], named.get("m", ""), named.get("c"))


def of_template(source: str) -> Iterator[tuple[int, Key]]:
    """Line and key of each message of a template's text."""
    # What stands around the messages comes out as letters in the shape of the page.
    for number, line in enumerate(templatize(source).splitlines(), 1):
        for call in _CALL.finditer(line):
            yield from ((number, key) for _, key in of_python(call[0]))


def of_system(source: str) -> Iterator[tuple[int, Key]]:
    """Line and key of each sentence of a system file, and of what else it tells players."""
    lines = source.splitlines()
    system = json.loads(source)
    for code, text in system.get("sentences", {}).items():
        if _TRANSLATABLE.search(_VALUE.sub("", text)):
            starts = (number for number, line in enumerate(lines, 1) if f'"{code}": ' in line)
            yield next(starts), Key(text)
    for text in dict.fromkeys(_prose_of(system)):
        written = json.dumps(text, ensure_ascii=False)
        yield next((at for at, line in enumerate(lines, 1) if written in line), 1), Key(text)


def of_example(source: str) -> Iterator[tuple[int, Key]]:
    """Line and key of what an example is about."""
    yield from _of_field(source, "notes")


def of_book(source: str) -> Iterator[tuple[int, Key]]:
    """Line and key of what a book is about; those that were imported all say the same."""
    if json.loads(source)["kind"] != "imported":
        yield from _of_field(source, "about")


def of_pack(source: str) -> Iterator[tuple[int, Key]]:
    """Line and key of what an event pack is about, what it demands, and what else it tells."""
    yield from _of_field(source, "about")
    pack = json.loads(source)
    rules = [*pack["rules"], *pack.get("team", {}).get("rules", ())]
    rules += [rule for part in pack.get("book_rules", ()) for rule in part["rules"]]
    rules += [one["by"] for one in pack.get("replace", ())]
    for rule in rules:
        yield from ((1, Key(text)) for text in _said_by(rule))
        yield from ((1, Key(one["name"])) for one in rule.get("among", ()))
    for told in pack.get("texts", ()):
        yield from ((1, Key(told[key])) for key in ("name", "text"))
    yield from ((1, Key(role)) for role in pack.get("entry", {}).get("roles", {}).values())


def _said_by(rule: Mapping[str, Any]) -> Iterator[str]:
    """What a rule demands, and how it is read, in our words."""
    yield from (rule[key] for key in ("summary", "reading") if key in rule)


def _of_field(source: str, field: str) -> Iterator[tuple[int, Key]]:
    lines = source.splitlines()
    line = next((at for at, text in enumerate(lines, 1) if f'"{field}": ' in text), 1)
    yield line, Key(json.loads(source)[field])


def _chosen_of(system: Mapping[str, Any]) -> Iterator[str]:
    """What players choose: settings and what they can be, and parts that units play."""
    for setting in system.get("settings", ()):
        yield from (setting[key] for key in ("name", "help") if key in setting)
        if setting["kind"] == "choice":
            yield from (value["name"] for value in setting["values"])
    for role in system.get("roles", ()):
        told = ("name", "act", "act_one", "end", "summary")
        yield from (role[key] for key in told if key in role)


def _prose_of(system: Mapping[str, Any]) -> Iterator[str]:
    """What the game is, what helps to fill in a card, what players choose in it, its gauges, and
    its game-day facts, as their kinds have them.
    """
    yield system["about"]
    if "reservation" in system:
        yield system["reservation"]
    for field in (*system.get("stats", ()), *system.get("texts", ())):
        if "help" in field:
            yield field["help"]
    yield from _chosen_of(system)
    yield from (one["name"] for one in system.get("unit_form", {}).get("sets", ()))
    yield from (wish["name"] for wish in system.get("wishes", ()) if not wish.get("always"))
    for rule in system.get("rules", ()):
        if "gauge" in rule:
            yield rule["gauge"]
        yield from _said_by(rule)
    for fact in system.get("facts", ()):
        parts = [fact, fact.get("few", {}), *fact.get("rules", ())]
        yield from (part[key] for part in parts for key in ("note", "phrase") if key in part)
        yield fact["name"]
        yield from (text for _, text in fact.get("sizes", ()))
        yield from fact.get("texts", {}).values()
        yield from fact.get("notes", {}).values()
        if "sizes" in fact:
            yield fact["beyond"]


#: A call as `templatize` writes it: a space before it, and texts in quotes as Python writes them.
_CALL = re.compile(
    r"""(?<!\S)(?:_|[np]*gettext)\((?:u?'(?:[^'\\]|\\.)*'|u?"(?:[^"\\]|\\.)*"|[^'")])*\)"""
)


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _texts(node: ast.AST, tables: bool) -> Iterator[ast.Constant]:
    """The text that an argument is, or the two that it may be; those of `tables` too, which are
    their values and entries. None where it is worked out elsewhere.
    """
    if isinstance(node, ast.JoinedStr):
        raise Unreadable(f"line {node.lineno}: an f-string cannot be looked up")
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    inner: Sequence[ast.AST] = ()
    if isinstance(node, ast.IfExp):
        inner = (node.body, node.orelse)
    elif tables and isinstance(node, ast.Dict):
        inner = node.values
    elif tables and isinstance(node, ast.Tuple | ast.List | ast.Set):
        inner = node.elts
    for part in inner:
        yield from _texts(part, tables)


class Translations(Catalog):
    """A language's messages; its header says what programs need to know, and no dates."""

    def __init__(self, language: str) -> None:
        about = "# What the pages say. Translate here; `make messages` brings the rest up to date."
        super().__init__(language, header_comment=about, fuzzy=False)

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Language", str(self.locale)),
            ("Plural-Forms", self.plural_forms),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]


def po_file(language: str) -> Path:
    """Where a language's translations are written."""
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def mo_file(language: str) -> Path:
    """Where they lie compiled, as the running app reads them."""
    return po_file(language).with_suffix(".mo")


def read(file: Path, language: str) -> Catalog:
    """The translations in a file; none where there is no file."""
    if not file.exists():
        return Translations(language)
    with file.open("rb") as stream:
        return read_po(stream, locale=language)


def language_of(file: Path) -> str:
    """Which language a file says that it translates into; "" where it does not say."""
    with file.open("rb") as stream:
        return str(read_po(stream).locale or "")


def key_of(entry: object) -> Key:
    """What an entry of a catalogue is known by."""
    texts = entry.id if isinstance(entry.id, tuple | list) else (entry.id, "")  # type: ignore[attr-defined]
    return Key(texts[0], texts[1], entry.context)  # type: ignore[attr-defined]


def brought_up_to_date(
    found: Iterable[Message], language: str, known: Iterable[Catalog]
) -> Translations:
    """A catalogue of exactly the messages found, with the translations that are known of them;
    where several know one, the last counts.
    """
    said = {key_of(entry): entry for old in known for entry in old if entry.id and _told(entry)}
    made = Translations(language)
    for message in found:
        key = message.key
        old = said.get(key)
        made.add(
            (key.text, key.many) if key.many else key.text,
            old.string if old else None,
            # A line of its own for each file is enough to find the message.
            locations=[(message.path, 0)],
            user_comments=old.user_comments if old else (),
            context=key.context,
        )
    return made


def _told(entry: object) -> bool:
    string = entry.string  # type: ignore[attr-defined]
    return all(string) if isinstance(string, tuple | list) else bool(string)


def as_po(catalog: Catalog) -> bytes:
    """The file's text, in the order of the messages."""
    stream = io.BytesIO()
    write_po(stream, catalog, width=100, include_lineno=False)
    return stream.getvalue()


def as_mo(catalog: Catalog) -> bytes:
    """The compiled file; what has no translation is left out of it."""
    stream = io.BytesIO()
    write_mo(stream, catalog)
    return stream.getvalue()


def compiled(language: str) -> bytes:
    """What the language's .po compiles to."""
    known = read(po_file(language), language)
    made = Translations(language)
    for entry in known:
        if entry.id:
            made.add(entry.id, entry.string, context=entry.context)
    return as_mo(made)


def main(arguments: list[str]) -> None:
    """Bring the files of every language up to date, and tell how much of each is translated."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--take", nargs="+", type=Path, default=[], metavar="FILE")
    options = parser.parse_args(arguments)
    found = messages()
    for language in LANGUAGES:
        file = po_file(language)
        taken = [source for source in options.take if language_of(source) == language]
        known = [read(source, language) for source in (file, *taken)]
        made = brought_up_to_date(found, language, known)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(as_po(made))
        mo_file(language).write_bytes(compiled(language))
        done = sum(1 for entry in made if entry.id and _told(entry))
        print(f"{file.relative_to(ROOT)}: {len(made)} messages, {done} of them translated")


if __name__ == "__main__":
    main(sys.argv[1:])
