"""The file of a proof and its checker. Nothing here knows what wrote it."""
