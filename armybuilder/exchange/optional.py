"""Libraries that only large corpora need: the app does without them."""

from importlib.util import find_spec

from django.utils.translation import gettext as _

from armybuilder.loading.problems import Refusal


def need(package: str) -> None:
    """Raise Refusal where a package of the extra "corpus" is not installed."""
    if find_spec(package) is None:
        said = _("This needs {package}, which is not installed: pip install {what}.")
        raise Refusal(said.format(package=package, what="'armybuilder[corpus]'"))
