"""The example files of deploy/: nginx takes them, and they agree with each other and the site."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from deploy import cluster
from tests.live import ROOT

DEPLOY = ROOT / "deploy"


def read(name: str) -> str:
    return (DEPLOY / name).read_text()


@pytest.mark.usefixtures("needs_nginx")
def test_nginx_takes_the_site_file_with_its_certificate(tmp_path: Path) -> None:
    certificate = tmp_path / "perudo.pem"
    make = f"req -x509 -nodes -newkey rsa:2048 -days 1 -subj /CN=perudo.example -out {certificate}"
    key = ["-keyout", str(certificate.with_suffix(".key"))]
    subprocess.run(["openssl", *make.split(), *key], check=True, capture_output=True)
    cluster.write_nginx_files(tmp_path, port=18_443, processes=[8001], certificate=certificate)
    assert "ssl_certificate " in (tmp_path / "perudo.conf").read_text()
    done = subprocess.run(
        [*cluster.nginx(tmp_path), "-t"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr


def test_the_settings_are_settings_of_the_site() -> None:
    named = re.findall(r"(?m)^([A-Z_]+)=", read("perudo.env"))
    guide = (ROOT / "README.md").read_text()
    assert len(named) > 8
    assert [name for name in named if f"`{name}`" not in guide] == []
    assert {*cluster.ELSEWHERE, *cluster.HERE_INSTEAD} <= set(named)


def test_nginx_and_prometheus_ask_the_ports_that_the_processes_have() -> None:
    unit = read("systemd/perudo@.service")
    [port], [numbers] = re.findall(r"--port (\S+)", unit), re.findall(r"--metrics-port (\S+)", unit)
    for number in "12":
        assert f"server 127.0.0.1:{port.replace('%i', number)} " in read("nginx/perudo.conf")
        assert f'"127.0.0.1:{numbers.replace("%i", number)}"' in read("prometheus/prometheus.yml")


def test_alerts_ask_for_numbers_that_there_are() -> None:
    from prometheus_client import REGISTRY

    from games import metrics  # noqa: F401  their numbers register themselves
    from perudo_site import middleware  # noqa: F401

    there = {sample for family in REGISTRY.collect() for sample in names(family)}
    asked = set(re.findall(r"\bperudo_\w+", read("prometheus/perudo-alerts.yml")))
    assert len(asked) > 5
    assert asked - there == set()


def names(family: object) -> set[str]:
    """What samples of this family are called, even while it has none."""
    name = family.name  # type: ignore[attr-defined]
    return {f"{name}{end}" for end in ("", "_total", "_bucket", "_count", "_sum")}
