"""What a person's finished games add up to: lists and statistics."""
