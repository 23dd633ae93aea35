"""The studio: a local web page for the whole way from a file to a verified release.

It serves this machine alone. What it shows and what it hides is said in docs/studio.md: no row of the table is ever shown, values of a
column only where its owner arranges them in a hierarchy, and counts below k never.
"""
