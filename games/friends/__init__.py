"""Friends: people who have agreed to find each other again."""
