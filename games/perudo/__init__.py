"""Perudo: its rules, bots, pages, words and tutorial."""
