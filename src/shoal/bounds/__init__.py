"""Lower bounds on the optimum of one very table, one file each."""

CATALOG: dict[str, str] = {}
