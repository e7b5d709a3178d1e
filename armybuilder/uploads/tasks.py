"""A worker's part in an upload: find the games in its files, survey and store each."""

from collections import defaultdict
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from django.conf import settings
from django.utils.translation import gettext as _
from django_tasks import TaskContext, task

from armybuilder.battlescribe.files.bringing import BroughtFiles, GameSet, take_apart
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.surveying import GameSurvey
from armybuilder.battlescribe.rosters.sites import OriginName, find_system
from armybuilder.games import services
from armybuilder.games.fetching import fetch_game
from armybuilder.jobs.queue import ProgressReport, State, do_next, limited, perform
from armybuilder.loading.deadline import OutOfTime
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.uploads.jobs import MAX_BYTES, uploads
from armybuilder.uploads.models import Upload

#: How many refused files are named in one sentence, and letters of a reason.
_MAX_REFUSED, _MAX_REASON = 5, 1000
#: Letters of a commit that are shown.
_COMMIT = 7


@task(takes_context=True)
def read_upload(context: TaskContext, upload_id: str) -> None:
    """Do the job that is due first: often `upload_id`, as with prints."""
    do_next(context.task_result.worker_ids[-1])


def enqueue(upload: Upload) -> None:
    read_upload.enqueue(str(upload.pk))


def work(upload: Upload) -> None:
    """Read an upload that was taken. Raises what `perform` raises."""
    if perform(uploads, upload, _outcome):
        uploads.files().delete(uploads.file_of(upload))


uploads.work, uploads.enqueue = work, enqueue


def _outcome(upload: Upload) -> dict[str, Any]:
    try:
        files = _files_of(upload)
        with limited(settings.UPLOAD_SECONDS["reading"]):
            brought = take_apart(files)
        return _read_games(upload, brought)
    except Refusal as refusal:
        return {"state": State.FAILED, "refused": refusal.sentence[:_MAX_REASON]}
    except OutOfTime:
        sentence = _("It takes too long to read these files. Upload fewer at once.")
        return {"state": State.FAILED, "refused": sentence}


def _files_of(upload: Upload) -> list[tuple[str, bytes]]:
    """Return the files of an upload, named as they were. Raises Refusal where they are gone."""
    if upload.address:
        return [(f"{upload.name}.zip", fetch_game(upload.address, MAX_BYTES))]
    try:
        stored = uploads.files().open(uploads.file_of(upload))
    except FileNotFoundError as error:
        raise Refusal(_("The files are no longer here. Upload them again.")) from error
    with stored, ZipFile(BytesIO(stored.read())) as archive:
        return [(name.partition("/")[2], archive.read(name)) for name in archive.namelist()]


def _read_games(upload: Upload, brought: BroughtFiles) -> dict[str, Any]:
    """Store the games of an upload, and return its outcome. Raises LeftOff, Refusal: no game."""
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
            refused[_("This file takes too long to read.")].append(whole.files[0].name)
        done += survey.steps
    if not games:
        reasons = [f"{files[0]}: {why}" for why, files in list(refused.items())[:_MAX_REFUSED]]
        raise Refusal(" ".join(reasons) or _("The zip contains no game files (.cat, .gst, .json)."))
    report = {
        "whole": games,
        "refused": list(refused.items()),
        "others": brought.others,
        "source": _source(upload, brought),
    }
    return {"state": State.DONE, "report": report}


def _read(
    whole: GameSet,
    survey: GameSurvey,
    progress: ProgressReport[Upload],
    done: int,
    brought: BroughtFiles,
) -> dict[str, Any]:
    """Store a game, surveyed unless that was done lately, and return its report."""
    game = services.stored_lately(whole.key)
    if game is None:
        steps = survey.each()
        if progress.left <= 0:
            raise OutOfTime
        with limited(progress.left):
            for number, _name in enumerate(steps, start=done + 1):
                progress.reach(number)
        game = services.store(whole, survey.report(), brought.dated)
    dated = game.dated and game.dated.isoformat()
    told = {key: value for key, value in game.report.items() if key != "collected"}
    return {"key": game.pk, "dated": dated, "shipped": _shipped(whole), **told}


def _shipped(whole: GameSet) -> dict[str, str] | None:
    """Return id and name of our system for a game whose army books are shipped; None for others."""
    root = whole.system
    revision = root.get("revision")
    number = int(revision) if revision.isascii() and revision.isdigit() else 0
    system = find_system(OriginName(root.id, root.get("name"), number))
    return {"id": system, "name": shipped_library().system(system).name} if system else None


def _source(upload: Upload, brought: BroughtFiles) -> str:
    """Return where the files came from: their name, and the commit that GitHub writes into zips."""
    commit = brought.comment
    is_commit = len(commit) == 40 and not set(commit) - set("0123456789abcdef")
    name = f"github.com/{upload.name}" if upload.address else upload.name
    return f"{name}, {commit[:_COMMIT]}" if is_commit else name
