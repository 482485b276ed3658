"""The pages and deeds of the games, one file a place: lobby, table, replay, profile."""
