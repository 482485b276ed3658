"""Standing tables: a permanent link at which a group meets for game after game."""
