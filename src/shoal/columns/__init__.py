"""What a column holds, and which role it should have. It is decided here, and all other rooms ask here."""
