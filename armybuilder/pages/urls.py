"""Addresses of all pages."""

from allauth.account import views as allauth
from django.urls import include, path, register_converter
from django.urls.converters import StringConverter

from armybuilder.admission.marks import MB, heavy, takes_bytes
from armybuilder.books.paths import OwnBookId, UnitId
from armybuilder.pages import history, offline, theme
from armybuilder.pages.account import views as account
from armybuilder.pages.books import book, cards, convert, filling
from armybuilder.pages.builder import beside, ways
from armybuilder.pages.builder import views as builder
from armybuilder.pages.certificates import views as certificates
from armybuilder.pages.collection import views as owned
from armybuilder.pages.events import desk, organise, people, play, rounds
from armybuilder.pages.forces import verbs
from armybuilder.pages.forces import views as forces
from armybuilder.pages.gallery import views as gallery
from armybuilder.pages.games import views as games
from armybuilder.pages.home import views as home
from armybuilder.pages.library import views as library
from armybuilder.pages.my_lists import paste as pasted
from armybuilder.pages.my_lists import views as my_lists
from armybuilder.pages.odds import views as odds
from armybuilder.pages.offline import saved, saved_by_path
from armybuilder.pages.packs import file_packs
from armybuilder.pages.packs import views as packs
from armybuilder.pages.playing import views as playing
from armybuilder.pages.printing import exports, printing
from armybuilder.pages.sharing import views as sharing
from armybuilder.pages.takeout import views as takeout


class Base36(StringConverter):
    """A number as allauth writes it into links, to the basis of 36."""

    regex = "[0-9A-Za-z]+"


register_converter(Base36, "base36")
register_converter(OwnBookId, "own")
register_converter(UnitId, "unit")

#: Lists of this browser: all of them, then one of them.
LISTS = [
    path("", saved(my_lists.my_lists), name="my-lists"),
    path("import/", pasted.import_page, name="import"),
    path("open/", heavy(takes_bytes(16 * MB)(my_lists.upload)), name="open-list"),
    path("paste/", heavy(pasted.page), name="paste-list"),
    path("read/", my_lists.rosters_read_page, name="rosters-read"),
    path("chosen/", my_lists.chosen, name="chosen-lists"),
    path("tag/", my_lists.rename_tag, name="rename-tag"),
    path("files.zip", heavy(my_lists.save_lists), name="save-lists"),
    path("side-by-side/", heavy(my_lists.side_by_side), name="side-by-side"),
    path("compare/", history.compare_lists, name="compare-lists"),
    path("prints/", printing.prints, name="prints"),
    path("prints/<uuid:job_id>/", printing.print_job, name="print-job"),
    path("prints/<uuid:job_id>/start/", heavy(printing.start), name="start-print"),
    path("prints/<uuid:job_id>/cancel/", printing.cancel, name="cancel-print"),
    path("prints/<uuid:job_id>/again/", printing.again, name="print-again"),
    path("prints/<uuid:job_id>/file/", printing.file, name="print-job-file"),
]
LIST = [
    path("", saved_by_path(forces.builder), name="builder"),
    path("forces/act/", forces.act, name="force-act"),
    path("forces/repair/", heavy(verbs.show_repair), name="force-repair"),
    path("forces/why/", heavy(verbs.show_why), name="force-why"),
    path("forces/questions/", heavy(verbs.show_questions), name="force-questions"),
    path("forces/filling/", heavy(verbs.show_filling), name="force-filling"),
    path("act/", builder.act, name="act"),
    path("commands/", forces.commands, name="list-commands"),
    path("changes/", beside.changes, name="changes"),
    path("ways/", ways.show_ways, name="ways"),
    path("fill/", heavy(ways.show_filling), name="filling"),
    path("questions/", heavy(ways.show_questions), name="questions"),
    path("outlook/", ways.show_outlook, name="outlook"),
    path("outlook/longer/", heavy(ways.look_longer), name="outlook-longer"),
    path("why/", heavy(ways.show_why), name="why"),
    path("units/", beside.compare_units, name="compare-units"),
    path("charts/", beside.charts, name="charts"),
    path("stats/", beside.stat_lines, name="stat-lines"),
    path("own/<slug:unit>/rules/", beside.own_rules, name="own-rules"),
    path("own/<slug:unit>/keep/", beside.keep_own, name="keep-own"),
    path("history/", history.history, name="history"),
    path("history/back/", history.go_back, name="go-back"),
    path("history/label/", history.label, name="label-version"),
    path("history/<int:number>/", history.version, name="version"),
    path("copy/", my_lists.copy, name="copy-list"),
    path("rename/", my_lists.rename, name="rename-list"),
    path("tags/", my_lists.set_tags, name="set-tags"),
    path("delete/", my_lists.delete, name="delete-list"),
    path("restore/", my_lists.restore, name="restore-list"),
    path("meaning/<str:name>/", beside.meaning, name="meaning"),
    path("play/", heavy(saved(playing.play)), name="play"),
    path("matches/", playing.matches, name="list-matches"),
    path("campaign/", heavy(playing.campaign), name="campaign"),
    path("campaign/<int:number>/delete/", playing.delete_entry, name="delete-campaign-entry"),
    path("print/", heavy(printing.print_page), name="print"),
    path("print/page/<int:number>.png", heavy(printing.print_picture), name="print-picture"),
    path("print/setups/", printing.print_setups, name="print-setups"),
    path("print/later/", printing.print_later, name="print-later"),
    path("print/link/", printing.make_link, name="print-link"),
    path("print.pdf", heavy(saved(printing.print_file)), name="print-pdf"),
    path("sheet/", heavy(saved(exports.sheet_page)), name="sheet"),
    path("sheet.pdf", heavy(saved(exports.sheet_pdf)), name="sheet-pdf"),
    path("sheet-<slug:paper>.pdf", heavy(saved(exports.sheet_pdf)), name="sheet-paper"),
    path("cards.pdf", heavy(saved(exports.cards_pdf)), name="cards-pdf"),
    path("cards-<slug:paper>.pdf", heavy(saved(exports.cards_pdf)), name="cards-paper"),
    path("sheet.txt", heavy(exports.sheet_text), name="sheet-text"),
    path("export/", exports.export, name="export"),
    path("text/", heavy(saved(exports.text_page)), name="list-text"),
    path("list.json", exports.document, name="document"),
    path("list.csv", heavy(exports.list_file), {"ending": "csv"}, name="list-csv"),
    path("list.ros", heavy(exports.list_file), {"ending": "ros"}, name="list-ros"),
    path("list.rosz", heavy(exports.list_file), {"ending": "rosz"}, name="list-rosz"),
    path("event/", packs.at_event, name="at-event"),
    path("event/build/", packs.build_for_event, name="build-for-event"),
    path("certificate/", heavy(certificates.certificate), name="certificate"),
    path("share/", heavy(sharing.share), name="share"),
    path("share/make/", heavy(sharing.make_link), name="make-link"),
    path("share/<uuid:share_id>/revoke/", sharing.revoke, name="revoke-link"),
    path("share/<uuid:share_id>/code.svg", sharing.code, name="link-code"),
]
#: Players' own books.
BOOKS = [
    path("", book.my_books, name="my-books"),
    path("new/<slug:system_id>/", book.new_book, name="new-book"),
    path("import/", heavy(takes_bytes(16 * MB)(book.import_book)), name="import-book"),
    path("upload/", heavy(takes_bytes(17 * MB)(games.new_upload)), name="upload-books"),
    path("upload/<uuid:upload_id>/", games.upload, name="upload"),
    path("upload/<uuid:upload_id>/keep/", heavy(games.keep), name="keep-upload"),
    path("upload/<uuid:upload_id>/away/", games.throw_away, name="throw-upload"),
    path("convert/", heavy(convert.convert), name="convert"),
    path("shared/<own:book_id>/<slug:token>/", book.shared, name="shared-book"),
    path("shared/<own:book_id>/<slug:token>/copy/", book.copy_shared, name="copy-shared-book"),
    path("shared/<own:book_id>/<slug:token>/book.json", book.shared_file, name="shared-file"),
    path("<own:book_id>/", book.page, name="own-book"),
    path("<own:book_id>/act/", book.act, name="book-act"),
    path("<own:book_id>/restore/", book.restore, name="restore-book"),
    path("<own:book_id>/units/new/", cards.new_card, name="new-card"),
    path("<own:book_id>/units/<unit:unit_id>/", cards.card, name="card"),
    path("<own:book_id>/units/<unit:unit_id>/json/", cards.card_json, name="card-json"),
    path("<own:book_id>/suggest/", heavy(cards.suggest), name="suggest"),
    path("<own:book_id>/abilities/", book.abilities, name="book-abilities"),
    path("<own:book_id>/categories/", book.categories, name="book-categories"),
    path("<own:book_id>/paste/", heavy(filling.paste), name="paste"),
    path("<own:book_id>/copy/", filling.copying, name="copy-units"),
    path("<own:book_id>/book.json", book.book_file, name="book-file"),
    path("<own:book_id>/cards.pdf", heavy(book.cards_pdf), name="book-cards"),
    path("<own:book_id>/cards-<slug:paper>.pdf", heavy(book.cards_pdf), name="book-cards-paper"),
]
#: A game that was brought as files.
KEPT_GAME = [
    path("", games.game, name="game"),
    path("new/", forces.new_list, name="new-forces"),
    path("pack/", file_packs.new_pack, name="new-file-pack"),
    path("name/", games.rename, name="rename-game"),
    path("forget/", games.forget, name="forget-game"),
    path("newer/<slug:newer_key>/", heavy(games.newer), name="newer-set"),
]
#: Events: all of the visitor's, then one of them.
EVENTS = [
    path("", organise.events, name="events"),
    path("new/", organise.new_event, name="new-event"),
]
EVENT = [
    path("", play.event, name="event"),
    path("rules/", play.rules, name="event-rules"),
    path("team/", play.team, name="event-team"),
    path("webhook/", organise.webhook, name="event-webhook"),
    path("pairings/", rounds.pairings, name="event-pairings"),
    path("pairings/<int:number>/tables/<int:which>/", rounds.game, name="event-game"),
    path("players/", people.players, name="event-players"),
    path("waiting/leave/", people.stop_waiting, name="stop-waiting"),
    path("invite/", people.invite, name="event-invite"),
    path("code.svg", people.code, name="event-code"),
    path("calendar.ics", people.calendar, name="event-calendar"),
    path("format/", rounds.change_format, name="event-format"),
    path("standings/", rounds.standings, name="event-standings"),
    path("standings.csv", rounds.standings_table, name="event-standings-file"),
    path("league/", rounds.league, name="event-league"),
    path("rules/pack.json", play.rules_file, name="event-pack-file"),
    path("enter/", play.enter, name="enter-event"),
    path("enter/lists/", play.enter_lists, name="enter-lists"),
    path("withdraw/", play.withdraw, name="withdraw"),
    path("mine/<slug:secret>/", play.come_back, name="come-back"),
    path("submit/", takes_bytes(4 * MB)(play.submit_list), name="submit-list"),
    path("receipts/<int:which>.json", heavy(play.receipt), name="receipt"),
    path("edit/", organise.edit, name="edit-event"),
    path("standing/", organise.standing, name="event-standing"),
    path("delete/", organise.delete, name="delete-event"),
    path("staff/", people.staff, name="event-staff"),
    path("staff/<slug:secret>/", people.join, name="join-staff"),
    path("pack/", heavy(organise.change_pack), name="event-change-pack"),
    path("desk/", desk.desk, name="event-desk"),
    path("desk/clean/", desk.accept_clean, name="accept-clean"),
    path("entries/<int:number>/", desk.entry_page, name="event-entry"),
    path("entries/<int:number>/extend/", desk.extend, name="extend-entry"),
    path("entries/<int:number>/withdraw/", desk.withdraw_other, name="withdraw-entry"),
    path("entries/<int:number>/captain/", play.name_captain, name="name-captain"),
    path("entries/<int:number>/role/", play.choose_role, name="choose-role"),
    path("teams/", heavy(desk.teams), name="event-teams"),
    path("judge/", heavy(saved(desk.judge)), name="event-judge"),
    path("entries/<int:number>/points/", desk.give, name="give-points"),
    path("entries/<int:number>/decide/", desk.decide, name="decide"),
    path("entries/<int:number>/<int:which>/", heavy(play.submission), name="event-submission"),
    path("entries/<int:number>/<int:which>/open/", play.open_list, name="open-submission"),
    path("entries/<int:number>/<int:which>/again/", desk.reinstate, name="reinstate"),
    path("entries/<int:number>/<int:which>/play/", heavy(play.play_list), name="play-submission"),
    path("lists/", desk.lists, name="event-lists"),
    path("lists/booklet.pdf", heavy(desk.booklet), name="event-booklet"),
    path("lists/<slug:form>/", heavy(desk.lists_file), name="event-lists-file"),
    path("log/", desk.log, name="event-log"),
    path("commitments.json", desk.commitments, name="event-commitments"),
]
#: Our pages of an account, and those of allauth's that can be reached, by its names.
ACCOUNT = [
    path("", account.account, name="account"),
    path("name/", account.name, name="account-name"),
    path("sessions/", account.end_sessions, name="end-sessions"),
    path("tokens/", account.make_token, name="make-token"),
    path("tokens/<int:token_id>/", account.revoke_token, name="revoke-token"),
    path("delete/", account.delete, name="delete-account"),
    path("data/", takeout.my_data, name="my-data"),
    path("data/everything.zip", heavy(takeout.save_data), name="save-data"),
    path("data/open/", heavy(takes_bytes(64 * MB)(takeout.open_data)), name="open-data"),
    path("sign-up/", allauth.signup, name="account_signup"),
    path("sign-in/", allauth.login, name="account_login"),
    path("sign-out/", allauth.logout, name="account_logout"),
    path("closed/", allauth.account_inactive, name="account_inactive"),
    path("confirm/", allauth.reauthenticate, name="account_reauthenticate"),
    path("password/", allauth.password_change, name="account_change_password"),
    path("email/", allauth.email, name="account_email"),
    path("email/<str:key>/", allauth.confirm_email, name="account_confirm_email"),
    path("forgotten/", allauth.password_reset, name="account_reset_password"),
    path("forgotten/sent/", allauth.password_reset_done, name="account_reset_password_done"),
    path(
        "forgotten/done/",
        allauth.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path(
        "forgotten/<base36:uidb36>-<str:key>/",
        allauth.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
]
#: A game and its books.
GAME = [
    path("", library.system, name="system"),
    path("blank-cards.pdf", heavy(library.blank_cards), name="blank-cards"),
    path("blank-cards-<slug:paper>.pdf", heavy(library.blank_cards), name="blank-paper"),
    path("compare/", heavy(library.compare), name="compare-in-library"),
    path("meaning/<str:name>/", library.meaning, name="meaning-in-game"),
    path("<slug:book_id>/", library.book, name="book"),
    path("<slug:book_id>/meaning/<str:name>/", library.meaning, name="meaning-in-book"),
    path("<slug:book_id>/data/", library.book_data, name="book-data"),
    path("<slug:book_id>/cards.pdf", heavy(library.book_cards), name="book-cards"),
    path(
        "<slug:book_id>/cards-<slug:paper>.pdf", heavy(library.book_cards), name="book-cards-paper"
    ),
]
#: Models that the visitor owns, for each game.
COLLECTION = [
    path("", owned.collections, name="collections"),
    path("<slug:system_id>/", owned.collection, name="collection"),
    path("<slug:system_id>/unit/", owned.change_unit, name="owned-unit"),
    path("<slug:system_id>/list/", owned.from_list, name="own-list"),
    path(
        "<slug:system_id>/import/",
        heavy(takes_bytes(3 * MB)(owned.import_collection)),
        name="import-collection",
    ),
    path("<slug:system_id>/collection.csv", owned.collection_file, name="collection-file"),
    path("<slug:system_id>/together/", owned.together, name="lists-together"),
    path("<slug:system_id>/delete/", owned.empty, name="empty-collection"),
]
urlpatterns = [
    path("", home.home, name="home"),
    path(".well-known/security.txt", home.security, name="security-txt"),
    path(".well-known/army-builder-keys.json", certificates.keys, name="certificate-keys"),
    path("verify/", saved_by_path(certificates.verify), name="verify"),
    path("matches/", playing.matches, name="matches"),
    path("matches/keep-game/", takes_bytes(MB)(playing.keep), name="keep-game"),
    path("matches/<uuid:match_id>/delete/", playing.delete_match, name="delete-match"),
    path("packs/", packs.packs, name="packs"),
    path("packs/new/", packs.new, name="new-pack"),
    path("packs/own/<uuid:pack_id>/", packs.own_pack, name="own-pack"),
    path("packs/own/<uuid:pack_id>/<int:number>/", packs.own_pack, name="pack-version"),
    path("packs/own/<uuid:pack_id>/<int:number>/pack.json", packs.own_file, name="own-pack-file"),
    path("packs/own/<uuid:pack_id>/edit/", heavy(packs.edit), name="edit-pack"),
    path("packs/own/<uuid:pack_id>/delete/", packs.delete, name="delete-pack"),
    path("packs/<slug:pack_id>/", packs.pack, name="pack"),
    path("packs/<slug:pack_id>/pack.json", packs.pack_file, name="pack-file"),
    path("collection/", include(COLLECTION)),
    path("new/<slug:system_id>/", home.new_list, name="new-list"),
    path("new/<slug:system_id>/random/", heavy(home.random_list), name="random-list"),
    path("new/<slug:system_id>/example/<slug:example_id>/", home.open_example, name="open-example"),
    path("sw.js", offline.worker, name="worker"),
    path("saved/", offline.saved_pages, name="saved-pages"),
    path("theme/", theme.set_theme, name="set-theme"),
    path("keys/", beside.keys, name="keys"),
    path("commands/", beside.commands, name="commands"),
    path("lists/", include(LISTS)),
    path("lists/<uuid:list_id>/", include(LIST)),
    path("shared/<slug:token>/", heavy(sharing.page), name="shared-list"),
    path("shared/<slug:token>/meaning/<str:name>/", sharing.meaning, name="meaning-in-shared"),
    path("shared/<slug:token>/copy/", sharing.copy, name="copy-shared-list"),
    path("shared/<slug:token>/<slug:mark>.png", sharing.picture, name="shared-list-picture"),
    path("shared/<slug:token>/play/", heavy(saved(sharing.play)), name="play-shared-list"),
    path("shared/<slug:token>/list.pdf", heavy(sharing.pdf), name="shared-list-pdf"),
    path("shared/<slug:token>/list.txt", heavy(sharing.text), name="shared-list-text"),
    path("shared/<slug:token>/list.json", sharing.document, name="shared-list-document"),
    path("books/", include(BOOKS)),
    path("games/<slug:game_key>/", include(KEPT_GAME)),
    path("events/", include(EVENTS)),
    path("events/<uuid:event_id>/", include(EVENT)),
    path("account/", include(ACCOUNT)),
    path("library/", library.library, name="library"),
    path("library/truth/", heavy(library.truth), name="truth"),
    path("library/<slug:system_id>/", include(GAME)),
    path("odds/<slug:system_id>/", heavy(odds.odds), name="odds"),
    path("gallery/", gallery.components, name="gallery"),
]
