"""Random tables, random policies, and a naive second recount of what comes out. ``python -m tests.fuzz`` goes on until it is stopped."""
