"""Export of personal data: everything that the site stores about a person.

For the data deleted with an account see `deletion`.
"""

from __future__ import annotations

from accounts import account_data
from accounts.models import User
from games.lobby.matching import searches as matching
from games.lobby.standing import ownership as standing
from games.social.chat import talk as chat
from games.social.friends import ties as friends
from games.social.inbox import entries as inbox
from games.social.push import subscriptions as push
from games.study.marks import awards
from games.study.players import history, statistics
from games.study.questions import daily, mistakes
from games.study.questions import question_links as questions
from games.study.ratings import of_person as ratings
from games.study.review import beliefs, reviews


def everything_about(person: User) -> dict[str, object]:
    """Return the content for `downloads.json_file`; lists are iterators that read in batches."""
    return {
        "account": account_data.export(person),
        **history.export(person),
        **statistics.export(person),
        **ratings.export(person),
        **awards.export(person),
        **chat.export(person),
        **inbox.export(person),
        **matching.export(person),
        **standing.export(person),
        **friends.export(person),
        **push.export(person),
        **questions.export(person),
        **daily.export(person),
        **mistakes.export(person),
        **reviews.export(person),
        **beliefs.export(person),
    }
