"""How many tables a site carries: ours and the floor, measured in the same run."""
