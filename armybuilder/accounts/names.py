"""What a user may be called."""

from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

HELP = _("Letters, digits, and . + - _ as you like.")

#: Asked of every new name. Without an @, none looks like another's e-mail address.
validators = [
    RegexValidator(r"^[\w.+-]+\Z", _("A name has letters, digits, and . + - _ only."), "invalid")
]
