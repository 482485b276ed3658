"""Sending of pushes to people who have no page open: their texts, and the requests."""
