"""How many tables a site carries: ours and the floors, measured in the same run."""
