"""Architecture tests: who writes which model. See model_writes.py for what counts as writing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from django.apps import apps

from tests.model_writes import writes_in
from tests.test_architecture import PRODUCT, ROOT, files, tree

# The folders and files of each model's writers; a file below a folder that is named belongs to it.
WRITERS = {
    # A running game and its seats change in `play` alone; what is packed, in the archive.
    "Game": "games/play games/store/archive.py",
    "Seat": "games/play",
    "NextSeat": "games/play",
    "DrawProof": "games/store/proofs.py",
    "SeatPart": "games/store/proofs.py",
    "FactRow": "games/store/event_log.py games/store/archive.py",
    "PackedLog": "games/store/archive.py",
    "Heartbeat": "games/models/heartbeat.py",
    # What finished games leave behind; a guest's goes to their account.
    "Round": "games/perudo/stats.py games/peco_peco/stats.py",
    "Result": "games/play/finish.py perudo_site/handover.py",
    "Tally": "games/play/finish.py perudo_site/handover.py",
    "Rating": "games/play/ratings",
    "RatedSeat": "games/play/ratings",
    "RatingCorrection": "games/play/ratings",
    "GameReview": "games/study/review",
    "Habits": "games/study/review",
    "ReviewedPlay": "games/study/review",
    "Belief": "games/study/review",
    "Mark": "games/study/marks",
    "Question": "games/study/questions",
    "DailyRound": "games/study/questions",
    "DailyAnswer": "games/study/questions",
    "MistakeAnswer": "games/study/questions",
    # People among each other.
    "Tie": "games/social/friends",
    "FriendLink": "games/social/friends",
    "Presence": "games/social/friends",
    "ChatMessage": "games/social/chat",
    "ChatBan": "games/social/chat",
    "Mute": "games/social/chat",
    "Report": "games/social/chat",
    "Inbox": "games/social/inbox",
    "InboxEntry": "games/social/inbox games/social/friends/invitations.py",
    "Search": "games/lobby/matching",
    "StandingTable": "games/lobby/standing",
    "FormerWord": "games/lobby/standing",
    # What calls players.
    "PushChoice": "games/social/push games/notify/to_many.py",
    "PushKey": "games/social/push",
    "PushMessage": "games/social/push games/notify",
    "PushSubscription": "games/social/push games/notify",
    # Accounts.
    "User": "accounts games/views/daily.py",  # who lends decisions to the question of the day
    "EmailAddress": "accounts",
    "Authenticator": "accounts",
    "HeldName": "accounts",
    "Letter": "accounts",
    "LetterCount": "accounts",
    "LogEntry": "accounts",
    "Session": "accounts",
    "SignInCode": "accounts",
}
# Rows of several models, whichever are handed in.
OF_ANY_MODEL = {
    "accounts/handover.py": "rows of a guest go to an account",
    "accounts/name_keys.py": "names from before",
    "games/social/chat/retention.py": "what is too old, of three models of the chat",
    "games/play/presence.py": "who watches the end of a game, of Seat and NextSeat",
    "perudo_site/deletion.py": "the admin's own log",
    "perudo_site/sessions.py": "the session of Django's settings",
}
# What has such a method and is no row of the database, by the end of its source.
NO_ROWS = {
    "InMemoryStorage",
    *("GameDraft", "tx", "_columns", "_seat_columns", "statements"),  # of a step
    *("Image", "bar", "cache", "digest", "float", "globals()", "prototypes", "standing", "str"),
}
# A form saves a person (accounts), but for these.
FORMS = {"ChoiceForm": "PushChoice"}


def models() -> dict[str, str]:
    """Every model of the site by its lower-case name."""
    return {model.__name__.lower(): model.__name__ for model in apps.get_models()}


def is_of(file: str, places: str) -> bool:
    return any(file == place or file.startswith(f"{place}/") for place in places.split())


def faults(file: str, source: ast.Module) -> Iterator[str]:
    """What a file, named from the root of the project, writes though it may not."""
    for line, verb, found in writes_in(source):
        name = found.rpartition(".")[2]
        model = models().get(name.replace("_", "").lower(), "")
        if name in NO_ROWS or (found == "super()" and "/" in file):
            continue
        if name.endswith("Form"):
            model = FORMS.get(name, "User")
            places = f"{WRITERS[model]} games/views"
        elif model:
            places = WRITERS.get(model, "")
        else:
            places = " ".join(OF_ANY_MODEL)
        if not is_of(file, places):
            yield f"{file}:{line} {verb}s {model or found}"


def test_each_model_is_written_by_its_own_part_alone() -> None:
    wrong = [
        told for file in files(*PRODUCT) for told in faults(str(file.relative_to(ROOT)), tree(file))
    ]
    assert wrong == []


def test_every_named_writer_writes_what_it_is_named_for() -> None:
    """The table says no more than is true."""
    written: dict[str, set[str]] = {}
    for file in files(*PRODUCT):
        for _, _, found in writes_in(tree(file)):
            name = found.rpartition(".")[2].replace("_", "").lower()
            written.setdefault(models().get(name, name), set()).add(str(file.relative_to(ROOT)))
    by_statements = {("FactRow", "games/store/event_log.py"), ("Tally", "games/play/finish.py")}
    idle = [
        (model, place)
        for model, places in WRITERS.items()
        for place in places.split()
        if not any(is_of(file, place) for file in written.get(model, ()))
    ]
    assert set(idle) == by_statements


# Of a game that is over only its results are written.
AT_THE_END = {
    "games/play/finish.py": {("bulk_create", "Result")},
    "games/perudo/stats.py": {("save", "Round"), ("bulk_update", "Round")},
    "games/peco_peco/stats.py": {("save", "Round"), ("bulk_update", "Round")},
}


def test_of_a_game_that_is_over_only_its_results_are_written() -> None:
    for file, allowed in AT_THE_END.items():
        assert {(verb, found) for _, verb, found in writes_in(tree(ROOT / file))} == allowed


BREACHES = {
    "the rows of a manager": 'Game.objects.filter(status="playing").update(seq=0)',
    "another module's model": "models.Game.objects.all().delete()",
    "rows with a name": "found = Game.objects.filter(pk=1)\nfound.exclude(seq=2).update(seq=0)",
    "one of several rows": "for one in Game.objects.all():\n    one.save()",
    "a row that was made": "made = Game()\nmade.save()",
    "a parameter": "def change(it: Game | None) -> None:\n    it.save()",
    "rows as a parameter": "def change(them: QuerySet[Game]) -> None:\n    them.update(seq=0)",
    "what a function gives": "def mine() -> QuerySet[Game]: ...\nmine().update(seq=0)",
    "the rows of another row": "seat.game_set.update(seq=0)",
    "a row of another row": "seat.game.save()",
    "a method handed on": "partial(Game.objects.filter(pk=1).update, seq=0)",
    "a name within a condition": "if (it := Game.objects.first()):\n    it.delete()",
    "what nothing explains": "whatever.save()",
}


def test_every_planted_breach_is_found() -> None:
    """In a view, which writes no game."""
    view = "games/views/guests.py"
    assert [name for name, text in BREACHES.items() if not [*faults(view, ast.parse(text))]] == []


def test_play_may_do_all_of_it() -> None:
    for breach in BREACHES.values():
        if "whatever" not in breach:
            assert [*faults("games/play/commands.py", ast.parse(breach))] == []
