"""*Play with people*: the searches, the matching, and its fragments on pages."""
