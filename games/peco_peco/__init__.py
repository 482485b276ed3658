"""Peco Peco: a bluffing game of animal cards."""
