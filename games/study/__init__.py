"""Finished games: replays, reviews, questions about decisions, and statistics of players."""
