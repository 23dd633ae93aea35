"""Lower bounds on the optimum of one very table, one file each."""

CATALOG: dict[str, str] = {
    "neighbour": "shoal.bounds.neighbour:NEIGHBOUR",
    "box": "shoal.bounds.box:BOX",
    "dual": "shoal.bounds.dual:DUAL",
}
