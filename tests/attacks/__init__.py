"""One file for each way of attacking. Each says what the attacker has, what he wants, and what he gets."""
