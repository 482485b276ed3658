"""Pure code that all games share: the contract of a game, JSON forms, records, chance."""
