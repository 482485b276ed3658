"""Online backups of the whole database to one file, and restoring them.

A backup holds the hidden dice of every running game: protect it like the database itself. A restore
is complete or changes nothing.

Each backup has a file with its SHA-256 digest beside it, which `sha256sum --check` can read; older
backups have the digest in their last line. The digest detects damage, not tampering: anyone who can
write to the file can compute a digest too. A signing key would not help: a site that is rebuilt
from its backup may have lost it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db.migrations.loader import MigrationLoader

from perudo_site.env import InvalidSetting
from perudo_site.server import data_lock

Migrations = set[tuple[str, str]]  # (app, name)

_SIGNATURES: Final = {b"SQLite format 3\0": "sqlite3", b"PGDMP": "postgresql"}
_NAMES: Final = {"sqlite3": "SQLite", "postgresql": "PostgreSQL"}
# Connection options and the environment variables that PostgreSQL's programs read them from.
_PG_OPTIONS: Final = {
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
    "passfile": "PGPASSFILE",
    "service": "PGSERVICE",
}

# The last line of a backup that version 0.8 or an older one wrote.
_DIGEST_LINE: Final = re.compile(rb"\nperudo-backup sha256 ([0-9a-f]{64})\n\Z")
_DIGEST_LENGTH: Final = len(b"\nperudo-backup sha256 \n") + 64  # bytes


class Refused(Exception):
    """Nothing was changed; the message gives the reason in one sentence."""


def back_up(file: Path) -> None:
    """Write a consistent snapshot of the database to a new file (mode 0600), with its checksum."""
    for each in (file, checksum_of(file)):
        if each.exists():
            raise Refused(f"“{each}” exists already; a copy never overwrites another one.")
    if not file.absolute().parent.is_dir():
        raise Refused(f"There is no folder “{file.absolute().parent}”.")
    with tempfile.TemporaryDirectory(dir=file.absolute().parent) as folder:
        part = Path(folder) / "part"
        part.touch(mode=0o600)
        match _kind():
            case "sqlite3":
                _sqlite_back_up(part)
            case "postgresql":
                _run("pg_dump", "--format=custom", "--no-owner", "--no-acl", f"--file={part}")
        _write_checksum(part, file)
        os.replace(part, file)


def restore(file: Path, *, replace: bool, unverified: bool = False) -> None:
    """Replace the database of this site by a backup; no process may use the database meanwhile.

    The present content of the database is lost; it must be empty unless `replace`. A backup without
    a checksum is refused unless `unverified`; a backup with a wrong checksum is always refused.
    """
    if not file.is_file():
        raise Refused(f"There is no file “{file}”.")
    kind = _kind()
    with file.open("rb") as opened:
        header = opened.read(16)
    found = next((kind for sig, kind in _SIGNATURES.items() if header.startswith(sig)), None)
    if found is None:
        raise Refused(f"“{file}” is not a copy of a database.")
    if found != kind:
        raise Refused(f"“{file}” is a copy from {_NAMES[found]}, and here is {_NAMES[kind]}.")
    _verify_digest(file, unverified=unverified)
    if kind == "sqlite3":
        _sqlite_restore(file, replace=replace)
    else:
        _postgres_restore(file, replace=replace)


def checksum_of(file: Path) -> Path:
    """Return the path of a backup's checksum."""
    return file.with_name(f"{file.name}.sha256")


def _write_checksum(part: Path, file: Path) -> None:
    """Write the checksum before the backup gets its name, so that none is without a checksum."""
    with part.open("rb") as copy:
        digest = hashlib.file_digest(copy, "sha256").hexdigest()
    checksum_of(file).write_text(f"{digest}  {file.name}\n")


def _verify_digest(file: Path, *, unverified: bool) -> None:
    size, found = file.stat().st_size, None
    with file.open("rb") as copy:
        if checksum_of(file).exists():
            found = checksum_of(file).read_bytes()[:64]
        elif size >= _DIGEST_LENGTH:
            copy.seek(size - _DIGEST_LENGTH)
            if line := _DIGEST_LINE.match(copy.read()):
                found, size = line[1], size - _DIGEST_LENGTH
        if found is None:
            if unverified:
                return
            raise Refused(
                f"There is no “{checksum_of(file)}” to check the copy against. If you are sure "
                "that it is whole, --unverified restores it unchecked."
            )
        copy.seek(0)
        digest = hashlib.sha256()
        while size > 0 and (block := copy.read(min(size, 1 << 20))):
            digest.update(block)
            size -= len(block)
    if digest.hexdigest().encode() != found:
        raise Refused(f"“{file}” is damaged: its content does not match its digest.")


def _kind() -> str:
    engine: str = settings.DATABASES["default"]["ENGINE"]
    return engine.rpartition(".")[2]


def _check_version(file: Path, applied: Migrations) -> None:
    ours = MigrationLoader(None).disk_migrations
    apps = {app for app, _ in ours}
    if not any(app == "games" for app, _ in applied):
        raise Refused(f"“{file}” is not a copy of this site's database.")
    if newer := sorted(
        (app, name) for app, name in applied if app in apps and (app, name) not in ours
    ):
        raise Refused(f"“{file}” comes from a newer version, which knows {'.'.join(newer[0])}.")


def _check_may_replace(*, empty: bool, replace: bool) -> None:
    if not empty and not replace:
        raise Refused("The database is not empty; --replace says that what it holds may go.")


# --- SQLite --------------------------------------------------------------------------------------


def _sqlite_file() -> Path:
    return Path(settings.DATABASES["default"]["NAME"])


def _sqlite_back_up(part: Path) -> None:
    """Use SQLite's online backup, in one step: a snapshot that blocks no writer."""
    source = _sqlite_file()
    if not source.exists():
        raise Refused("There is no database yet.")
    with closing(sqlite3.connect(source, timeout=30)) as old, closing(sqlite3.connect(part)) as new:
        old.backup(new)
        new.execute("PRAGMA journal_mode=DELETE")  # a single file, without a WAL beside it
    _check_integrity(part)


def _sqlite_restore(file: Path, *, replace: bool) -> None:
    """Restore through SQLite, not by copying the file: a WAL left behind would corrupt it."""
    target = _sqlite_file()
    _check_version(file, _check_integrity(file))
    try:
        data_lock.exclusive(settings.DATA_DIR)
    except InvalidSetting:
        raise Refused(
            f"A server runs on the data in “{settings.DATA_DIR}”; stop it first."
        ) from None
    with closing(sqlite3.connect(target, timeout=5)) as here:
        tables = here.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        _check_may_replace(empty=not tables, replace=replace)
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as copy:
            copy.backup(here)  # in one transaction


def _check_integrity(file: Path) -> Migrations:
    """Return the migrations of a backup; Refused if it fails SQLite's integrity check."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as copy:
            [[verdict], *_] = copy.execute("PRAGMA integrity_check").fetchall()
            if verdict == "ok":
                return set(copy.execute("SELECT app, name FROM django_migrations"))
    except sqlite3.DatabaseError:
        pass
    raise Refused(f"“{file}” is damaged, or not a copy of this site's database.")


# --- PostgreSQL ----------------------------------------------------------------------------------

_OTHER_CLIENTS: Final = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)
_TABLES: Final = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"


def _postgres_restore(file: Path, *, replace: bool) -> None:
    """Convert the whole archive to SQL first, then run it in one transaction."""
    rows = _run("pg_restore", "--data-only", "--table=django_migrations", "--file=-", str(file))
    cells = [line.split("\t") for line in rows.splitlines()]
    _check_version(file, {(row[1], row[2]) for row in cells if len(row) == 4})
    psql = ("psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align")
    if int(_run(*psql, "--command", _OTHER_CLIENTS)):
        raise Refused("Somebody is connected to the database; stop every server first.")
    _check_may_replace(empty=not int(_run(*psql, "--command", _TABLES)), replace=replace)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.sql"
        _run("pg_restore", "--no-owner", "--no-acl", f"--file={script}", str(file))
        transaction = ("--single-transaction", "--set=ON_ERROR_STOP=1", f"--file={script}")
        drop = ("--command=DROP SCHEMA public CASCADE", "--command=CREATE SCHEMA public")
        _run(*psql, *drop, *transaction)


def _run(program: str, *args: str) -> str:
    """Run one of PostgreSQL's programs, return its output; Refused with its last error if any."""
    found = shutil.which(program)
    if found is None:
        raise Refused(f"{program} is missing; it comes with PostgreSQL (postgresql-client).")
    done = subprocess.run(  # noqa: S603  our own arguments; the password is not among them
        [found, *args],
        env=os.environ | _postgres_environment(),
        capture_output=True,
        encoding="utf-8",
        errors="replace",  # a damaged backup may cause any output
    )
    if done.returncode:
        output = done.stderr.strip().splitlines() or ["no reason given"]
        raise Refused(f"{program} failed: {output[-1]}")
    return done.stdout


def _postgres_environment() -> dict[str, str]:
    """Return the connection parameters as environment variables.

    They are not arguments, because any local user can read a command line.
    """
    database: dict[str, Any] = settings.DATABASES["default"]
    options = database.get("OPTIONS", {})
    variables = {
        "PGDATABASE": database.get("NAME"),
        "PGHOST": database.get("HOST"),
        "PGPORT": database.get("PORT"),
        "PGUSER": database.get("USER"),
        "PGPASSWORD": database.get("PASSWORD"),
    } | {variable: options.get(name) for name, variable in _PG_OPTIONS.items()}
    return {name: str(value) for name, value in variables.items() if value}
