"""Decoding, verification, the manifest, and the Release that only verification can make."""
