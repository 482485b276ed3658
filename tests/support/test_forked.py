"""A process forked for the tests is the one that a fresh interpreter would be."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.support import forked
from tests.support.live_site import clean_environment, manage

pytestmark = pytest.mark.real_server

SAYS = "import os, sys; print(sorted(os.environ), sys.argv, file=sys.{})"


def test_it_has_the_environment_and_the_arguments_it_was_given_and_no_other(tmp_path: Path) -> None:
    given = {"DATA_DIR": str(tmp_path), "SECRET_KEY": "x" * 60, "SITE_NAME": "Elsewhere"}
    told = {}
    for stream in ("stdout", "stderr"):
        command = ["shell", "-v", "0", "-c", SAYS.format(stream)]
        done = manage(*command, **given)
        told[stream] = getattr(done, stream)
        assert done.returncode == 0
        assert told[stream] == f"{sorted(clean_environment(**given))} {['manage.py', *command]}\n"


@pytest.mark.parametrize("preloaded", [True, False])
def test_it_ends_with_the_code_of_its_end(tmp_path: Path, preloaded: bool) -> None:
    """By itself, by a mistake, and by a signal; a fresh interpreter ends the same way."""
    env = clean_environment(DATA_DIR=str(tmp_path), SECRET_KEY="x" * 60)
    if not preloaded:
        env["PYTHONPATH"] = f"{os.environ.get('PYTHONPATH', '')}:{tmp_path}"
    codes = []
    for command in ("pass", "raise SystemExit(7)", "import os; os.abort()", "0 / 0"):
        with (tmp_path / "out").open("ab") as out:
            process = forked.begin(["shell", "-v", "0", "-c", command], env, out, out)
            assert isinstance(process, forked.Forked) == preloaded
            codes.append(process.wait(60))
    assert codes == [0, 7, -signal.SIGABRT, 1]
    assert "ZeroDivisionError" in (tmp_path / "out").read_text()
