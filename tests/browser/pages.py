"""All pages of the site in the states worth looking at: for axe, for `make look`, for measurements.

A guard (test_every_page_is_listed) finds a page of the site that is missing here.
"""

import re
from typing import NamedTuple
from urllib.parse import quote

from django.test import override_settings

from tests.browser.seeds import Seeds


class Shown(NamedTuple):
    """A page in a state. `address` may name places of `Seeds` in braces; `press` are selectors
    clicked one after the other, `keys` is pressed, once the page is there. `main` pages are
    looked at more closely: where players spend their time. Some are there `while_debugging` only.
    One that is much like another is `only_pictured`. What only somebody with an account sees is
    shown to a browser that is `signed_in`.
    """

    name: str
    address: str
    press: tuple[str, ...] = ()
    keys: str = ""
    status: int = 200
    main: bool = False
    while_debugging: bool = False
    only_pictured: bool = False
    signed_in: bool = False

    def at(self, seeds: Seeds) -> str:
        return self.address.format(**seeds.places)

    @property
    def settings(self) -> override_settings:
        """The settings it needs, to be used as a context."""
        return override_settings(**({"DEBUG": True} if self.while_debugging else {}))


#: Units to be set beside each other.
MODELS = (
    "unit=practice/millbrook-spearhand&unit=practice/walking-kiln&unit=practice/cavern-boltthrower"
)
ELVES = "unit=highborn-elves/high-prince&unit=highborn-elves/mage"
#: A row of the shelf whose name does not reach its middle, where it is pressed to unfold.
SHORT = "#shelf .entry:has([value='practice/dune-jackal'])"
#: A list as somebody might post it, with something to doubt and something that nobody knows.
MANY = quote(
    "Anna, Highborn Elves\n100 - Giant Eagle\n100 - Giant Eagle\n4500\n\n"
    "Béla - Ogre Khans\n155 - 3 Tribesmen\n80 - 1 Sabretooth Tiger\n75 - Blorbs\n4500\n"
)
PERHAPS = quote(
    "Doubles, 600 points\n\nAnna\nHuman Leader 60\n\nBob\nOrc Boss 60\n5 Orc Warriors 115\n"
)
PASTED = quote(
    "Highborn Elves 4500\n\nCharacters\n480 - High Prince, General, Shield, Lanze, Lucky Sock\n"
    "30x Citizen Spear, FCG, 420\n20 Sea Guard, Champion, Musician, 490\n5 Blorb Riders, 300\n"
    "Total: 1690\n\nHave fun!"
)


PAGES = (
    Shown("home", "/", main=True),
    Shown("new-chainmail", "/new/chainmail-2002/", main=True),
    Shown("new-army", "/new/t9a-2023/"),
    Shown("new-list-for-an-event", "/new/sbh/?pack=raven-cup", only_pictured=True),
    Shown("my-lists", "/lists/", main=True),
    Shown("my-lists-found", "/lists/?q=a&sort=points"),
    Shown("my-lists-none-found", "/lists/?q=zzzz"),
    Shown("my-lists-archived", "/lists/?place=archived"),
    Shown("my-lists-deleted", "/lists/?place=deleted"),
    Shown("my-lists-ticked", "/lists/", press=("li [name=list][type=checkbox]",)),
    Shown("rosters-read", "/lists/read/"),
    Shown("print-lists", "{print-planned}"),
    Shown("stats-written-in", "{army-20}stats/"),
    Shown("print-lists-under-way", "{print-working}"),
    Shown("print-lists-done", "{print-done}"),
    Shown("printed-before", "/lists/prints/"),
    Shown("import", "/lists/import/", main=True),
    Shown(
        "import-read", f"/lists/import/?text={PASTED}", press=("form.paste-text button.primary",)
    ),
    Shown("import-many", f"/lists/import/?text={MANY}", press=("form.paste-text button.primary",)),
    Shown(
        "import-perhaps",
        f"/lists/import/?text={PERHAPS}",
        press=("form.paste-text button.primary",),
        only_pictured=True,
    ),
    Shown("lists-side-by-side", "/lists/side-by-side/?{two-lists}"),
    Shown("keys", "/keys/"),
    Shown("saved-pages", "/saved/"),
    Shown("builder-sbh", "{legal-sbh}"),
    Shown("builder-chainmail", "{legal-chainmail-2002}", main=True),
    Shown("builder-chainmail-2001-basic", "{legal-chainmail-2001-basic}", only_pictured=True),
    Shown("builder-chainmail-2001-advanced", "{legal-chainmail-2001-advanced}", only_pictured=True),
    Shown("builder-ddm", "{legal-ddm-2008}"),
    Shown("builder-army", "{legal-t9a-2023}"),
    Shown("builder-army-20-unit-open", "{army-20}?open=u7", main=True),
    Shown("builder-army-50", "{army-50}", only_pictured=True),
    Shown("builder-army-not-legal", "{cramped-army}"),
    Shown("builder-not-legal", "{broken}", main=True),
    Shown("builder-empty", "{empty-chainmail-2002}"),
    Shown("builder-army-empty", "{empty-t9a-2023}"),
    Shown("builder-sbh-empty", "{empty-sbh}", only_pictured=True),
    Shown("builder-worked-on", "{worked-on}"),
    Shown("builder-book-changed", "{changed-book}"),
    *(
        Shown(f"builder-{game}-{view}", f"{{{place}}}?view={view}", only_pictured=True)
        for game, place in (
            ("army", "cramped-army"),
            ("chainmail", "legal-chainmail-2002"),
            ("ddm", "legal-ddm-2008"),
            ("sbh", "worked-on"),
        )
        for view in ("units", "errors", "game")
    ),
    Shown("builder-sbh-unit", "{worked-on}?open=u1&view=unit", only_pictured=True),
    Shown("builder-ddm-unit", "{legal-ddm-2008}?open=u1&view=unit", only_pictured=True),
    *(
        Shown(
            f"builder-{game}-preview", f"{{{place}}}?preview={unit}&view=unit", only_pictured=True
        )
        for game, place, unit in (
            ("army", "army-20", "highborn-elves/high-prince"),
            ("chainmail", "legal-chainmail-2002", "practice/sunhill-chaplain"),
            ("sbh", "worked-on", "profiles/human-archer"),
        )
    ),
    Shown("builder-nothing-found", "{legal-chainmail-2002}?q=zzzz&view=units"),
    Shown("builder-filtered", "{legal-chainmail-2002}?q=a&sort=points&points=12&view=units"),
    Shown("builder-after-adding", "{legal-sbh}?view=units", press=(".add >> nth=0",)),
    Shown("builder-charts", "{legal-chainmail-2002}?view=game", press=("#charts > summary",)),
    Shown("name-on-a-list", "{army-20}meaning/fly/", only_pictured=True),
    Shown("builder-keys", "{skirmish}", keys="?"),
    Shown("builder-palette", "{skirmish}", keys="Control+k"),
    Shown("units-compared", "{skirmish}units/?" + MODELS, main=True),
    Shown("units-compared-army", "{army-20}units/?" + ELVES),
    Shown("changes-of-a-book", "{changes}"),
    Shown("changes-of-edition", "{legal-chainmail-2002}changes/?edition=chainmail-2001-basic"),
    Shown("ways", "{broken}ways/"),
    Shown("filling", "{skirmish}fill/?seed=1"),
    Shown("filling-army", "{empty-t9a-2023}fill/?seed=1&wish=magic"),
    Shown("questions", "{skirmish}questions/"),
    Shown("outlook", "{skirmish}outlook/"),
    Shown("outlook-longer", "{broken}outlook/longer/", only_pictured=True),
    Shown("why", "{broken}why/"),
    Shown("charts", "{skirmish}charts/"),
    Shown("charts-army", "{army-20}charts/", only_pictured=True),
    Shown("compare-none", "/lists/compare/"),
    Shown("compare-lists", "/lists/compare/?{two-lists}"),
    Shown(
        "shelf-ticked",
        "{legal-chainmail-2002}?view=units",
        press=(f"{SHORT} summary", f"{SHORT} .tick"),
    ),
    Shown(
        "shelf-army-20",
        "{army-20}?view=units",
        press=("#shelf .entry:nth-child(2) summary",),
    ),
    Shown(
        "compare-units",
        "{legal-chainmail-2002}units/?unit=practice/bannerlady-oresta&unit=practice/redtusk-overseer",
        main=True,
    ),
    Shown(
        "compare-in-library",
        "/library/t9a-2023/compare/?unit=highborn-elves/high-prince&unit=highborn-elves/mage",
    ),
    Shown("history", "{worked-on}history/"),
    Shown("history-found", "{worked-on}history/?q=club"),
    Shown("my-data", "/account/data/"),
    Shown("version", "{worked-on}history/3/"),
    Shown("own-model", "{own-model}"),
    Shown("own-model-rules", "{own-rules}"),
    *(
        Shown(f"play-{game}", f"{{legal-{game}}}play/", main=game == "chainmail-2002")
        for game in ("chainmail-2002", "ddm-2008", "sbh", "t9a-2023")
    ),
    Shown("play-files", "{files-list}play/", signed_in=True),
    Shown("play-unfolded", "{army-20}play/", press=(".play-more summary >> nth=0",)),
    Shown("play-both", "{worked-on}play/?link={shared-list}", only_pictured=True),
    Shown("odds", "/odds/sbh/"),
    Shown("odds-army", "/odds/t9a-2023/", main=True),
    Shown("collections", "/collection/"),
    Shown("collection", "/collection/sbh/", main=True),
    Shown("collection-of-a-book", "/collection/t9a-2023/?book=highborn-elves"),
    Shown("import-collection", "/collection/sbh/import/"),
    Shown("lists-together", "/collection/sbh/together/?list={worked-on-id}"),
    Shown("units-owned", "{worked-on}?view=units&owned=1", only_pictured=True),
    Shown("questions-of-owned", "{worked-on}questions/?ask=models&owned=1", only_pictured=True),
    Shown("matches", "/matches/"),
    Shown("matches-of-a-list", "{worked-on}matches/"),
    Shown("campaign", "{worked-on}campaign/"),
    Shown("play-shared", "{shared-list}play/", only_pictured=True),
    Shown("print", "{legal-chainmail-2002}print/", main=True),
    Shown("print-army", "{army-20}print/?kinds=quick,full&paper=A5&landscape=1"),
    Shown("print-not-legal", "{broken}print/?kinds=compact&size=large", only_pictured=True),
    Shown("print-nothing-chosen", "{skirmish}print/?kinds="),
    Shown("print-not-offered", "{skirmish}print/?paper=B9", status=422),
    Shown("print-with-code", "{army-20}print/?kinds=compact&qr=1"),
    Shown("share", "{worked-on}share/"),
    Shown("share-code", "{army-20}share/", press=(".share-code summary >> nth=0",)),
    Shown("share-nothing-yet", "{skirmish}share/", only_pictured=True),
    Shown("shared-list", "{shared-list}", main=True),
    Shown("name-on-a-shared-list", "{shared-list}meaning/leader/", only_pictured=True),
    Shown("shared-open-copy", "{shared-copy}"),
    Shown("shared-no-longer", "/shared/gone/", status=404),
    Shown("sheet-chainmail", "{legal-chainmail-2002}sheet/", main=True),
    Shown("sheet-sbh", "{worked-on}sheet/", only_pictured=True),
    Shown("sheet-ddm", "{legal-ddm-2008}sheet/"),
    Shown("sheet-with-many-boxes", "{many-boxes}sheet/"),
    Shown("sheet-army", "{army-20}sheet/"),
    Shown("sheet-not-legal", "{broken}sheet/"),
    Shown("export", "{legal-t9a-2023}export/"),
    Shown("certificate", "{legal-t9a-2023}certificate/"),
    Shown("verify", "/verify/"),
    Shown("packs", "/packs/"),
    Shown("pack", "/packs/four-banners/"),
    Shown("new-pack", "/packs/new/"),
    Shown("own-pack", "{pack}"),
    Shown("own-pack-before", "{pack}1/", only_pictured=True),
    Shown("edit-pack", "{pack}edit/"),
    Shown("at-event", "{legal-t9a-2023}event/?pack=four-banners"),
    Shown("events", "/events/", signed_in=True),
    Shown("event-team", "{event}team/"),
    Shown("event-webhook", "{event}webhook/", signed_in=True),
    Shown("event-pairings", "{event}pairings/", signed_in=True),
    Shown("event-players", "{event}players/", signed_in=True),
    Shown("event-invite", "{event}invite/", signed_in=True),
    Shown("event-game", "{event}pairings/1/tables/1/"),
    Shown("event-format", "{event}format/", signed_in=True),
    Shown("event-standings", "{event}standings/"),
    Shown("event-league", "{event}league/"),
    Shown("new-event", "/events/new/", signed_in=True),
    Shown("event", "{event}", main=True),
    Shown("event-of-staff", "{event}", signed_in=True),
    Shown("event-rules", "{event}rules/"),
    Shown("event-edit", "{event}edit/", signed_in=True),
    Shown("event-pack", "{event}pack/", signed_in=True),
    Shown(
        "event-pack-tried",
        "{event}pack/",
        press=("button[value=try] >> nth=0",),
        signed_in=True,
        only_pictured=True,
    ),
    Shown("event-staff", "{event}staff/", signed_in=True),
    Shown("event-invitation", "{invitation}", signed_in=True),
    Shown("event-entry-elsewhere", "{entry-elsewhere}"),
    Shown("submit-list", "{event}submit/"),
    Shown("event-desk", "{event}desk/", signed_in=True, main=True),
    Shown("event-entry", "{event}entries/1/", signed_in=True),
    Shown("event-submission", "{event}entries/1/2/", signed_in=True),
    Shown("event-submission-own", "{event}entries/1/1/", only_pictured=True),
    Shown("event-teams", "{event}teams/", signed_in=True),
    Shown("event-judge", "{event}judge/", press=(".judge-lists summary >> nth=0",), signed_in=True),
    Shown("event-lists", "{event-over}lists/"),
    Shown("event-log", "{event-over}log/"),
    Shown("as-text", "{legal-chainmail-2002}text/"),
    Shown("as-text-army", "{army-20}text/?form=markdown&kind=open", only_pictured=True),
    Shown("as-text-not-legal", "{broken}text/?form=secret", only_pictured=True),
    Shown("sheet-open-list", "{army-20}sheet/?kind=open", only_pictured=True),
    Shown("library", "/library/", main=True),
    Shown("truth", "/library/truth/"),
    Shown("game-chainmail", "/library/chainmail-2002/"),
    Shown("game-army", "/library/t9a-2023/"),
    Shown("library-book", "/library/chainmail-2002/practice/"),
    Shown("library-army-book", "/library/t9a-2023/highborn-elves/"),
    Shown("name-of-a-game", "/library/t9a-2023/meaning/fly/"),
    Shown("name-of-a-book", "/library/t9a-2023/highborn-elves/meaning/lion-s-fur/"),
    Shown("library-book-data", "/library/t9a-2023/highborn-elves/data/"),
    Shown("library-units-compared", "/library/chainmail-2002/compare/?" + MODELS),
    Shown("my-books", "/books/", main=True),
    Shown("new-book", "/books/new/chainmail-2002/"),
    Shown("import-book", "/books/import/"),
    Shown("upload-books", "/books/upload/"),
    Shown("upload-report", "{upload-report}", (".game-strange summary",)),
    Shown("game", "{game}", signed_in=True, main=True),
    Shown("newer-set", "{newer-set}", signed_in=True),
    Shown("new-forces", "{game}new/", signed_in=True),
    Shown("new-file-pack", "{game}pack/", signed_in=True),
    Shown("new-forces-of-a-catalogue", "{game}new/?catalogue=river", signed_in=True),
    Shown("builder-files", "{files-list}?open=p2", signed_in=True, main=True),
    Shown("builder-files-owned", "{files-list}?owned=1&view=units", signed_in=True),
    Shown("builder-files-not-legal", "{files-broken}?view=errors", signed_in=True),
    Shown("files-repair", "{files-broken}forces/repair/", signed_in=True),
    Shown("files-why", "{files-broken}forces/why/", signed_in=True),
    Shown("files-why-not", "{files-list}forces/why/?on=p1&entry=otter", signed_in=True),
    Shown("files-preview", "{files-list}?preview=p1:otter&view=unit", signed_in=True),
    Shown("files-filling", "{files-list}forces/filling/", signed_in=True),
    Shown("files-questions", "{files-list}forces/questions/?ask=models&owned=1", signed_in=True),
    Shown("files-filling-owned", "{files-list}forces/filling/?owned=1", signed_in=True),
    Shown("collection-of-files", "{files-collection}?book=river", signed_in=True),
    Shown("files-together", "{files-collection}together/?list={files-list-id}", signed_in=True),
    Shown("upload-under-way", "{upload-working}"),
    Shown("upload-failed", "{upload-failed}"),
    Shown("convert", "/books/convert/"),
    Shown("convert-worked-out", "/books/convert/", press=("button.primary >> nth=0",)),
    Shown("shared-book", "{shared-book}"),
    Shown("own-book", "{book}"),
    Shown("own-army-book", "{army-book}"),
    Shown("new-card", "{book}units/new/", main=True),
    Shown("new-army-card", "{army-book}units/new/"),
    Shown("army-card", "{army-book}units/heron-king/"),
    Shown("army-card-as-text", "{army-book}units/heron-king/json/"),
    Shown("card", "{book}units/orc-berserker/"),
    Shown("card-as-text", "{book}units/orc-berserker/json/"),
    Shown("book-abilities", "{book}abilities/"),
    Shown("book-categories", "{army-book}categories/"),
    Shown("paste", "{book}paste/"),
    Shown("copy-units", "{book}copy/"),
    Shown("copy-units-from", "{book}copy/?from=practice"),
    Shown("sign-in", "/account/sign-in/"),
    Shown("sign-up", "/account/sign-up/"),
    Shown("password-forgotten", "/account/forgotten/"),
    Shown("password-mail-sent", "/account/forgotten/sent/"),
    Shown("password-new", "{new-password}"),
    Shown("password-link-too-old", "/account/forgotten/1-x/", only_pictured=True),
    Shown("password-is-set", "/account/forgotten/done/"),
    Shown("email-confirm", "{confirm-email}"),
    Shown("email-link-too-old", "/account/email/x/", only_pictured=True),
    Shown("account-closed", "/account/closed/"),
    Shown("account", "/account/", signed_in=True, main=True),
    *(
        Shown(f"account-{part}", f"/account/{part}/", signed_in=True)
        for part in ("name", "email", "password", "confirm", "sign-out", "delete")
    ),
    Shown("gallery", "/gallery/", while_debugging=True),
    Shown("not-found", "/nowhere/", status=404),
    Shown("refused", "{legal-chainmail-2002}changes/?book=practice", status=422),
)

#: Addresses of files and for programs, by how their patterns look: no pages.
NO_PAGE = re.compile(r"api/.*|.*\.(csv|json|pdf|png|ros|rosz|svg|txt|zip)")
#: Other addresses that are no pages to look at, by their pattern, and what they are instead.
NO_PAGES = {
    "events/<uuid:event_id>/lists/<slug:form>/": "a file",
    "events/<uuid:event_id>/calendar.ics": "a file",
    "events/<uuid:event_id>/entries/<int:number>/<int:which>/play/": "as of an own list",
    "lists/prints/<uuid:job_id>/file/": "a file",
    "commands/": "for programs",
    "sw.js": "for programs",
    "lists/<uuid:list_id>/commands/": "for programs",
    "books/<own:book_id>/suggest/": "a part of a page",
    **dict.fromkeys(("lists/paste/", "lists/open/"), "leads to lists/import/"),
    "language/": "leads back",
}
