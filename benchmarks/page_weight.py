"""What the first visit of a table's page moves: the page and every file it asks for, compressed.

Starts a server of its own, opens a table as a guest and follows what the page names: sheets,
scripts and the modules they import, pictures, and what the sheets name in turn; of the pictures in
two sizes that of one kind of screen. Counted are the bytes of the bodies as they cross the wire,
beside what they unpack to.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.live_site import LiveSite, prepare  # noqa: E402
from tests.support.players import player_factory  # noqa: E402

GOAL = 150_000
SCREENS = {"phone": "-desk.", "desk": "-phone."}  # and what a browser there does not ask for
NAMED = re.compile(
    r'<(?:link\b(?![^>]*\brel="(?:alternate|canonical)")|script\b|img\b|use\b|source\b)'
    r'[^>]*?\b(?:href|src)="([^"#]+)'
)
IN_SHEETS = re.compile(r"""(?:url\(\s*|@import\s+)["']?([^"')#]+)""")
IN_SCRIPTS = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*|new URL\(\s*)["']([./][^"']+)["']""")
ACCEPT = {"Accept-Encoding": "br, gzip"}


def fetch(client: httpx.Client, url: str) -> tuple[int, httpx.Headers, str]:
    """The bytes on the wire, the headers, and the text they unpack to."""
    with client.stream("GET", url, headers=ACCEPT) as answer:
        raw = b"".join(answer.iter_raw())
        text = httpx.Response(200, headers=answer.headers, content=raw).text
        if answer.status_code != httpx.codes.OK:
            raise SystemExit(f"{url} answers {answer.status_code}")
        return len(raw), answer.headers, text


def named_by(url: str, kind: str, text: str) -> list[str]:
    """What a page, a sheet or a script makes the browser ask for."""
    pattern = {"text/html": NAMED, "text/css": IN_SHEETS, "text/javascript": IN_SCRIPTS}.get(kind)
    found = pattern.findall(text) if pattern else []
    urls = (urljoin(url, name) for name in found if not name.startswith("data:"))
    return [each for each in urls if urlsplit(each).scheme in ("http", "https")]


def weigh(client: httpx.Client, url: str, without: str) -> list[tuple[str, str, int, int]]:
    """(path, encoding, bytes on the wire, bytes unpacked) of the page and all it needs.

    Names that contain `without` are left out.
    """
    waiting, rows, seen = [url], [], set()
    while waiting:
        url = waiting.pop(0)
        if url in seen or without in url:
            continue
        seen.add(url)
        wire, headers, text = fetch(client, url)
        kind = headers.get("content-type", "").partition(";")[0]
        encoding = headers.get("content-encoding", "-")
        rows.append((urlsplit(url).path, encoding, wire, len(text.encode())))
        waiting += named_by(url, kind, text)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--screen", choices=SCREENS, default="phone")
    without = SCREENS[parser.parse_args().screen]
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        site = LiveSite(Path(folder), LOG_LEVEL="WARNING")
        try:
            site.start()
            with player_factory() as new_player:
                host, guest = new_player(site), new_player(site)
                code = host.open_table(size=2)
                guest.action(code, "sit")
                host.open_page(code, listen=False).action(code, "start")
                with httpx.Client(cookies=host.client.cookies) as browser:
                    rows = weigh(browser, f"{site.url}/games/{code}", without)
        finally:
            site.kill()
    for path, encoding, wire, unpacked in sorted(rows, key=lambda row: -row[2]):
        print(f"{wire:8} {unpacked:8}  {encoding:4}  {path}")
    total = sum(row[2] for row in rows)
    print(f"{total:8} {sum(row[3] for row in rows):8}        in {len(rows)} requests")
    print(f"{100 * total / GOAL:7.0f}% of the goal of {GOAL:,} bytes")


if __name__ == "__main__":
    main()
