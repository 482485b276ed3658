"""The example files of deploy/ and the guide to them agree with each other and with the site."""

from __future__ import annotations

import re

from deploy import cluster
from tests.support.live_site import ROOT

DEPLOY = ROOT / "deploy"


def read(name: str) -> str:
    return (DEPLOY / name).read_text()


def test_the_settings_are_settings_of_the_site() -> None:
    named = re.findall(r"(?m)^([A-Z_]+)=", read("perudo.env"))
    guide = (ROOT / "README.md").read_text()
    assert len(named) > 8
    assert [name for name in named if f"`{name}`" not in guide] == []
    assert {*cluster.ELSEWHERE, *cluster.HERE_INSTEAD} <= set(named)


def part(name: str, *, until: str = "\n\n") -> str:
    """What stands in compose.yaml below this key."""
    return (ROOT / "compose.yaml").read_text().partition(f"{name}:")[2].partition(until)[0]


def test_every_setting_reaches_the_containers_or_is_named_as_left_out() -> None:
    settings = re.findall(r"(?m)^\| `([A-Z_]+)` \|", (ROOT / "README.md").read_text())
    passed = re.findall(r"(?m)^  ([A-Z_]+):$", part("x-settings"))
    left_out = re.findall(r"\b[A-Z]+_[A-Z_]+\b", part("# Left out", until="x-settings"))
    assert len(settings) > 50 and 0 < len(left_out) < 8
    assert sorted(passed + left_out) == sorted(settings)
    assert "    <<: *settings\n" in part("x-cluster")
    assert "    environment: *settings\n" in part("\n  site")


def test_the_processes_of_the_cluster_have_what_must_be_one_in_common() -> None:
    """The data folder, with the list of deleted accounts, and one secret key."""
    assert '  volumes: ["data:/data"]\n' in part("x-cluster")
    assert re.search(r"^    SECRET_KEY: ", part("x-cluster"), re.MULTILINE)
    for number in (1, 2):
        process = part(f"\n  process-{number}")
        assert "    <<: *cluster\n" in process
        assert "volumes:" not in process and "environment:" not in process


# What the guide runs that a bare Debian lacks, and the package that brings it.
PACKAGES = {
    "git": "git",
    "python3": "python3-venv",
    "certbot": "certbot",
    "nginx": "nginx-light",
    "su postgres": "postgresql",
    "curl": "curl",
}


def test_the_guide_installs_what_it_runs_and_gets_the_certificate_first() -> None:
    guide = (ROOT / "docs/hosting.md").read_text()
    steps = "\n".join(re.findall(r"(?ms)^```\n(.*?)^```", guide)) + read("systemd/perudo@.service")
    [installed] = re.findall(r"(?m)^apt install (.*)$", guide)
    for program, package in PACKAGES.items():
        assert re.search(rf"(?m)(^|[ /]){program}\b", steps), f"{program} is not needed"
        assert package in installed.split(), program

    [folder] = re.findall(r"--webroot-path (\S+)", guide)
    [domain] = re.findall(r"--domain (\S+)", guide)
    site = read("nginx/perudo.conf")
    assert f"/.well-known/acme-challenge/ {{ root {folder}; }}" in site
    assert f"/etc/letsencrypt/live/{domain}/fullchain.pem;" in site
    assert (
        guide.index("apt install")
        < guide.index("certbot certonly")
        < guide.index("cp deploy/nginx")
    )


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
    from perudo_site.server.metrics import TablesCollector  # which `serve` registers

    families = [*REGISTRY.collect(), *TablesCollector().describe()]
    there = {sample for family in families for sample in names(family)}
    asked = set(re.findall(r"\bperudo_\w+", read("prometheus/perudo-alerts.yml")))
    assert len(asked) > 5
    assert asked - there == set()


def names(family: object) -> set[str]:
    """What samples of this family are called, even while it has none."""
    name = family.name  # type: ignore[attr-defined]
    return {f"{name}{end}" for end in ("", "_total", "_bucket", "_count", "_sum")}
