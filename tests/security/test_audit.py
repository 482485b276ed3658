"""The audit of our packages: a known weakness fails it, and so much silence is called silence."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.support.live_site import ROOT, free_port

WEAKNESS = {
    "id": "PYSEC-0000-1",
    "summary": "The die is loaded.",
    "modified": "2026-01-01T00:00:00Z",
    "published": "2026-01-01T00:00:00Z",
    "affected": [
        {
            "package": {"name": "loaded", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "2.0"}]}],
            "versions": ["1.0"],
        }
    ],
}


class Advisories(BaseHTTPRequestHandler):
    """Speaks as the OSV service does, and knows one weakness."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        weak = asked["package"]["name"] == "loaded"
        body = json.dumps({"vulns": [WEAKNESS]} if weak else {}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Advisories) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1/query"
        server.shutdown()


def audit(tmp_path: Path, service: str, *pins: str) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "requirements.txt"
    file.write_text("\n".join(pins))
    command = [sys.executable, ".ci/audit", str(file), "--", "--osv-url", service]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )


def test_a_known_weakness_fails_the_audit_by_name(tmp_path: Path, service: str) -> None:
    done = audit(tmp_path, service, "loaded==1.0", "honest==1.0")
    assert done.returncode == 1, done.stderr
    assert "loaded 1.0 has a known weakness: PYSEC-0000-1." in done.stdout


def test_a_package_pinned_by_its_hash_is_audited_too(tmp_path: Path, service: str) -> None:
    done = audit(tmp_path, service, f"loaded==1.0 --hash=sha256:{'0' * 64}")
    assert done.returncode == 1, done.stderr
    assert "loaded 1.0 has a known weakness: PYSEC-0000-1." in done.stdout


def test_packages_without_one_pass(tmp_path: Path, service: str) -> None:
    done = audit(tmp_path, service, "honest==1.0")
    assert (done.returncode, done.stdout) == (
        0,
        "1 of 1 packages audited by osv, 0 of them weak.\n",
    )


def test_where_nobody_can_be_asked_it_says_so_and_does_not_fail(tmp_path: Path) -> None:
    done = audit(tmp_path, f"http://127.0.0.1:{free_port()}/", "loaded==1.0")
    assert done.returncode == 0
    assert done.stdout == "No advisory service could be asked: the packages are not audited.\n"
