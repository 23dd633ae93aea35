"""The studio: a local web page for the whole way from a file to a verified release.

It serves this machine alone. docs/studio.md says what it shows and what it hides: no row of the table is ever shown,
values of a column only where its owner arranges them in a hierarchy, and counts below k never.
"""
