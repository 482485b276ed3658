"""The container image: built from the Containerfile, started without root, played at and stopped.

It is built and run by buildah, which needs no service, on a Debian base made by debootstrap.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.support.fixtures import unavailable
from tests.support.live_site import PATIENCE, ROOT, free_port
from tests.support.players import Address, player_factory, start_table, wait_for

pytestmark = [pytest.mark.long, pytest.mark.real_server]
# What this machine needs to reach its package index, mounted for the build alone.
OF_THE_BUILD = ("/etc/ssl/certs", "/etc/pip.conf", "/etc/xdg/pip")
MOST_BYTES = 200_000_000  # beside the base
USER = 10_001


class Builder:
    """buildah with a store of its own, which goes with the test."""

    def __init__(self, folder: Path) -> None:
        store = {"--root": folder / "store", "--runroot": folder / "run", "--storage-driver": "vfs"}
        self.command = ["buildah", *(str(part) for pair in store.items() for part in pair)]

    def __call__(self, *words: str | Path) -> str:
        done = subprocess.run(  # noqa: S603
            [*self.command, *words], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    def size(self, image: str) -> int:
        """The bytes of all files in an image."""
        container = self("from", "--pull-never", image)
        used = subprocess.check_output(  # noqa: S603
            ["du", "--bytes", "--summarize", self("mount", container)], text=True
        )
        self("rm", container)
        return int(used.split()[0])


@pytest.fixture(scope="module")
def buildah(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Builder]:
    """With two images: `base`, a Debian with Python, and `site`."""
    missing = [name for name in ("buildah", "debootstrap") if not shutil.which(name)]
    if missing or os.getuid() != 0:
        unavailable(f"root needs {' and '.join(missing) or 'to run this'}")
    folder = tmp_path_factory.mktemp("container")
    targets = ["apt-get", "indextargets", "--format", "$(REPO_URI)"]
    mirror = subprocess.check_output(  # noqa: S603
        [*targets, "Created-By: Packages", "Codename: bookworm"], text=True
    ).splitlines()[0]
    debian = ["--variant=minbase", "--include=python3,python3-venv", "bookworm"]
    subprocess.run(  # noqa: S603
        ["debootstrap", *debian, folder / "base", mirror], check=True, stdout=subprocess.DEVNULL
    )
    builder = Builder(folder)
    empty = builder("from", "scratch")
    builder("copy", "--quiet", empty, folder / "base", "/")
    builder("commit", "--quiet", "--rm", empty, "localhost/base")
    volumes = [f"--volume={path}:{path}:ro" for path in OF_THE_BUILD if Path(path).exists()]
    how = ["--isolation=chroot", "--format=docker", "--pull-never", *volumes]
    builder("build", *how, "--build-arg=BASE=localhost/base", "--tag=localhost/site", ".")
    yield builder
    builder("rm", "--all")
    shutil.rmtree(folder)


@pytest.fixture
def container(buildah: Builder) -> Iterator[str]:
    name = buildah("from", "--pull-never", "localhost/site")
    yield name
    buildah("rm", name)


def test_the_image_is_light_and_says_how_it_runs(buildah: Builder) -> None:
    config = json.loads(buildah("inspect", "--type", "image", "localhost/site"))["Docker"]["config"]
    assert config["User"] == "perudo"
    assert [*config["Volumes"]] == ["/data"]
    assert "/healthz" in " ".join(config["Healthcheck"]["Test"])
    assert not [each for each in config["Env"] if each.startswith("SECRET_KEY")]
    assert buildah.size("localhost/site") - buildah.size("localhost/base") < MOST_BYTES


def test_a_round_is_played_and_the_process_stops_gracefully(
    buildah: Builder, container: str
) -> None:
    config = json.loads(buildah("inspect", container))["Docker"]["config"]
    port = free_port()
    command = [*config["Entrypoint"], *config["Cmd"][:-1], str(port)]
    root = Path(buildah("mount", container))
    before = files(root)
    run = ["run", "--isolation=chroot", f"--user={config['User']}", container, "--", *command]
    site = Address(f"http://127.0.0.1:{port}")
    with subprocess.Popen([*buildah.command, *run]) as running, player_factory() as new_player:  # noqa: S603
        wait_for(lambda: answers(site), "the site", patience=PATIENCE)
        server = process_with("manage.py", "serve", str(port))
        assert user_of(server) == USER
        people = [new_player(site, "Ana"), new_player(site, "Bruno")]
        code = start_table(people)
        for do, choice in (("bid", {"quantity": 1, "face": 2}), ("dudo", {})):
            speaker = next(each for each in people if each.view(code).my_turn)
            seen = speaker.view(code).seq
            assert speaker.move(code, do, **choice) == ""
            wait_for(
                lambda seen=seen: all(each.view(code).seq > seen for each in people), "a frame"
            )
        assert {each.view(code).phase for each in people} == {"reveal"}
        os.kill(server, signal.SIGTERM)
        assert running.wait(PATIENCE) == 0
        assert {socket.closed for each in people for socket in each.sockets} == {1012}
    written = files(root) - before  # beside the volume, which is not part of it
    assert {path.parts[0] for path in written} <= {"tmp", "run"}


def files(root: Path) -> set[Path]:
    """The files of a container."""
    return {
        (Path(folder) / name).relative_to(root)
        for folder, _, names in os.walk(root)
        for name in names
    }


def process_with(*words: str) -> int:
    """The process whose arguments end with these words."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            arguments = (folder / "cmdline").read_text().split("\0")[:-1]
            if set(words) <= set(arguments) and "python" in Path(arguments[0]).name:
                return int(folder.name)
    raise LookupError(words)


def user_of(process: int) -> int:
    """The number of the user it runs as."""
    return Path(f"/proc/{process}").stat().st_uid


def answers(site: Address) -> bool:
    try:
        return httpx.get(f"{site.url}/").is_success
    except httpx.TransportError:
        return False
