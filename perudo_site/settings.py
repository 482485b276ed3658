"""Settings of the site: safe defaults for one machine, everything else from the environment.

README.md lists the variables; without any, the site serves this machine, with its data in ./var.
"""

from __future__ import annotations

from pathlib import Path

from csp.constants import NONE, SELF

from perudo_site import env, push_settings
from perudo_site.host_settings import *  # noqa: F403
from perudo_site.ratelimit.settings import *  # noqa: F403

BASE_DIR = Path(__file__).resolve().parent.parent

# --- Site -----------------------------------------------------------------------------

SITE_NAME = env.title("SITE_NAME", "Perudo")
DATA_DIR = env.data_folder("DATA_DIR", BASE_DIR / "var")
SECRET_KEY = env.secret_key("SECRET_KEY", file=DATA_DIR / "secret_key")
DEBUG = env.boolean("DEBUG", False)
ALLOWED_HOSTS = env.hosts("ALLOWED_HOSTS") or ["localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = env.origins("CSRF_TRUSTED_ORIGINS")

# --- Timing of the games: set by the site, not by the rules ------------------------------

TURN_SECONDS = env.integer("TURN_SECONDS", 45, least=5, most=3600)
REVEAL_SECONDS = env.integer("REVEAL_SECONDS", 3, least=1, most=600)
CALZA_DELAY_MS = env.integer("CALZA_DELAY_MS", 1500, least=0, most=10_000)
CLAIM_WINDOW_MS = env.integer("CLAIM_WINDOW_MS", 300, least=0, most=5_000)
BOT_SECONDS = env.number("BOT_SECONDS", 1.2, least=0, most=60)
# How long a table without a time limit waits for a player until a bot plays for them.
SILENCE_HOURS = env.integer("SILENCE_HOURS", 24, least=1, most=24 * 365)
OPEN_TABLE_MINUTES = env.integer("OPEN_TABLE_MINUTES", 60, least=1, most=10_080)

# --- Apps -------------------------------------------------------------------------------

# Each is an app; pages list them in this order.
GAMES = ["games.perudo", "games.peco_peco"]

INSTALLED_APPS = [
    "daphne",  # before staticfiles: runserver then serves WebSockets too
    "perudo_site",  # for its command `serve`
    "accounts.apps.AccountsConfig",
    "games.apps.GamesConfig",
    *GAMES,
    "perudo_site.staff.apps.StaffAdminConfig",  # django.contrib.admin with our AdminSite
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
    "perudo_site.server.health.middleware",  # before any check of host, HTTPS or session
    "perudo_site.middleware.measure",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",  # before WhiteNoise: static files have the policy of pages
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "perudo_site.compression.PageCompression",  # static files have compressed copies
    "perudo_site.middleware.no_store",
    "perudo_site.middleware.no_such_file",
    "perudo_site.middleware.same_for_all",
    "perudo_site.sessions.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "perudo_site.middleware.user_language",
    "perudo_site.middleware.close_sockets_with_session",
    "django.contrib.messages.middleware.MessageMiddleware",
    "perudo_site.middleware.limit_posts",
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
                    ["perudo_site.template_loader.Loader"],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "perudo_site.context_processors.site",
            ],
        },
    },
]

# --- Database, cache and channel layer ---------------------------------------------------

DATABASES = {"default": env.database("DATABASE_URL", default_file=DATA_DIR / "db.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.redis_url("REDIS_URL")
# A full channel drops messages silently. Messages are one number, so a long queue is cheap.
_CHANNEL_CAPACITY = 1000
if REDIS_URL:
    CACHES = {
        "default": {
            "BACKEND": "perudo_site.ratelimit.cache.FallbackRedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "perudo",
        }
    }
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "games.live.redis_layer.RedisLayer",
            "CONFIG": {"url": REDIS_URL, "channel": "perudo", "capacity": _CHANNEL_CAPACITY},
        }
    }
else:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "games.live.memory_layer.MemoryLayer",
            "CONFIG": {"capacity": _CHANNEL_CAPACITY},
        }
    }

# --- Accounts ---------------------------------------------------------------------------

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
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "/"
SESSION_ENGINE = "perudo_site.sessions"
# A guest can return only by this cookie; it is renewed once a day while it is used.
SESSION_COOKIE_AGE = 90 * 86_400

ACCOUNT_ADAPTER = "accounts.adapter.PeopleAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.sign_in_forms.LoginForm",
    "signup": "accounts.sign_in_forms.SignupForm",
    "change_password": "accounts.sign_in_forms.ChangePasswordForm",
    "reauthenticate": "accounts.sign_in_forms.ReauthenticateForm",
    "reset_password": "accounts.sign_in_forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.sign_in_forms.ResetPasswordKeyForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
# accounts/addresses.py looks up what users type to sign in: one account or none.
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_PREVENT_ENUMERATION = "strict"  # several accounts may claim an address, unrevealed
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # guests may sign in to their account
ACCOUNT_USERNAME_VALIDATORS = "accounts.names.validators"
OWN_NAMES = "perudo_site.own_names.own_names"  # names that no user may take
HAND_OVER = "perudo_site.handover"  # moves a guest's data to their account at sign-in
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "

# Two-factor authentication: a code from an app, or one of the recovery codes.
MFA_ADAPTER = "accounts.two_factor.TwoFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_FORMS = {
    "authenticate": "accounts.sign_in_forms.CodeForm",
    "reauthenticate": "accounts.sign_in_forms.CodeAgainForm",
    "activate_totp": "accounts.sign_in_forms.FirstCodeForm",
}
MFA_TOTP_ISSUER = SITE_NAME
MFA_TOTP_TOLERANCE = 1  # codes before and after the current one; none is accepted twice
MFA_ALLOW_UNVERIFIED_EMAIL = True  # few are verified: they only reset passwords

# --- Languages --------------------------------------------------------------------------

LANGUAGE_CODE = "en"
# Each in its own language, for readers who know no other.
LANGUAGES = [("en", "English"), ("fr", "Français"), ("it", "Italiano"), ("es", "Español")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "perudo_site.formats"
LANGUAGE_COOKIE_AGE = 365 * 86_400
LANGUAGE_COOKIE_SAMESITE = "Lax"

# --- Static files -----------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = env.static_folder("STATIC_ROOT", DATA_DIR / "static")
STATICFILES_DIRS = [BASE_DIR / "perudo_site" / "static"]
WHITENOISE_MIMETYPES = {".wav": "audio/wav"}  # WhiteNoise knows no sounds
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG  # hashed names exist only after collectstatic
            else "perudo_site.static_files.StaticFilesStorage"
        )
    },
}

# --- Email and web push -------------------------------------------------------------------

globals().update(env.email("EMAIL_URL"))
DEFAULT_FROM_EMAIL = env.sender("DEFAULT_FROM_EMAIL", "perudo@localhost")
PUSH_CONTACT = push_settings.contact([CONTACT_EMAIL, DEFAULT_FROM_EMAIL])  # noqa: F405
PUSH_KEY, PUSH_KEY_OF_FILE = push_settings.key("PUSH_KEY", file=DATA_DIR / "push_key")

# --- Security ---------------------------------------------------------------------------

# HTTPS=true: the site is reached by HTTPS only, through a proxy or directly.
HTTPS = env.boolean("HTTPS", False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 365 * 86_400 if HTTPS else 0
# Browsers remember this for a year, so by default it applies to this host alone.
HSTS = env.choice("HSTS", "host", choices=("host", "subdomains", "preload"))
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS and HSTS in ("subdomains", "preload")
SECURE_HSTS_PRELOAD = HTTPS and HSTS == "preload"
# `check --deploy` demands both, but cannot know whether other hosts of the domain use HTTPS.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
KNOWN_BROWSER_COOKIE_NAME = "known-browser"
if HTTPS:  # browsers accept such cookie names only from this exact host and over HTTPS
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    KNOWN_BROWSER_COOKIE_NAME = "__Secure-known-browser"  # __Host- requires the path /
CSRF_FAILURE_VIEW = "perudo_site.errors.csrf_failure"
X_FRAME_OPTIONS = "DENY"

# BEHIND_PROXIES=1: our own proxy is in front and sets X-Forwarded-*; with 0 they are ignored.
BEHIND_PROXIES = env.integer("BEHIND_PROXIES", 0, least=0, most=5)
ALLAUTH_TRUSTED_PROXY_COUNT = BEHIND_PROXIES
USE_X_FORWARDED_HOST = BEHIND_PROXIES > 0
if BEHIND_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Everything is loaded from this origin. htmx inserts strings and doesn't support Trusted Types.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "upgrade-insecure-requests": HTTPS,
    }
}
# Browser features the games do not use. Playing sounds needs none of these.
PERMISSIONS_POLICY: dict[str, list[str]] = {
    feature: []
    for feature in (
        "accelerometer camera display-capture encrypted-media geolocation gyroscope hid "
        "identity-credentials-get idle-detection magnetometer microphone midi payment "
        "serial usb xr-spatial-tracking"
    ).split()
}

# --- Server process ------------------------------------------------------------------------

# Metrics have a port of their own, so that they are never public; 0: off.
METRICS_PORT = env.integer("METRICS_PORT", 0, least=0, most=65_535)
METRICS_HOST = env.address("METRICS_HOST", "127.0.0.1")
# zlib's level for frames of a table (server/deflate.py); 0: off.
SOCKET_COMPRESSION = env.integer("SOCKET_COMPRESSION", 6, least=0, most=9)
# Time limits for receiving a request and for shutdown (less than TimeoutStopSec in deploy/).
REQUEST_SECONDS = env.integer("REQUEST_SECONDS", 30, least=1, most=600)
SHUTDOWN_SECONDS = env.integer("SHUTDOWN_SECONDS", 45, least=1, most=600)

# --- Logs: to stderr, one line each; never a body, a form or a local variable -------------

LOG_LEVEL = env.choice("LOG_LEVEL", "INFO", choices=("DEBUG", "INFO", "WARNING", "ERROR"))
LOG_FORMAT = env.choice("LOG_FORMAT", "text", choices=("text", "json"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {
            "()": "perudo_site.server.logs.TextFormatter",
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
        "request_id": {"()": "perudo_site.server.logs.RequestIdFilter"},
        "redact_urls": {"()": "perudo_site.server.logs.RedactUrlsFilter"},
        "outages": {"()": "games.live.outage_handling.OneLineFilter"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["request_id", "redact_urls", "outages"],
        }
    },
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    # Django's own handlers would email the variables of a failing request.
    "loggers": {
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        # At DEBUG these log template variables and SQL parameters: dice.
        "django.template": {"level": "INFO"},
        "django.db.backends": {"level": "INFO"},
        "daphne": {"level": "WARNING"},  # `make run` prints the port
    },
}
