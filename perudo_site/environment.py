"""Reads the site's settings from the environment; a wrong one is refused in one sentence."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from environs import Env, EnvError

env = Env()


class WrongSetting(ImproperlyConfigured):
    """A setting the site cannot start with; its text is one sentence for the person who set it."""


def text(name: str, default: str) -> str:
    return env.str(name, default).strip()


def words(name: str) -> list[str]:
    """A comma-separated list; empty when unset."""
    return [word.strip() for word in text(name, "").split(",") if word.strip()]


def switch(name: str, default: bool) -> bool:
    try:
        return env.bool(name, default)
    except EnvError:
        raise WrongSetting(f"{name} must be true or false, not “{os.environ[name]}”.") from None


def whole_number(name: str, default: int, *, least: int, most: int) -> int:
    try:
        number = env.int(name, default)
    except EnvError:
        number = least - 1
    if not least <= number <= most:
        raise WrongSetting(
            f"{name} must be a whole number from {least} to {most}, not “{os.environ[name]}”."
        )
    return number


def decimal_number(name: str, default: float, *, least: float, most: float) -> float:
    try:
        number = env.float(name, default)
    except EnvError:
        number = least - 1
    if not least <= number <= most:  # also refuses NaN, which is between nothing
        raise WrongSetting(
            f"{name} must be a number from {least:g} to {most:g}, not “{os.environ[name]}”."
        )
    return number


def origins(name: str) -> list[str]:
    """A comma-separated list of origins such as https://perudo.example."""
    found = words(name)
    for origin in found:
        parts = urlsplit(origin)
        if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path:
            raise WrongSetting(
                f"{name} must list origins such as https://perudo.example, not “{origin}”."
            )
    return found


def redis_url(name: str) -> str:
    """The address of Redis; an empty string means the site runs without it."""
    url = text(name, "")
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"redis", "rediss"} and parts.hostname and (parts.port or True)
    except ValueError:  # a port that is no number
        usable = False
    if url and not usable:
        raise WrongSetting(f"{name} must look like redis://host:6379/0, and it does not.")
    return url


def database(name: str, *, default_file: Path) -> dict[str, Any]:
    """Django's settings for the database: PostgreSQL when asked for, else one SQLite file.

    The value is never repeated in a refusal: it may hold a password.
    """
    expected = f"{name} must look like postgres://user:password@host:5432/name or sqlite:///file"
    if not text(name, ""):
        return sqlite(default_file)
    try:
        found: dict[str, Any] = env.dj_db_url(name)
    except (EnvError, ValueError):
        raise WrongSetting(f"{expected}, and it does not.") from None
    match found.get("ENGINE"):
        case "django.db.backends.postgresql" if found.get("NAME"):
            return postgresql(found)
        case "django.db.backends.sqlite3" if found.get("NAME") not in {"", ":memory:", None}:
            return sqlite(Path(found["NAME"]))
        case _:
            raise WrongSetting(f"{expected}, and it does not.")


def sqlite(file: Path) -> dict[str, Any]:
    """One file. Writers queue up for it from the first statement on instead of failing half-way.

    How long they wait for a file that is locked, the engine says.
    """
    return {
        "ENGINE": "perudo_site.sqlite3",
        "NAME": file,
        # The site's database thread lives as long as the process; see perudo_site/asgi.py.
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 3,  # seconds to wait while a connection is set up
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }


def postgresql(found: dict[str, Any]) -> dict[str, Any]:
    """A pool of connections per process; what the address says beyond that is kept.

    A connection from before a restart of the database is not handed out (see the engine), a line
    that went silent is given up, and nobody waits longer than the pool's timeout for a database
    that is away. The pool waits longer and longer between its tries, so it may not try long: the
    next who asks begins anew, and the first one after the database is back is served.
    """
    found["CONN_MAX_AGE"] = 0  # the pool keeps connections, the requests do not
    found["ENGINE"] = "perudo_site.postgresql"
    silence = {
        "connect_timeout": 3,
        "keepalives_idle": 10,
        "keepalives_interval": 3,
        "keepalives_count": 3,
        "tcp_user_timeout": 10_000,
    }
    found["OPTIONS"] = (
        silence
        | found.get("OPTIONS", {})
        | {"pool": {"min_size": 1, "max_size": 10, "timeout": 3, "reconnect_timeout": 1}}
    )
    return found


def mail(name: str) -> dict[str, Any]:
    """Django's mail settings from one address; letters go to the console when it is not set."""
    try:
        found: dict[str, Any] = env.dj_email_url(name, "console:")
    except (EnvError, ValueError):
        found = {}
    if not found.get("EMAIL_BACKEND"):
        raise WrongSetting(
            f"{name} must look like submission://user:password@host:587, and it does not."
        )
    found["EMAIL_TIMEOUT"] = found["EMAIL_TIMEOUT"] or 10  # a silent mail server must not hold us
    return {key: value for key, value in found.items() if key.startswith("EMAIL_")}


def data_folder(name: str, default: Path) -> Path:
    """The folder for the database file and the secret key, made when it is missing."""
    folder = Path(text(name, str(default))).expanduser().absolute()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        raise WrongSetting(
            f"{name} must be a folder the site can write to, and “{folder}” is not."
        ) from None
    if not os.access(folder, os.W_OK):
        raise WrongSetting(f"{name} must be a folder the site can write to, not “{folder}”.")
    return folder


def secret_key(name: str, *, file: Path) -> str:
    """The key that signs sessions: as set, or one made once and kept in `file` (mode 0600)."""
    key = text(name, "")
    if key:
        if len(key) < 50:
            raise WrongSetting(f"{name} must have at least 50 characters.")
        return key
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return file.read_text().strip()
    with os.fdopen(descriptor, "w") as new:
        new.write(secrets.token_urlsafe(64))
    return file.read_text().strip()


def one_of(name: str, default: str, *, among: tuple[str, ...]) -> str:
    word = text(name, default)
    if word not in among:
        raise WrongSetting(f"{name} must be one of {', '.join(among)}, not “{word}”.")
    return word
