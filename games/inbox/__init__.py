"""The inbox of a person: entries that their pages show wherever they are, and where they go."""
