"""Reviews of finished games: every decision judged by what its seat knew, and what came of it."""
