"""Marks: awarding them for finished games, and showing them."""
