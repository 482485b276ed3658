"""Reviews of finished games, which judge every decision by what its seat knew."""
