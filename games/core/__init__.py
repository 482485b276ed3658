"""Pure code shared by all games: the contract of a game, JSON forms, records and randomness."""
