"""Dates where people write them otherwise than Django does."""
