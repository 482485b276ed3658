"""Finding a game: the home page, its lists of tables, matching, standing tables."""
