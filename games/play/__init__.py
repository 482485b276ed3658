"""Everything that changes a game: before the start, moves, deadlines and the scheduler."""
