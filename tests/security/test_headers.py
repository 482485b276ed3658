"""Every kind of answer carries the site's policy, and none tells what it is made of."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator

import httpx
import pytest
from django.http.cookie import SimpleCookie

from tests.support.fixtures import PASSWORD
from tests.support.live_site import LiveSite

pytestmark = pytest.mark.real_server

Answers = dict[str, httpx.Response]
TELLTALE = ("server", "x-powered-by", "x-debug", "via", "x-aspnet-version")
POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
}


def every_kind(site: LiveSite) -> Answers:
    """An answer of every kind, by what it is."""
    with site.guest() as guest:
        guest.follow_redirects = False
        htmx = {"HX-Request": "true"}
        home = guest.get("/")
        sheet, script = (
            re.search(rf'(?:href|src)="(/static/[^"]+\.{kind})"', home.text)[1]  # type: ignore[index]
            for kind in ("css", "js")
        )
        table = guest.post("/play-now", data={"bots": "1"}).headers["Location"]
        answers = {
            "page": home,
            "table": guest.get(table),
            "redirect": guest.get("/account/password/set/"),
            "form": guest.get("/games/new"),
            "refused form": guest.post("/games/new", data={"preset": "none"}),
            "notice": guest.post(f"{table}/move", data={"do": "nonsense"}, headers=htmx),
            "400": guest.post("/language", content=b"9" * 3_000_000, headers=FORM),
            "403": guest.post("/language", headers={"X-CSRFToken": "x", "Origin": "http://evil"}),
            "404": guest.get("/nothing-here"),
            "405": guest.get("/language"),
            "405 of an action": guest.put(f"{table}/move"),
            "json": guest.get("/account/data"),
            "manifest": guest.get("/manifest.webmanifest"),
            "worker": guest.get("/sw.js"),
            "offline": guest.get("/offline"),
            "style sheet": guest.get(sheet),
            "unchanged": guest.get(
                sheet, headers={"If-None-Match": guest.get(sheet).headers.get("ETag", "*")}
            ),
            "script": guest.get(script),
            "icon": guest.get(re.search(r'"(/static/[^"]+\.svg)"', home.text)[1]),  # type: ignore[index]
            "missing file": guest.get("/static/nothing.css"),
            "admin": guest.get("/admin/"),
            "admin's sign-in": guest.get("/admin/login/"),
            "sign-in": guest.get("/account/login/"),
            "options": guest.options("/"),
            "trace": guest.request("TRACE", "/"),
            "head": guest.head("/"),
            "a strange host": guest.get("/", headers={"Host": "evil.example"}),
            "no method": guest.request("FOO1", "/"),
        }
        for _ in range(12):
            answers["429"] = guest.post("/account/delete", data={"x": "y"})
        return answers


FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def answers(shared_site: LiveSite) -> Answers:
    return every_kind(shared_site)


@pytest.fixture(scope="module")
def broken_site(
    prepared_folder: object, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveSite]:
    """A site in which a page fails."""
    folder = tmp_path_factory.mktemp("broken") / "site"
    site = LiveSite.of(
        prepared_folder,  # type: ignore[arg-type]
        folder,
        DJANGO_SETTINGS_MODULE="tests.security.faulty_settings",
    )
    site.start()
    yield site
    site.kill()


def test_the_kinds_are_the_kinds_they_are_called(answers: Answers) -> None:
    named = {name: one.status_code for name, one in answers.items()}
    assert {name: code for name, code in named.items() if name.isdigit()} == {
        code: int(code) for code in ("400", "403", "404", "405", "429")
    }
    assert named["page"] == named["table"] == named["style sheet"] == named["icon"] == 200
    assert named["redirect"] == 302
    assert named["refused form"] == 422
    assert named["no method"] == 400


def check(name: str, answer: httpx.Response, *, ours: bool = True) -> None:
    headers = answer.headers
    policy = {part.strip() for part in headers["Content-Security-Policy"].split(";")}
    assert policy == POLICY if ours else "default-src 'none'" in policy, name
    assert "unsafe" not in headers["Content-Security-Policy"], name
    assert headers["X-Content-Type-Options"] == "nosniff", name
    assert headers["X-Frame-Options"] == "DENY", name
    assert headers["Referrer-Policy"] == "same-origin", name
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin", name
    if ours:
        assert "camera=()" in headers["Permissions-Policy"], name
    assert [one for one in TELLTALE if one in headers] == [], name
    for trace in ("Traceback", "daphne", "django.", "site-packages", "autobahn"):
        assert trace not in answer.text, name


def test_every_kind_of_answer_carries_the_policy(answers: Answers) -> None:
    for name, answer in answers.items():
        check(name, answer, ours=name != "no method")


def test_a_failing_page_carries_it_too(broken_site: LiveSite) -> None:
    answer = httpx.get(f"{broken_site.url}/rules?fail=yes")
    assert answer.status_code == 500
    check("500", answer)
    assert "Something went wrong" in answer.text


def test_pages_are_not_stored_and_files_are(answers: Answers) -> None:
    stored = {"style sheet", "script", "icon", "unchanged", "manifest", "worker"}
    for name, answer in answers.items():
        assert ("no-store" in answer.headers.get("Cache-Control", "")) == (name not in stored), name


def test_a_script_of_a_page_is_never_written_into_it(answers: Answers) -> None:
    for name, answer in answers.items():
        if "text/html" in answer.headers.get("Content-Type", ""):
            assert re.findall(r"<script(?![^>]*\bsrc=)[^>]*>", answer.text) == [], name
            assert re.findall(r"<[^>]+\s(?:on\w+|style)=", answer.text) == [], name
            assert "javascript:" not in answer.text, name


def handshake(site: LiveSite, path: str, *, origin: str) -> str:
    lines = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nOrigin: {origin}\r\n"
    lines += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    lines += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    with socket.create_connection(("127.0.0.1", site.port), timeout=10) as line:
        line.sendall(lines.encode())
        return line.recv(4096).split(b"\r\n\r\n")[0].decode("latin-1")


def test_a_handshake_tells_nothing_of_its_maker(shared_site: LiveSite) -> None:
    let_in = handshake(shared_site, "/ws/lobby", origin=shared_site.url)
    refused = handshake(shared_site, "/ws/lobby", origin="http://evil.example")
    assert "101" in let_in.splitlines()[0] and "403" in refused.splitlines()[0]
    for answer in (let_in, refused):
        assert re.findall(r"(?im)^(?:server|x-powered-by):|autobahn|daphne", answer) == []


# --- cookies and https ---------------------------------------------------------------------------


def cookies(answer: httpx.Response) -> SimpleCookie:
    found: SimpleCookie = SimpleCookie()
    for line in answer.headers.get_list("Set-Cookie"):
        found.load(line)
    return found


def test_over_https_cookies_are_bound_to_this_host_and_to_https(
    new_site: Callable[..., LiveSite],
) -> None:
    site = new_site(HTTPS="true", BEHIND_PROXIES="1")
    site.start()
    told = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
    with httpx.Client(base_url=site.url, headers=told) as client:
        page = client.get("/account/login/")
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)[1]  # type: ignore[index]
        cookie = cookies(page)["__Host-csrftoken"]
        given = told | {
            "Cookie": f"__Host-csrftoken={cookie.value}",
            "Origin": site.url.replace("http:", "https:"),
        }
        form = {"csrfmiddlewaretoken": token, "language": "fr"}
        guest = httpx.post(f"{site.url}/account/guest", data=form, headers=given)
        language = httpx.post(f"{site.url}/language", data=form, headers=given)
        account = {"username": "alice", "password1": PASSWORD}
        signed_up = httpx.post(f"{site.url}/account/signup/", data=form | account, headers=given)
        plain = httpx.get(f"{site.url}/account/login/", headers={"X-Forwarded-For": "192.0.2.1"})
    assert guest.status_code == language.status_code == 302
    session = cookies(guest)["__Host-sessionid"]
    for one in (cookie, session, cookies(language)["django_language"]):
        assert one["secure"] and one["httponly"] and one["samesite"] == "Lax", one
        assert one["path"] == "/" and not one["domain"], one
    known = cookies(signed_up)["__Secure-known-browser"]
    assert known["secure"] and known["httponly"] and known["samesite"] == "Lax", known
    assert known["path"] == "/account/" and not known["domain"], known
    assert page.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "upgrade-insecure-requests" in page.headers["Content-Security-Policy"]
    assert plain.status_code == 301 and plain.headers["Location"].startswith("https://")


@pytest.mark.parametrize(
    ("chosen", "sent"),
    [
        ("subdomains", "max-age=31536000; includeSubDomains"),
        ("preload", "max-age=31536000; includeSubDomains; preload"),
    ],
)
def test_hsts_speaks_for_other_hosts_where_it_is_asked_to(
    new_site: Callable[..., LiveSite], chosen: str, sent: str
) -> None:
    site = new_site(HTTPS="true", BEHIND_PROXIES="1", HSTS=chosen)
    site.start()
    told = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
    page = httpx.get(f"{site.url}/account/login/", headers=told)
    assert page.headers["Strict-Transport-Security"] == sent


def test_on_one_machine_cookies_are_out_of_reach_of_scripts(shared_site: LiveSite) -> None:
    with shared_site.guest() as guest:
        guest.follow_redirects = False
        for path, form in (("/account/guest", {}), ("/language", {"language": "fr"})):
            for one in cookies(guest.post(path, data=form)).values():
                assert one["httponly"] and one["samesite"] == "Lax", one
