"""shoal publishes tables about people without exposing the people."""

__version__ = "0.1.0"
