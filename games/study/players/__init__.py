"""A person's finished games: their list, their statistics and their export."""
