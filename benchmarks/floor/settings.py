"""The site's own database, cache and messages; of everything else only what a session needs.

FLOOR says which floor this is: `stock`, as Django and Channels come, or `tuned`, with every
known shortcut that still does the same work.
"""

from __future__ import annotations

import os

from perudo_site.settings import (  # noqa: F401
    ALLOWED_HOSTS,
    CACHES,
    DATABASES,
    DEFAULT_AUTO_FIELD,
    LOGGING,
    REDIS_URL,
    SECRET_KEY,
    USE_TZ,
)

TUNED = {"stock": False, "tuned": True}[os.environ["FLOOR"]]
FRAME_BYTES = int(os.environ.get("FLOOR_FRAME_BYTES", "2000"))

INSTALLED_APPS = [
    "daphne",
    "benchmarks.floor",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "channels",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
ROOT_URLCONF = "benchmarks.floor.app"
ASGI_APPLICATION = "benchmarks.floor.asgi.application"

if REDIS_URL:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL], "prefix": "floor"},
        }
    }
else:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": (
                "benchmarks.floor.layer.LeanLayer"
                if TUNED
                else "channels.layers.InMemoryChannelLayer"
            ),
            "CONFIG": {"capacity": 1000, "expiry": 600, "group_expiry": 7 * 86_400},
        }
    }
