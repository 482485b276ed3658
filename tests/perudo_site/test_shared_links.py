"""The link to this site in what was shared, whatever stands around it."""

from __future__ import annotations

from perudo_site.shared_links import path_in

HOST = "site.example:8000"
SENTENCES = (
    *(
        "{}",
        "Look: {}.",
        "{}!",
        "{}?!",
        "{}...",
        "{}…",
        "{}, ok?",
        "{}; ok",
        "{}: there",
        "{}\n\nok",
    ),
    *(
        "({})",
        "(at {}).",
        "[{}]",
        "[Perudo]({})",
        "[Perudo]({}).",
        "{{{}}}",
        "<{}>",
        "<a href='{}'>",
    ),
    *("*{}*", "**{}**", "_{}_", "~{}~", "`{}`", "|{}|", "-{}-", "={}="),
    *(
        "'{}'",
        '"{}"',
        "“{}”",
        "‘{}’.",
        "«{}»",
        "« {} »",
        "„{}“",
        "‹{}›",
        "「{}」",
        "『{}』。",
        "《{}》",
    ),
    *(
        "{}。",
        "{}、",
        "看{}，好",
        "看{}好玩",
        "{}！",
        "{}？",
        "（{}）",
        "{}।",
        "{}؟",
        "{}،ok",
        "{}\u200b",
    ),
    *("{}—ok", "{} – ok", "→{}←", "{}\u00a0ok", "{}😀", "\u2068{}\u2069", "¿{}?", "¡{}!"),
)
ADDRESSES = (
    "/rules/perudo",
    "/games/abc?view=2&x=#board",
    "/account/signup/",
    "/games/abc/replay/12",
    "/players/Mar%C3%ADa",
    "/players/a_b-c",
    "/players/x.(y)",
    "/",
)


def test_a_link_within_a_sentence_opens() -> None:
    wrong = [
        (sentence, address)
        for sentence in SENTENCES
        for address in ADDRESSES
        if path_in(sentence.format(f"https://{HOST}{address}"), HOST) != address
    ]
    assert wrong == []


def test_a_host_with_accents_is_found_as_it_is_written_and_as_it_is_shown() -> None:
    for host in ("péru.example", "xn--pru-bma.example"):
        assert path_in(f"Here: https://{host}/t/abc.", "xn--pru-bma.example") == "/t/abc"


def test_another_port_is_another_site() -> None:
    assert path_in("https://site.example:80001/t/abc https://site.example/t/abc", HOST) is None
