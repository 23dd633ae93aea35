"""Factors of the complete graph of all rows, found in a sparse graph and proved best by prices; and small best
matchings.
"""
