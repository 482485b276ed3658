"""The inbox of a person: entries with links, which all their pages show."""
