"""The settings: safe by default, and an invalid one is refused in one sentence."""

from __future__ import annotations

import re
import stat
import subprocess
import sys
import warnings
from base64 import urlsafe_b64encode
from itertools import zip_longest
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from games.social.push import vapid
from perudo_site import env, push_settings
from tests.support.live_site import ROOT, clean_environment, manage

WRONG = {
    "DATABASE_URL": [
        *("foo", "mysql://u:hush@h/d", "postgres://u:hush@h", "postgres://u:hush@h:x/d"),
        *("postgres://u:hush@h:99999/d", "postgres://u:hush@h/d?sslmod=require"),
        "sqlite:////nowhere/at/all",
    ],
    "REDIS_URL": [
        *("127.0.0.1:6379", "http://127.0.0.1", "redis://:hush@127.0.0.1:port/0"),
        *("redis://:hush@h/first", "redis://:hush@h/0?no_option=1"),
    ],
    "MEETING_HOURS": [
        *("20:00", "8pm Europe/Paris", "25:00 Europe/Paris", "20:60 UTC", "20:00 Europe/Nowhere"),
        *(
            "20:00 ../etc/passwd",
            "Foo 20:00 UTC",
            "Mon- 20:00 UTC, 21:00 UTC",
            "20:00 UTC 21:00 UTC",
        ),
    ],
    "DAILY_HOUR": ["dawn", "-1", "24", "4:30"],
    "TURN_SECONDS": ["abc", "0", "4.5", "", "99999"],
    "BOT_SECONDS": ["soon", "-1", "nan", "inf"],
    "DEBUG": ["perhaps", ""],
    "SITE_NAME": ["", "Two\nlines", "P" * 61, "Bell\a"],
    "ALLOWED_HOSTS": [
        *("https://perudo.example", "perudo.example:8000", "perudo.example/", "péru.example", "*"),
        *("perudo.example,a b", "::1", "[::1", "[0:0:0:0:0:0:0:1]", "perudo.example.", "a\nb"),
    ],
    "CSRF_TRUSTED_ORIGINS": [
        *("perudo.example", "https://perudo.example/", "https://péru.example", "https://*"),
        *("https://Perudo.example", "https://perudo.example:443", "ftp://perudo.example"),
        *("https://a:b:c", "https://perudo.example:0x1"),
    ],
    "EMAIL_URL": [
        *(
            "mail.example.org",
            "smtp://u:hush@h:port",
            "submission://u:hush@",
            "smtps://u:hush@h:587",
        ),
        *("submission://hush@h", "smtp://u:hush@h?timeout=0", "smtp://u:hush@h?timeout=x"),
        *(
            "smtp://u:hush@h?tsl=yes",
            "smtp://u:hush@h?tls",
            "smtp://u:hush@h?ssl=maybe",
            "pigeon://u:hush@h",
            "file:",
        ),
    ],
    "DEFAULT_FROM_EMAIL": ["perudo", "", "a@b, c@d", "Perudo <a@b> x", "a@b\nBcc: c@d", "é@b"],
    "IMPRINT": ["Bell\a", "A|B|", "P" * 81, "|".join("abcdefghijklm")],
    "CONTACT_EMAIL": ["perudo", "a@b, c@d", "Perudo <a@b>", "é@b"],
    "METRICS_HOST": ["", "not a host", "http://127.0.0.1", "127.0.0.1:9101"],
    "SECRET_KEY": ["hush"],
    "LOG_FORMAT": ["xml"],
    "BEHIND_PROXIES": ["true", "-1", "6"],
    "DATA_DIR": ["/dev/null/perudo", ""],
    "STATIC_ROOT": ["/dev/null", "/nowhere/at/all"],
}
RIGHT = {
    "SITE_NAME": ["Перудо", "The “Toucan” Club"],
    "ALLOWED_HOSTS": ["", ".perudo.example,localhost,127.0.0.1,[::1],Perudo.Example"],
    "CSRF_TRUSTED_ORIGINS": [
        "",
        "https://*.perudo.example,http://localhost:8000,http://[::1]:8000",
    ],
    "DEFAULT_FROM_EMAIL": ["a@localhost", "Das Spiel Perudo <spiel@perudo.example>"],
    "IMPRINT": ["", "Ana Pérez | Gran Vía 1 | 28001 Madrid"],
    "CONTACT_EMAIL": ["", "hello@perudo.example"],
    "METRICS_HOST": ["::", "0.0.0.0", "metrics.internal"],  # noqa: S104
    "REDIS_URL": ["rediss://:hush@h:6379/3?socket_timeout=1", "redis://h"],
    "EMAIL_URL": ["", "console:", "smtp://", "file:///tmp/letters", "smtp://h:25?timeout=5"],
}


def documented() -> list[str]:
    """The settings in the table of the README."""
    return re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE)


def setting(name: str, **environment: str) -> str:
    """What the settings module makes of an environment, as text."""
    code = f"from perudo_site import settings; print(settings.{name})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=clean_environment(**environment),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def assert_stops_the_start(folder: Path, name: str, value: str) -> None:
    """With one sentence that names the setting."""
    done = manage("check", **{"DATA_DIR": str(folder), name: value})
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(rf"{name} must .*\.\n", done.stderr)
    assert "hush" not in done.stderr


@pytest.mark.parametrize("name", WRONG)
def test_an_invalid_setting_stops_the_start(
    tmp_path: Path, subtests: pytest.Subtests, name: str
) -> None:
    for value in WRONG[name]:
        with subtests.test(value=value):
            assert_stops_the_start(tmp_path, name, value)


@pytest.mark.slow
def test_so_does_any_other_setting_that_is_documented(
    tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for name in set(documented()) - WRONG.keys():
        with subtests.test(name=name):
            assert_stops_the_start(tmp_path, name, "no such value")


def test_valid_settings_are_accepted(tmp_path: Path) -> None:
    for values in zip_longest(*RIGHT.values()):
        given = {
            name: value for name, value in zip(RIGHT, values, strict=True) if value is not None
        }
        done = manage("check", DATA_DIR=str(tmp_path), **given)
        assert done.returncode == 0, done.stderr


def test_a_refusal_says_what_fits(
    monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for read, value, fits in (
        (env.hosts, "https://perudo.example:8000/", "perudo.example"),
        (env.hosts, "péru.example", "xn--pru-bma.example"),
        (env.hosts, "::1", "[::1]"),
        (env.origins, "https://Péru.example:443/", "https://xn--pru-bma.example"),
    ):
        said = re.escape(f"not “{value}”: write “{fits}”.")
        monkeypatch.setenv("GIVEN", value)
        with subtests.test(value=value), pytest.raises(env.InvalidSetting, match=said):
            read("GIVEN")
        monkeypatch.setenv("GIVEN", fits)
        assert read("GIVEN") == [fits]


# The port, and whether it is encrypted from the start or by STARTTLS.
MAIL_SERVERS = {
    "smtps://u:p@h": (465, True, False),
    "smtp://u:p@h:465": (465, True, False),
    "submission://u:p@h:465": (465, True, False),
    "smtps://u:p@h:4650": (4650, True, False),
    "submission://u:p@h": (587, False, True),
    "smtp://u:p@h:587?tls=true": (587, False, True),
    "smtp://h": (25, False, False),
}


def test_port_and_scheme_of_the_mail_server_decide_how_it_is_encrypted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = {}
    for url in MAIL_SERVERS:
        monkeypatch.setenv("EMAIL_URL", url)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = env.email("EMAIL_URL")
        assert (found["EMAIL_HOST"], found["EMAIL_TIMEOUT"]) == ("h", 10), url
        read[url] = (found["EMAIL_PORT"], found["EMAIL_USE_SSL"], found["EMAIL_USE_TLS"])
    assert read == MAIL_SERVERS


def test_an_empty_key_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret_key").touch()
    done = manage("check", DATA_DIR=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith("SECRET_KEY must be set, or “")
    assert done.stderr.count("\n") == 1


def test_the_server_refuses_an_invalid_setting_in_the_same_words(tmp_path: Path) -> None:
    environment = clean_environment(DATA_DIR=str(tmp_path), TURN_SECONDS="abc")
    done = subprocess.run(
        [sys.executable, "-m", "daphne", "perudo_site.asgi:application"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "TURN_SECONDS must be a whole number from 5 to 3600, not “abc”.\n"


def test_a_bug_still_shows_its_traceback(tmp_path: Path) -> None:
    done = manage("check", DATA_DIR=str(tmp_path), DJANGO_SETTINGS_MODULE="perudo_site.nothing")
    assert "ModuleNotFoundError" in done.stderr


def test_the_first_start_generates_a_key_and_the_next_one_finds_it(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    key = setting("SECRET_KEY", DATA_DIR=str(folder))
    assert len(key) >= 50
    assert setting("SECRET_KEY", DATA_DIR=str(folder)) == key
    assert stat.S_IMODE((folder / "secret_key").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_key_of_pushes_is_read_in_the_forms_that_tools_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, pem = tmp_path / "push_key", vapid.new_key()
    monkeypatch.delenv("PUSH_KEY")
    assert push_settings.key("PUSH_KEY", file=file) == ("", "")
    assert not file.exists(), "it is made in the database"
    private = load_pem_private_key(pem.encode(), None)
    assert isinstance(private, EllipticCurvePrivateKey)
    number = private.private_numbers().private_value
    raw = urlsafe_b64encode(number.to_bytes(32, "big")).rstrip(b"=").decode()
    file.write_text(pem)
    monkeypatch.setenv("PUSH_KEY", raw)
    assert push_settings.key("PUSH_KEY", file=file) == (raw, pem.strip())
    assert vapid.key_of(raw) == vapid.key_of(pem)
    assert len(vapid.key_of(raw).public_key) == 87
    file.write_text("not a key")
    with pytest.raises(env.InvalidSetting, match="push_key"):
        push_settings.key("PUSH_KEY", file=file)


def test_push_services_are_told_the_first_address_that_there_is() -> None:
    assert push_settings.contact(["", "Ann <ann@example.org>"]) == "ann@example.org"


def test_a_bad_key_of_pushes_is_refused(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for value in ("abc", "-----BEGIN PRIVATE KEY-----\nabc", "A" * 43, "é"):
        with subtests.test(value=value):
            done = manage("check", DATA_DIR=str(tmp_path), PUSH_KEY=value)
            assert done.returncode == 1
            assert done.stderr.startswith("PUSH_KEY must be a private key on the curve P-256")
            assert value not in done.stderr
            assert done.stderr.count("\n") == 1


def test_push_services_are_hosts_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "fcm.googleapis.com" in push_settings.services("PUSH_SERVICES")
    monkeypatch.setenv("PUSH_SERVICES", "none")
    assert push_settings.services("PUSH_SERVICES") == []
    monkeypatch.setenv("PUSH_SERVICES", "*.push.example, own.example:8443")
    assert push_settings.services("PUSH_SERVICES") == ["*.push.example", "own.example:8443"]
    for bad in ("https://push.example", "push.example/x", "*"):
        monkeypatch.setenv("PUSH_SERVICES", bad)
        with pytest.raises(env.InvalidSetting):
            push_settings.services("PUSH_SERVICES")


def test_two_sites_have_two_keys(tmp_path: Path) -> None:
    keys = {setting("SECRET_KEY", DATA_DIR=str(tmp_path / name)) for name in "ab"}
    assert len(keys) == 2


def test_passwords_are_kept_with_argon2(tmp_path: Path) -> None:
    first = "PASSWORD_HASHERS[0]"
    assert setting(first, DATA_DIR=str(tmp_path)).endswith(".Argon2PasswordHasher")


def test_debugging_is_off_unless_asked_for(tmp_path: Path) -> None:
    assert setting("DEBUG", DATA_DIR=str(tmp_path)) == "False"


def test_the_deploy_check_is_clean(tmp_path: Path) -> None:
    done = manage(
        "check",
        "--deploy",
        "--fail-level",
        "WARNING",
        DATA_DIR=str(tmp_path),
        HTTPS="true",
        ALLOWED_HOSTS="perudo.example",
    )
    assert done.returncode == 0, done.stderr


def test_a_postgresql_address_keeps_its_options_and_waits_no_longer_than_three_seconds(
    tmp_path: Path,
) -> None:
    options = setting(
        'DATABASES["default"]["OPTIONS"]',
        DATA_DIR=str(tmp_path),
        DATABASE_URL="postgres://u:p@db.example:5433/perudo?sslmode=require",
    )
    assert "'sslmode': 'require'" in options
    assert "'connect_timeout': 3" in options


def test_proxy_headers_are_trusted_only_behind_a_proxy(tmp_path: Path) -> None:
    assert setting("USE_X_FORWARDED_HOST", DATA_DIR=str(tmp_path)) == "False"
    assert setting("USE_X_FORWARDED_HOST", DATA_DIR=str(tmp_path), BEHIND_PROXIES="1") == "True"


def test_every_variable_is_documented() -> None:
    sources = [ROOT / "perudo_site" / name for name in ("settings.py", "ratelimit/settings.py")]
    named = set()
    for source in sources:
        named |= set(re.findall(r'\benv\.\w+\(\s*"(\w+)"', source.read_text()))
    named |= {"EMAIL_URL", "DATABASE_URL"}
    guide = (ROOT / "README.md").read_text()
    assert len(named) > 15
    assert sorted(name for name in named if f"`{name}`" not in guide) == []
