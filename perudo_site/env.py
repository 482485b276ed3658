"""Reads settings from environment variables; an invalid one is refused in one sentence."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from environs import Env, EnvError, validate
from redis.connection import parse_url

from perudo_site import databases

_env = Env()


class InvalidSetting(ImproperlyConfigured):
    """A setting the site cannot start with; its text is one sentence for the person who set it."""


def _read(parse: Callable[..., Any], name: str, default: Any, must: str, **options: Any) -> Any:
    """Parse a variable with one of environs' parsers; `must` says what a value has to be."""
    try:
        return parse(name, default, **options)
    except EnvError:
        raise InvalidSetting(f"{name} must {must}, not “{os.environ[name]}”.") from None


def string(name: str, default: str) -> str:
    return _env.str(name, default).strip()


def strings(name: str) -> list[str]:
    """A comma-separated list; empty when unset."""
    return [each.strip() for each in string(name, "").split(",") if each.strip()]


def choice(name: str, default: str, *, choices: tuple[str, ...]) -> str:
    must = f"be one of {', '.join(choices)}"
    return str(_read(_env.str, name, default, must, validate=validate.OneOf(choices)))


def boolean(name: str, default: bool) -> bool:
    return bool(_read(_env.bool, name, default, "be true or false"))


def integer(name: str, default: int, *, least: int, most: int) -> int:
    must = f"be a whole number from {least} to {most}"
    return int(_read(_env.int, name, default, must, validate=validate.Range(least, most)))


def number(name: str, default: float, *, least: float, most: float) -> float:
    must = f"be a number from {least:g} to {most:g}"
    return float(_read(_env.float, name, default, must, validate=validate.Range(least, most)))


def origins(name: str) -> list[str]:
    """A comma-separated list of origins such as https://perudo.example."""
    found = strings(name)
    for origin in found:
        if not re.fullmatch(r"https?://[^/?#\s]+", origin):
            raise InvalidSetting(
                f"{name} must list origins such as https://perudo.example, not “{origin}”."
            )
    return found


# The values below may hold passwords, so a refusal never repeats them.


def redis_url(name: str) -> str:
    """The address of Redis; an empty string means the site runs without it."""
    url = string(name, "")
    try:
        usable = not url or (url.startswith("redis") and parse_url(url).get("host"))
    except ValueError:
        usable = False
    if not usable:
        raise InvalidSetting(f"{name} must look like redis://host:6379/0, and it does not.")
    return url


def database(name: str, *, default_file: Path) -> dict[str, Any]:
    """Django's settings of the database: PostgreSQL when asked for, else one SQLite file."""
    if not string(name, ""):
        return databases.sqlite(default_file)
    try:
        parsed: dict[str, Any] = dict(_env.dj_db_url(name))
    except EnvError:
        parsed = {}
    match parsed:
        case {"ENGINE": "django.db.backends.postgresql", "NAME": str(database)} if database:
            return databases.postgresql(parsed)
        case {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file)} if file:
            if file != ":memory:":
                return databases.sqlite(Path(file))
    raise InvalidSetting(
        f"{name} must look like postgres://user:password@host:5432/name or sqlite:///file, "
        "and it does not."
    )


def email(name: str) -> dict[str, Any]:
    """Django's e-mail settings from one URL; mail goes to the console when it is not set."""
    try:
        found: dict[str, Any] = _env.dj_email_url(name, "console:")
    except EnvError:
        found = {}
    if not found.get("EMAIL_BACKEND"):
        raise InvalidSetting(
            f"{name} must look like submission://user:password@host:587, and it does not."
        )
    found["EMAIL_TIMEOUT"] = found["EMAIL_TIMEOUT"] or 10  # seconds to wait for a silent server
    return {key: value for key, value in found.items() if key.startswith("EMAIL_")}


def secret_key(name: str, *, file: Path) -> str:
    """The signing key: as set, or generated once and kept in `file` (mode 0600)."""
    key = string(name, "")
    if key:
        if len(key) < 50:
            raise InvalidSetting(f"{name} must have at least 50 characters.")
        return key
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return file.read_text().strip()
    with os.fdopen(descriptor, "w") as new:
        new.write(secrets.token_urlsafe(64))
    return file.read_text().strip()


def data_folder(name: str, default: Path) -> Path:
    """The folder of the database file and the secret key, created when it is missing."""
    folder = Path(string(name, str(default))).expanduser().absolute()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        usable = os.access(folder, os.W_OK)
    except OSError:
        usable = False
    if not usable:
        raise InvalidSetting(f"{name} must be a folder the site can write to, not “{folder}”.")
    return folder


def static_folder(name: str, default: Path) -> Path:
    """A folder that may not exist yet, and that the server only reads."""
    folder = Path(string(name, str(default))).expanduser().absolute()
    if not folder.is_dir() and (folder.exists() or not folder.parent.is_dir()):
        raise InvalidSetting(f"{name} must be a folder, or a new one in a folder, not “{folder}”.")
    return folder
