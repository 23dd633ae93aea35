"""Delimited text: its bytes as UTF-8, its records, its cells."""
