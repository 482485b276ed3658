"""Every door of the site, pressed by a stranger with an empty cookie jar on a phone.

They tap and type what they see (robot.py), and reach what the door promised.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.e2e.conftest import FinishedGame
from tests.e2e.player import PATIENCE, Player, wait_for
from tests.e2e.robot import PHONE, TAPPABLE, Robot, newcomer
from tests.e2e.test_questions import Asker
from tests.support.fixtures import PASSWORD
from tests.support.live_site import QUICK_SIGN_UP, LiveSite
from tests.support.mail_server import MailServer, mail_server

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

OpenBrowser = Callable[..., Player]
GAMES = {"perudo": "Perudo", "peco_peco": "Peco Peco"}
# What a player can always do on their turn, boldest first, and after a round.
MOVES = {"perudo": ("dudo", "bid"), "peco_peco": ("declare",)}
TABLES = [
    ("perudo", 2, "en"),
    ("perudo", 3, "it"),
    ("perudo", 6, "fr"),
    ("peco_peco", 4, "en"),
    ("peco_peco", 8, "es"),
]


COVERED = {
    "lies under": "<button>Sit</button><p style='position: fixed; inset: 0'></p>",
    "is cut off by": "<div style='overflow: hidden; height: 9px'><button>Sit</button></div>",
    "sticks out": "<button style='margin-left: 340px; width: 99px'>Sit</button>",
    "its words are cut off": "<button style='overflow: hidden; width: 30px'>Sit&nbsp;down</button>",
}


@pytest.mark.parametrize("why", COVERED)
def test_nobody_taps_what_is_covered_or_cut_off(browser: Browser, why: str) -> None:
    """The judge of all other tests here."""
    page = browser.new_context(**PHONE).new_page()
    page.set_content(f"<meta name=viewport content='width=device-width'>{COVERED[why]}")
    told = page.locator("button").evaluate(TAPPABLE)
    page.set_content("<meta name=viewport content='width=device-width'><button>Sit</button>")
    assert why in told
    assert not isinstance(page.locator("button").evaluate(TAPPABLE), str)
    page.context.close()


def has_a_seat(robot: Robot) -> None:
    robot.arrives(r"/games/[a-z0-9]{10}$")
    expect(robot.page.locator("#own[data-seat]")).to_be_attached()


def moves(robots: list[Robot], game: str) -> None:
    """Whoever's turn it is first taps what they always may; everybody's screen follows."""
    owns = [robot.page.locator("#own") for robot in robots]
    for _ in range(10 * PATIENCE):
        for robot in robots:
            goes_on = robot.page.locator("#own button[value=confirm]:enabled")
            does = [
                robot.page.locator(f"#own.is-turn button[value={do}]:enabled") for do in MOVES[game]
            ]
            button = next((each for each in (goes_on, *does) if each.count()), None)
            if button is None:
                continue
            seen = [own.get_attribute("data-seq") or "" for own in owns]
            robot.tap_at(button)
            for own, seq in zip(owns, seen, strict=True):
                expect(own).not_to_have_attribute("data-seq", seq)
            if button is not goes_on:
                return
        robots[0].page.wait_for_timeout(100)
    raise AssertionError("nobody's turn came")


@pytest.mark.parametrize(("game", "seats", "language"), TABLES)
def test_strangers_create_a_table_invite_sit_down_and_play(
    unhurried_site: LiveSite, open_browser: OpenBrowser, game: str, seats: int, language: str
) -> None:
    host, friend = (newcomer(open_browser, unhurried_site, language) for _ in range(2))
    name, other = f"Rosa-{game[:4]}-{seats}", f"Paul-{game[:4]}-{seats}"
    host.opens(unhurried_site.url)
    host.tap("Friends", context="a way to play")
    host.arrives("/games/new")
    if game != "perudo":
        host.tap_at(
            host.page.get_by_role("link", name=GAMES[game], exact=True).filter(visible=True)
        )
        host.arrives(f"game={game}")
    host.types(host.word("Your name"), name)
    host.picks(host.word("Seats"), str(seats))
    host.tap("Create the table")
    has_a_seat(host)
    friend.opens(host.read(host.word("Invite friends with this link")))
    friend.types(friend.word("Your name"), other)
    friend.tap("Join %(host)s's table", host=name)
    has_a_seat(friend)
    friend.sees("You're at this table. Waiting for the host to start the game.")
    expect(host.page.locator("#table")).to_contain_text(other)
    for taken in range(2, seats):
        host.tap("Hard")
        expect(host.page.locator("#table .seat.is-free")).to_have_count(seats - taken - 1)
    host.tap("Start the game")
    for robot in (host, friend):
        expect(robot.page.locator(f"#table[data-seats='{seats}'][data-phase]")).to_be_attached()
    moves([host, friend], game)


def test_a_stranger_joins_a_table_of_the_lobby(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    host = open_browser(unhurried_site, "Lobelia")
    host.register()
    table = host.open_table(seats=3)
    stranger = newcomer(open_browser, unhurried_site, "fr")
    stranger.opens(unhurried_site.url)
    code = table.rsplit("/", 1)[1]
    stranger.tap_at(stranger.page.locator(f"#join-{code}"))
    has_a_seat(stranger)
    stranger.arrives(f"{table}$")
    expect(host.page.locator("#table .seat.is-free")).to_have_count(1)


def test_a_stranger_sits_down_at_a_standing_table(
    unhurried_site: LiveSite, open_browser: OpenBrowser
) -> None:
    owner = open_browser(unhurried_site, "Standa")
    owner.register()
    owner.go("/t/new")
    owner.button("Create the table").click()
    expect(owner.page.get_by_role("heading", level=1)).to_have_text("Standa's standing table")
    stranger = newcomer(open_browser, unhurried_site, "it")
    stranger.opens(owner.page.url)
    stranger.types(stranger.word("Your name"), "Ludovica")
    stranger.tap("Take a seat")
    has_a_seat(stranger)
    expect(stranger.page.locator("#table")).to_contain_text("Ludovica")


@pytest.mark.parametrize(("day", "answer"), [("weekday", "dudo"), ("sunday", "farol")])
def test_a_stranger_answers_the_question_of_the_day_and_reads_why(
    site_on: Callable[[str], LiveSite], open_browser: OpenBrowser, day: str, answer: str
) -> None:
    site = site_on(day)
    stranger = newcomer(open_browser, site, "es")
    stranger.opens(site.url)
    stranger.tap_at(stranger.page.locator("#stage .answers .doubts"))
    stranger.tap("Why?", context="an answer was right")
    stranger.arrives("/daily")
    expect(stranger.page.locator(".reply")).to_contain_text(answer)
    stranger.sees("What others chose")
    stranger.tap("Other days")
    stranger.sees("answered", context="a question")


@pytest.fixture
def shared_link(
    browser: Browser, finished_game: Callable[..., FinishedGame], request: pytest.FixtureRequest
) -> Iterator[tuple[LiveSite, str, str]]:
    """A site, the game of a decision there that its player asks friends about, and the link."""
    game = str(request.param)
    asks = Asker(browser, *finished_game(game))
    yield asks.site, game, asks.ask(3)
    for context in asks.contexts:
        context.close()


@pytest.mark.parametrize("shared_link", GAMES, indirect=True)
def test_a_stranger_answers_a_friends_question_and_watches_the_replay_and_its_review(
    shared_link: tuple[LiveSite, str, str], open_browser: OpenBrowser
) -> None:
    site, game, link = shared_link
    stranger = newcomer(open_browser, site, "fr")
    stranger.opens(link)
    stranger.tap_at(stranger.page.locator(f"#own button[value={MOVES[game][0]}]:enabled"))
    expect(stranger.page.locator(".reply")).to_be_visible()
    stranger.tap("Watch what happened")
    stranger.arrives("/replay/3$")
    stranger.tap("Next")
    expect(stranger.page.locator(".where")).to_have_text(re.compile("^4 "))
    stranger.tap("Review", context="of a game")
    expect(stranger.page.locator("#review :is(.again, .soft)").first).to_be_visible()


@pytest.mark.parametrize(("game", "seats"), [("perudo", 2), ("perudo", 3), ("peco_peco", 4)])
def test_a_stranger_steps_through_a_replay(
    finished_game: Callable[..., FinishedGame], open_browser: OpenBrowser, game: str, seats: int
) -> None:
    """With few seats, whose table is drawn larger."""
    site, path, _key = finished_game(game, seats)
    stranger = newcomer(open_browser, site, "en")
    stranger.opens(f"{site.url}{path}")
    stranger.tap("Watch the replay")
    stranger.arrives("/replay")
    stranger.tap("Next reveal")
    stranger.tap_at(stranger.page.locator(".whose summary"))
    stranger.tap_at(stranger.page.locator(".whose a").first)
    stranger.arrives(r"seat=\d")
    stranger.tap("Review", context="of a game")
    expect(stranger.page.locator("#review > *").first).to_be_in_viewport()


@pytest.mark.parametrize(("game", "language"), [("perudo", "es"), ("peco_peco", "it")])
def test_a_stranger_plays_to_the_end_and_reads_the_review(
    unhurried_site: LiveSite, open_browser: OpenBrowser, game: str, language: str
) -> None:
    """Against the fewest bots, boldly whenever they may; then the replay of what they played."""
    stranger = newcomer(open_browser, unhurried_site, language)
    stranger.opens(unhurried_site.url)
    stranger.tap("Bots", context="a way to play")
    stranger.arrives("/bots$")
    hero = stranger.page.locator(f"section[aria-labelledby=hero-{game}]")
    opponents = hero.get_by_label(stranger.word("Opponents"), exact=True)
    stranger.bring(opponents)
    opponents.select_option(index=0)
    stranger.tap_at(hero.get_by_role("button", name=stranger.word("Play now against bots")))
    has_a_seat(stranger)
    own = stranger.page.locator("#own")
    over = stranger.page.locator("#table[data-phase=over]")
    can = ("confirm", *MOVES[game], "waive", "play")
    for _ in range(150):
        asked = [own.locator(f"button[value={do}]:enabled").first for do in can]
        wait_for(
            lambda asked=asked: over.count() or any(map(Locator.count, asked)), stranger.player
        )
        if over.count():
            break
        seq = own.get_attribute("data-seq") or ""
        stranger.tap_at(next(each for each in asked if each.count()))
        expect(own).not_to_have_attribute("data-seq", seq)
    stranger.tap("Watch the replay")
    stranger.arrives("/replay")
    stranger.tap("Next")
    stranger.tap("Review", context="of a game")
    expect(stranger.page.locator("#review > *").first).to_be_in_viewport()


@pytest.mark.parametrize(("game", "language"), [("Perudo", "it"), ("Peco Peco", "en")])
def test_a_stranger_learns_the_game_and_trains_their_eye(
    unhurried_site: LiveSite, open_browser: OpenBrowser, game: str, language: str
) -> None:
    stranger = newcomer(open_browser, unhurried_site, language)
    stranger.opens(unhurried_site.url)
    stranger.tap("Menu")
    stranger.tap("Rules")
    stranger.arrives("/rules")
    learn = stranger.page.get_by_role("link", name=stranger.word("Learn step by step"))
    stranger.tap_at(learn.filter(has_text=game))
    stranger.arrives("/learn/")
    trains = stranger.page.locator("a[href$='/odds']")
    if not trains.count():
        stranger.tap("Start with step 1")
        stranger.arrives("/1$")
        return
    stranger.tap_at(trains)
    stranger.tap("More likely true")
    expect(stranger.page.locator(".reply")).to_be_visible()
    stranger.tap("Next question")
    stranger.arrives(r"/odds/\d+")


@pytest.fixture
def letters() -> Iterator[MailServer]:
    with mail_server() as running:
        yield running


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_stranger_signs_up_finds_their_settings_and_comes_back_by_a_code(
    new_site: Callable[..., LiveSite],
    letters: MailServer,
    open_browser: OpenBrowser,
    language: str,
) -> None:
    site = new_site(EMAIL_URL=letters.url, **QUICK_SIGN_UP)
    site.start()

    def letter() -> str:
        letters.wait(1)
        text = str(letters.taken[-1][1].get_content())
        letters.taken.clear()
        return text

    def is_signed_in() -> None:
        stranger.tap("Menu")
        expect(stranger.page.locator("nav .me")).to_have_text("Dora")

    stranger = newcomer(open_browser, site, language)
    stranger.opens(site.url)
    stranger.tap("Menu")
    stranger.tap("Sign up")
    stranger.arrives("/account/signup/")
    label = stranger.page.locator("main label").all_inner_texts()
    fields = [text.strip() for text in label if text.strip()]
    for text, typed in zip(fields, ("Dora", "dora@example.org", PASSWORD, PASSWORD), strict=False):
        stranger.types(text, typed)
    stranger.tap("Create account")
    stranger.arrives("/account/welcome$")
    link = re.search(r"http\S+/email/confirm/\S+", letter())
    assert link
    stranger.opens(link[0])
    stranger.tap_at(stranger.page.locator("main form button.primary"))
    stranger.arrives("/account/$")
    stranger.picks(stranger.word("Theme"), stranger.word("Dark"))
    stranger.tap("Save")
    expect(stranger.page.locator("html")).to_have_attribute("data-theme", "dark")
    is_signed_in()
    stranger.tap("Sign out")
    stranger.tap("Menu")
    stranger.tap("Sign in")
    stranger.arrives("/account/login/")
    # The code is offered to whom the password was refused.
    name, password = (
        label.inner_text().strip() for label in stranger.page.locator("main label").all()[:2]
    )
    stranger.types(name, "Dora")
    stranger.types(password, "forgotten, alas")
    stranger.tap("Sign in")
    stranger.tap("Email me a code")
    stranger.arrives("/account/")
    [code] = re.findall(r"^\d{6}\b", letter(), re.MULTILINE)
    stranger.types(stranger.page.locator("main label").first.inner_text().strip(), code)
    stranger.tap("Sign in")
    is_signed_in()
