"""The site's own settings, with a database and a data folder that last for one test run."""

from __future__ import annotations

import os
import shutil
import tempfile
from atexit import register
from pathlib import Path

from games.social.push import vapid

_folder = Path(tempfile.mkdtemp(prefix="perudo-tests-"))
register(shutil.rmtree, _folder, ignore_errors=True)

# Settings in the developer's shell must not affect the tests.
for _name in ("ALLOWED_HOSTS", "BEHIND_PROXIES", "DEBUG", "EMAIL_URL", "HTTPS", "REDIS_URL"):
    os.environ.pop(_name, None)
os.environ.pop("STATIC_ROOT", None)
os.environ["DATA_DIR"] = str(_folder)
os.environ["SECRET_KEY"] = "only-for-tests-" * 4
# One key for the whole run, of which no page has to ask the database.
os.environ["PUSH_KEY"] = vapid.new_key()
os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL", "")

from perudo_site.settings import *  # noqa: E402, F403
from perudo_site.settings import DATABASES, STORAGES  # noqa: E402

# A file, because an in-memory database says "table is locked" as soon as there are threads.
if DATABASES["default"]["ENGINE"] == "perudo_site.sqlite3":
    DATABASES["default"]["TEST"] = {"NAME": str(_folder / "test.sqlite3")}

# Argon2 is slow on purpose; tests/perudo_site/test_settings.py proves that the site itself uses it.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Hashed names exist only after collectstatic.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = True
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
