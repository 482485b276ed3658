"""The pages and POST actions of the games, one file per area: lobby, table, replay, profile."""
