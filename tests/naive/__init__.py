"""The obvious slow way of everything that is fast elsewhere."""
