"""A process forked for the tests is the one that a fresh interpreter would be."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import forked
from tests.support.live_site import PATIENCE, ROOT, clean_environment, manage
from tests.support.players import wait_for

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


# A test whose server hears no signal, and a fixture that ends what it has started.
STOPPED = """
import os, signal, subprocess, time
from pathlib import Path
import pytest
from tests.support import forked
from tests.support.live_site import clean_environment

@pytest.fixture
def service():
    service = subprocess.Popen(["sleep", "1000"], start_new_session=True)
    yield service.pid
    service.kill()
    service.wait()

def test_it(tmp_path, service):
    deaf = "import signal, time; signal.signal(15, 1); signal.signal(2, 1); print(1, flush=True)"
    env = clean_environment(DATA_DIR=str(tmp_path), SECRET_KEY="x" * 60)
    with (tmp_path / "out").open("ab") as out:
        words = ["shell", "-v", "0", "-c", deaf + "; time.sleep(1000)"]
        server = forked.begin(words, env, out, out)
    while not (tmp_path / "out").read_text():
        time.sleep(0.05)
    Path("started.new").write_text(f"{server.pid} {service}")
    Path("started.new").rename("started")
    time.sleep(1000)
"""


def runs(pid: int) -> bool:
    """Whether there is such a process, other than a dead one that nobody has waited for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is forked")
@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_stopped_leaves_no_server_behind(
    tmp_path: Path, how: signal.Signals, workers: int
) -> None:
    """By a signal to the group of `make`, or by a kill -9 of the run alone."""
    (tmp_path / "test_it.py").write_text(STOPPED)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    options = "-p tests.support.options -p no:django -p no:cacheprovider"
    run = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", f"--numprocesses={workers}"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": options},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        # What a shell runs in the background is given Ctrl-C ignored, and would hand that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        started = tmp_path / "started"
        wait_for(started.exists, "the run has started its server", patience=PATIENCE)
        server, service = map(int, started.read_text().split())
        assert runs(server) and runs(service)
        if how == signal.SIGKILL:
            run.kill()
        else:
            os.killpg(run.pid, how)
        wait_for(lambda: not runs(server), "its server has ended", patience=PATIENCE)
        if how != signal.SIGKILL:
            wait_for(lambda: not runs(service), "what fixtures start has ended", patience=PATIENCE)
    finally:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait(PATIENCE)
        for pid in map(int, (tmp_path / "started").read_text().split()):
            if runs(pid):
                os.kill(pid, signal.SIGKILL)
