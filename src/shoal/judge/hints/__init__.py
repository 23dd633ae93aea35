"""Columns of a release that tell what its quasi-identifiers hide."""
