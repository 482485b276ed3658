"""Options of a run: repeatable examples, and when golden records are rewritten."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "rules",
    deadline=None,  # the machines that run this are shared
    max_examples=60,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("rules")


def pytest_configure() -> None:
    """End on SIGTERM as on Ctrl-C: fixtures end what they have started."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate-golden",
        action="store_true",
        help="write the golden playthroughs again; review the diff before you commit it",
    )


@pytest.fixture
def regenerate(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--regenerate-golden", default=False))
