"""Calls people who have no page open: says what waits in the outbox of pushes, and sends it."""
