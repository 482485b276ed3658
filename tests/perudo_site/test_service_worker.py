"""The types in the service worker, which is a script only once it is rendered."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from tests.support.live_site import ROOT

DENO = Path(sys.executable).with_name("deno")
# As in deno.jsonc, with the types of a worker instead of a page's.
OPTIONS = {
    "checkJs": True,
    "strict": False,
    "lib": ["esnext", "webworker", "webworker.iterable"],
    "types": [str(ROOT / "worker.d.ts")],
}


@pytest.mark.django_db
def test_the_types_of_the_service_worker_are_right(client: Client, tmp_path: Path) -> None:
    script = client.get("/sw.js").content.decode()
    assert check(script, tmp_path) == ""
    assert "'claims' does not exist" in check(f"{script}\nclients.claims();", tmp_path)


def check(script: str, folder: Path) -> str:
    """What `deno check` reports, without looking anything up on the network."""
    (folder / "deno.json").write_text(json.dumps({"compilerOptions": OPTIONS}))
    (folder / "sw.js").write_text(script)
    done = subprocess.run(
        [DENO, "check", "--quiet", "--no-remote", "--no-npm", "--no-lock", "sw.js"],
        cwd=folder,
        env={"DENO_DIR": str(folder), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr
