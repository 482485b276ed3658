"""Friends: requests, friendships, presence and invitations to tables."""
