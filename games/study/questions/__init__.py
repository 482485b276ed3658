"""Questions about decisions in finished games, by link or as the question of the day."""
