"""The shipped nginx file: nginx takes it and serves a site through it, over TLS.

Nothing in it is changed but what must be on a machine that is not the site's: its folders lie in a
prefix that has those which Debian has, and its six ports are others (SUBSTITUTED).
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.urls import URLResolver, get_resolver
from django.urls.resolvers import RoutePattern
from django.utils import translation
from django.utils.regex_helper import normalize
from websockets.sync.client import connect

from deploy import cluster
from games.live.routing import websocket_urlpatterns
from tests.support.live_site import PATIENCE, ROOT, LiveSite, free_port

pytestmark = [pytest.mark.real_server, pytest.mark.usefixtures("needs_nginx")]

NAME = "perudo.example"
SETTINGS = {
    "HTTPS": "true",
    "BEHIND_PROXIES": "1",
    "ALLOWED_HOSTS": NAME,
    "CSRF_TRUSTED_ORIGINS": f"https://{NAME}",
}
# Where Debian 12 with nginx-light and certbot has folders that the file names.
THERE = ("var/log/nginx", "var/cache", "var/www/html", f"etc/letsencrypt/live/{NAME}")
SUBSTITUTED = {
    r"(?<= )/(?=(?:var|etc)/)": "{prefix}/",
    r"listen (\[::\]:)?80;": r"listen \g<1>{http};",
    r"listen (\[::\]:)?443 ": r"listen \g<1>{https} ",
    r"127\.0\.0\.1:8001 ": "127.0.0.1:{first} ",
    r"127\.0\.0\.1:8002 ": "127.0.0.1:{second} ",
}


@dataclass
class Proxy:
    """nginx with the shipped file in `prefix`, in front of `site` and of a process that is gone."""

    prefix: Path
    site: LiveSite
    http: int
    https: int

    def write(self) -> None:
        for folder in THERE:
            (self.prefix / folder).mkdir(parents=True)
        keys = self.prefix / THERE[-1]
        make = f"req -x509 -nodes -newkey rsa:2048 -days 1 -subj /CN={NAME}".split()
        make += ["-addext", f"subjectAltName=DNS:{NAME}"]
        make += ["-out", str(keys / "fullchain.pem"), "-keyout", str(keys / "privkey.pem")]
        subprocess.run(["openssl", *make], check=True, capture_output=True)
        file = (ROOT / "deploy/nginx/perudo.conf").read_text()
        for found, wanted in SUBSTITUTED.items():
            wanted = wanted.format(
                prefix=self.prefix,
                http=self.http,
                https=self.https,
                first=self.site.port,
                second=free_port(),
            )
            file, count = re.subn(found, wanted, file)
            assert count, found
        (self.prefix / "perudo.conf").write_text(file)
        cluster.write_frame(self.prefix)

    def tested(self) -> subprocess.CompletedProcess[str]:
        """What `nginx -t` says."""
        command = [*cluster.nginx(self.prefix), "-t"]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    @property
    def tls(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.prefix / THERE[-1] / "fullchain.pem")

    def get(self, path: str) -> httpx.Response:
        [answer] = self.get_all([path])
        return answer

    def post_all(self, paths: Iterable[str]) -> None:
        """Post nothing to each of these, whatever it answers."""
        with httpx.Client(verify=self.tls, headers={"Host": NAME}) as client:
            for path in paths:
                where = f"https://127.0.0.1:{self.https}{path}"
                client.post(where, extensions={"sni_hostname": NAME})

    def get_all(
        self, paths: Iterable[str], *, of: str = "127.0.0.1", **headers: str
    ) -> list[httpx.Response]:
        """The answers to these requests of one address, one after the other."""
        host = "[::1]" if ":" in of else "127.0.0.1"
        transport = httpx.HTTPTransport(verify=self.tls, local_address=of)
        with httpx.Client(transport=transport, headers={"Host": NAME} | headers) as client:
            extensions = {"sni_hostname": NAME}
            site = f"https://{host}:{self.https}"
            return [client.get(f"{site}{path}", extensions=extensions) for path in paths]


@pytest.fixture
def proxy(new_site: Callable[..., LiveSite], tmp_path: Path) -> Proxy:
    proxy = Proxy(tmp_path / "prefix", new_site(**SETTINGS), free_port(), free_port())
    proxy.write()
    return proxy


@pytest.fixture
def running(proxy: Proxy) -> Iterator[Proxy]:
    proxy.site.start()
    with subprocess.Popen(cluster.nginx(proxy.prefix)) as nginx:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", proxy.https)).close()
                break
            except ConnectionRefusedError:
                assert nginx.poll() is None and time.monotonic() < deadline
                time.sleep(0.05)
        yield proxy
        nginx.terminate()


def test_nginx_takes_the_file_as_it_is_shipped(proxy: Proxy) -> None:
    done = proxy.tested()
    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr


def test_it_serves_the_site_over_tls(running: Proxy) -> None:
    page = running.get("/rules")
    assert page.status_code == httpx.codes.OK, page.text
    assert page.headers["Strict-Transport-Security"]
    assert re.fullmatch("[0-9a-f]{32}", page.headers["X-Request-ID"])
    [sheet] = re.findall(r'href="(/static/site/site\.\w+\.css)"', page.text)
    assert [running.get(sheet).status_code for _ in range(2)] == [200, 200]
    assert (running.prefix / "var/cache/perudo").is_dir()
    assert running.get("/readyz").status_code == httpx.codes.NOT_FOUND
    assert '"place":"/rules"' in (running.prefix / "var/log/nginx/perudo.log").read_text()


SECRET = "sesame7secret"
NUMBER = 770077


def addresses(patterns: Iterable[Any], before: str = "/") -> Iterator[str]:
    """Every address of the site, with secrets where it has a part that is not always the same."""
    for each in patterns:
        if isinstance(each.pattern, RoutePattern):
            route = str(each.pattern)
            filled = re.sub(
                r"<int:\w+>", str(NUMBER), re.sub(r"<((?!int:)\w+:)?\w+>", SECRET, route)
            )
        else:
            form, names = normalize(each.pattern.regex.pattern)[0]
            filled = form % dict.fromkeys(names, SECRET)
        if isinstance(each, URLResolver):
            yield from addresses(each.url_patterns, before + filled)
        else:
            yield before + filled


def test_no_log_shows_of_an_address_what_is_not_the_same_for_all(
    proxy: Proxy, request: pytest.FixtureRequest
) -> None:
    """Neither nginx's nor the site's own, of no address that the site has, nor of any other."""
    proxy.site.environment["LOG_LEVEL"] = "DEBUG"
    running: Proxy = request.getfixturevalue("running")
    asked = {*addresses([*get_resolver().url_patterns, *websocket_urlpatterns])}
    asked |= {
        f"/{SECRET}",
        f"/{SECRET}/rules",
        f"/games/{SECRET}/{SECRET}",
        f"/t/{SECRET}/{SECRET}",
    }
    asked |= {f"/rules{SECRET}", f"/games/{SECRET}/move{SECRET}", f"/account/{SECRET}/"}
    assert len(asked) > 150
    running.post_all(f"{each}?{SECRET}" for each in asked)  # which nginx does not limit
    lines = (running.prefix / "var/log/nginx/perudo.log").read_text().splitlines()
    places = {json.loads(line)["place"] for line in lines}
    assert len(lines) >= len(asked)
    assert not [each for each in places if SECRET in each or str(NUMBER) in each]
    pages = {each for each in asked if SECRET not in each and str(NUMBER) not in each}
    whole = {each for each in pages if not each.startswith("/admin/")}
    assert len(whole) > 50
    assert whole - places == set(), "a page whose address the log may show"
    assert "answered" in running.site.log
    assert SECRET not in running.site.log


def test_a_socket_opens_through_it(running: Proxy) -> None:
    line = socket.create_connection(("127.0.0.1", running.https))
    with connect(
        f"wss://{NAME}/ws/lobby?lang=en",
        sock=line,
        ssl=running.tls,
        server_hostname=NAME,
        origin=f"https://{NAME}",  # type: ignore[arg-type]
    ) as lobby:
        assert "Public tables" in str(lobby.recv(timeout=PATIENCE))


def test_port_80_renews_the_certificate_and_sends_everybody_else_to_https(running: Proxy) -> None:
    challenge = running.prefix / "var/www/html/.well-known/acme-challenge/token"
    challenge.parent.mkdir(parents=True)
    challenge.write_text("the answer")
    plain = f"http://127.0.0.1:{running.http}"
    with httpx.Client(headers={"Host": NAME}) as client:
        assert client.get(f"{plain}/.well-known/acme-challenge/token").text == "the answer"
        sent_on = client.get(f"{plain}/rules?x=1")
    assert sent_on.status_code == httpx.codes.MOVED_PERMANENTLY
    assert sent_on.headers["Location"] == f"https://{NAME}/rules?x=1"


def statuses(answers: Iterable[httpx.Response]) -> set[int]:
    return {answer.status_code for answer in answers}


def refusals(proxy: Proxy, *, of: str = "127.0.0.1", **headers: str) -> list[bytes]:
    """The answers of status 429 to 420 requests of one address at once; the rest is not awaited."""
    lines = [f"GET /robots.txt HTTP/1.1\r\nHost: {NAME}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    request = "\r\n".join([*lines, "Connection: close", "", ""]).encode()
    host = "::1" if ":" in of else "127.0.0.1"

    async def ask() -> bytes:
        reader, writer = await asyncio.open_connection(
            host, proxy.https, ssl=proxy.tls, server_hostname=NAME, local_addr=(of, 0)
        )
        try:
            writer.write(request)
            return await reader.read()
        finally:
            writer.transport.abort()

    async def everybody() -> list[bytes]:
        asking = [asyncio.create_task(ask()) for _ in range(420)]
        refused: list[bytes] = []
        for answer in asyncio.as_completed(asking, timeout=PATIENCE):
            if (got := await answer).startswith(b"HTTP/1.1 429 "):
                refused.append(got)
                if len(refused) == 20:
                    break
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        return refused

    return asyncio.run(everybody())


@pytest.mark.parametrize("flooder", ["127.0.0.2", "::1"])
def test_pages_of_one_address_wait_and_too_many_are_refused(running: Proxy, flooder: str) -> None:
    refused = refusals(running, of=flooder)
    assert len(refused) == 20
    for header in (
        b"Retry-After: 60",
        b"HX-Reswap: none",
        b"Content-Type: text/html; charset=utf-8",
        b"Cache-Control: no-store, private",
    ):
        assert b"\r\n%s\r\n" % header in refused[0]
    [page] = running.get_all(["/"], of="127.0.0.3")
    assert page.status_code == httpx.codes.OK
    [sheet] = re.findall(r'href="(/static/site/site\.\w+\.css)"', page.text)
    files = running.get_all([f"{sheet}?{number}" for number in range(300)], of=flooder)
    assert statuses(files) == {200}


def test_who_asks_too_often_waits(running: Proxy) -> None:
    """Two hundred requests, one after the other: the last fifty at fifteen a second at most."""
    started = time.monotonic()
    assert statuses(running.get_all(["/robots.txt"] * 200)) == {200}
    assert time.monotonic() - started > 2.5


@pytest.mark.parametrize("language", ["en", "fr", "it", "es"])
def test_a_refusal_is_in_the_readers_language(running: Proxy, language: str) -> None:
    words = "Too many requests. Please wait a minute and try again."
    with translation.override(language):
        sentence = translation.gettext(words)
    headers = ({"Accept-Language": f"{language}-XX, en"}, {"Cookie": f"django_language={language}"})
    for number, asked in enumerate(headers):
        refused = refusals(running, of=f"127.0.0.{number + 5}", **asked)[0].decode()
        assert sentence in refused and f'<html lang="{language}">' in refused


def test_whatever_follows_a_files_name_nginx_keeps_one(running: Proxy) -> None:
    """Else everybody could have the site read its files over and over."""
    [sheet] = re.findall(r'href="(/static/site/site\.\w+\.css)"', running.get("/rules").text)
    assert statuses(running.get_all([f"{sheet}?{number}" for number in range(9)])) == {200}
    kept = [file for file in (running.prefix / "var/cache/perudo").rglob("*") if file.is_file()]
    assert len(kept) == 1
