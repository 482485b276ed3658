"""The data layer of games: the event log, the archive, caches and queries."""
