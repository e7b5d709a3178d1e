"""Uploads that become kept games: read, surveyed and stored by the worker, then held or not."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.bringing import BroughtFiles, GameSet
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.surveying import GameSurvey
from armybuilder.battlescribe.rosters.sites import OriginName, find_system
from armybuilder.games import services
from armybuilder.games.models import Game, Holding
from armybuilder.jobs.queue import ProgressReport, State, limited
from armybuilder.loading.deadline import OutOfTime
from armybuilder.loading.problems import Refusal
from armybuilder.uploads.jobs import uploads
from armybuilder.uploads.models import Upload

#: Letters of a commit that are shown.
_COMMIT = 7


def is_whole_game(game: str, brought: BroughtFiles) -> bool:
    """Return whether files are kept as they are: if that is chosen, or one game is none of ours."""
    if game:
        return game == Upload.WHOLE_GAME
    systems = (whole.system for whole in brought.games)
    names = (OriginName(root.id, root.get("name")[:200], 0) for root in systems)
    return any(not find_system(name) for name in names)


def read_games(upload: Upload, brought: BroughtFiles) -> dict[str, Any]:
    """Store the games of an upload, and return its outcome. Raises LeftOff."""
    progress = ProgressReport(uploads, upload, settings.UPLOAD_SECONDS["all"])
    refused: dict[str, list[str]] = defaultdict(list)
    for file, why in brought.refused:
        refused[why].append(file)
    surveys = []
    for whole in brought.games:
        try:
            files = GameFiles(whole.members(), whole.system.id)
        except Refusal as refusal:
            refused[refusal.sentence].append(whole.files[0].name)
        else:
            surveys.append((whole, GameSurvey(files)))
    uploads.tell(upload, total=sum(survey.steps for _whole, survey in surveys))
    games = []
    done = 0
    for whole, survey in surveys:
        try:
            games.append(_read(whole, survey, progress, done, brought))
        except OutOfTime:
            refused[_("It takes too long to read.")].append(whole.files[0].name)
        done += survey.steps
    if not games:
        reasons = " ".join(f"{files[0]}: {why}" for why, files in list(refused.items())[:5])
        nothing = _("The zip contains no game files (.cat, .gst, .json).")
        return {"state": State.FAILED, "refused": (reasons or nothing)[:1000]}
    report = {"whole": games, "refused": list(refused.items()), "others": brought.others}
    return {"state": State.DONE, "report": report, "found": {"source": _source(upload, brought)}}


def _read(
    whole: GameSet,
    survey: GameSurvey,
    progress: ProgressReport[Upload],
    done: int,
    brought: BroughtFiles,
) -> dict[str, Any]:
    """Store a game, surveyed if that was not done lately, and return what is told of it."""
    game = services.stored_lately(whole.key)
    if game is None:
        steps = survey.each()
        if progress.left <= 0:
            raise OutOfTime
        with limited(progress.left):
            for number, _name in enumerate(steps, start=done + 1):
                progress.reach(number)
        game = services.store(whole, survey.report(), brought.dated)
    return {"key": game.pk, "dated": game.dated and game.dated.isoformat(), **game.report}


def _source(upload: Upload, brought: BroughtFiles) -> str:
    """Return where the files came from: their name, and the commit that GitHub writes into zips."""
    commit = brought.comment
    is_commit = len(commit) == 40 and not set(commit) - set("0123456789abcdef")
    name = f"github.com/{upload.name}" if upload.address else upload.name
    return f"{name}, {commit[:_COMMIT]}" if is_commit else name


@transaction.atomic
def keep_games(holder: str, upload_id: UUID, keys: Collection[str]) -> list[Holding]:
    """Let a holder hold the chosen games of an upload, all or none; the upload goes.

    Raises Http404 if there is no such upload any more, Refusal if nothing is chosen, NoRoom if it
    is too much.
    """
    mine = Upload.objects.filter(pk=upload_id, holder=holder, state=State.DONE)
    upload = mine.exclude(holder="").select_for_update().first()
    games = [] if upload is None else (upload.report or {}).get("whole", [])
    if upload is None or not games:
        raise Http404("no such upload in this browser")
    chosen = [game["key"] for game in games if game["key"] in keys]
    if not chosen:
        raise Refusal(_("Choose at least one game."))
    try:
        source = (upload.found or {}).get("source", "")
        held = [services.keep(holder, key, source=source) for key in chosen]
    except Game.DoesNotExist as error:
        raise Refusal(_("The files are no longer here. Upload them again.")) from error
    upload.delete()
    return held
