"""Database models of games and everything that is stored about them."""

from __future__ import annotations

from games.models.chat import ChatBan, ChatMessage, Mute, Report
from games.models.facts import FactRow
from games.models.friends import FriendLink, Presence, Tie
from games.models.game import LONGEST_CODE, Game, Seat, new_code
from games.models.heartbeat import Heartbeat
from games.models.inbox import Inbox, InboxEntry
from games.models.marks import Mark
from games.models.matching import IN_LINE, Search
from games.models.next_seat import NextSeat
from games.models.proofs import DrawProof, SeatPart
from games.models.push import PushChoice, PushKey, PushMessage, PushSubscription
from games.models.questions import DailyAnswer, DailyRound, MistakeAnswer, Question
from games.models.ratings import LISTED_GAMES, LOWER_BY, Club, RatedSeat, Rating, RatingCorrection
from games.models.results import PackedLog, Result, SiteTally, Tally
from games.models.reviews import Belief, GameReview, Habits, ReviewedPlay
from games.models.standing import FormerWord, StandingTable
from games.models.table_settings import TableSettings

__all__ = [
    "IN_LINE",
    "LISTED_GAMES",
    "LONGEST_CODE",
    "LOWER_BY",
    "Belief",
    "Club",
    "DrawProof",
    "FactRow",
    "FormerWord",
    "FriendLink",
    "Game",
    "GameReview",
    "Habits",
    "Heartbeat",
    "Inbox",
    "InboxEntry",
    "Mark",
    "MistakeAnswer",
    "Mute",
    "NextSeat",
    "PackedLog",
    "DailyAnswer",
    "DailyRound",
    "Presence",
    "PushChoice",
    "PushKey",
    "PushMessage",
    "PushSubscription",
    "Question",
    "RatedSeat",
    "Rating",
    "RatingCorrection",
    "Report",
    "Result",
    "ReviewedPlay",
    "ChatMessage",
    "Search",
    "Seat",
    "SeatPart",
    "ChatBan",
    "SiteTally",
    "StandingTable",
    "TableSettings",
    "Tally",
    "Tie",
    "new_code",
]
