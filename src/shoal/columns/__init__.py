"""What a column is, and what it may be to the people in the table: one place decides, everybody asks it."""
