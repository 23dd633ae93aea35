"""Where tables come from: one file for each format. :func:`shoal.io.source` finds the one that reads what is given."""
