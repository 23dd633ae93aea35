"""Where releases go: one file for each format. :func:`shoal.io.open_target` finds the one that writes to a place."""
