"""The settings: safe by default, and an invalid one is refused in one sentence."""

from __future__ import annotations

import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live import ROOT, clean_environment, manage

WRONG = {
    "DATABASE_URL": ["foo", "mysql://u:hush@h/d", "postgres://u:hush@h", "postgres://u:hush@h:x/d"],
    "REDIS_URL": ["127.0.0.1:6379", "http://127.0.0.1", "redis://:hush@127.0.0.1:port/0"],
    "TURN_SECONDS": ["abc", "0", "4.5", "", "99999"],
    "BOT_SECONDS": ["soon", "-1", "nan"],
    "DEBUG": ["perhaps"],
    "EMAIL_URL": ["mail.example.org", "smtp://u:hush@h:port"],
    "CSRF_TRUSTED_ORIGINS": ["perudo.example"],
    "SECRET_KEY": ["hush"],
    "LOG_FORMAT": ["xml"],
    "BEHIND_PROXIES": ["true"],
    "DATA_DIR": ["/dev/null/perudo"],
    "STATIC_ROOT": ["/dev/null", "/nowhere/at/all"],
}


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


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in WRONG.items() for value in values]
)
def test_an_invalid_setting_stops_the_start_with_one_sentence_that_names_it(
    tmp_path: Path, name: str, value: str
) -> None:
    done = manage("check", **{"DATA_DIR": str(tmp_path), name: value})
    assert done.returncode == 1
    assert done.stdout == ""
    sentence = done.stderr.rstrip("\n")
    assert sentence.startswith(f"{name} must ")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert "hush" not in sentence


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


def test_a_postgresql_address_keeps_its_options_and_gets_a_pool(tmp_path: Path) -> None:
    options = setting(
        'DATABASES["default"]["OPTIONS"]',
        DATA_DIR=str(tmp_path),
        DATABASE_URL="postgres://u:p@db.example:5433/perudo?sslmode=require",
    )
    assert "'sslmode': 'require'" in options
    assert "'pool':" in options


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
