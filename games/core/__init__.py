"""What every game shares and no framework: the contract of a game, JSON forms, chance."""
