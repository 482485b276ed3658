"""*Play with people*: who looks for others, who meets whom, and what their pages say about it."""
