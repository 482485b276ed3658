"""Web push: telling people something while no page of theirs is open."""
