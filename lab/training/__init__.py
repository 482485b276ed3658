"""Trains the network of the bot `expert`: games in compiled arrays, and what they teach it."""
