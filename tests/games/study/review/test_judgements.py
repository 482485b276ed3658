"""What a review of Perudo says of each decision, to its player, to opponents and to spectators."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from accounts.models import User
from games.contract import catalogue
from games.models import Game, GameReview
from games.store import review_content
from games.study.review import first_look, review_page, reviewed_decision, reviews
from games.study.review.figures import in_points, signed
from games.study.review.review_chart import LUCKY
from games.words import percent
from tests.support import fast_games
from tests.support.fixtures import signed_in

pytestmark = pytest.mark.django_db

NOW = fast_games.START + timedelta(days=1)
HTMX = {"HX-Request": "true"}
LANGUAGES = ("en", "fr", "it", "es")


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """A finished game that is reviewed."""
    game = fast_games.finished_game(alice, bob, "steady", calza="on", seed=2)
    reviews.make(game, now=NOW)
    return game


@pytest.fixture
def content(game: Game) -> dict[str, Any]:
    found = reviews.of_game(game)
    assert found is not None
    return dict(found.content)


def told(game: Game, reader: int | None = None, **how: Any) -> dict[str, Any]:
    found = reviews.of_game(game)
    assert found is not None
    return review_page.of_game(game, found, address=str, reader=reader, **how)


def fragment(client: Client, game: Game, query: str = "") -> str:
    address = reverse("games:review", args=[game.code]) + query
    answer = client.get(address, headers=HTMX)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def page(client: Client, game: Game, query: str = "", status: int = 200) -> str:
    answer = client.get(reverse("games:review", args=[game.code]) + query)
    assert answer.status_code == status
    return unescape(answer.content.decode())


def test_every_decision_is_told_once_with_its_best_moves_first(
    game: Game, content: dict[str, Any]
) -> None:
    judgements = told(game)["judgements"]
    assert [each.number for each in judgements] == [each["number"] for each in content["decisions"]]
    for each in judgements:
        options = each.options
        assert 1 <= len(options) <= reviewed_decision.MOST_SHOWN
        assert sum(option.is_played for option in options) == 1
        assert not any(option.is_best for option in options[1:])
        if each.better:
            assert options[0].is_best and not options[0].is_played
        elif options[0].is_best:
            assert options[0].is_played


def test_nothing_is_called_best_beside_a_better_chance_of_winning(
    game: Game, content: dict[str, Any]
) -> None:
    """In whole percents, as the table of options shows them."""
    words = catalogue.of("perudo").review_words
    assert words is not None
    found = next(
        each
        for each in content["decisions"]
        if each["best"] == each["played"] and each["by"] == "person" and not each["forced"]
    )

    def judged(chance: float) -> reviewed_decision.ToldDecision:
        options = [
            each | {"chance": 0.403 if each["move"] == found["best"] else chance}
            for each in found["options"]
        ]
        with override("en"):
            return reviewed_decision.of_game(
                words, found | {"options": options}, "Ben", is_reader=False, after=[]
            )

    told = judged(0.4049)
    assert told.verdict == "Best move" and [each.is_played for each in told.options if each.is_best]
    told = judged(0.4051)
    assert told.verdict == "Good move" and not told.regret and not told.better
    assert not any(each.is_best for each in told.options)
    shown = [each for each in told_everywhere(game) if any(o.is_best for o in each.options)]
    assert shown
    for each in shown:
        chances = {option.is_best: option.chance for option in each.options}
        most = max(int(option.chance.strip("<>%")) for option in each.options)
        assert int(chances[True].strip("<>%")) == most


def told_everywhere(game: Game) -> list[reviewed_decision.ToldDecision]:
    with override("en"):
        return list(told(game)["judgements"])


def test_what_is_as_good_as_the_best_has_nothing_better(content: dict[str, Any]) -> None:
    """A best move is not told what was better, nor one whose cost is nothing."""
    words = catalogue.of("perudo").review_words
    assert words is not None
    reasons = [each for each in content["decisions"] if each["label"] and words.reason(each)]
    [found, *_] = reasons

    def judged(**parts: Any) -> reviewed_decision.ToldDecision:
        with override("en"):
            return reviewed_decision.of_game(words, found | parts, "Ben", is_reader=False, after=[])

    told = judged()
    assert told.better and told.reason and "Better: " in told.why
    equal = [each | {"chance": 0.4} for each in found["options"]]
    for verdict, parts in (
        ("Best move", {"regret": 0.004, "label": None, "options": equal}),
        ("Good move", {"regret": 0.02, "label": None, "cost": 0.009}),
    ):
        told = judged(**parts)
        assert told.verdict == verdict and not told.better and "Better" not in told.why
        assert told.regret == ""
        tagged = [each.is_played for each in told.options if each.is_best]
        assert tagged == ([True] if verdict == "Best move" else [])
    told = judged(
        regret=0.004, label=None, cost=0.08
    )  # worth as many dice: no reason speaks for it
    assert (told.verdict, told.regret, told.better) == ("Good move", "8%", "")
    assert judged(regret=0.09, label=None, cost=0.02).verdict == "Good move"
    told = judged(regret=0.09, label=None, cost=0.08)
    assert (told.verdict, told.regret) == ("Not the best move", "8%") and told.better
    assert judged(regret=0.09, label=None, cost=0.08, by="bot").verdict == "Played by a bot"
    # A move is not called better where another has a better chance of winning.
    known = (found["best"], found["played"])
    other = next(each for each in found["options"] if each["move"] not in known)
    outdoing = [each | {"chance": 0.99} if each is other else each for each in found["options"]]
    told = judged(options=outdoing)
    assert not told.better and not any(each.is_best for each in told.options)


def test_what_was_played_is_shown_also_where_it_was_among_the_worst() -> None:
    options = [{"move": str(each)} for each in range(12)]
    for played, last in (("3", "5"), ("5", "5"), ("6", "6"), ("11", "11")):
        found = reviewed_decision.shown({"options": options, "played": played})
        assert [each["move"] for each in found] == ["0", "1", "2", "3", "4", last]


def test_bots_are_shown_and_never_labelled(game: Game, content: dict[str, Any]) -> None:
    decisions = {each["number"]: each for each in content["decisions"]}
    verdicts = {"person": set(), "bot": set()}
    for each in told(game)["judgements"]:
        by = decisions[each.number]["by"]
        verdicts[by].add(each.verdict)
        assert not each.kind or by == "person"
    assert verdicts["bot"] == {"Played by a bot"}
    assert {"Blunder", "Good move"} <= verdicts["person"]


def test_the_clocks_moves_are_not_labelled_either(game: Game, content: dict[str, Any]) -> None:
    labelled = next(each for each in content["decisions"] if each["label"])
    words = catalogue.of(game.kind_key).review_words
    assert words is not None
    of_the_clock = labelled | {"by": "clock"}
    found = reviewed_decision.of_decision(words, of_the_clock, "alice", is_reader=True)
    assert (found.verdict, found.kind) == ("Played automatically", "")


def test_a_player_is_you_and_everybody_else_has_a_name(
    game: Game, alice: User, bob: User, content: dict[str, Any]
) -> None:
    for client, seat in ((signed_in(alice), 0), (signed_in(bob), 1), (Client(), None)):
        html = fragment(client, game)
        for each in content["decisions"]:
            part = html.split(f'id="judgement-{each["number"]}"')[1].split("</template>")[0]
            [why] = re.findall(r'<p class="why">(.*?)</p>', part)
            if each["seat"] == seat:
                assert "alice" not in why and "bob" not in why
            else:
                assert not re.search(r"\byour?\b", why, re.IGNORECASE)


def test_only_players_read_their_own_costliest_decisions(
    game: Game, alice: User, content: dict[str, Any]
) -> None:
    mine = [each for each in content["decisions"] if each["seat"] == 0 and each["cost"]]
    most = sorted(mine, key=lambda each: -each["cost"])[:3]
    found = [each for each in told(game, reader=0)["first"].moments if each.kind != LUCKY]
    assert [each.url for each in found] == sorted((str(each["number"]) for each in most), key=int)
    assert all(each.told and not each.name for each in found)
    of_all = told(game)["first"].moments
    people = [each for each in content["decisions"] if each["by"] == "person"]
    worst = sorted(people, key=lambda each: -each["cost"])[:3]
    assert [each.url for each in of_all] == sorted((str(e["number"]) for e in worst), key=int)
    assert {each.name for each in of_all} <= {"alice", "bob"}


def test_the_first_look_tells_the_readers_own_game(
    game: Game, alice: User, content: dict[str, Any]
) -> None:
    """One unit, and what decided it agrees with the figures beside it."""
    for seat in (0, 1):
        first, account = told(game, reader=seat)["first"], content["accounts"][seat]
        accuracy, given, luck = first.figures
        assert accuracy.value == percent(account["accuracy"])
        assert accuracy.counts.startswith(str(account["decisions"]))
        shown = in_points(account)
        assert (given.value, luck.value) == tuple(
            f"{signed(shown[name])}%" for name in ("own", "luck")
        )
        assert ("No decision cost you much." in first.told) == (shown["own"] > -5)
        assert all(each.cost.endswith("%") for each in first.moments)
        assert len(first.moments) <= 3
    winner = game.seat_set.get(place=1)
    assert told(game)["first"].title == f"{winner.name} won."
    html = fragment(signed_in(alice), game)
    assert ("You won." in html) == (winner.user == alice)


def test_who_left_is_told_so_first(game: Game) -> None:
    game.seat_set.filter(number=0).update(gone=True)
    with override("en"):
        assert told(game, reader=0)["first"].told.startswith("You didn't play to the end. ")
        assert "play to the end" not in told(game, reader=1)["first"].told


def test_accuracy_is_the_same_wherever_it_is_said(game: Game) -> None:
    """What is not perfect is not said to be 100%."""
    found = reviews.of_game(game)
    assert found is not None
    found.content["accounts"][0]["accuracy"] = 0.998
    with override("en"):
        shown = review_page.of_game(game, found, address=str, reader=0)
    assert shown["first"].figures[0].value == ">99%"
    assert shown["accounts"][0].summary.startswith("accuracy >99% (n = ")


def test_a_first_look_names_the_larger_part_first() -> None:
    parts = {"first": 0.25, "own": -0.2, "gifts": 0.0, "luck": -0.06, "residual": 0.0}
    account = parts | {"last": -0.01, "accuracy": 0.8, "decisions": 9}
    worst = first_look.ToldMoment(1, "", "blunder", 6, "", "dudo", "", "-15%")
    assert first_look.decided(account, worst, 0.15) == (
        "One decision cost you 15%, in round 6: dudo. Luck took 6% of the game from you."
    )
    assert first_look.decided(account, worst, 0.1) == (
        "Your decisions cost you 20%, most of all in round 6: dudo."
        " Luck took 6% of the game from you."
    )
    assert first_look.decided(account, worst, 0.05) == (
        "Your decisions cost you 20%, a little at a time. Luck took 6% of the game from you."
    )
    assert first_look.decided(account, None, 0.0).startswith(
        "Your decisions cost you 20%, a little at a time."
    )
    lucky = account | {"own": 0.0, "luck": 0.75, "last": 1.0}
    assert first_look.decided(lucky, None, 0.0) == (
        "Luck gave you 75% of the game. No decision cost you much."
    )
    swings = account | {"own": -4.41, "gifts": 5.31, "luck": -1.4, "last": -0.25}
    assert first_look.decided(swings, worst, 1.0) == (
        "Your decisions cost you 441%, added up: the game changed hands more than once."
        " Luck took 140% from you, added up."
    )


def test_a_costly_move_is_a_moment_to_look_at_whatever_it_costs_in_dice(game: Game) -> None:
    """What the review calls not the best move is among the costliest, as inaccuracies are."""
    found = reviews.of_game(game)
    assert found is not None
    decisions = found.content["decisions"]
    costly = next(
        each
        for each in decisions
        if each["seat"] == 0 and each["by"] == "person" and not each["label"] and each["cost"]
    )
    other = next(each["move"] for each in costly["options"] if each["move"] != costly["played"])
    costly |= {"cost": 0.9, "best": other, "regret": 0.09}

    def moments() -> list[int]:
        with override("en"):
            shown = review_page.of_game(game, found, address=str, reader=0)
        return [each.number for each in shown["first"].moments]

    assert costly["number"] in moments()
    assert review_page.deciding(found, 0) == costly["number"]
    costly["cost"] = 0.02  # called good
    assert costly["number"] not in moments()


def test_a_list_of_odds_calls_certain_only_what_is(game: Game, content: dict[str, Any]) -> None:
    """And says what the bids told beside the odds by the dice alone."""
    found = reviews.of_game(game)
    assert found is not None
    one, another, third, *_ = (
        option
        for each in found.content["decisions"]
        for option in each["options"]
        if option["move"] == each["played"] and option["odds"] is not None
    )
    one |= {"odds": 0.0004, "after": 0.0004}
    another |= {"odds": 0.9996, "after": 0.614}
    third |= {"odds": 0.5, "after": None}
    with override("en"):
        odds = review_page.of_game(game, found, address=str, reader=0)["odds"]
    assert [(each.odds, each.after) for each in odds[:3]] == [
        ("<1%", ""),
        (">99%", "61%"),
        ("50%", ""),
    ]
    assert re.search(r"\d% <small>\(after the bids \d+%\)</small>", fragment(Client(), game))


def test_moves_played_for_a_reader_are_not_called_cheap(
    game: Game, content: dict[str, Any]
) -> None:
    """What bots play in one's absence is no decision of one's own, but may cost much."""
    found = reviews.of_game(game)
    assert found is not None
    decisions = found.content["decisions"]
    own = [each for each in decisions if each["seat"] == 0]
    account = found.content["accounts"][0]
    account |= {"own": -0.02, "luck": -0.08}
    for each in own:
        each |= {"by": "person", "cost": 0.0, "label": None}
    one, another = own[:2]

    def first() -> str:
        with override("en"):
            told = review_page.of_game(game, found, address=str, reader=0)
        return str(told["first"].told)

    assert first() == "Luck took 8% of the game from you. No decision cost you much."
    one |= {"by": "clock", "cost": 0.11}
    another |= {"by": "clock", "cost": 0.07}
    assert first() == (
        "Moves played automatically for you cost 18% of the game."
        " Luck took 8% of the game from you. No decision of your own cost you much."
    )
    another["cost"] = 0.95
    assert first().startswith("Moves played automatically for you cost 106%, added up. Luck ")
    account["decisions"] = 0
    assert "decision" not in first()


def test_the_accounts_have_a_column_for_bots_and_the_clock(game: Game) -> None:
    html = fragment(Client(), game)
    assert "moves by bots" in html
    rows = re.findall(r"<tr><th scope=\"row\">\w+</th>(.*?)</tr>", html)
    assert {row.count("<td>") for row in rows if "href" not in row} == {8}


def test_that_column_says_who_left_and_is_missing_where_nothing_was_played_for_anybody(
    game: Game,
) -> None:
    game.seat_set.filter(number=0).update(gone=True)
    html = fragment(Client(), game)
    assert "bots and people leaving" in html and "moves by bots" not in html
    review = GameReview.objects.get(game=game)
    content = review_content.unpacked(review.content)
    for account in content["accounts"]:
        account["machine"] = 0.0
    review.content = review_content.packed(content)
    review.save()
    html = fragment(Client(), game)
    assert "people leaving" not in html and "others' errors" in html
    rows = re.findall(r"<tr><th scope=\"row\">\w+</th>(.*?)</tr>", html)
    assert {row.count("<td>") for row in rows if "href" not in row} == {7}


def test_the_chart_leads_to_moments_as_they_are_looked_at(game: Game, client: Client) -> None:
    marks = re.compile(r'class="mark [^"]*" href="([^"]*)"')
    plain = marks.findall(fragment(client, game))
    assert plain and all(re.fullmatch(r"/games/\w+/replay/\d+", each) for each in plain)
    seated = marks.findall(fragment(client, game, "?seat=1"))
    assert seated == [f"{each}?seat=1" for each in plain]
    assert client.get(f"/games/{game.code}/replay/review?seat=7", headers=HTMX).status_code == 404


def test_a_page_shows_one_moment_and_leads_to_the_others(
    game: Game, client: Client, content: dict[str, Any]
) -> None:
    first, second, third = (each["number"] for each in content["decisions"][:3])
    html = page(client, game, f"?at={second}")
    assert html.count('class="judgement') == 1 and '<template id="judgement' not in html
    here = reverse("games:review", args=[game.code])
    assert f'href="{here}?at={first}" rel="prev"' in html
    assert f'href="{here}?at={third}" rel="next"' in html
    assert reverse("games:moment", args=[game.code, second]) in html
    deal = page(client, game, "?at=1")
    assert 'class="judgement' not in deal and f"?at={first}" in deal


def test_a_page_begins_where_most_was_lost(
    game: Game, client: Client, content: dict[str, Any]
) -> None:
    worst = max(content["decisions"], key=lambda each: (each["by"] == "person") * each["cost"])
    assert reverse("games:moment", args=[game.code, worst["number"]]) in page(client, game)


def test_a_page_of_no_moment_is_none(game: Game, client: Client, subtests: pytest.Subtests) -> None:
    for at in ["9999", "99999999", "12345"]:
        with subtests.test(at=at):
            page(client, game, f"?at={at}", status=404)


def test_what_is_no_number_is_as_if_nothing_was_asked(
    game: Game, client: Client, subtests: pytest.Subtests
) -> None:
    for at in ["x", "-1", "0", "٣", "1.5"]:
        with subtests.test(at=at):
            assert 'class="judgement' in page(client, game, f"?at={at}")


def test_the_table_says_what_the_bands_show(game: Game, content: dict[str, Any]) -> None:
    chart = told(game)["chart"]
    moments = catalogue.of(game.kind_key).replay.moments(game)
    rounds = sorted({moment.round for moment in moments})
    assert [row["round"] for row in chart["rows"]] == rounds
    assert sorted(chart["rows"][-1]["chances"]) == ["0%", "0%", "100%"]
    assert sum(len(row["marks"]) for row in chart["rows"]) == len(chart["marks"])
    numbers = [mark["number"] for mark in chart["marks"]]
    labelled = [each["number"] for each in content["decisions"] if each["label"]]
    lucky = [number for number, _ in content["lucky"]]
    assert numbers == sorted(labelled + lucky)


def test_only_ones_own_marks_are_filled(game: Game) -> None:
    assert all(mark["is_mine"] for mark in told(game)["chart"]["marks"])
    mine = [mark["is_mine"] for mark in told(game, reader=1)["chart"]["marks"]]
    assert any(mine) and not all(mine)


def test_all_of_it_is_told_in_every_language(
    game: Game, client: Client, subtests: pytest.Subtests
) -> None:
    for language in LANGUAGES:
        with subtests.test(language=language):
            with override(language):
                for each in told(game)["judgements"]:
                    texts = [each.verdict, each.why, each.regret, each.unit]
                    texts += [str(option) for option in each.options]
                    assert all("%(" not in text for text in texts)
            html = client.get(
                reverse("games:review", args=[game.code]),
                headers=HTMX | {"Accept-Language": language},
            ).content.decode()
            assert "%(" not in html and "None" not in html


def test_the_replay_has_a_place_for_it_where_a_move_may_be_judged(
    game: Game, client: Client, content: dict[str, Any]
) -> None:
    mine = next(each["number"] for each in content["decisions"] if each["seat"] == 0)
    other = next(each["number"] for each in content["decisions"] if each["seat"] == 1)
    for number, query, there in (
        (1, "", False),
        (mine, "", True),
        (mine, "?seat=0", True),
        (other, "?seat=0", False),  # who guesses reads nothing of what others knew
        (other, "?seat=0&open=1", True),
    ):
        answer = client.get(reverse("games:moment", args=[game.code, number]) + query)
        assert ('id="judgement"' in answer.content.decode()) == there, (number, query)


def test_a_link_to_a_moment_opens_with_its_judgement(
    game: Game, alice: User, content: dict[str, Any]
) -> None:
    """Once there is a review, for everybody who may see the replay, and with no press."""
    found = next(each for each in content["decisions"] if each["seat"] == 0 and each["label"])
    address = reverse("games:moment", args=[game.code, found["number"]])
    for reader, name in ((Client(), "alice"), (signed_in(alice), None)):
        html = " ".join(unescape(reader.get(address).content.decode()).split())
        with_script, without = re.findall(
            r"<(template|noscript)[^>]*> <div class=\"judgement", html
        )
        assert (with_script, without) == ("template", "noscript")
        decision = review_page.judgement_of(game, found, None if name else 0)
        assert decision is not None and html.count(f'<p class="why">{decision.why}</p>') == 2
    for query in ("?seat=0", "?seat=1"):  # who guesses is told nothing
        assert 'class="judgement' not in Client().get(address + query).content.decode()
    assert (
        'class="judgement'
        not in Client().get(f"{address[: address.rindex('/')]}/1").content.decode()
    )
    GameReview.objects.all().delete()
    assert 'class="judgement' not in Client().get(address).content.decode()
