"""Keys that a site makes for itself: processes that start together have the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

from perudo_site import key_files


def test_all_that_start_at_once_have_the_key_of_the_first(tmp_path: Path) -> None:
    made: list[str] = []

    def slowly() -> str:
        sleep(0.2)
        made.append("the key")
        return made[-1]

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: key_files.kept(tmp_path / "key", slowly), range(8)))
    assert found == ["the key"] * 8
    assert made == ["the key"]
