"""The settings of the site: safe defaults for one machine, everything else from the environment.

README.md lists the variables. Without any of them the site serves this machine from
one SQLite file in ./var and needs nothing else running.
"""

from __future__ import annotations

from pathlib import Path

from csp.constants import NONE, SELF

from perudo_site import environment
from perudo_site.quotas import *  # noqa: F403

BASE_DIR = Path(__file__).resolve().parent.parent

# --- Who we are -------------------------------------------------------------------------

SITE_NAME = environment.text("SITE_NAME", "Perudo")
DATA_DIR = environment.data_folder("DATA_DIR", BASE_DIR / "var")
SECRET_KEY = environment.secret_key("SECRET_KEY", file=DATA_DIR / "secret_key")
DEBUG = environment.switch("DEBUG", False)
ALLOWED_HOSTS = environment.words("ALLOWED_HOSTS") or ["localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = environment.origins("CSRF_TRUSTED_ORIGINS")

# --- The pace of the tables: it belongs to the site, not to the rules --------------------

TURN_SECONDS = environment.whole_number("TURN_SECONDS", 45, least=5, most=3600)
REVEAL_SECONDS = environment.whole_number("REVEAL_SECONDS", 3, least=1, most=600)
CALZA_DELAY_MS = environment.whole_number("CALZA_DELAY_MS", 1500, least=0, most=10_000)
CLAIM_WINDOW_MS = environment.whole_number("CLAIM_WINDOW_MS", 300, least=0, most=5_000)
BOT_SECONDS = environment.decimal_number("BOT_SECONDS", 1.2, least=0, most=60)
OPEN_TABLE_MINUTES = environment.whole_number("OPEN_TABLE_MINUTES", 60, least=1, most=10_080)

# --- Building blocks --------------------------------------------------------------------

INSTALLED_APPS = [
    "daphne",  # before staticfiles: runserver then speaks WebSocket too
    "perudo_site",  # for its command `serve`
    "accounts.apps.AccountsConfig",
    "games.apps.GamesConfig",
    "perudo_site.staff.apps.StaffDoor",  # django.contrib.admin, behind a door of ours
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "channels",
    "csp",
    "django_htmx",
]

MIDDLEWARE = [
    "perudo_site.pulse.taken",  # before anything asks for a host name, https or a session
    "perudo_site.middleware.watched",
    "django.middleware.security.SecurityMiddleware",
    # Before WhiteNoise, because a file of ours is held to the same policy as a page.
    "csp.middleware.CSPMiddleware",
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "perudo_site.middleware.never_stored",
    "perudo_site.sessions.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "perudo_site.middleware.in_the_persons_language",
    "perudo_site.middleware.ends_with_its_session",
    "django.contrib.messages.middleware.MessageMiddleware",
    "perudo_site.middleware.in_good_measure",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "perudo_site.urls"
ASGI_APPLICATION = "perudo_site.asgi.application"
FORM_RENDERER = "perudo_site.forms.SiteFormRenderer"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["perudo_site.lean.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "perudo_site.context.site",
            ],
        },
    },
]

# --- Where things are kept --------------------------------------------------------------

DATABASES = {"default": environment.database("DATABASE_URL", default_file=DATA_DIR / "db.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = environment.redis_url("REDIS_URL")
# A full channel loses messages silently. A message here is one number, so a deep queue is cheap.
_QUEUE = 1000
if REDIS_URL:
    CACHES = {
        "default": {
            "BACKEND": "perudo_site.counters.SharedCounters",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "perudo",
        }
    }
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "perudo_site.relay.RelayedLayer",
            "CONFIG": {"url": REDIS_URL, "capacity": _QUEUE},
        }
    }
else:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    CHANNEL_LAYERS = {
        "default": {"BACKEND": "games.layer.OneProcessLayer", "CONFIG": {"capacity": _QUEUE}}
    }

# --- People -----------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{rule}"}
    for rule in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
SESSION_ENGINE = "perudo_site.sessions"
SESSION_COOKIE_AGE = 90 * 86_400  # a guest has nothing but this cookie to come back with

ACCOUNT_ADAPTER = "accounts.adapter.PeopleAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "signup": "accounts.forms.SignupForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
# Strict: an address may be given twice, so a form never tells that somebody else has it.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # a guest may sign in to the account he has
ACCOUNT_USERNAME_VALIDATORS = "accounts.names.validators"
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "

# The second step of signing in: a code from an app, or one of the recovery codes.
MFA_ADAPTER = "accounts.second_step.SecondStepAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_FORMS = {
    "authenticate": "accounts.forms.CodeForm",
    "reauthenticate": "accounts.forms.CodeAgainForm",
    "activate_totp": "accounts.forms.FirstCodeForm",
}
MFA_TOTP_ISSUER = SITE_NAME
MFA_ALLOW_UNVERIFIED_EMAIL = True  # addresses are never verified here: they only reset a password

# --- Languages --------------------------------------------------------------------------

LANGUAGE_CODE = "en"
# Each in its own words, so that whoever reads nothing else finds it.
LANGUAGES = [("en", "English"), ("fr", "Français"), ("it", "Italiano"), ("es", "Español")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_COOKIE_AGE = 365 * 86_400
LANGUAGE_COOKIE_SAMESITE = "Lax"

# --- Files we serve ---------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "perudo_site" / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG  # hashed names exist only after collectstatic
            else "whitenoise.storage.CompressedManifestStaticFilesStorage"
        )
    },
}

# --- Mail -------------------------------------------------------------------------------

globals().update(environment.mail("EMAIL_URL"))
DEFAULT_FROM_EMAIL = environment.text("DEFAULT_FROM_EMAIL", "perudo@localhost")

# --- Safety -----------------------------------------------------------------------------

# HTTPS=true says that people reach the site by https only, through a proxy or not.
HTTPS = environment.switch("HTTPS", False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 365 * 86_400 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
if HTTPS:  # a browser takes a cookie of such a name from this very host alone, and over https
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
CSRF_FAILURE_VIEW = "perudo_site.errors.csrf_failure"
X_FRAME_OPTIONS = "DENY"

# BEHIND_PROXIES=1 says that one proxy of ours stands in front and sets X-Forwarded-*.
# With 0 those headers are written by strangers, and ignored.
BEHIND_PROXIES = environment.whole_number("BEHIND_PROXIES", 0, least=0, most=5)
ALLAUTH_TRUSTED_PROXY_COUNT = BEHIND_PROXIES
USE_X_FORWARDED_HOST = BEHIND_PROXIES > 0
if BEHIND_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Everything comes from here or does not come at all. Trusted types are not asked for: htmx puts
# the server's fragments into the page as text, and knows no way to have them trusted.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "upgrade-insecure-requests": HTTPS,
    }
}
# What a game of dice has no use for. Sound is made by the page itself and needs none of these.
PERMISSIONS_POLICY: dict[str, list[str]] = {
    feature: []
    for feature in (
        "accelerometer camera display-capture encrypted-media geolocation gyroscope hid "
        "identity-credentials-get idle-detection magnetometer microphone midi payment "
        "serial usb xr-spatial-tracking"
    ).split()
}

# --- Numbers for whoever watches: on a port of their own, so that they are never public ------

METRICS_PORT = environment.whole_number("METRICS_PORT", 0, least=0, most=65_535)  # 0: nowhere
METRICS_HOST = environment.text("METRICS_HOST", "127.0.0.1")

# --- Logs: short, to stderr, one line each; never a body, a form or a local variable ------

LOG_LEVEL = environment.one_of("LOG_LEVEL", "INFO", among=("DEBUG", "INFO", "WARNING", "ERROR"))
LOG_FORMAT = environment.one_of("LOG_FORMAT", "text", among=("text", "json"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {
            "()": "perudo_site.logs.TextFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "format": "{asctime}{levelname}{name}{message}",
            "style": "{",
        },
    },
    "filters": {
        "request_id": {"()": "perudo_site.logs.RequestId"},
        "no_addresses": {"()": "perudo_site.logs.NoAddresses"},
        "plainly": {"()": "perudo_site.away.Plainly"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["request_id", "no_addresses", "plainly"],
        }
    },
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    # Django's own handlers would write the failing request's variables into a mail.
    "loggers": {
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        # At DEBUG these quote what a page shows and what a statement writes: dice.
        "django.template": {"level": "INFO"},
        "django.db.backends": {"level": "INFO"},
        "daphne": {"level": "WARNING"},  # which port it listens on, `make run` says
        "psycopg.pool": {"level": "ERROR"},  # each of its tries; who had to wait says so himself
    },
}
