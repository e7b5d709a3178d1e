"""Django settings. Safe by default; environment variables adapt them to a server.

docs/operating.md lists the variables. Contradictions are refused with one sentence
(`armybuilder.environment`).
"""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import dj_email_url
from csp.constants import NONE, SELF
from whitenoise.compress import Compressor

from armybuilder import environment, logs
from armybuilder.environment import names, number, on, seconds, text
from armybuilder.languages import languages

BASE_DIR = Path(__file__).resolve().parent.parent
_CHECKOUT = (BASE_DIR / "manage.py").exists()
VAR_DIR = Path(text("ARMYBUILDER_VAR") or (BASE_DIR / "var" if _CHECKOUT else "var"))
VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)

SECRET_KEY = environment.secret_key(VAR_DIR / "secret_key")
# Whatever hangs on one key alone is lost with it, so nothing of a player's does: see
# armybuilder.accounts.sessions, armybuilder.sharing.selectors.
SECRET_KEY_FALLBACKS = names("SECRET_KEY_FALLBACKS")
DEBUG = on("DEBUG")
HTTPS = on("HTTPS")
ALLOWED_HOSTS = names("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
SITE_URL = text("SITE_URL").rstrip("/")
CSRF_TRUSTED_ORIGINS = environment.origins(ALLOWED_HOSTS) if HTTPS else []
PROXIES = number("PROXIES", int(HTTPS))
environment.refuse_contradictions(ALLOWED_HOSTS, SITE_URL, SECRET_KEY)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "armybuilder.apps.CollectedFiles",
    "django.contrib.humanize",
    "csp",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "corsheaders",
    "template_partials.apps.SimpleAppConfig",
    "django_tasks",
    "django_tasks_db",
    # From packages/, where they are installed. Before the app: the `validate_list` of listcorpus
    # takes the place of the app's.
    *(name for name in ("listcorpus", "bookimport") if find_spec(name)),
    "armybuilder",
    "armybuilder.accounts",
    "allauth",
    "allauth.account",
    "armybuilder.books",
    "armybuilder.packs",
    "armybuilder.games",
    "armybuilder.lists",
    "armybuilder.sharing",
    "armybuilder.events",
    "armybuilder.certificates",
    "armybuilder.playing",
    "armybuilder.collection",
    "armybuilder.printing",
    "armybuilder.uploads",
    "armybuilder.housekeeping",
    "armybuilder.pages",
    "armybuilder.api",
    "armybuilder.watching",
    "catalogs",
]

MIDDLEWARE = [
    "armybuilder.incoming.roomy",
    "armybuilder.incoming.with_request_id",
    "armybuilder.watching.health.HealthMiddleware",
    "armybuilder.watching.requests.WatchingMiddleware",
    "armybuilder.admission.middleware.AdmissionMiddleware",
    "armybuilder.incoming.at_site_url",
    "django.middleware.security.SecurityMiddleware",
    "armybuilder.pages.middleware.PageCompressionMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "armybuilder.pages.middleware.PermissionsMiddleware",
    "armybuilder.api.problems.ProblemMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "armybuilder.pages.middleware.Utf8Middleware",
    "armybuilder.accounts.sessions.Sessions",
    "armybuilder.accounts.sessions.renewing",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "armybuilder.pages.middleware.VisitMiddleware",
    "armybuilder.pages.middleware.RefusalMiddleware",
]

ROOT_URLCONF = "armybuilder.urls"
WSGI_APPLICATION = "armybuilder.wsgi.application"

_LOADERS: list[object] = [
    "django.template.loaders.filesystem.Loader",
    "django.template.loaders.app_directories.Loader",
]
if not DEBUG:
    _LOADERS = [("armybuilder.packing.PackedTemplates", _LOADERS)]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"] if _CHECKOUT else [],  # a wheel has them in the package
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["template_partials.templatetags.partials", "armybuilder.tags"],
            "libraries": {"panes": "armybuilder.pages.builder.panes"},
            "loaders": [("template_partials.loader.Loader", _LOADERS)],
        },
    },
]

DATABASES = {"default": environment.database(VAR_DIR / "armybuilder.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Nobody needs an account. Who has one signs in by name or address; an address is only wanted to
# set a new password when the old one is forgotten.
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "my-lists"
ACCOUNT_ADAPTER = "armybuilder.accounts.adapter.Adapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_USERNAME_VALIDATORS = "armybuilder.accounts.adapter.name_validators"
ACCOUNT_FORMS = {
    "login": "armybuilder.pages.account.views.SignInForm",
    "signup": "armybuilder.pages.account.views.SignUpForm",
    "add_email": "armybuilder.pages.account.views.EmailForm",
    "change_password": "armybuilder.pages.account.views.PasswordForm",
    "reset_password": "armybuilder.pages.account.views.ForgottenForm",
    "reset_password_from_key": "armybuilder.pages.account.views.NewPasswordForm",
    "reauthenticate": "armybuilder.pages.account.views.ConfirmForm",
}
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_CHANGE_EMAIL = True
# Nobody finds out who has an account, or keeps others from an address that is not theirs: several
# accounts may name one until it is confirmed.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# Not by a code in a mail: who sits at an open browser may have the mail open, too.
ACCOUNT_REAUTHENTICATION_METHODS = {"password"}
ACCOUNT_SESSION_COOKIE_AGE = number("SESSION_DAYS", 180) * 24 * 3600
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
# Wrong passwords: so many from one network, so many for one name from there; one alone where many
# networks guess at that name; and so many of a browser in which its user has signed in before. So
# nobody locks out another. The rest is as allauth has it.
ACCOUNT_RATE_LIMITS = {
    "login_failed": "10/m/ip,5/5m/key",
    "login_failed_by_device": "5/5m/key",
    "login_failed_by_name": "200/h/key",
    "login_failed_guessed_at": "1/5m/key",
}
# Bits of the network that one customer may have of a provider, version 6.
ALLAUTH_RATE_LIMIT_IPV6_PREFIX = 48
TOKENS_WITHOUT_END = on("TOKENS_WITHOUT_END")
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES

_MAIL = dj_email_url.config(default="console:")
# No request waits for a mail server that does not answer.
vars().update(_MAIL, EMAIL_TIMEOUT=_MAIL["EMAIL_TIMEOUT"] or 10)
DEFAULT_FROM_EMAIL = text("EMAIL_FROM", "Army Builder <noreply@localhost>")

# What must hold for all processes together, such as how often a sign-in failed, is in the shared
# cache; with the database for one, nothing that players click on asks for it.
CACHES = {"default": environment.shared_cache(text("CACHE_URL"))}

# Printing many lists is handed to a process of its own, `manage.py print_worker`, through the
# database. While developing, the request does it itself.
TASKS: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django_tasks.backends.immediate.ImmediateBackend"
        if DEBUG
        else "django_tasks_db.DatabaseBackend",
        "QUEUES": [],  # any
    }
}
# Where the two work, and the files come to be.
PRINTS_DIR = VAR_DIR / "prints"
# Seconds of processor time that printing one list may take, and all lists of a file: what takes
# longer is left out and named. What is known to take longer than "now" nobody waits for: it is
# printed as a file of many lists is.
PRINT_SECONDS = {"now": 5.0, "list": 20.0, "job": 600.0}
# The same for taking uploaded files apart, and for looking through all their games.
UPLOAD_SECONDS = {"reading": 20.0, "all": 120.0}
# Megabytes of memory of a process for games that players brought as files.
GAMES_MB = number("GAMES_MB", 160)
# Whether players may bring a game by its address on GitHub, which the worker fetches.
GAMES_BY_ADDRESS = on("GAMES_BY_ADDRESS")
# Whether browsers save pages to show them without a connection: see armybuilder.pages.offline.
OFFLINE = bool(number("OFFLINE", 1))
# Whether organisers may let this site call addresses of its own network, also by http.
CALLS_ANYWHERE = on("CALLS_ANYWHERE")

LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "armybuilder" / "locale"]
LANGUAGES = languages(LOCALE_PATHS[0], LANGUAGE_CODE)
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
WHITENOISE_ROOT = BASE_DIR / "armybuilder" / "root_files"  # as /favicon.ico
WHITENOISE_MIMETYPES = {".webmanifest": "application/manifest+json"}
# Packing is most of the time of a first start. Pages name files by their hash alone; and maps of
# scripts are for debugging.
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")
STORAGES = {
    "default": environment.file_storage(text("STORAGE_URL"), VAR_DIR, "files"),
    "prints": environment.file_storage(text("STORAGE_URL"), VAR_DIR, "prints"),
    "uploads": environment.file_storage(text("STORAGE_URL"), VAR_DIR, "uploads"),
    "games": environment.file_storage(text("STORAGE_URL"), VAR_DIR, "games"),
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "armybuilder.packing.Storage"
    },
}

# Lists belong to the browser that made them, so its session must last. Who is signed in has another
# end: see the engine.
SESSION_ENGINE = f"armybuilder.accounts.{'cached_sessions' if text('CACHE_URL') else 'sessions'}"
SESSION_COOKIE_AGE = 5 * 365 * 24 * 3600
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
# Whether subdomains are reached over https only is for their owner to say.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "armybuilder.pages.home.views.forbidden"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

LOGGING = logs.configuration(text("LOG_FORMAT") == "json")
SLOW_SECONDS = seconds("SLOW_SECONDS", 1)
SENTRY_DSN = text("SENTRY_DSN")
METRICS_TOKEN = text("METRICS_TOKEN")
# Processes share their numbers in a folder, which the library knows by this name alone.
if METRICS_TOKEN:
    _NUMBERS = os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(VAR_DIR / "metrics"))
    Path(_NUMBERS).mkdir(parents=True, exist_ok=True)
else:
    os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)
SECURITY_CONTACT = text("SECURITY_CONTACT")

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# Who may cause how much work: see armybuilder.admission.
PROCESSOR_SECONDS_PER_MINUTE = {
    "anonymous": seconds("VISITOR_SECONDS", 40),
    "user": seconds("USER_SECONDS", 60),
}
# Seconds of processor time that one request may take; "short" those in the lane for short work.
REQUEST_SECONDS = {"light": 5.0, "short": 0.5, "heavy": 30.0}

# The API, and which other sites' pages may call it. See armybuilder.api.
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [],
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "armybuilder.api.describing.ApiSchema",
    "EXCEPTION_HANDLER": "armybuilder.api.problems.exception_handler",
    "URL_FORMAT_OVERRIDE": None,
}
CORS_ALLOWED_ORIGINS = names("CORS_ORIGINS")


def _quota(lists: int, megabytes: int, versions: int, suffix: str = "") -> dict[str, int]:
    size = number(f"QUOTA_MB{suffix}", megabytes) * 1_000_000
    lists = number(f"QUOTA_LISTS{suffix}", lists)
    return {"lists": lists, "versions": lists * versions, "size": size, "books": size}


# What one holder may keep: see armybuilder.accounts.quotas. A list has some hundred versions.
QUOTAS = {"anonymous": _quota(300, 20, 200), "user": _quota(3_000, 200, 200, "_USER")}
# Bytes of lists, with what is found about them, and of packs that the events of one account have
# together. An army takes 5 KB: this is fifty events of 400 players who submit ten times each, or
# four of the largest.
EVENTS_BYTES = number("EVENTS_MB_USER", 1_000) * 1_000_000
# Bytes a day from one network without an account. A click stores the whole list, of an army 3.5 KB:
# this is a hall of 200 players who click 700 times each.
NETWORK_BYTES = number("NETWORK_MB", 500) * 1_000_000
ABANDONED_DAYS, ONE_DAY_DAYS = number("ABANDONED_DAYS", 400), number("ONE_DAY_DAYS", 60)
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_HEADERS = ["accept", "accept-language", "authorization", "content-type", "if-match"]
CORS_ALLOW_HEADERS += ["if-none-match"]
CORS_EXPOSE_HEADERS = ["etag", "location", "retry-after", "x-request-id"]
SPECTACULAR_SETTINGS = {
    "TITLE": "Army Builder",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "TAGS": [
        {"name": "Verdicts", "description": "On documents that you send; nothing is stored."},
        {"name": "Sheets", "description": "Of documents that you send."},
        {"name": "Lists out of texts", "description": "Each line with how sure it is."},
        {"name": "Games and books", "description": "What there is to choose from."},
        {"name": "Your lists", "description": "With a token, or signed in."},
        {"name": "Frozen copies", "description": "Of your lists, for others to see."},
    ],
    "SERVE_AUTHENTICATION": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},
    "POSTPROCESSING_HOOKS": ["armybuilder.api.describing.add_documents"],
}

# A form may carry a pasted table or a card as text, of up to 1 MB, escaped. What it holds is
# checked where it is read: armybuilder.loading.jsontext, armybuilder.books.
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024
# The copy page has a field for each ticked unit, of up to 2,000 in one book.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_500
# More lists than may be opened at once (200), so that a few too many get a sentence.
DATA_UPLOAD_MAX_NUMBER_FILES = 500
