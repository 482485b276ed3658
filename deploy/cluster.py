"""Run a whole site on this machine: nginx in front of several processes, as in deploy/.

`make run-cluster` starts it. PostgreSQL and Redis must be running, at DATABASE_URL and REDIS_URL. A
process that dies is restarted. SIGHUP restarts the processes one after the other, as an upgrade
does; Ctrl-C stops everything.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from urllib.error import URLError
from urllib.parse import urlsplit, urlunsplit
from urllib.request import urlopen

import psycopg
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "deploy"
# The metrics port of a process is this far above the port that it listens on.
METRICS = 1000
PATIENCE = 60.0
# Variables in deploy/perudo.env that are specific to another machine.
ELSEWHERE = "SECRET_KEY ALLOWED_HOSTS CSRF_TRUSTED_ORIGINS EMAIL_URL DEFAULT_FROM_EMAIL".split()
HERE_INSTEAD = {
    "HTTPS": "false",
    "DATABASE_URL": "postgres://postgres@127.0.0.1:5432/perudo",
    "REDIS_URL": "redis://127.0.0.1:6379/0",
}

NGINX = """
daemon off;
{user}
pid {folder}/nginx.pid;
events {{ worker_connections 4096; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/perudo.conf;
}}
"""


@dataclass
class Process:
    """One program that is kept running."""

    name: str
    command: list[str]
    environment: Mapping[str, str]
    running: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def start(self) -> None:
        self.running = subprocess.Popen(  # noqa: S603  a session of its own: Ctrl-C is ours to pass on
            self.command, cwd=ROOT, env=dict(self.environment), start_new_session=True
        )
        print(f"{self.name} runs as {self.running.pid}", flush=True)

    @property
    def died(self) -> bool:
        return self.running is not None and self.running.poll() is not None

    def tell_to_end(self) -> None:
        if self.running is not None:
            self.running.terminate()

    def end(self) -> None:
        self.tell_to_end()
        if self.running is not None:
            self.running.wait()
            self.running = None


class Cluster:
    """nginx on `port`, and `processes` processes of the site on the ports above it."""

    def __init__(self, folder: Path, *, port: int, processes: int) -> None:
        environment = settings_of_this_machine()
        self.ports = [port + number for number in range(1, processes + 1)]
        write_nginx_files(folder, port=port, processes=self.ports)
        python = [sys.executable, "manage.py", "serve"]
        self.site = [
            Process(
                f"process {at}",
                [*python, "--port", str(at), "--metrics-port", str(at + METRICS)],
                environment,
            )
            for at in self.ports
        ]
        self.nginx = Process("nginx", nginx(folder), environment)
        self.everybody = [*self.site, self.nginx]
        self.told_to_end = self.told_to_restart = False

    def run(self) -> None:
        for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(one, self._hear)
        try:
            for process in self.everybody:
                process.start()
            self._wait_for_all()
            print("all are ready", flush=True)
            while not self.told_to_end:
                time.sleep(0.2)
                self._revive()
                if self.told_to_restart:
                    self.told_to_restart = False
                    self.restart()
        finally:
            for process in self.site:
                process.tell_to_end()
            for process in self.everybody:  # nginx last, to pass on the close codes of sockets
                process.end()

    def restart(self) -> None:
        """Restart the processes one after the other, so that another one is always available."""
        for process, port in zip(self.site, self.ports, strict=True):
            process.end()
            process.start()
            self._wait_for(port)
        print("all have been restarted", flush=True)

    def _revive(self) -> None:
        for process in self.everybody:
            if process.died and not self.told_to_end:
                print(f"{process.name} died", flush=True)
                process.start()

    def _hear(self, sent: int, frame: FrameType | None) -> None:
        if sent == signal.SIGHUP:
            self.told_to_restart = True
        else:
            self.told_to_end = True

    def _wait_for_all(self) -> None:
        for port in self.ports:
            self._wait_for(port)

    def _wait_for(self, port: int) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self.told_to_end and not ready(port):
            if time.monotonic() > deadline or any(one.died for one in self.everybody):
                raise SystemExit("Not all of them came up; what they wrote above says why.")
            time.sleep(0.1)


def ready(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


# --- configuration from the files in deploy/ -----------------------------------------------------


def settings_of_this_machine() -> dict[str, str]:
    """Return deploy/perudo.env with values for this machine; set variables take precedence."""
    lines = (HERE / "perudo.env").read_text().splitlines()
    written = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    kept = {name: value for name, value in written.items() if name not in ELSEWHERE}
    return kept | HERE_INSTEAD | os.environ


def write_nginx_files(folder: Path, *, port: int, processes: list[int]) -> None:
    """Write perudo.conf for plain HTTP with other ports and folders, and its nginx.conf."""
    site = (HERE / "nginx" / "perudo.conf").read_text()
    servers = "".join(f"    server 127.0.0.1:{at} max_fails=0;\n" for at in processes)
    changes = [
        (r"(    server 127\.0\.0\.1:\d+ max_fails=0;\n)+", servers),
        (r"/var/cache/perudo", str(folder / "cache")),
        (r"/var/log/nginx/perudo\.log", str(folder / "access.log")),
        (r" *listen \[::\]:\d+.*\n", ""),
        (r"(?s) *# https only \{.*?# https only \}\n", ""),
        (r"listen 443 ssl http2", f"listen 127.0.0.1:{port}"),
    ]
    for found, wanted in changes:
        site, count = re.subn(found, wanted, site)
        if not count:
            raise SystemExit(f"deploy/nginx/perudo.conf no longer says {found}")
    (folder / "perudo.conf").write_text(site)
    write_frame(folder)


def write_frame(folder: Path) -> None:
    """Write the nginx.conf that includes perudo.conf and keeps all files in this folder."""
    user = "user root;" if os.getuid() == 0 else ""  # else its workers could not read the folder
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, user=user))


def nginx(folder: Path) -> list[str]:
    """Return the command that runs nginx from this folder."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if program is None:
        raise SystemExit("nginx is not installed: apt install nginx-light")
    return [program, "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def make_database(address: str) -> None:
    """Create the database if it does not exist, and apply all migrations."""
    parts = urlsplit(address)
    try:
        psycopg.connect(address, connect_timeout=5).close()
    except psycopg.OperationalError:
        server = urlunsplit(parts._replace(path="/postgres"))
        with psycopg.connect(server, autocommit=True, connect_timeout=5) as connection:
            name = sql.Identifier(parts.path.strip("/"))
            connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(migrate, cwd=ROOT, env=settings_of_this_machine(), check=True)  # noqa: S603


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8080, help="where people come in")
    parser.add_argument("--processes", type=int, default=2, help="on the ports above it")
    chosen = parser.parse_args()
    make_database(settings_of_this_machine()["DATABASE_URL"])
    with tempfile.TemporaryDirectory(prefix="perudo-cluster-") as folder:
        print(f"Perudo is served on http://127.0.0.1:{chosen.port} (Ctrl-C ends it).", flush=True)
        Cluster(Path(folder), port=chosen.port, processes=chosen.processes).run()


if __name__ == "__main__":
    main()
