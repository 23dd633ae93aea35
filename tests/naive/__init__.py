"""Simple slow versions of what is fast in shoal, to compare with."""
