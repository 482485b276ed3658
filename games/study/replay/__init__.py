"""The replay of a finished game: its moments, its page, and its views by seat."""
