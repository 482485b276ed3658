"""Parsers of settings in environment variables; an invalid one is refused in one sentence."""

from __future__ import annotations

import os
import re
import secrets
import warnings
from collections.abc import Callable
from email.utils import parseaddr
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from django.core.exceptions import ImproperlyConfigured
from environs import Env, EnvError, validate
from redis.connection import ConnectionPool, parse_url

from perudo_site import databases, key_files

_env = Env()


class InvalidSetting(ImproperlyConfigured):
    """A setting prevents the site's start; the text is one sentence for the person who set it."""

    def __init__(self, text: str) -> None:
        super().__init__(" ".join(text.split()))  # a value may have several lines


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


def title(name: str, default: str) -> str:
    """A displayed name: one line of 1 to 60 characters."""
    text = string(name, default)
    if not 1 <= len(text) <= 60 or not text.isprintable():
        raise InvalidSetting(f"{name} must be one line of 1 to 60 characters.")
    return text


def lines(name: str, *, most: int) -> list[str]:
    """Displayed lines of text, separated by “|”, of 1 to 80 characters each; empty when unset."""
    found = [each.strip() for each in string(name, "").split("|")]
    if found == [""]:
        return []
    if len(found) > most or not all(1 <= len(each) <= 80 and each.isprintable() for each in found):
        raise InvalidSetting(
            f"{name} must be 1 to {most} lines of 1 to 80 characters, separated by “|”."
        )
    return found


# --- Names of hosts ------------------------------------------------------------------------------


def hosts(name: str) -> list[str]:
    """A comma-separated list of host names as in Django's ALLOWED_HOSTS; empty when unset.

    “*” is refused: links in emails contain the host that a request names, and anyone could send a
    request that names their own host.
    """
    found = strings(name)
    for host in found:
        part = host.removeprefix(".")
        fits = _host(part)
        if fits is None or fits != part.lower():
            raise InvalidSetting(
                f"{name} must list host names such as perudo.example, without scheme, port or "
                f"path, not “{host}”{_instead(fits)}."
            )
    return found


def origins(name: str) -> list[str]:
    """A comma-separated list of origins such as https://perudo.example."""
    found = strings(name)
    for origin in found:
        fits = _origin(origin)
        if fits != origin:
            raise InvalidSetting(
                f"{name} must list origins such as https://perudo.example, as browsers send them, "
                f"not “{origin}”{_instead(fits)}."
            )
    return found


def address(name: str, default: str) -> str:
    """The IP address or host name of an interface of this machine."""
    host = string(name, default)
    if not (_is_ip(host) or _HOST.fullmatch(host)):
        raise InvalidSetting(f"{name} must be an IP address or a host name, not “{host}”.")
    return host


_LABEL: Final = r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST: Final = re.compile(rf"{_LABEL}(\.{_LABEL})*", re.IGNORECASE)
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def _instead(fits: str | None) -> str:
    return f": write “{fits}”" if fits else ""


def _host(text: str) -> str | None:
    """Return the intended host name, as a browser sends it; None if none is recognisable."""
    try:
        if _is_ip(text):
            text = f"[{text}]" if ":" in text else text
        host = urlsplit(text if "://" in text else f"//{text}").hostname or ""
        if ":" in host:
            return f"[{ip_address(host).compressed}]"
        host = host.rstrip(".").encode("idna").decode()
    except (ValueError, UnicodeError):
        return None
    return host.lower() if _HOST.fullmatch(host) else None


def _origin(text: str) -> str | None:
    """Return the intended origin, as a browser sends it; None if none is recognisable.

    Browsers send hosts in lower-case ASCII, and omit the default port of the scheme.
    """
    try:
        url = urlsplit(text)
        port = url.port
    except ValueError:
        return None
    wildcard = "*." if (url.hostname or "").startswith("*.") else ""
    host = _host(text.replace("://*.", "://", 1))
    if url.scheme not in _DEFAULT_PORTS or host is None:
        return None
    suffix = "" if port in (None, _DEFAULT_PORTS[url.scheme]) else f":{port}"
    return f"{url.scheme}://{wildcard}{host}{suffix}"


def _is_ip(text: str) -> bool:
    try:
        return bool(ip_address(text))
    except ValueError:
        return False


# --- The values below may hold passwords, so a refusal never repeats them ------------------------


def redis_url(name: str) -> str:
    """The URL of Redis; "" if the site runs without Redis."""
    url = string(name, "")
    try:
        # Unknown options show only when a connection object is made, which does not connect yet.
        usable = not url or (
            url.startswith("redis")
            and bool(parse_url(url).get("host"))
            and re.fullmatch(r"/?\d*", urlsplit(url).path) is not None
            and bool(ConnectionPool.from_url(url).make_connection())
        )
    except (ValueError, TypeError):
        usable = False
    if not usable:
        raise InvalidSetting(f"{name} must look like redis://host:6379/0, and it does not.")
    return url


def database(name: str, *, default_file: Path) -> dict[str, Any]:
    """Django's settings of the database: the one of the URL, by default an SQLite file."""
    url = string(name, "")
    synchronous = choice("SQLITE_SYNCHRONOUS", "normal", choices=("normal", "full"))
    if url:
        found = databases.at(url, synchronous=synchronous)
    else:
        found = databases.sqlite(default_file, synchronous=synchronous)
    if found is None:
        raise InvalidSetting(
            f"{name} must look like postgres://user:password@host:5432/name or sqlite:///file, "
            "and it does not."
        )
    return found


# Port 465 uses TLS from the first byte, the others begin in clear text (RFC 8314).
_TLS_PORT: Final = 465


def email(name: str) -> dict[str, Any]:
    """Django's email settings from one URL; if it is unset, emails go to the console."""
    url = string(name, "")
    if not url:
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    refused = InvalidSetting(
        f"{name} must look like submission://user:password@host:587 or "
        "smtps://user:password@host:465, and it does not."
    )
    try:
        parsed = urlsplit(url)
        options = dict(parse_qsl(parsed.query, keep_blank_values=True, strict_parsing=True))
        implicit = parsed.scheme == "smtps"
        with warnings.catch_warnings(action="ignore"):  # it expects smtps:// to mean STARTTLS
            found: dict[str, Any] = _env.dj_email_url(name, url)
    except (ValueError, EnvError):
        raise refused from None
    switches = [value.lower() for key, value in options.items() if key != "timeout"]
    if (
        not found.get("EMAIL_BACKEND")
        or not options.keys() <= {"ssl", "tls", "timeout"}
        or not {*switches} <= {"true", "false", "yes", "no", "on", "off", "1", "0"}
    ):
        raise refused
    if found["EMAIL_BACKEND"].endswith("smtp.EmailBackend"):
        user, password = found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"]
        if parsed.scheme != "smtp" and not parsed.hostname or bool(user) != bool(password):
            raise refused
        port = parsed.port or (_TLS_PORT if implicit else found["EMAIL_PORT"])
        if implicit and port in (25, 587):
            raise InvalidSetting(
                f"{name} must begin with submission:// for port {port}, which uses STARTTLS; "
                "smtps:// is for port 465."
            )
        if (implicit or port == _TLS_PORT) and not options.keys() & {"ssl", "tls"}:
            found |= {"EMAIL_USE_SSL": True, "EMAIL_USE_TLS": False}
        found["EMAIL_PORT"] = port
    elif parsed.scheme == "file" and not found["EMAIL_FILE_PATH"]:
        raise refused
    timeout = found["EMAIL_TIMEOUT"]
    if timeout is not None and not 1 <= timeout <= 300:
        raise InvalidSetting(f"{name} must have a timeout from 1 to 300 seconds.")
    found["EMAIL_TIMEOUT"] = timeout or 10  # seconds to wait for a silent server
    return {key: value for key, value in found.items() if key.startswith("EMAIL_")}


_MAILBOX: Final = re.compile(r"[!-?A-~]+@[!-?A-~]+")


def mailbox(name: str) -> str:
    """An email address alone; "" when unset."""
    text = string(name, "")
    if text and (not _MAILBOX.fullmatch(text) or parseaddr(text)[1] != text):
        raise InvalidSetting(
            f"{name} must be an email address such as hello@perudo.example, not “{text}”."
        )
    return text


def sender(name: str, default: str) -> str:
    """A From address, alone or with a name before it in angle brackets."""
    text = string(name, default)
    _name, plain = parseaddr(text)
    whole = plain == text or (text.endswith(f"<{plain}>") and text.isprintable())
    if not whole or not _MAILBOX.fullmatch(plain):
        raise InvalidSetting(
            f"{name} must be an email address such as perudo@perudo.example or "
            f"Perudo <perudo@perudo.example>, not “{text}”."
        )
    return text


def secret_key(name: str, *, file: Path) -> str:
    """The signing key: the one set, or one generated once and kept in `file` (mode 0600)."""
    key = string(name, "")
    if key:
        if len(key) < 50:
            raise InvalidSetting(f"{name} must have at least 50 characters.")
        return key
    key = key_files.kept(file, lambda: secrets.token_urlsafe(64))
    if len(key) < 50:
        must = f"must be set, or “{file}” must hold the key of at least 50 characters."
        raise InvalidSetting(f"{name} {must}")
    return key


def data_folder(name: str, default: Path) -> Path:
    """The folder of the database file and the secret key, created when it is missing."""
    text = string(name, str(default))
    folder = Path(text or "/dev/null/unset").expanduser().absolute()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        usable = os.access(folder, os.W_OK | os.X_OK)
    except (OSError, ValueError):
        usable = False
    if not usable:
        raise InvalidSetting(f"{name} must be a folder the site can write to, not “{text}”.")
    return folder


def static_folder(name: str, default: Path) -> Path:
    """A folder that may not exist yet, and that the server only reads."""
    folder = Path(string(name, str(default))).expanduser().absolute()
    if not folder.is_dir() and (folder.exists() or not folder.parent.is_dir()):
        raise InvalidSetting(f"{name} must be a folder, or a new one in a folder, not “{folder}”.")
    return folder
