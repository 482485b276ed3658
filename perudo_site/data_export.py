"""The export of personal data: everything the site stores about a person, put together.

What is deleted with an account is in `deletion`.
"""

from __future__ import annotations

from typing import Any

from accounts import account_data
from accounts.models import User
from games.chat import services as chat
from games.friends import services as friends
from games.inbox import services as inbox
from games.matching import services as matching
from games.players import history
from games.push import subscriptions as push
from games.questions import daily
from games.questions import services as questions
from games.review import services as reviews
from games.standing import services as standing


def everything_about(person: User) -> dict[str, Any]:
    """What `downloads.json_file` writes; lists are iterators that read the database in batches."""
    return {
        "account": account_data.export(person),
        **history.export(person),
        **chat.export(person),
        **inbox.export(person),
        **matching.export(person),
        **standing.export(person),
        **friends.export(person),
        **push.export(person),
        **questions.export(person),
        **daily.export(person),
        **reviews.export(person),
    }
